/**
 * Parts of a JSON document as the text that they are in it: numbers, escapes and the order of keys stay as they are.
 * Every function reads the text once. The caller has made sure that it is JSON.
 */
import {endOfSeparator, endOfSpace, endOfValue, isCloser} from './scan.js';

export type JsonKind = 'list' | 'literal' | 'null' | 'number' | 'object' | 'string';

const kinds: Readonly<Record<string, JsonKind>> = {'"': 'string', '[': 'list', '{': 'object', f: 'literal', n: 'null', t: 'literal'};

export function kindOf(text: string): JsonKind {
  return kinds[text.charAt(endOfSpace(text, 0))] ?? 'number';
}

/** The texts of the items of a list. */
export function itemTexts(list: string): string[] {
  const texts: string[] = [];
  let at = endOfSpace(list, endOfSpace(list, 0) + 1);
  while (at < list.length && !isCloser(list.charCodeAt(at))) {
    const end = endOfValue(list, at);
    texts.push(list.slice(at, end));
    at = endOfSeparator(list, end);
  }
  return texts;
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
