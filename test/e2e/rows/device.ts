import {alike, type Expectation, type Sent} from './row.js';

export const deviceToken = 'ExponentPushToken[canary-of-a-device]';

const registered: Sent = {line: 'POST /api/v1.1/push/update', json: {token: deviceToken, notify_enabled: true}};

export const deviceRows: readonly Expectation[] = [
  alike('push state', {
    args: ['push', 'state'],
    sent: [{line: 'GET /api/v1.1/push/state'}],
    shows: ['has_token', 'notify_mention  yes'],
  }),
  alike('push compare', {
    args: ['push', 'compare', '-'],
    stdin: `${deviceToken}\n`,
    before: [registered],
    sent: [{line: 'POST /api/v1.1/push/compare', json: {provider_token: deviceToken, expo_token: deviceToken}}],
    shows: ['match           yes'],
  }),
  alike('push update', {
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
  }),
  alike('push disable', {
    args: ['push', 'disable', '--yes'],
    before: [registered],
    sent: [{line: 'POST /api/v1.1/push/disable'}],
    shows: ['has_token       no', 'notify_enabled  no'],
  }),
  alike('notifications list', {
    args: ['notifications', 'list', '--limit', '20', '--max-id', '41', '--type', 'follow,mention', '--type', 'reblog'],
    sent: [{line: 'GET /api/v1/notifications?limit=20&max_id=41&types%5B%5D=follow&types%5B%5D=mention&types%5B%5D=reblog'}],
    shows: ['follow', '@newcomer', '@hana', 'Tram 28, again. 🚋'],
  }),
];
