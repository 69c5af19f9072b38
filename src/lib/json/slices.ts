/**
 * Parts of a JSON document as text, so that numbers, escapes and the order of keys are unchanged. The text must be valid JSON.
 * Every function reads it once.
 */
import {endOfSeparator, endOfSpace, endOfValue, isCloser} from './scan.js';

export type JsonKind = 'list' | 'literal' | 'null' | 'number' | 'object' | 'string';

const kinds: Readonly<Record<string, JsonKind>> = {'"': 'string', '[': 'list', '{': 'object', f: 'literal', n: 'null', t: 'literal'};

export function kindOf(text: string): JsonKind {
  return kindAt(text, endOfSpace(text, 0));
}

function kindAt(text: string, start: number): JsonKind {
  return kinds[text.charAt(start)] ?? 'number';
}

/** The texts of the items of a list. */
export function itemTexts(list: string): string[] {
  return itemsFrom(list, endOfSpace(list, 0) + 1).texts;
}

/** The next items, and where the following one begins. @param start after the bracket or the last item */
function itemsFrom(text: string, start: number, most = Number.POSITIVE_INFINITY): {readonly texts: string[]; readonly next: number} {
  const texts: string[] = [];
  let at = endOfSeparator(text, start);
  while (texts.length < most && at < text.length && !isCloser(text.charCodeAt(at))) {
    const end = endOfValue(text, at);
    texts.push(text.slice(at, end));
    at = endOfSeparator(text, end);
  }
  return {texts, next: at};
}

/** The texts of the items of the list at a path into a document; undefined where there is no list. */
export function itemTextsAt(text: string, path: readonly string[]): string[] | undefined {
  const start = listAt(text, endOfSpace(text, 0), path);
  return start === undefined ? undefined : itemsFrom(text, start + 1).texts;
}

/** The same in batches, so that a long list is not in memory twice. At least one batch. @param size of each batch but the last */
export function itemBatchesAt(text: string, path: readonly string[], size: number): Iterable<string[]> | undefined {
  const start = listAt(text, endOfSpace(text, 0), path);
  return start === undefined ? undefined : batchesFrom(text, start + 1, size);
}

function* batchesFrom(text: string, start: number, size: number): Generator<string[], void, undefined> {
  let {texts, next} = itemsFrom(text, start, size);
  yield texts;
  while (texts.length === size) {
    ({texts, next} = itemsFrom(text, next, size));
    if (texts.length > 0) yield texts;
  }
}

/** Where the list at a path into a value begins. */
function listAt(text: string, start: number, [name, ...rest]: readonly string[]): number | undefined {
  const kind = kindAt(text, start);
  if (name === undefined) return kind === 'list' ? start : undefined;
  if (kind !== 'object') return undefined;
  let found: number | undefined;
  let at = endOfSpace(text, start + 1);
  while (at < text.length && !isCloser(text.charCodeAt(at))) {
    const endOfName = endOfValue(text, at);
    const value = endOfSeparator(text, endOfName);
    // The last one of a repeated name counts.
    if (stringOf(text.slice(at, endOfName)) === name) found = value;
    at = endOfSeparator(text, endOfValue(text, value));
  }
  return found === undefined ? undefined : listAt(text, found, rest);
}

/** The fields of an object by name, in order. The last one of a repeated name counts, as with JSON.parse. */
export function fieldTexts(object: string): Map<string, string> {
  const fields = new Map<string, string>();
  let at = endOfSpace(object, endOfSpace(object, 0) + 1);
  while (at < object.length && !isCloser(object.charCodeAt(at))) {
    const endOfName = endOfValue(object, at);
    const start = endOfSeparator(object, endOfName);
    const end = endOfValue(object, start);
    fields.set(stringOf(object.slice(at, endOfName)), object.slice(start, end));
    at = endOfSeparator(object, end);
  }
  return fields;
}

/** The value of a JSON string. */
export function stringOf(text: string): string {
  const value: unknown = JSON.parse(text);
  return String(value);
}

export interface Items {
  readonly isList: boolean;
  /** Each as JSON; the answer itself where it is not a list. */
  readonly texts: readonly string[];
}

/** The rows at the path, or of the answer itself where a server sends the bare list; otherwise the answer is the only item. */
export function itemsOf(text: string, rows: readonly string[] | undefined): Items {
  const {isList, batches} = itemBatchesOf(text, rows, Number.POSITIVE_INFINITY);
  const [texts = []] = batches;
  return {isList, texts};
}

/** The same in batches, so that a long list is not in memory twice. @param size of a batch */
export function itemBatchesOf(text: string, rows: readonly string[] | undefined, size: number) {
  const batches: Iterable<readonly string[]> | undefined = (rows && itemBatchesAt(text, rows, size)) ?? itemBatchesAt(text, [], size);
  return batches === undefined ? {isList: false, batches: [[text.trim() || '{}']]} : {isList: true, batches};
}
