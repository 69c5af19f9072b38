import * as autospam from '../../src/lib/api/autospam.js';
import {alike, row, type Row} from './row.js';

const list = 'GET /api/admin/autospam/list';

export const rows: readonly Row[] = [
  row('autospam list', autospam.listAutospam, {
    takes: '| --page --follow --interval --since-file',
    scope: 'admin:read',
    requests: [
      {input: {query: {page: 2}}, sends: `${list}?page=2`},
      {input: {}, sends: list},
    ],
    mayLack: ['*.status', '*.parent'],
    ...alike({
      args: ['autospam', 'list', '--page', '1'],
      sent: [{line: `${list}?page=1`}],
      shows: ['CHEAP', 'account', '@'],
      says: 'Passed over 1 entry whose post is gone.\n',
    }),
  }),
];
