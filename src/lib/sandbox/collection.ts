/** Serves lists in pages, as their records say and as real servers do. */
import type {Endpoint} from '../api/endpoint.js';
import {isFields, integerOf, textOf, type ReceivedFields} from './received-request.js';
import {jsonAnswer} from './refusal.js';
import {route, type Call, type MoreRules, type Route} from './route.js';

interface Store<Row> {
  /** In the order in which they are listed. */
  readonly rows: (call: Call) => readonly Row[];
  readonly show: (row: Row, call: Call) => unknown;
}

interface Pages<Row> {
  /** How many items a page has unless the request asks for another number, and how many at most. */
  readonly usual: number;
  readonly most: number;
  /** The values that items are ordered by; without it, pages have numbers. */
  readonly position?: (row: Row) => SortPosition;
  readonly ascends?: boolean;
  /** Servers call the next page of some lists `prev`, and the one before it `next`. */
  readonly isReversed?: boolean;
}

/** Makes the route of a list. The `Link` header has the addresses of other pages. */
export function collection<Row>(record: Endpoint, {rows, show}: Store<Row>, pages: Pages<Row>, more: MoreRules = {}): Route {
  const list = (call: Call) => {
    const {items, headers} = pageOf(rows(call), pages, `${call.world.linkUrl}${record.path}`, call);
    const shown = items.map((row) => show(row, call));
    return jsonAnswer(shown, 200, headers);
  };
  return route(record, list, more);
}

/** One page of a list, and the `Link` header with the addresses of others. */
function pageOf<Row>(all: readonly Row[], {usual, most, position, ascends, isReversed}: Pages<Row>, url: string, {fields, part}: Call) {
  const limit = Math.min(integerOf(fields['limit'], usual), most);
  const at = (name: string, value: number | string | null) =>
    value === null ? null : `${url.replace('{id}', () => part('id'))}?limit=${limit}&${name}=${value}`;
  if (position === undefined) {
    const page = Math.max(1, integerOf(fields['page'], 1));
    const end = page * limit;
    const links = {next: at('page', all.length > end ? page + 1 : null), prev: at('page', page > 1 ? page - 1 : null)};
    return {items: all.slice(end - limit, end), headers: linkHeader(links)};
  }
  const {items, next, prev} = pageByCursor(all, position, {cursor: textOf(fields['cursor']), limit, ascends});
  const links = {next: at('cursor', isReversed ? prev : next), prev: at('cursor', isReversed ? next : prev)};
  return {items, headers: linkHeader(links)};
}

/** One page of a list for admins whose pages have numbers. */
export function numberedPage<Row>(rows: readonly Row[], {fields}: Call): readonly Row[] {
  const end = Math.max(1, integerOf(fields['page'], 1)) * 6;
  return rows.slice(end - 6, end);
}

const adminPageSize = 10;

/** Makes the route of a list for admins, who choose its order. The body has the addresses of other pages. */
export function adminList<Row>(
  record: Endpoint,
  {rows, show}: Store<Row>,
  position: (row: Row, fields: ReceivedFields) => SortPosition,
  more: MoreRules = {},
): Route {
  const list = (call: Call) => {
    const {world, fields} = call;
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
      data: items.map((row) => show(row, call)),
      links: {first: null, last: null, prev: linkTo(prev), next: linkTo(next)},
      meta: {path, per_page: adminPageSize, next_cursor: next, prev_cursor: prev},
    };
  };
  return route(record, list, more);
}

/** The `Link` header with these addresses; no header when there are none. */
export function linkHeader(links: Readonly<Record<'next' | 'prev', string | null | undefined>>): Readonly<Record<string, string>> {
  const given = (['next', 'prev'] as const).flatMap((rel) => (links[rel] ? [`<${links[rel]}>; rel="${rel}"`] : []));
  return given.length === 0 ? {} : {link: given.join(', ')};
}

/** The values that an item is ordered by, most significant first. They are part of an opaque cursor. */
type SortPosition = Readonly<Record<string, unknown>>;

/**
 * One page of a list by an opaque cursor. A cursor that cannot be read means the first page.
 * @param items in their order: the greatest first, unless they ascend
 */
export function pageByCursor<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => SortPosition,
  {cursor, limit, ascends = false}: {readonly cursor: string | null; readonly limit: number; readonly ascends?: boolean | undefined},
): {readonly items: readonly Item[]; readonly next: string | null; readonly prev: string | null} {
  const {_pointsToNextItems, ...position} = readCursor(cursor);
  const isFirst = Object.keys(position).length === 0;
  const isForward = _pointsToNextItems !== false;
  const sign = isForward === ascends ? 1 : -1;
  const side = items.filter((item) => isFirst || comparePositions(positionOf(item), position) * sign > 0);
  const shown = isForward ? side.slice(0, limit) : side.slice(-limit);
  const isCut = side.length > limit;
  const mark = (item: Item | undefined, _pointsToNextItems: boolean) =>
    item === undefined ? null : Buffer.from(JSON.stringify({...positionOf(item), _pointsToNextItems})).toString('base64url');
  return {
    items: shown,
    next: isCut || !isForward ? mark(shown.at(-1), true) : null,
    prev: !isFirst && (isCut || isForward) ? mark(shown[0], false) : null,
  };
}

function readCursor(text: string | null): ReceivedFields {
  try {
    const value: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString());
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** Compares numbers as numbers and all else as texts. */
function comparePositions(one: SortPosition, other: SortPosition): number {
  for (const [name, value] of Object.entries(one)) {
    const against = other[name];
    if (against === undefined || value === against) continue;
    if (typeof value === 'number') return value - Number(against);
    return String(value) < String(against) ? -1 : 1;
  }
  return 0;
}
