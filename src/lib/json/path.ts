import {parseExact, sourceText} from './exact.js';

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

/** An identifier inside the text of a document: a string as it is, a number digit for digit. */
export function identifierAt(text: string, path: readonly PropertyKey[]): string | undefined {
  const {value} = at(parseExact(text), path);
  return typeof value === 'string' ? value : sourceText(value);
}
