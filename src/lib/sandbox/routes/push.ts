import {comparePushToken, disablePush, getPushState, updatePushSettings} from '../../api/push.js';
import {textOf} from '../received-request.js';
import {abort} from '../refusal.js';
import {type Call, keepPerWorld, route, type Route} from '../route.js';
import {validate, type FieldRule} from '../rules.js';

/** The version of the gateway's protocol. */
const version = '1.0';

const flags = ['notify_enabled', 'notify_like', 'notify_follow', 'notify_mention', 'notify_comment'] as const;

const pushToken: FieldRule = ({name, value}) =>
  !/^(?:ExponentPushToken\[.{7,}\]|ExpoPushToken\[.*\])$/.test(String(value)) && `The ${name} is not a valid push token.`;

/** Values that count as true; all others are false. */
const isYes = (value: unknown): boolean => [true, 1, '1', 'true', 'on', 'yes'].some((yes) => yes === value);

interface PushSettings {
  token: string | null;
  readonly wanted: Record<(typeof flags)[number], boolean>;
}

/** Settings by the id of the account. */
const settingsOn = keepPerWorld(() => new Map<string, PushSettings>());

const unset = {notify_enabled: false, notify_like: true, notify_follow: true, notify_mention: true, notify_comment: true};

function settingsOf({world, viewer}: Call): PushSettings {
  if (!world.facts.push) throw abort(404, 'Push notifications are not supported on this server.');
  const known = settingsOn(world).get(viewer.id) ?? {token: null, wanted: {...unset}};
  settingsOn(world).set(viewer.id, known);
  return known;
}

const owner = ({viewer}: Call) => ({version, username: viewer.username, profile_id: viewer.id});

const payload = ({token, wanted: {notify_enabled, ...kinds}}: PushSettings) => ({notify_enabled, has_token: token !== null, ...kinds});

export const routes: readonly Route[] = [
  route({method: 'GET', path: '/api/v1.1/nag/state', scope: null, anonymous: true}, ({world}) => ({body: {active: world.facts.push}})),

  route(getPushState, (call) => ({body: {...owner(call), ...payload(settingsOf(call))}})),

  // The field is documented as `provider_token`, but servers read `expo_token` only.
  route(comparePushToken, (call) => {
    const settings = settingsOf(call);
    validate(call.fields, {expo_token: ['required', pushToken]});
    return {
      body: {
        ...owner(call),
        notify_enabled: settings.wanted.notify_enabled,
        match: settings.token === textOf(call.fields['expo_token']),
        has_existing: settings.token !== null,
      },
    };
  }),

  route(updatePushSettings, (call) => {
    const settings = settingsOf(call);
    validate(call.fields, {notify_enabled: 'required', token: ['required', pushToken]});
    settings.token = textOf(call.fields['token']);
    for (const flag of flags) if (textOf(call.fields[flag]) !== null) settings.wanted[flag] = isYes(call.fields[flag]);
    return {body: {version, ...payload(settings)}};
  }),

  route(disablePush, (call) => {
    const settings = settingsOf(call);
    settings.token = null;
    for (const flag of flags) settings.wanted[flag] = false;
    return {body: {...owner(call), ...payload(settings)}};
  }),
];
