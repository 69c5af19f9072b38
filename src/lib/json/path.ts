import {fieldTexts, kindOf, stringOf} from './slices.js';

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

/**
 * The id at a path in the text of a document: a string, or a number with all its digits. A path leads through objects only: whoever wants
 * ids of a list takes its items apart once.
 */
export function identifierAt(text: string, path: readonly string[]): string | undefined {
  let inner: string | undefined = text;
  for (const name of path) inner = inner !== undefined && kindOf(inner) === 'object' ? fieldTexts(inner).get(name) : undefined;
  const kind = inner === undefined ? 'null' : kindOf(inner);
  if (inner === undefined || (kind !== 'string' && kind !== 'number')) return undefined;
  return kind === 'string' ? stringOf(inner) : inner.trim();
}
