/** Reads a list of any known tool; the format is detected from the content. */
import {isHandle} from '../../operations/handles.js';
import {DomainEntries, refusePage} from './domain-entries.js';
import {readJsonList} from './json-list.js';
import type {AccountList, DomainList, List} from './list.js';
import {comment, headerOf, plainAccount, readTable} from './table-list.js';
import {mistakesFailure} from '../mistakes.js';

/** How many mistakes of a list are shown. */
const mostShown = 5;

/** How many lines of a list have a mistake. */
export function wrongLines({mistakes}: Pick<List, 'mistakes'>): number {
  return new Set(mistakes.map(({line}) => line)).size;
}

/**
 * @param most how many invalid rows are allowed
 * @throws Failure `usage` that counts the invalid rows, and names the first ones, when there are more
 */
export function refuseRowMistakes(list: List, hint?: string, most = 0): void {
  if (wrongLines(list) > most) throw mistakesFailure(list.name, list.mistakes, mostShown).with({hint});
}

/** What servers, proxies and version control return in place of a list, by its beginning. */
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
  let line = 0;
  for (const {0: whole, 1: found = '', index} of text.matchAll(/([^\r\n]*)(?:\r\n|\r|\n|$)/g)) {
    line += 1;
    const header = headerOf(found);
    if (header) return readTable(name, header, text.slice(index + whole.length), line + 1);
    if (found.trim() !== '' && !found.trimStart().startsWith('#')) break;
  }
  return readPlain(name, text.split(/\r\n|\r|\n/));
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** The content of the lines, without comments and quotes. */
function contentOf(lines: readonly string[]): Line[] {
  return lines.flatMap((whole, index) => {
    const text = whole
      .replace(comment, '')
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim();
    return text === '' ? [] : [{line: index + 1, text}];
  });
}

function readPlain(name: string, lines: readonly string[]): AccountList | DomainList {
  const content = contentOf(lines);
  const isOfAccounts = content.length > 0 && content.every(({text}) => text.includes('@') && isHandle(text));
  return isOfAccounts ? readAccounts(name, content) : readDomains(name, content);
}

function readAccounts(name: string, content: readonly Line[]): AccountList {
  const entries = content.map(({line, text}) => ({account: plainAccount(text), location: {file: name, line}}));
  return {kind: 'accounts', format: 'mastodon-blocks-csv', name, entries, mistakes: []};
}

function readDomains(name: string, content: readonly Line[]): DomainList {
  for (const {line, text} of content) refusePage(text, name, line);
  const [first] = content;
  if (first !== undefined && /[,;\t]/.test(first.text)) {
    const message = 'several columns, and no header that names them, such as #domain,#severity';
    throw mistakesFailure(name, [{file: name, line: first.line, message}]);
  }
  const entries = new DomainEntries(name, 'plain');
  for (const {line, text} of content) entries.add(text, line);
  return entries.list();
}
