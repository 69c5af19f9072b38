/** Counts for the admin page. Undocumented; Pixelfed alone has them. */
import * as z from 'zod/mini';
import {endpoint, onlyPixelfed, type OwnErrors, type Topic} from './endpoint.js';
import {integer, timestamp} from './entities.js';
import {membersOf, once} from './schema.js';
import {type Column, type RecordView} from './view.js';

const topic: Topic = {
  title: 'Moderate the server as an admin\nSee also `instances`, `reports`, and the section admin_domain_blocks of policies.',
  heading: 'MODERATION',
};
const errors: OwnErrors = {onlyAdmins: true, hints: [onlyPixelfed]};

const common = {section: null, topic, errors, method: 'GET', scope: 'admin:read'} as const;

/** Servers may send a text, which is rounded from a thousand on: `"35"`, `"1.0K"`. */
const count = once(() => z.union([integer, z.string()]));

/** Servers cache these numbers for 15 minutes to a day. */
export const getStatistics = endpoint({
  name: 'get statistics',
  ...common,
  path: '/api/admin/stats',
  output: () =>
    z.looseObject({
      contact: count(),
      contact_monthly: count(),
      reports: count(),
      reports_monthly: count(),
      statuses: count(),
      profiles: count(),
      users: count(),
      instances: count(),
      autospam_count: count(),
    }),
  view: {
    kind: 'record',
    columns: [
      {header: 'held back as spam', path: 'autospam_count'},
      {header: 'open reports', path: 'reports'},
      {header: 'open reports of the last month', path: 'reports_monthly'},
      {header: 'unread contact messages', path: 'contact'},
      {header: 'unread contact messages of the last month', path: 'contact_monthly'},
      {header: 'people', path: 'users'},
      {header: 'posts of people here', path: 'statuses'},
      {header: 'known accounts', path: 'profiles'},
      {header: 'known servers', path: 'instances'},
    ],
  },
});

const counted = [
  {name: 'users', header: 'people'},
  {name: 'posts', header: 'posts'},
  {name: 'instances', header: 'servers'},
] as const;

const daily = once(() =>
  z.looseObject({
    days: z.array(z.looseObject({date: z.string(), label_full: z.string(), label: z.string(), count: integer})),
    total: integer,
    min: integer,
    max: integer,
    change: integer,
  }),
);

function daysOf(statistics: unknown): readonly unknown[] {
  const rows = new Map<unknown, Record<string, unknown>>();
  for (const {name} of counted) {
    const {days} = membersOf(membersOf(statistics)[name]);
    for (const day of Array.isArray(days) ? days : []) {
      const {date, count: many} = membersOf(day);
      rows.set(date, {date, ...rows.get(date), [name]: many});
    }
  }
  return [...rows.values()];
}

const columns = (more: {readonly header: string; readonly path: string}): Column[] =>
  counted.map(({name, header}) => ({header: header + more.header, path: name + more.path, kind: 'number'}));

const dailyView: RecordView = {
  kind: 'record',
  columns: [{header: 'counted', path: 'cached_at', kind: 'time'}, ...columns({header: ' in all', path: '.total'})],
  list: {
    path: daysOf,
    view: {kind: 'list', columns: [{header: 'date', path: 'date', key: true}, ...columns({header: '', path: ''})], empty: 'No days.'},
  },
};

/** Servers cache these numbers for two weeks; `refresh` makes them count again. */
export const getDailyStatistics = endpoint({
  name: 'get daily statistics',
  ...common,
  path: '/api/admin/instance/stats',
  always: {refresh: '1'},
  output: () => z.looseObject({cached_at: timestamp, users: daily(), posts: daily(), instances: daily()}),
  view: dailyView,
});
