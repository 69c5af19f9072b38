/** Counts for the admin page, rounded and cached as servers do. */
import {getDailyStatistics, getStatistics} from '../../api/admin-statistics.js';
import {getAdminSupport} from '../../api/internal.js';
import {withOffset} from '../account-payloads.js';
import {openEntries} from '../post-payloads.js';
import {textOf} from '../received-request.js';
import {keepPerWorld, route, type Route} from '../route.js';
import type {World} from '../world.js';

const day = 86_400_000;

/** Milliseconds for which a server keeps what it counted. */
const lifetimes = {now: 15 * 60_000, byDay: 14 * day};

const scales = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** As servers write a count for people: `35`, `1.0K`, `120K`. */
export function roundCount(count: number): string {
  const [scale, unit] = scales.find(([least]) => count >= least) ?? [1, ''];
  const digits = scale > 1 && Math.round(count / scale) < 100 ? 1 : 0;
  // In whole numbers: a half goes up.
  const steps = Math.floor((count * 10 ** digits + scale / 2) / scale);
  const [whole, tenths] = [Math.floor(steps / 10 ** digits), steps % 10 ** digits];
  return `${whole.toLocaleString('en-US')}${digits === 0 ? '' : `.${tenths}`}${unit}`;
}

interface Counted {
  readonly at: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const countsIn = keepPerWorld(() => new Map<keyof typeof lifetimes, Counted>());

/** What was counted before, unless that is too old. */
function cachedCount(world: World, what: keyof typeof lifetimes, count: () => Counted['body'], isRefreshed = false): Counted['body'] {
  const [known, now] = [countsIn(world).get(what), Date.now()];
  if (known !== undefined && !isRefreshed && now - known.at < lifetimes[what]) return known.body;
  const body = count();
  countsIn(world).set(what, {at: now, body});
  return body;
}

function statistics(world: World): Counted['body'] {
  const open = roundCount(world.reports.list().filter(({handled}) => !handled).length);
  return {
    contact: 0,
    contact_monthly: 0,
    reports: open,
    reports_monthly: open,
    statuses: world.posts.size,
    profiles: roundCount(world.accounts.size),
    users: roundCount(world.ownAccounts().length),
    instances: roundCount(world.instances.size),
  };
}

/** The seven days before this one. */
function byDay(times: readonly Date[]): Counted['body'] {
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
  // Apps ask whether there is anything for admins.
  route(getAdminSupport, () => ({body: {supported: true}})),

  // What the spam filter holds back is always counted.
  route(getStatistics, ({world}) => ({
    body: {...cachedCount(world, 'now', () => statistics(world)), autospam_count: openEntries(world).length},
  })),

  route(getDailyStatistics, ({world, fields}) => {
    const count = () => ({
      cached_at: withOffset(new Date()),
      users: byDay(timesOf(world.ownAccounts())),
      posts: byDay(timesOf(world.posts.values())),
      instances: byDay(timesOf(world.instances.values())),
    });
    return {body: cachedCount(world, 'byDay', count, textOf(fields['refresh']) !== null)};
  }),
];
