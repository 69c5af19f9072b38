/** Counts for the admin page. */
import {getDailyStatistics, getStatistics} from '../../api/admin-statistics.js';
import {getAdminSupport} from '../../api/internal.js';
import {withOffset, type Payload} from '../payloads.js';
import {route, type Route} from '../route.js';

const day = 86_400_000;

function byDay(rows: Iterable<{readonly created_at: string}>): Payload {
  const times = Array.from(rows, ({created_at}) => Date.parse(created_at));
  const midnight = Math.floor(Date.now() / day) * day;
  const days = Array.from({length: 7}, (_, index) => {
    const begin = midnight - (index + 1) * day;
    const [weekday = '', date, month, year] = new Date(begin).toUTCString().split(/,? /);
    const count = times.filter((time) => time >= begin && time < begin + day).length;
    return {date: `${month} ${date} ${year}`, label_full: weekday, label: weekday.charAt(0), count};
  });
  const counts = days.map(({count}) => count);
  return {days, total: times.length, min: Math.min(...counts), max: Math.max(...counts), change: 0};
}

export const routes: readonly Route[] = [
  // Apps ask whether the server has an API for admins.
  route(getAdminSupport, () => ({body: {supported: true}})),

  // Unlike this one, servers round counts from a thousand on, and cache them for a quarter of an hour.
  route(getStatistics, ({world}) => {
    const open = String(world.reports.list().filter(({handled}) => !handled).length);
    return {
      body: {
        contact: 0,
        contact_monthly: 0,
        reports: open,
        reports_monthly: open,
        statuses: world.posts.size,
        profiles: String(world.accounts.size),
        users: String(world.ownAccounts().length),
        instances: String(world.instances.size),
        autospam_count: world.heldBack.size,
      },
    };
  }),

  route(getDailyStatistics, ({world}) => ({
    body: {
      cached_at: withOffset(new Date()),
      users: byDay(world.ownAccounts()),
      posts: byDay(world.posts.values()),
      instances: byDay(world.instances.list()),
    },
  })),
];
