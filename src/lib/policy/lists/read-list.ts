/** Reads a list that some tool wrote; what it is can be told from its content. */
import {mistakesFailure} from '../mistakes.js';
import {readJsonList} from './json-list.js';
import type {List} from './list.js';
import {readPlain} from './plain-list.js';
import {headerOf, readTable} from './table-list.js';

/** Of the mistakes of a list, as many as show what they have in common. */
const mostShown = 5;

/** @throws Failure `usage` that counts the rows that cannot be used, and names the first ones */
export function refuseRowMistakes({name, mistakes}: List, hint?: string): void {
  if (mistakes.length > 0) throw mistakesFailure(name, mistakes, mostShown).with({hint});
}

/**
 * @param name what the list is called in messages and sources: its path or address
 * @throws Failure `usage` for what is no list; rows that cannot be used are in the list's mistakes
 */
export function readList(text: string, name: string): List {
  // What a web server answers in place of a list.
  if (/^\s*<(!doctype|html|\?xml|!--)/i.test(text)) throw mistakesFailure(name, [{file: name, line: 1, message: 'a web page, not a list'}]);
  if (/^\s*[[{]/.test(text)) return readJsonList(name, text);
  // Comments may come first, and a header may look like one.
  let line = 0;
  for (const {0: whole, 1: found = '', index} of text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    line += 1;
    const header = headerOf(found);
    if (header) return readTable(name, header, text.slice(index + whole.length), line + 1);
    if (found.trim() !== '' && !found.trimStart().startsWith('#')) break;
  }
  return readPlain(name, text.split(/\r\n|\r|\n/));
}
