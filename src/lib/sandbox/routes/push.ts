import {comparePushToken, disablePush, getPushState, updatePushSettings} from '../../api/push.js';
import type {Rule, Rules} from '../input.js';
import {abort} from '../refusal.js';
import {type Call, keepPerWorld, type Particulars, route, type Route} from '../route.js';

const flags = ['notify_enabled', 'notify_like', 'notify_follow', 'notify_mention', 'notify_comment'] as const;

const pushToken: Rule = ({name, value}) =>
  !/^(?:ExponentPushToken\[.{7,}\]|ExpoPushToken\[.*\])$/.test(String(value)) && `The ${name} is not a valid push token.`;

const unset = {notify_enabled: false, notify_like: true, notify_follow: true, notify_mention: true, notify_comment: true};

interface PushSettings {
  token: string | null;
  wanted: typeof unset;
}

const settingsOn = keepPerWorld(() => new Map<string, PushSettings>());

/** The settings of the viewer. @throws Refusal of a server that does not support push */
function settingsOf({world, viewer}: Call): PushSettings {
  if (!world.facts.push) throw abort(404, 'Push notifications are not supported on this server.');
  const settings = settingsOn(world).get(viewer.id) ?? {token: null, wanted: {...unset}};
  settingsOn(world).set(viewer.id, settings);
  return settings;
}

/** A server that does not support push says so whatever the input is. */
const onlyWithPush = (rules: Rules): Particulars => ({onlyRules: ({facts}) => (facts.push ? rules : {})});

const version = '1.0';
const owner = ({viewer}: Call) => ({version, username: viewer.username, profile_id: viewer.id});
const payload = ({token, wanted: {notify_enabled, ...kinds}}: PushSettings) => ({notify_enabled, has_token: token !== null, ...kinds});

export const routes: readonly Route[] = [
  route({method: 'GET', path: '/api/v1.1/nag/state', scope: null, anonymous: true}, ({world}) => ({body: {active: world.facts.push}})),
  route(getPushState, (call) => ({body: {...owner(call), ...payload(settingsOf(call))}})),
  route(
    comparePushToken,
    (call) => {
      const {token, wanted} = settingsOf(call);
      const match = token === call.text('expo_token');
      return {body: {...owner(call), notify_enabled: wanted.notify_enabled, match, has_existing: token !== null}};
    },
    onlyWithPush({expo_token: ['required', pushToken]}),
  ),
  route(
    updatePushSettings,
    (call) => {
      const settings = settingsOf(call);
      settings.token = call.text('token');
      for (const flag of flags) if (call.text(flag) !== '') settings.wanted[flag] = ['1', 'true', 'on', 'yes'].includes(call.text(flag));
      return {body: {version, ...payload(settings)}};
    },
    onlyWithPush({notify_enabled: ['required'], token: ['required', pushToken]}),
  ),
  route(disablePush, (call) => {
    const settings = settingsOf(call);
    settings.token = null;
    for (const flag of flags) settings.wanted[flag] = false;
    return {body: {...owner(call), ...payload(settings)}};
  }),
];
