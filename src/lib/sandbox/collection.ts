/** Serves lists in pages, as the records of their endpoints say and as real servers do. */
import type {Endpoint} from '../api/endpoint.js';
import {comparePositions, linkHeader, pageByCursor, type SortPosition} from './pages.js';
import {integerOf, textOf, type ReceivedFields} from './received-request.js';
import {route, type Call, type Route} from './route.js';
import {validate, type FieldRules} from './rules.js';

type Listed = Pick<Endpoint, 'headers' | 'method' | 'path' | 'scope'>;

interface Store<Row> {
  readonly rules: FieldRules;
  readonly rows: (call: Call) => readonly Row[];
  readonly show: (row: Row, call: Call) => unknown;
  /** The values that rows are ordered by; without it, pages have numbers. */
  readonly position?: (row: Row) => SortPosition;
  readonly ascends?: boolean;
}

interface Pages {
  /** How many items a page has unless the request asks for another number, and how many at most. */
  readonly usual: number;
  readonly most: number;
  /** Servers call the next page of some lists `prev`, and the one before it `next`. */
  readonly isReversed?: boolean;
}

/** Makes the route of a list whose `Link` header has the addresses of other pages. */
export function collection<Row>(
  record: Listed,
  {rules, rows, show, position, ascends = false}: Store<Row>,
  {usual, most, isReversed = false}: Pages,
): Route {
  return route(record, (call) => {
    const {world, fields, part} = call;
    validate(fields, rules);
    const limit = Math.min(integerOf(fields['limit'], usual), most);
    const at = (name: string, value: number | string | null) =>
      value === null ? null : `${world.linkUrl}${record.path.replace('{id}', () => part('id'))}?limit=${limit}&${name}=${value}`;
    const all = rows(call);
    const body = (items: readonly Row[]) => items.map((row) => show(row, call));
    if (position === undefined) {
      const page = Math.max(1, integerOf(fields['page'], 1));
      const end = page * limit;
      const links = {next: at('page', all.length > end ? page + 1 : null), prev: at('page', page > 1 ? page - 1 : null)};
      return {body: body(all.slice(end - limit, end)), headers: linkHeader(links)};
    }
    const {items, next, prev} = pageByCursor(all, position, {cursor: textOf(fields['cursor']), limit, ascends});
    const cursors = isReversed ? {next: prev, prev: next} : {next, prev};
    return {body: body(items), headers: linkHeader({next: at('cursor', cursors.next), prev: at('cursor', cursors.prev)})};
  });
}

const adminPageSize = 10;

/** Makes the route of a list for admins, who choose its order. The body has the addresses of other pages. */
export function adminCollection<Row>(
  record: Listed,
  {rules, rows, show}: Pick<Store<Row>, 'rows' | 'rules' | 'show'>,
  position: (row: Row, fields: ReceivedFields) => SortPosition,
): Route {
  return route(record, (call) => {
    const {world, fields} = call;
    validate(fields, {sort: 'in:asc,desc', ...rules});
    const {cursor, ...asked} = fields;
    const ascends = asked['sort'] === 'asc';
    const at = (row: Row) => position(row, fields);
    const upwards = rows(call).toSorted((one, other) => comparePositions(at(one), at(other)));
    const page = {cursor: textOf(cursor), limit: adminPageSize, ascends};
    const {items, next, prev} = pageByCursor(ascends ? upwards : upwards.toReversed(), at, page);
    const path = world.linkUrl + record.path;
    const given = Object.entries(asked).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}&`);
    const linkTo = (mark: string | null) => mark && `${path}?${given.join('')}cursor=${mark}`;
    return {
      body: {
        data: items.map((row) => show(row, call)),
        links: {first: null, last: null, prev: linkTo(prev), next: linkTo(next)},
        meta: {path, per_page: adminPageSize, next_cursor: next, prev_cursor: prev},
      },
    };
  });
}
