import * as report from '../../src/lib/api/report.js';
import {post} from '../e2e/demo-world.js';
import {alike, row, type Row} from './row.js';

const spam = post('CHEAP FOLLOWERS HERE');

export const rows: readonly Row[] = [
  row('report', report.report, {
    answer: {msg: 'Successfully sent report', code: 200},
    takes: 'OBJECT_TYPE OBJECT_ID | --type --message --input',
    scope: 'write',
    required: {body: ['object_type', 'object_id', 'report_type']},
    requests: [
      {
        input: {body: {object_type: 'post', object_id: '1029249433810030615', report_type: 'spam', message: 'Look'}},
        sends: 'POST /api/v1.1/report',
      },
      {input: {body: {object_type: 'user', object_id: '7', report_type: 'scam'}}, sends: 'POST /api/v1.1/report'},
    ],
    ...alike({
      args: ['report', 'post', spam, '--type', 'spam', '--message', 'Sells followers'],
      sent: [
        {line: 'POST /api/v1.1/report', json: {object_type: 'post', object_id: spam, report_type: 'spam', message: 'Sells followers'}},
      ],
      shows: ['Successfully sent report', 'code  200'],
      says: `Reported post ${spam} as spam.\n`,
    }),
  }),
];
