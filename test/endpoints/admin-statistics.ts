import * as statistics from '../../src/lib/api/admin-statistics.js';
import {alike, row, type Row} from './row.js';

const takes = '| --by-day --autospam-over --reports-over';

export const rows: readonly Row[] = [
  row('admin stats', statistics.getStatistics, {
    takes,
    scope: 'admin:read',
    requests: [{input: {}, sends: 'GET /api/admin/stats'}],
    anyType: Object.keys(Object(statistics.getStatistics.example)),
    ...alike({
      args: ['admin', 'stats'],
      sent: [{line: 'GET /api/admin/stats'}],
      shows: ['held back as spam', 'open reports', 'known servers'],
    }),
  }),
  row('admin stats', statistics.getDailyStatistics, {
    takes,
    scope: 'admin:read',
    requests: [{input: {}, sends: 'GET /api/admin/instance/stats?refresh=1'}],
    ...alike({
      args: ['admin', 'stats', '--by-day'],
      sent: [{line: 'GET /api/admin/instance/stats?refresh=1'}],
      shows: ['counted', 'people in all', 'date', 'servers'],
    }),
  }),
];
