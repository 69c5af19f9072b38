import * as config from '../../src/lib/api/config.js';
import {documented} from '../../src/lib/sandbox/routes/server.js';
import {row, since2026, type Row} from './row.js';

export const rows: readonly Row[] = [
  row('config', config.getConfiguration, {
    answer: documented,
    takes: '',
    requests: [{input: {}, sends: 'GET /api/v2.1/config'}],
    ...since2026({
      args: ['config'],
      sent: [{line: 'GET /api/v2.1/config'}],
      shows: ['limits.direct_messages.max_characters', '2000', 'image/webp'],
    }),
  }),
];
