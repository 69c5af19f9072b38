/** Counts for the admin page. */
import {getDailyStatistics, getStatistics} from '../../api/admin-statistics.js';
import {getAdminSupport} from '../../api/internal.js';
import {withOffset} from '../account-payloads.js';
import {openEntries} from '../post-payloads.js';
import {route, type Route} from '../route.js';

const day = 86_400_000;

function byDay(times: readonly Date[]): Readonly<Record<string, unknown>> {
  const midnight = Math.floor(Date.now() / day) * day;
  const days = Array.from({length: 7}, (_, index) => {
    const begin = midnight - (index + 1) * day;
    const [weekday = '', date, month, year] = new Date(begin).toUTCString().split(/,? /);
    return {
      date: `${month} ${date} ${year}`,
      label_full: weekday,
      label: weekday.charAt(0),
      count: times.filter((time) => Math.floor(time.getTime() / day) * day === begin).length,
    };
  });
  const counts = days.map(({count}) => count);
  return {days, total: times.length, min: Math.min(...counts), max: Math.max(...counts), change: 0};
}

const timesOf = (all: Iterable<{readonly createdAt: Date}>): Date[] => [...all].map(({createdAt}) => createdAt);

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
        autospam_count: openEntries(world).length,
      },
    };
  }),

  route(getDailyStatistics, ({world}) => ({
    body: {
      cached_at: withOffset(new Date()),
      users: byDay(timesOf(world.ownAccounts())),
      posts: byDay(timesOf(world.posts.values())),
      instances: byDay(timesOf(world.instances.values())),
    },
  })),
];
