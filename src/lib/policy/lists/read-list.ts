/** Reads a list of any known tool; the format is detected from the content. A list without a header is a table with one column. */
import {isHandle} from '../../operations/handle.js';
import {csvRows, delimiters, UnclosedQuote, type CsvRow, type Delimiter} from '../../files/csv.js';
import {booleanIn, DomainEntries, refusePage} from './domain-entries.js';
import {readJsonList} from './json-list.js';
import type {AccountList, DomainFormat, DomainList, List} from './list.js';
import {blocked, type DomainFacts} from '../model/domain-facts.js';
import {Mistakes, mistakesFailure, quotedWord} from '../source/mistakes.js';

const maxShown = 5;

/** @throws Failure `usage` that counts the invalid rows, and names the first ones, when there are any */
export function refuseRowMistakes({name, mistakes}: List, hint?: string): void {
  if (mistakes.rows > 0) throw mistakesFailure(name, mistakes, maxShown).with({hint});
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
  const refused = (line: number, message: string) => mistakesFailure(name, [{file: name, line, message}]);
  const [, other] = otherContent.find(([beginning]) => beginning.test(text)) ?? [];
  if (other !== undefined) throw refused((text.split(/\S/, 1)[0] ?? '').split('\n').length, other);
  if (/^\s*[[{]/.test(text)) return readJsonList(name, text);
  const {line, content, end} = firstLine(text);
  const header = headerOf(content);
  if (header === undefined && /[,;\t]/.test(content.replace(comment, '')))
    throw refused(line, 'several columns without a header, such as #domain,#severity');
  try {
    if (header !== undefined) return readTable(name, header, csvRows(text.slice(end), line + 1, header.delimiter));
    const columns = isOfAccounts(csvRows(text)) ? ['account_address'] : ['domain'];
    return readTable(name, {columns, isWritten: false}, csvRows(text));
  } catch (error) {
    if (error instanceof UnclosedQuote) throw refused(error.line, error.message);
    throw error;
  }
}

/** The header, or the first line that is not a comment. Comments may come before a header, and it may look like one. */
function firstLine(text: string): {readonly line: number; readonly content: string; readonly end: number} {
  let [line, end] = [0, 0];
  for (const {0: whole, 1: content = '', index} of text.matchAll(/([^\r\n]*)(?:\r\n|[\r\n]|$)/g)) {
    line += 1;
    end = index + whole.length;
    const isComment = content.trim() === '' || content.trimStart().startsWith('#');
    if (!isComment || headerOf(content) !== undefined) return {line, content, end};
  }
  return {line, content: '', end};
}

/** A comment behind a domain, as in `bad.example # spam`. */
const comment = /(?:^|\s)#.*$/s;

const withoutComment = (cell = ''): string => (cell.includes('#') ? cell.replace(comment, '').trim() : cell);

function isOfAccounts(rows: Iterable<CsvRow>): boolean {
  let isAny = false;
  for (const {cells} of rows) {
    const account = withoutComment(cells[0]);
    if (account !== '' && !(account.includes('@') && isHandle(account))) return false;
    isAny ||= account !== '';
  }
  return isAny;
}

/** `#reject_media` and `Reject media` are one column. */
const columnName = (cell: string): string => cell.trim().toLowerCase().replace(/^#\s*/, '').replaceAll(/\s+/g, '_');

interface Header {
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  /** Whether it begins with a hash, as Mastodon's do. */
  readonly hasHash: boolean;
}

function columnsOf(line: string, delimiter: Delimiter): readonly string[] {
  try {
    const [row] = csvRows(line, 1, delimiter);
    return row?.cells.map(columnName) ?? [];
  } catch (error) {
    if (error instanceof UnclosedQuote) return [];
    throw error;
  }
}

/** The most characters of a header. A longer line, which may have millions of cells, is not split. */
const maxHeader = 10_000;

/** The header in a line; undefined for any other line. */
export function headerOf(line: string): Header | undefined {
  if (line.length > maxHeader || !/domain|account[ _]address/i.test(line)) return undefined;
  for (const delimiter of delimiters) {
    const columns = columnsOf(line, delimiter);
    if (columns.includes('domain') || columns[0] === 'account_address') return {columns, delimiter, hasHash: /^\s*"?#/.test(line)};
  }
  return undefined;
}

/** The columns of a table; if there is no header, the one that all lines have. */
type Columns = Header | {readonly columns: readonly string[]; readonly isWritten: false};

function readTable(name: string, header: Columns, rows: Iterable<CsvRow>): AccountList | DomainList {
  return header.columns[0] === 'account_address' ? readAccounts(name, header, rows) : readDomains(name, header, rows);
}

function formatOf(header: Columns): DomainFormat {
  if ('isWritten' in header) return 'plain';
  if (!header.hasHash) return 'fediblockhole';
  return header.columns.length > 1 ? 'mastodon-admin-csv' : 'mastodon-csv';
}

function readDomains(name: string, header: Columns, rows: Iterable<CsvRow>): DomainList {
  const {columns} = header;
  const isPlain = 'isWritten' in header;
  const entries = new DomainEntries(name, formatOf(header));
  const domainAt = columns.indexOf('domain');
  for (const {line, cells} of rows) {
    refusePage(cells[0] ?? '', name, line);
    // A comment behind the domain may have delimiters in it.
    const isComment = domainAt === columns.length - 1 && comment.test(cells[domainAt] ?? '');
    const hasMore = !isComment && cells.length > columns.length && cells.slice(columns.length).some((cell) => cell !== '');
    const domain = isPlain && hasMore ? cells.join() : withoutComment(cells[domainAt]);
    if (hasMore && !isPlain) entries.complain(line, () => `${cells.length} cells, where the header names ${columns.length}`);
    else if (domain === '') {
      if (!isPlain) entries.complain(line, () => 'no domain');
    } else {
      const said = columns.length === 1 ? '' : JSON.stringify(cells.toSpliced(domainAt, 1));
      const facts = said === '' ? blocked : entries.factsFor(said, () => factsIn(cells, line, columns, entries));
      if (facts !== undefined) entries.add(domain, line, {facts});
    }
  }
  return entries.list();
}

/** What a row says about its domain; undefined if it has mistakes, which are added to the entries. */
function factsIn(cells: readonly string[], line: number, columns: readonly string[], entries: DomainEntries): DomainFacts | undefined {
  const {count} = entries.mistakes;
  const cell = (column: string): string | undefined => (columns.includes(column) ? (cells[columns.indexOf(column)] ?? '') : undefined);
  const flagIn = (column: string): boolean | undefined => {
    const text = cell(column);
    const value = text === undefined ? undefined : booleanIn(text);
    if (text !== undefined && value === undefined) entries.complain(line, () => `${column} is ${quotedWord(text)}; allowed: true, false`);
    return value;
  };
  const facts = {
    severity: entries.severityIn(cell('severity') ?? 'suspend', line) ?? 'noop',
    public_comment: cell('public_comment'),
    private_comment: cell('private_comment'),
    reject_media: flagIn('reject_media'),
    reject_reports: flagIn('reject_reports'),
    obfuscate: flagIn('obfuscate'),
  };
  return entries.mistakes.count === count ? facts : undefined;
}

function readAccounts(name: string, {columns}: Columns, rows: Iterable<CsvRow>): AccountList {
  const entries: string[] = [];
  const mistakes = new Mistakes();
  for (const {line, cells} of rows) {
    const account = withoutComment(cells[0]);
    if (isHandle(account)) entries.push(account.replace(/^@/, ''));
    else if (account !== '') mistakes.add({file: name, line}, () => `${quotedWord(account)} is not an account`);
  }
  const format = columns.includes('hide_notifications') ? 'mastodon-mutes-csv' : 'mastodon-blocks-csv';
  return {kind: 'accounts', format, name, entries, mistakes};
}
