import * as push from '../../src/lib/api/push.js';
import * as examples from './examples.js';
import {alike, row, type Row, type Sent} from './row.js';

const device = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]';
const flags = {notify_like: true, notify_follow: false, notify_mention: true, notify_comment: false};
/** The token of the runs against a sandbox, which must not show anywhere. */
export const deviceToken = 'ExponentPushToken[canary-of-a-device]';
const registered: Sent = {line: 'POST /api/v1.1/push/update', json: {token: deviceToken, notify_enabled: true}};

export const rows: readonly Row[] = [
  row('push state', push.getPushState, {
    answer: examples.pushState,
    takes: '',
    scope: 'push',
    requests: [{input: {}, sends: 'GET /api/v1.1/push/state'}],
    ...alike({
      args: ['push', 'state'],
      sent: [{line: 'GET /api/v1.1/push/state'}],
      shows: ['has_token', 'notify_mention  yes'],
    }),
  }),
  row('push compare', push.comparePushToken, {
    answer: {
      version: '1.0',
      username: 'alice',
      profile_id: examples.pushState.profile_id,
      notify_enabled: true,
      match: false,
      has_existing: true,
    },
    takes: 'DEVICE_TOKEN | --input',
    scope: 'push',
    required: {body: ['provider_token']},
    requests: [
      {
        input: {body: {provider_token: device}},
        sends: 'POST /api/v1.1/push/compare',
        // The first name is documented, servers read the second.
        json: {provider_token: device, expo_token: device},
      },
    ],
    ...alike({
      args: ['push', 'compare', '-'],
      stdin: `${deviceToken}\n`,
      before: [registered],
      sent: [{line: 'POST /api/v1.1/push/compare', json: {provider_token: deviceToken, expo_token: deviceToken}}],
      shows: ['match           yes'],
    }),
  }),
  row('push update', push.updatePushSettings, {
    answer: examples.pushSettings,
    takes: 'DEVICE_TOKEN | --[no-]notify --[no-]like --[no-]follow --[no-]mention --[no-]comment --input',
    scope: 'push',
    required: {body: ['token', 'notify_enabled']},
    requests: [
      {
        input: {body: {token: device, notify_enabled: true, ...flags}},
        sends: 'POST /api/v1.1/push/update',
        json: {
          token: device,
          notify_enabled: true,
          notify_like: true,
          notify_follow: false,
          notify_mention: true,
          notify_comment: false,
        },
      },
      {input: {body: {token: device, notify_enabled: false}}, sends: 'POST /api/v1.1/push/update'},
    ],
    ...alike({
      args: ['push', 'update', deviceToken, '--notify', '--no-like', '--no-follow', '--mention', '--comment'],
      sent: [
        {
          line: 'POST /api/v1.1/push/update',
          json: {
            token: deviceToken,
            notify_enabled: true,
            notify_like: false,
            notify_follow: false,
            notify_mention: true,
            notify_comment: true,
          },
        },
      ],
      shows: ['has_token       yes', 'notify_like     no'],
      says: 'Set the device token, and turned push notifications on.\n',
    }),
  }),
  row('push disable', push.disablePush, {
    answer: {
      ...examples.pushState,
      notify_enabled: false,
      has_token: false,
      notify_like: false,
      notify_mention: false,
    },
    takes: '',
    scope: 'push',
    asks: true,
    requests: [{input: {}, sends: 'POST /api/v1.1/push/disable'}],
    ...alike({
      args: ['push', 'disable', '--yes'],
      before: [registered],
      sent: [{line: 'POST /api/v1.1/push/disable'}],
      shows: ['has_token       no', 'notify_enabled  no'],
      says: 'Turned off all push notifications, and deleted the device token.\n',
    }),
  }),
];
