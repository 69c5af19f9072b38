import {fieldTexts, itemTexts, kindOf, stringOf} from './slices.js';

/** The value at a path into a parsed document, and whether there is one. */
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

/** The text at a path; undefined where there is none, be it something else. */
export function textAt(document: unknown, path: readonly PropertyKey[]): string | undefined {
  const {value} = at(document, path);
  return typeof value === 'string' ? value : undefined;
}

/** Whether it says true or false at a path; undefined where it says neither. */
export function booleanAt(document: unknown, path: readonly PropertyKey[]): boolean | undefined {
  const {value} = at(document, path);
  return typeof value === 'boolean' ? value : undefined;
}

/** The items of the list at a path, each of which can be anything; undefined where there is no list. */
export function itemsAt(document: unknown, path: readonly PropertyKey[]): readonly unknown[] | undefined {
  const {value} = at(document, path);
  return Array.isArray(value) ? value : undefined;
}

/** An identifier inside the text of a document: a string as it is, a number digit for digit. */
export function identifierAt(text: string, path: readonly PropertyKey[]): string | undefined {
  let inner: string | undefined = text;
  for (const key of path) inner = inner === undefined ? undefined : partAt(inner, key);
  const kind = inner === undefined ? 'null' : kindOf(inner);
  if (inner === undefined || (kind !== 'string' && kind !== 'number')) return undefined;
  return kind === 'string' ? stringOf(inner) : inner.trim();
}

function partAt(text: string, key: PropertyKey): string | undefined {
  const kind = kindOf(text);
  if (kind === 'object') return fieldTexts(text).get(String(key));
  return kind === 'list' ? itemTexts(text)[Number(key)] : undefined;
}
