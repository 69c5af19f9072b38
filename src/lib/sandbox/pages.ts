import {isFields} from './received-request.js';

/** The `Link` header with these addresses; no header when there are none. */
export function linkHeader(links: Readonly<Record<'next' | 'prev', string | null | undefined>>): Readonly<Record<string, string>> {
  const given = (['next', 'prev'] as const).flatMap((rel) => (links[rel] ? [`<${links[rel]}>; rel="${rel}"`] : []));
  return given.length === 0 ? {} : {link: given.join(', ')};
}

/** The values that an item is ordered by, most significant first. They are part of an opaque cursor. */
export type SortPosition = Readonly<Record<string, number | string>>;

interface Cursor {
  readonly position: SortPosition;
  readonly forward: boolean;
}

/**
 * One page of a list by an opaque cursor. A cursor that cannot be read means the first page.
 * @param items in their order: the greatest first, unless they ascend
 */
export function pageByCursor<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => SortPosition,
  {cursor: text, limit, ascends = false}: {readonly cursor: string | null; readonly limit: number; readonly ascends?: boolean},
): {readonly items: readonly Item[]; readonly next: string | null; readonly prev: string | null} {
  const cursor = text === null ? null : readCursor(text);
  const isAfter = (item: Item, {position, forward}: Cursor) =>
    comparePositions(positionOf(item), position) * (forward === ascends ? -1 : 1) < 0;
  const side = items.filter((item) => cursor === null || isAfter(item, cursor));
  const shown = cursor === null || cursor.forward ? side.slice(0, limit) : side.slice(-limit);
  const more = side.length > limit;
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    items: shown,
    next: last !== undefined && (cursor?.forward === false || more) ? writeCursor(positionOf(last), true) : null,
    prev: first !== undefined && cursor !== null && (cursor.forward || more) ? writeCursor(positionOf(first), false) : null,
  };
}

function writeCursor(position: SortPosition, forward: boolean): string {
  return Buffer.from(JSON.stringify({...position, _pointsToNextItems: forward})).toString('base64url');
}

function readCursor(text: string): Cursor | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!isFields(value)) return null;
    const {_pointsToNextItems: forward, ...rest} = value;
    const position = Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, number | string] => ['number', 'string'].includes(typeof entry[1])),
    );
    return {position, forward: forward !== false};
  } catch {
    return null;
  }
}

export function comparePositions(one: SortPosition, other: SortPosition): number {
  for (const [name, value] of Object.entries(one)) {
    const against = other[name];
    if (against === undefined || value === against) continue;
    return value < against ? -1 : 1;
  }
  return 0;
}
