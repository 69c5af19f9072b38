/**
 * Parts of a JSON document as the text that they are in it: numbers, escapes and the order of keys stay as they are.
 * Every function reads the text once. The caller has made sure that it is JSON.
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

/** So many items from here on, and where to go on. @param start behind the bracket, or behind the last item */
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

/** The same in batches, so that a long list is not there twice; at least one. @param size items in each but the last */
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
    // Of a repeated name the last counts.
    if (stringOf(text.slice(at, endOfName)) === name) found = value;
    at = endOfSeparator(text, endOfValue(text, value));
  }
  return found === undefined ? undefined : listAt(text, found, rest);
}

/** The texts of the fields of an object by their names, in its order; of a repeated name the last, as JSON.parse has it. */
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

/** What a JSON string says. */
export function stringOf(text: string): string {
  const value: unknown = JSON.parse(text);
  return String(value);
}

export interface Items {
  readonly isList: boolean;
  /** Each as JSON; of an answer that is no list, the answer. */
  readonly texts: readonly string[];
}

/** The rows where they should be, or of the answer itself where a server answers with the bare list; else the answer is the item. */
export function itemsOf(text: string, rows: readonly string[] | undefined): Items {
  const {isList, batches} = itemBatchesOf(text, rows, Number.POSITIVE_INFINITY);
  const [texts = []] = batches;
  return {isList, texts};
}

/** The same bit by bit, so that a long list is not there twice. @param size items in a batch */
export function itemBatchesOf(text: string, rows: readonly string[] | undefined, size: number) {
  const batches: Iterable<readonly string[]> | undefined = (rows && itemBatchesAt(text, rows, size)) ?? itemBatchesAt(text, [], size);
  return batches === undefined ? {isList: false, batches: [[text.trim() || '{}']]} : {isList: true, batches};
}
