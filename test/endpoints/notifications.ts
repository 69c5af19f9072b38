import * as notifications from '../../src/lib/api/notifications.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

const onlyInFullAccounts = [
  'locked',
  'bot',
  'discoverable',
  'followers_count',
  'following_count',
  'statuses_count',
  'note',
  'avatar',
  'avatar_static',
  'header',
  'header_static',
  'emojis',
  'fields',
  'created_at',
  'last_status_at',
];

export const rows: readonly Row[] = [
  row('notifications list', notifications.listNotifications, {
    answer: [examples.favourite, examples.follow],
    takes: '| --limit --max-id --min-id --since-id --type* --exclude-type* --follow --interval --since-file',
    scope: 'read',
    requests: [
      {
        input: {query: {limit: 40, max_id: '25', min_id: '3', since_id: '2', types: ['mention', 'favourite']}},
        sends: 'GET /api/v1/notifications?limit=40&max_id=25&min_id=3&since_id=2&types[]=mention&types[]=favourite',
      },
      {input: {}, sends: 'GET /api/v1/notifications'},
    ],
    mayLack: ['*.status', ...onlyInFullAccounts.map((name) => `*.account.${name}`)],
    ...alike({
      args: ['notifications', 'list', '--limit', '20', '--max-id', '41', '--type', 'follow,mention', '--type', 'reblog'],
      sent: [{line: 'GET /api/v1/notifications?limit=20&max_id=41&types%5B%5D=follow&types%5B%5D=mention&types%5B%5D=reblog'}],
      shows: ['follow', '@newcomer', '@hana', 'Tram 28, again. 🚋'],
    }),
  }),
];
