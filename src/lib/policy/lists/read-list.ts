/** Reads a list that some tool wrote; what it is can be told from its content. */
import {readJsonList} from './json-list.js';
import type {List} from './list.js';
import {readPlain} from './plain-list.js';
import {headerOf, readTable} from './table-list.js';

/**
 * @param name what the list is called in messages and sources: its path or address
 * @throws Failure `usage` with every row that cannot be read
 */
export function readList(text: string, name: string): List {
  const content = text.replace(/^\u{feff}/u, '');
  if (/^\s*[[{]/.test(content)) return readJsonList(name, content);
  // Comments may come first, and a header may look like one.
  let line = 0;
  for (const {0: whole, 1: found = '', index} of content.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    line += 1;
    const columns = headerOf(found);
    if (columns) return readTable(name, columns, /^\s*"?#/.test(found), content.slice(index + whole.length), line + 1);
    if (found.trim() !== '' && !found.trimStart().startsWith('#')) break;
  }
  return readPlain(name, content.split(/\r\n|\r|\n/));
}
