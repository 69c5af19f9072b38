import {sourceText} from './exact.js';

/** The value at a path in a parsed document, and whether it exists. */
export function at(value: unknown, path: readonly PropertyKey[]): {readonly present: boolean; readonly value: unknown} {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) {
      return {present: false, value: undefined};
    }
    inner = Reflect.get(inner, key);
  }
  return {present: inner !== undefined, value: inner};
}

/** The string at a path; undefined where there is none. */
export function textAt(document: unknown, path: readonly PropertyKey[]): string | undefined {
  const {value} = at(document, path);
  return typeof value === 'string' ? value : undefined;
}

/** The boolean at a path; undefined where there is none. */
export function booleanAt(document: unknown, path: readonly PropertyKey[]): boolean | undefined {
  const {value} = at(document, path);
  return typeof value === 'boolean' ? value : undefined;
}

/** The items of the list at a path, of any type; undefined where there is no list. */
export function itemsAt(document: unknown, path: readonly PropertyKey[]): readonly unknown[] | undefined {
  const {value} = at(document, path);
  return Array.isArray(value) ? value : undefined;
}

/** The id at a path in a value from `parseExact`: a string, or a number with all its digits. */
export function identifierAt(document: unknown, path: readonly PropertyKey[]): string | undefined {
  const {value} = at(document, path);
  return typeof value === 'string' ? value : sourceText(value);
}

/** Compares two ids as numbers, which may be too long for JavaScript. */
export function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

/** Where the rows of a list may be. Some servers send a bare list that is documented below a path, or the reverse, below `data`. */
const rowPaths = (rows: readonly string[]): readonly (readonly string[])[] => [rows, rows.length === 0 ? ['data'] : []];

/** The rows of the list in an answer; undefined where it has none. */
export function rowsAt(answer: unknown, rows: readonly string[]): readonly unknown[] | undefined {
  return rowPaths(rows)
    .map((path) => itemsAt(answer, path))
    .find((items) => items !== undefined);
}

/** The rows of the list in an answer. Without a list, the only item is the object at that path, or else the answer itself. */
export function itemsOf(answer: unknown, rows?: readonly string[]): {readonly isList: boolean; readonly items: readonly unknown[]} {
  const items = rows === undefined ? itemsAt(answer, []) : rowsAt(answer, rows);
  if (items !== undefined) return {isList: true, items};
  const {value} = at(answer, rows ?? []);
  return {isList: false, items: [typeof value === 'object' && value !== null && !JSON.isRawJSON(value) ? value : answer]};
}
