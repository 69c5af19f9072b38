import * as reports from '../../src/lib/api/moderation-reports.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

export const rows: readonly Row[] = [
  row('reports list', reports.listReports, {
    answer: [examples.reportOfPost, examples.reportOfAccount],
    takes: '| --page --follow --interval --since-file',
    scope: 'admin:read',
    requests: [
      {input: {query: {page: 2}}, sends: 'GET /api/admin/mod-reports/list?page=2'},
      {input: {}, sends: 'GET /api/admin/mod-reports/list'},
    ],
    mayLack: ['*.status', '*.parent', '*.account'],
    ...alike({
      args: ['reports', 'list', '--page', '1'],
      sent: [{line: 'GET /api/admin/mod-reports/list?page=1'}],
      shows: ['spam', 'post of @troll42@spam.example.net', '@gita', 'CHEAP FOLLOWERS HERE', 'sensitive: A wet dog'],
    }),
  }),
  row('reports handle', reports.handleReport, {
    answer: {success: true},
    takes: 'ID... | --action --input',
    scope: 'admin:write',
    asks: true,
    required: {body: ['id', 'action']},
    requests: [{input: {body: {id: '8', action: 'cw'}}, sends: 'POST /api/admin/mod-reports/handle'}],
    ...alike({
      args: ['reports', 'handle', '1', '--action', 'cw', '--yes'],
      sent: [{line: 'POST /api/admin/mod-reports/handle', json: {id: '1', action: 'cw'}}],
      shows: [],
      says: 'Handled report 1 with cw.\n',
    }),
  }),
];
