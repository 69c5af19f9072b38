/**
 * Parts of a JSON document as text, so that numbers, escapes and the order of keys are unchanged. They have no white space outside
 * strings. The text must be valid JSON. Every function reads it once.
 */
import {endOfSeparator, endOfSpace, endOfValue, isCloser, valueFrom} from './scan.js';
import {compact} from './text.js';

type JsonKind = 'list' | 'literal' | 'null' | 'number' | 'object' | 'string';

const kinds: Readonly<Record<string, JsonKind>> = {'"': 'string', '[': 'list', '{': 'object', f: 'literal', n: 'null', t: 'literal'};

export function kindOf(text: string): JsonKind {
  return kindAt(text, endOfSpace(text, 0));
}

function kindAt(text: string, start: number): JsonKind {
  return kinds[text.charAt(start)] ?? 'number';
}

export function itemTexts(list: string): string[] {
  return itemsFrom(list, endOfSpace(list, 0)).items;
}

type ReadValue = typeof valueFrom;

/** A value as it is written, unless it is on several lines. */
const lineFrom: ReadValue = (text, start) => {
  const end = endOfValue(text, start);
  const written = text.slice(start, end);
  return /[\n\r]/.test(written) ? valueFrom(text, start) : {compact: written, end};
};

/** @param start of a list */
function itemsFrom(text: string, start: number, read: ReadValue = valueFrom): {readonly items: string[]; readonly end: number} {
  const items: string[] = [];
  let at = endOfSeparator(text, start + 1);
  while (at < text.length && !isCloser(text.charCodeAt(at))) {
    const item = read(text, at);
    items.push(item.compact);
    at = endOfSeparator(text, item.end);
  }
  return {items, end: at + 1};
}

/** The items of the list at a path into a document; undefined where there is no list. */
export function itemTextsAt(text: string, path: readonly string[]): string[] | undefined {
  return searched(text, endOfSpace(text, 0), path, valueFrom).items;
}

/** The items of the list at a path into a document, each on one line: white space stays as it is written, but for line breaks. Undefined where there is no list. */
export function itemLinesAt(text: string, path: readonly string[]): string[] | undefined {
  return searched(text, endOfSpace(text, 0), path, lineFrom).items;
}

interface Searched {
  /** The items of the list at the path; undefined where there is none. */
  readonly items: string[] | undefined;
  /** Where the value ends. */
  readonly end: number;
}

function searched(text: string, start: number, [name, ...rest]: readonly string[], read: ReadValue): Searched {
  const kind = kindAt(text, start);
  if (name === undefined && kind === 'list') return itemsFrom(text, start, read);
  if (name === undefined || kind !== 'object') return {items: undefined, end: endOfValue(text, start)};
  let items: string[] | undefined;
  let at = endOfSpace(text, start + 1);
  while (at < text.length && !isCloser(text.charCodeAt(at))) {
    const endOfName = endOfValue(text, at);
    const value = endOfSeparator(text, endOfName);
    // The last one of a repeated name counts.
    const isNamed = stringOf(text.slice(at, endOfName)) === name;
    const found = isNamed ? searched(text, value, rest, read) : {items, end: endOfValue(text, value)};
    items = found.items;
    at = endOfSeparator(text, found.end);
  }
  return {items, end: at + 1};
}

/** The fields of an object by name, in order. The last one of a repeated name counts, as with JSON.parse. */
export function fieldTexts(object: string): Map<string, string> {
  const fields = new Map<string, string>();
  let at = endOfSpace(object, endOfSpace(object, 0) + 1);
  while (at < object.length && !isCloser(object.charCodeAt(at))) {
    const endOfName = endOfValue(object, at);
    const value = valueFrom(object, endOfSeparator(object, endOfName));
    fields.set(stringOf(object.slice(at, endOfName)), value.compact);
    at = endOfSeparator(object, value.end);
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

/** The object at a path into a document; undefined where there is none. */
function objectAt(text: string, [name, ...rest]: readonly string[]): string | undefined {
  if (kindOf(text) !== 'object') return undefined;
  if (name === undefined) return text;
  const inner = fieldTexts(text).get(name);
  return inner === undefined ? undefined : objectAt(inner, rest);
}

/** Whether a row is an item where null is none. */
export const isItem = (text: string): boolean => text !== 'null';

/** Where the rows of a list may be: at its path, or in the answer itself where a server sends the bare list, or in its `data` where it does not. */
export const rowPaths = (rows: readonly string[]): readonly (readonly string[])[] => [rows, rows.length === 0 ? ['data'] : []];

/** The rows at the path; otherwise the object at the path, or the answer, is the only item. */
export function itemsOf(text: string, rows?: readonly string[]): Items {
  const texts = firstList(text, rows === undefined ? [[]] : rowPaths(rows), itemTextsAt);
  if (texts !== undefined) return {isList: true, texts};
  return {isList: false, texts: [compact(objectAt(text, rows ?? []) ?? text)]};
}

/** The items as they are written, each in one line; none where there is no list. */
export const itemLines = (text: string, rows: readonly string[]): readonly string[] => firstList(text, rowPaths(rows), itemLinesAt) ?? [];

function firstList(text: string, paths: readonly (readonly string[])[], read: typeof itemTextsAt): string[] | undefined {
  for (const path of paths) {
    const texts = read(text, path);
    if (texts !== undefined) return texts;
  }
  return undefined;
}
