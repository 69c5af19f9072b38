import * as autospam from '../../src/lib/api/autospam.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

const list = 'GET /api/admin/autospam/list';

export const rows: readonly Row[] = [
  row('autospam list', autospam.listAutospam, {
    answer: [examples.autospamEntry],
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
  row('autospam handle', autospam.handleAutospam, {
    answer: {status: 'success'},
    takes: 'ID... | --action --input',
    scope: 'admin:write',
    asks: true,
    required: {body: ['id', 'action']},
    requests: [{input: {body: {id: '7', action: 'dismiss'}}, sends: 'POST /api/admin/autospam/handle'}],
    ...alike({
      args: ['autospam', 'handle', '38', '--action', 'approve', '--yes'],
      sent: [{line: list}, {line: 'POST /api/admin/autospam/handle', json: {id: '38', action: 'approve'}}],
      shows: [],
      says: 'Handled entry 38 with approve.\n',
    }),
  }),
];
