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
  return itemsFrom(list, endOfSpace(list, 0)).texts;
}

/** The items of a list that begins here, and where it ends. */
function itemsFrom(text: string, start: number): {readonly texts: string[]; readonly end: number} {
  const texts: string[] = [];
  let at = endOfSpace(text, start + 1);
  while (at < text.length && !isCloser(text.charCodeAt(at))) {
    const end = endOfValue(text, at);
    texts.push(text.slice(at, end));
    at = endOfSeparator(text, end);
  }
  return {texts, end: at + 1};
}

/** The texts of the items of the list at a path into a document; undefined where there is no list. */
export function itemTextsAt(text: string, path: readonly string[]): string[] | undefined {
  return itemsAt(text, endOfSpace(text, 0), path).texts;
}

function itemsAt(text: string, start: number, [name, ...rest]: readonly string[]): {readonly texts: string[] | undefined; readonly end: number} {
  const kind = kindAt(text, start);
  if (name === undefined && kind === 'list') return itemsFrom(text, start);
  if (name === undefined || kind !== 'object') return {texts: undefined, end: endOfValue(text, start)};
  let texts: string[] | undefined;
  let at = endOfSpace(text, start + 1);
  while (at < text.length && !isCloser(text.charCodeAt(at))) {
    const endOfName = endOfValue(text, at);
    const value = endOfSeparator(text, endOfName);
    const isIt = stringOf(text.slice(at, endOfName)) === name;
    // Of a repeated name the last counts.
    const found = isIt ? itemsAt(text, value, rest) : {texts, end: endOfValue(text, value)};
    texts = found.texts;
    at = endOfSeparator(text, found.end);
  }
  return {texts, end: at + 1};
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
