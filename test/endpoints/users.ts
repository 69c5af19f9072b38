import * as users from '../../src/lib/api/users.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

const path = '/api/admin/users';

/** What is told of the account, where it can be read. */
const ofAccount = ['avatar', 'bio', 'statuses_count', 'following_count', 'followers_count', 'is_private'];

export const rows: readonly Row[] = [
  row('users list', users.listUsers, {
    answer: {
      data: [examples.user, {...examples.user, id: '141', username: 'alice', name: 'Alice', is_admin: true}],
      meta: {path: 'https://pix.example/api/admin/users/list', per_page: 10, next_cursor: null, prev_cursor: null},
    },
    takes: '| --query --sort --cursor --created-after --created-before --unverified --max-posts --max-followers --show-private',
    scope: 'admin:read',
    requests: [
      {input: {query: {q: 'deals', sort: 'asc', cursor: 'eyJpZCI6Mn0'}}, sends: `GET ${path}/list?q=deals&sort=asc&cursor=eyJpZCI6Mn0`},
      {input: {}, sends: `GET ${path}/list`},
    ],
    mayLack: ofAccount.map((name) => `data.*.${name}`),
    ...alike({
      args: ['users', 'list', '--query', 'deals1'],
      sent: [{line: `GET ${path}/list?q=deals1`}],
      shows: ['user', '@deals18', 'Best deals', 'no'],
    }),
  }),
  row('users get', users.readUser, {
    answer: {
      data: examples.user,
      meta: {cached_at: '2026-11-23T05:46:23.141Z', ...examples.userMeta, dms_sent: 0, report_count: 1, remote_report_count: 0},
    },
    takes: 'USER | --show-private',
    scope: 'admin:read',
    required: {query: ['user_id']},
    mayLack: ofAccount.map((name) => `data.${name}`),
    requests: [{input: {query: {user_id: '142'}}, sends: `GET ${path}/get?refresh=1&user_id=142`}],
    ...alike({
      args: ['users', 'get', '@bob'],
      sent: [{line: `GET ${path}/list?q=bob`}, {line: `GET ${path}/get?refresh=1&user_id=3`}],
      shows: ['user              @bob', 'unlisted          no', 'links             yes'],
    }),
  }),
  row('users update', users.moderateUser, {
    answer: {data: examples.user, meta: examples.userMeta},
    takes: 'USER... | --[no-]unlisted --[no-]cw --[no-]autolink --verify-email --refresh-stats --input --show-private',
    scope: 'admin:write',
    asks: true,
    required: {body: ['id', 'action']},
    mayLack: ofAccount.map((name) => `data.${name}`),
    requests: [{input: {body: {id: '142', action: 'cw'}}, sends: `POST ${path}/action`}],
    ...alike({
      args: ['users', 'update', '@bob', '--unlisted', '--yes'],
      sent: [
        {line: `GET ${path}/list?q=bob`},
        {line: 'GET /api/v1/accounts/verify_credentials'},
        {line: `GET ${path}/get?refresh=1&user_id=3`},
        {line: `POST ${path}/action`, json: {id: '3', action: 'unlisted'}},
      ],
      shows: ['unlisted          yes', 'content warnings  no', 'links             yes'],
      says: 'Unlisted @bob.\n',
    }),
  }),
  row('users delete', users.deleteUser, {
    answer: {status: 200, msg: 'deleted'},
    takes: 'USER... | --input',
    scope: 'admin:write',
    asks: true,
    required: {body: ['id', 'action']},
    requests: [{input: {body: {id: '142', action: 'delete'}}, sends: `POST ${path}/action`}],
    ...alike({
      args: ['users', 'delete', '@bob', '--yes', '--allow-deletions', '1'],
      sent: [
        {line: `GET ${path}/list?q=bob`},
        {line: 'GET /api/v1/accounts/verify_credentials'},
        {line: `POST ${path}/action`, json: {id: '3', action: 'refresh_stats'}},
        {line: `POST ${path}/action`, json: {id: '3', action: 'delete'}},
      ],
      shows: [],
      says: 'Deleted @bob.\n',
    }),
  }),
];
