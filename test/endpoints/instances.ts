import * as instances from '../../src/lib/api/instances.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

const path = '/api/admin/instances';

export const rows: readonly Row[] = [
  row('instances list', instances.listInstances, {
    answer: {
      data: [examples.instance, {...examples.instance, id: 2, domain: 'other.example', banned: true, notes: 'Sells followers'}],
      meta: {path: 'https://pix.example/api/admin/instances/list', per_page: 10, next_cursor: null, prev_cursor: null},
    },
    takes: '| --query --filter',
    scope: 'admin:write',
    requests: [
      {input: {query: {q: 'spam', filter: 'banned'}}, sends: `GET ${path}/list?sort=asc&sort_by=id&q=spam&filter=banned`},
      {input: {}, sends: `GET ${path}/list?sort=asc&sort_by=id`},
    ],
    ...alike({
      args: ['instances', 'list', '--query', 'example.org', '--filter', 'auto_cw'],
      sent: [{line: `GET ${path}/list?sort=asc&sort_by=id&q=example.org&filter=auto_cw`}],
      shows: ['domain', 'art.example.org', 'pixelfed', 'auto cw', '18'],
    }),
  }),
  row('instances get', instances.readInstance, {
    answer: {data: examples.instance},
    takes: 'DOMAIN|ID...',
    scope: 'admin:read',
    required: {query: ['id']},
    requests: [{input: {query: {id: '1'}}, sends: `GET ${path}/get?id=1`}],
    ...alike({
      args: ['instances', 'get', 'Spam.example.net'],
      sent: [{line: `GET ${path}/list?sort=asc&sort_by=id&q=spam.example.net`}, {line: `GET ${path}/get?id=5`}],
      shows: ['domain        spam.example.net', 'banned        yes', 'notes         Sells followers'],
    }),
  }),
  row('instances moderate', instances.moderateInstance, {
    answer: {data: {...examples.instance, banned: true}},
    takes: 'DOMAIN... | --[no-]banned --[no-]unlisted --[no-]auto-cw --input',
    scope: 'admin:write',
    asks: true,
    required: {body: ['id', 'key', 'value']},
    requests: [{input: {body: {id: '1', key: 'unlisted', value: false}}, sends: `POST ${path}/moderate`}],
    ...alike({
      args: ['instances', 'moderate', 'spam.example.net', '--unlisted', '--yes'],
      sent: [
        {line: 'GET /api/v1/instance'},
        {line: `GET ${path}/list?sort=asc&sort_by=id&q=spam.example.net`},
        {line: `POST ${path}/moderate`, json: {id: '5', key: 'unlisted', value: true}},
      ],
      shows: ['domain        spam.example.net', 'unlisted      yes'],
      says: 'Unlisted spam.example.net.\n',
    }),
  }),
  row('instances refresh', instances.refreshInstance, {
    answer: {data: examples.instance},
    takes: 'DOMAIN... | --input',
    scope: 'admin:write',
    required: {body: ['id']},
    requests: [{input: {body: {id: '1'}}, sends: `POST ${path}/refresh-stats`}],
    ...alike({
      args: ['instances', 'refresh', 'spam.example.net'],
      sent: [{line: `GET ${path}/list?sort=asc&sort_by=id&q=spam.example.net`}, {line: `POST ${path}/refresh-stats`, json: {id: '5'}}],
      shows: ['domain        spam.example.net', 'accounts      2'],
      says: 'Recounted what is known of spam.example.net: 2 accounts, 1 post.\n',
    }),
  }),
];
