import * as z from 'zod/mini';
import {endpoint, type OwnErrors, type Topic} from './endpoint.js';
import {pushComparison, pushSettings, pushState} from './entities.js';
import {agrees, field} from './schema.js';

const topic: Topic = {title: 'Push notification settings', heading: 'MESSAGES'};
/** Without this header servers answer 404. Its value does not matter. */
const headers = {'x-pixelfed-app': '1'};
const errors: OwnErrors = {hints: [{on: 'not_found', hint: 'push is off on this server, or the server is too old for it'}]};

const common = {section: 'Push settings', topic, scope: 'push', headers, errors};

function notify(what: string) {
  return z.optional(field(z.boolean(), `push ${what}`));
}

export const getPushState = endpoint({
  name: 'get push state',
  ...common,
  method: 'GET',
  path: '/api/v1.1/push/state',
  output: pushState,
});

/** The documentation calls the token `provider_token`; servers read `expo_token`. */
export const comparePushToken = endpoint({
  name: 'compare push token',
  ...common,
  method: 'POST',
  path: '/api/v1.1/push/compare',
  isRead: true,
  body: {
    provider_token: field(z.string(), 'device token to compare with the stored one', {
      alsoAs: 'expo_token',
      secret: true,
    }),
  },
  output: pushComparison,
  repeat: 'harmless',
});

export const updatePushSettings = endpoint({
  name: 'update push settings',
  ...common,
  method: 'POST',
  path: '/api/v1.1/push/update',
  body: {
    token: field(z.string(), 'device token to send push notifications to', {secret: true}),
    notify_enabled: field(z.boolean(), 'turn push notifications on or off'),
    notify_like: notify('likes'),
    notify_follow: notify('new followers'),
    notify_mention: notify('mentions and direct messages'),
    notify_comment: notify('comments'),
  },
  output: pushSettings,
  proof: (answer, {body}) => agrees(answer, {...body, token: undefined, has_token: true}),
  repeat: 'harmless',
});

export const disablePush = endpoint({
  name: 'disable push',
  ...common,
  method: 'POST',
  path: '/api/v1.1/push/disable',
  output: pushState,
  proof: (answer) => agrees(answer, {notify_enabled: false, has_token: false}),
  repeat: 'harmless',
});
