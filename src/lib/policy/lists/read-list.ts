/** Reads a list of any known tool; the format is detected from the content. */
import {isHandle} from '../../operations/handle.js';
import {DomainEntries, refusePage} from './domain-entries.js';
import {readJsonList} from './json-list.js';
import type {AccountList, DomainList, List} from './list.js';
import {comment, headerOf, plainAccount, readTable} from './table-list.js';
import {Mistakes, mistakesFailure} from '../source/mistakes.js';

const maxShown = 5;

/**
 * @param most how many invalid rows are allowed
 * @throws Failure `usage` that counts the invalid rows, and names the first ones, when there are more
 */
export function refuseRowMistakes(list: List, hint?: string, most = 0): void {
  if (list.mistakes.rows > most) throw mistakesFailure(list.name, list.mistakes, maxShown).with({hint});
}

/** How the content begins that servers, proxies and version control return in place of a list. */
const otherContent: readonly (readonly [RegExp, string])[] = [
  [/^\s*<\?xml/i, 'XML, not a list'],
  [/^\s*</, 'a web page, not a list'],
  [/^version https:\/\/git-lfs\.github\.com\//, 'a pointer of Git LFS, not the list itself'],
];

/**
 * @param name of the list in messages and sources: its path or URL
 * @throws Failure `usage` for what is not a list; invalid rows are in the mistakes of the list
 */
export function readList(text: string, name: string): List {
  const [, message] = otherContent.find(([beginning]) => beginning.test(text)) ?? [];
  if (message !== undefined) {
    const [before = ''] = text.split(/\S/, 1);
    throw mistakesFailure(name, [{file: name, line: before.split('\n').length, message}]);
  }
  if (/^\s*[[{]/.test(text)) return readJsonList(name, text);
  // Comments may come first, and a header may look like one.
  for (const {line, text: found, end} of linesOf(text)) {
    const header = headerOf(found);
    if (header) return readTable(name, header, text.slice(end), line + 1);
    if (found.trim() !== '' && !found.trimStart().startsWith('#')) break;
  }
  return readPlain(name, text);
}

interface Line {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Where the next line begins. */
  readonly end: number;
}

const lineEnd = /\r\n|\r|\n/g;

/** The lines of a text, one after the other: there may be millions. */
function* linesOf(text: string): Generator<Line> {
  let line = 0;
  let begin = 0;
  for (const {0: ending, index} of text.matchAll(lineEnd)) {
    line += 1;
    const end = index + ending.length;
    yield {line, text: text.slice(begin, index), end};
    begin = end;
  }
  yield {line: line + 1, text: text.slice(begin), end: text.length};
}

/** The content of the lines, without comments and quotes. */
function* contentOf(text: string): Generator<Omit<Line, 'end'>> {
  for (const {line, text: whole} of linesOf(text)) {
    const content = whole.replace(comment, '').trim();
    const plain = content.length > 1 && content.startsWith('"') && content.endsWith('"') ? content.slice(1, -1).trim() : content;
    if (plain !== '') yield {line, text: plain};
  }
}

function readPlain(name: string, text: string): AccountList | DomainList {
  let isOfAccounts = false;
  for (const {text: content} of contentOf(text)) {
    isOfAccounts = content.includes('@') && isHandle(content);
    if (!isOfAccounts) break;
  }
  return isOfAccounts ? readAccounts(name, contentOf(text)) : readDomains(name, contentOf(text));
}

function readAccounts(name: string, content: Iterable<Omit<Line, 'end'>>): AccountList {
  const entries = Array.from(content, ({text}) => plainAccount(text));
  return {kind: 'accounts', format: 'mastodon-blocks-csv', name, entries, mistakes: new Mistakes()};
}

function readDomains(name: string, content: Iterable<Omit<Line, 'end'>>): DomainList {
  const entries = new DomainEntries(name, 'plain');
  let columns: number | undefined;
  let isFirst = true;
  for (const {line, text} of content) {
    refusePage(text, name, line);
    if (isFirst && /[,;\t]/.test(text)) columns = line;
    isFirst = false;
    if (columns === undefined) entries.add(text, line);
  }
  if (columns === undefined) return entries.list();
  const message = 'several columns without a header, such as #domain,#severity';
  throw mistakesFailure(name, [{file: name, line: columns, message}]);
}
