/** Push settings of a device. */
import {comparePushToken, disablePush, getPushState, updatePushSettings} from '../../api/push.js';
import {type ReceivedFields, textOf} from '../request.js';
import {abort} from '../refusal.js';
import {type Call, keepPerWorld, route, type Route} from '../route.js';
import {validate, type FieldRule} from '../rules.js';

/** The version of the gateway's protocol. */
const version = '1.0';

const flags = ['like', 'follow', 'mention', 'comment'] as const;

const pushToken: FieldRule = ({name, value}) =>
  !/^(?:ExponentPushToken\[.{7,}\]|ExpoPushToken\[.*\])$/.test(String(value)) && `The ${name} is not a valid push token.`;

/** Values that count as true; all others are false. */
const isYes = (value: unknown): boolean => [true, 1, '1', 'true', 'on', 'yes'].some((yes) => yes === value);

interface PushSettings {
  token: string | null;
  enabled: boolean;
  like: boolean;
  follow: boolean;
  mention: boolean;
  comment: boolean;
}

/** By account. */
const settingsOn = keepPerWorld(() => new Map<string, PushSettings>());

function settingsOf({world, viewer}: Call): PushSettings {
  if (!world.facts.push) throw abort(404, 'Push notifications are not supported on this server.');
  const known = settingsOn(world).get(viewer.id) ?? {token: null, enabled: false, like: true, follow: true, mention: true, comment: true};
  settingsOn(world).set(viewer.id, known);
  return known;
}

const owner = ({viewer}: Call) => ({username: viewer.username, profile_id: viewer.id});

const payload = ({token, enabled, ...wanted}: PushSettings) => ({
  notify_enabled: enabled,
  has_token: token !== null,
  ...Object.fromEntries(flags.map((flag) => [`notify_${flag}`, wanted[flag]])),
});

function takeFlags(settings: PushSettings, fields: ReceivedFields): void {
  for (const flag of flags) {
    const value = fields[`notify_${flag}`];
    if (value !== undefined && value !== null) settings[flag] = isYes(value);
  }
}

export const routes: readonly Route[] = [
  route({method: 'GET', path: '/api/v1.1/nag/state', scope: null, anonymous: true}, ({world}) => ({body: {active: world.facts.push}})),

  route(getPushState, (call) => ({body: {version, ...owner(call), ...payload(settingsOf(call))}})),

  // It is documented as `provider_token`, but servers read `expo_token` only.
  route(comparePushToken, (call) => {
    const settings = settingsOf(call);
    validate(call.fields, {expo_token: ['required', pushToken]});
    return {
      body: {
        version,
        ...owner(call),
        notify_enabled: settings.enabled,
        match: settings.token === textOf(call.fields['expo_token']),
        has_existing: settings.token !== null,
      },
    };
  }),

  route(updatePushSettings, (call) => {
    const settings = settingsOf(call);
    validate(call.fields, {notify_enabled: 'required', token: ['required', pushToken]});
    settings.token = textOf(call.fields['token']);
    settings.enabled = isYes(call.fields['notify_enabled']);
    takeFlags(settings, call.fields);
    return {body: {version, ...payload(settings)}};
  }),

  route(disablePush, (call) => {
    const settings = settingsOf(call);
    Object.assign(settings, {token: null, enabled: false, like: false, follow: false, mention: false, comment: false});
    return {body: {version, ...owner(call), ...payload(settings)}};
  }),
];
