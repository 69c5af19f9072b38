import * as statistics from '../../src/lib/api/admin-statistics.js';
import {alike, row, type Row} from './row.js';

const takes = '| --by-day --autospam-over --reports-over';

const days = (counts: readonly number[]) => ({
  days: counts.map((many, index) => ({date: `Nov ${22 - index} 2026`, label_full: 'Sun', label: 'S', count: many})),
  total: 145,
  min: Math.min(...counts),
  max: Math.max(...counts),
  change: 0,
});

const whole = {
  contact: 0,
  contact_monthly: 0,
  reports: '35',
  reports_monthly: '35',
  statuses: 0,
  profiles: '273',
  users: '145',
  instances: '1.0K',
  autospam_count: 0,
};

export const rows: readonly Row[] = [
  row('admin stats', statistics.getStatistics, {
    answer: whole,
    takes,
    scope: 'admin:read',
    requests: [{input: {}, sends: 'GET /api/admin/stats'}],
    anyType: Object.keys(whole),
    ...alike({
      args: ['admin', 'stats'],
      sent: [{line: 'GET /api/admin/stats'}],
      shows: ['held back as spam', 'open reports', 'known servers'],
    }),
  }),
  row('admin stats', statistics.getDailyStatistics, {
    answer: {cached_at: '2026-11-23T05:46:26+00:00', users: days([2, 0]), posts: days([5, 3]), instances: days([0, 1])},
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
