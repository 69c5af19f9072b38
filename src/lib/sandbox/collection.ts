/** Lists of what a server has, page by page, as the records of their endpoints and the habits of servers want them. */
import type {Endpoint} from '../api/endpoint.js';
import type {JsonStyle} from '../json/php.js';
import {cursorLinks, linkHeader, pageByCursor, pageByNumber, type SortPosition} from './paging.js';
import {integerOf, textOf, type ReceivedFields} from './request.js';
import {route, type Call, type Route, type RouteAnswer} from './route.js';
import {validate, type FieldRules} from './rules.js';

type Listed = Pick<Endpoint, 'headers' | 'method' | 'path' | 'scope'>;

/** Where the rows of a list come from, in their order, and what is shown of each. */
interface Store<Row> {
  readonly rules: FieldRules;
  readonly rows: (call: Call) => readonly Row[];
  readonly show: (row: Row, call: Call) => unknown;
  /** What the rows are ordered by; without it pages have numbers. */
  readonly position?: (row: Row) => SortPosition;
  readonly ascends?: boolean;
}

interface Pages {
  /** Items on a page unless another number is asked for, and at most. */
  readonly usual: number;
  readonly most: number;
  /** The query of a page; the limit comes first unless given. */
  readonly query?: (limit: number, cursor: string) => string;
  /** Servers call the next page of some lists `prev`, and the one before it `next`. */
  readonly isReversed?: boolean;
  readonly style?: JsonStyle;
}

const limitFirst = (limit: number, cursor: string): string => `limit=${limit}&cursor=${cursor}`;

/** A list that tells of its other pages in a `Link` header. */
export function collection<Row>(
  record: Listed,
  {rules, rows, show, position, ascends = false}: Store<Row>,
  {usual, most, query = limitFirst, isReversed = false, style = {}}: Pages,
): Route {
  return route(record, (call) => {
    const {world, fields, part} = call;
    validate(fields, rules);
    const limit = Math.min(integerOf(fields['limit'], usual), most);
    const url = world.linkUrl + record.path.replace('{id}', () => part('id'));
    const answer = (items: readonly Row[], headers: Readonly<Record<string, string>>): RouteAnswer => ({
      body: items.map((row) => show(row, call)),
      headers,
      style,
    });
    if (position === undefined) {
      const {items, links} = pageByNumber(rows(call), {url, limit, page: Math.max(1, integerOf(fields['page'], 1))});
      return answer(items, linkHeader(links));
    }
    const {items, next, prev} = pageByCursor(rows(call), position, {cursor: textOf(fields['cursor']), limit, ascends});
    const cursors = isReversed ? {next: prev, prev: next} : {next, prev};
    const links = cursorLinks(cursors, (cursor) => `${url}?${query(limit, cursor)}`);
    return answer(items, linkHeader(links, ', '));
  });
}

/** Items on a page of what admins see. */
const adminPageSize = 10;

/** A list for admins, whose body tells of the other pages. @param asked fields that are part of the addresses of these */
export function adminCollection<Row>(
  record: Listed,
  asked: readonly string[],
  {rules, rows, show}: Omit<Store<Row>, 'ascends' | 'position'>,
  order: (fields: ReceivedFields) => {readonly position: (row: Row) => SortPosition; readonly ascends: boolean},
): Route {
  return route(record, (call) => {
    const {world, fields} = call;
    validate(fields, rules);
    const {position, ascends} = order(fields);
    const upwards = rows(call);
    const options = {cursor: textOf(fields['cursor']), limit: adminPageSize, ascends};
    const {items, next, prev} = pageByCursor(ascends ? upwards : upwards.toReversed(), position, options);
    const path = world.linkUrl + record.path;
    const given = asked.flatMap((name) => {
      const value = textOf(fields[name]);
      return value === null ? [] : `${name}=${encodeURIComponent(value)}&`;
    });
    const linkTo = (cursor: string | null) => cursor && `${path}?${given.join('')}cursor=${cursor}`;
    return {
      body: {
        data: items.map((row) => show(row, call)),
        links: {first: null, last: null, prev: linkTo(prev), next: linkTo(next)},
        meta: {path, per_page: adminPageSize, next_cursor: next, prev_cursor: prev},
      },
    };
  });
}
