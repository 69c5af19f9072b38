/** Reads a list of any known tool; the format is detected from the content. A list without a header is a table with one column. */
import {isHandle} from '../../operations/handle.js';
import {csvRows, delimiters, UnclosedQuote, type CsvRow, type Delimiter} from '../../files/csv.js';
import {readJsonList} from './json-list.js';
import {type AccountList, type DomainFormat, DomainList, type List} from './list.js';
import {blocked, type DomainFacts, flagFields} from '../model/domain-facts.js';
import {mistakeAt, Mistakes, mistakesFailure, quotedWord} from '../source/mistakes.js';

const maxShown = 5;

/** @throws Failure `usage` that counts the invalid rows, and names the first ones, when there are any */
export function refuseRowMistakes({name, mistakes}: List, hint?: string): void {
  if (mistakes.count > 0) throw mistakesFailure(name, mistakes, maxShown).with({hint});
}

/** How the content begins that servers, proxies and version control return in place of a list. */
const otherContent: readonly (readonly [RegExp, string])[] = [
  [/^\s*<\?xml/i, 'XML, not a list'],
  [/^\s*</, 'a web page, not a list'],
  [/^version https:\/\/git-lfs\.github\.com\//, 'a pointer of Git LFS, not the list itself'],
];

/** The beginning of a web page, which a server or a proxy may send after the rows of a list. */
const page = /^\s*<(?:!--|(?:!doctype|html|head|body|title|meta|link|script|\?xml)\b)/i;

/**
 * @param name of the list in messages and sources: its path or URL
 * @throws Failure `usage` for what is not a list; invalid rows are in the mistakes of the list
 */
export function readList(text: string, name: string): List {
  const [, other] = otherContent.find(([beginning]) => beginning.test(text)) ?? [];
  if (other !== undefined) throw mistakeAt(name, (text.split(/\S/, 1)[0] ?? '').split('\n').length, other);
  if (/^\s*[[{]/.test(text)) return readJsonList(name, text);
  const {line, content, end} = firstLine(text);
  const header = headerOf(content);
  if (header === undefined && /[,;\t]/.test(content.replace(comment, '')))
    throw mistakeAt(name, line, 'several columns without a header, such as #domain,#severity');
  try {
    const rows = header === undefined ? csvRows(text) : csvRows(text.slice(end), line + 1, header.delimiter);
    const isOfAccounts = header === undefined ? areAccounts(csvRows(text)) : header.columns[0] === 'account_address';
    return isOfAccounts ? readAccounts(name, header, rows) : readDomains(name, header, rows);
  } catch (error) {
    if (error instanceof UnclosedQuote) throw mistakeAt(name, error.line, error.message);
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

function areAccounts(rows: Iterable<CsvRow>): boolean {
  let isAny = false;
  for (const {cells} of rows) {
    const account = withoutComment(cells[0]);
    if (account !== '' && !(account.includes('@') && isHandle(account))) return false;
    isAny ||= account !== '';
  }
  return isAny;
}

interface Header {
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
  /** Whether it begins with a hash, as Mastodon's do. */
  readonly hasHash: boolean;
}

/** `"#reject_media"` and `Reject media` are one column. */
const columnName = (cell: string): string =>
  cell
    .replaceAll(/^[\s"#]+|[\s"]+$/g, '')
    .toLowerCase()
    .replaceAll(/\s+/g, '_');

/** The most characters of a header. A longer line, which may have millions of cells, is not split. */
const maxHeader = 10_000;

/** The header in a line; undefined for any other line. */
export function headerOf(line: string): Header | undefined {
  if (line.length > maxHeader || !/domain|account[ _]address/i.test(line)) return undefined;
  for (const delimiter of delimiters) {
    const columns = line.split(delimiter).map(columnName);
    if (columns.includes('domain') || columns[0] === 'account_address') return {columns, delimiter, hasHash: /^\s*"?#/.test(line)};
  }
  return undefined;
}

function formatOf(header: Header | undefined): DomainFormat {
  if (header === undefined) return 'plain';
  if (!header.hasHash) return 'fediblockhole';
  return header.columns.length > 1 ? 'mastodon-admin-csv' : 'mastodon-csv';
}

function readDomains(name: string, header: Header | undefined, rows: Iterable<CsvRow>): DomainList {
  const list = new DomainList(name, formatOf(header));
  const columns = header?.columns ?? ['domain'];
  const domainAt = columns.indexOf('domain');
  for (const {line, cells} of rows) {
    // It is refused even where invalid rows are allowed, because the rest of the list is missing.
    if (page.test(cells[0] ?? '')) throw mistakeAt(name, line, 'a web page, not a list');
    const cell = cells[domainAt] ?? '';
    const domain = withoutComment(cell);
    // A comment behind the domain may have delimiters in it.
    const hasMore = cells.length > columns.length && !(domainAt === columns.length - 1 && comment.test(cell));
    if (hasMore && cells.slice(columns.length).some((one) => one !== ''))
      list.complain(line, () => `${cells.length} cells, where ${columns.length === 1 ? '1 is' : `${columns.length} are`} expected`);
    else if (domain !== '') {
      const said = columns.length === 1 ? '' : JSON.stringify(cells.toSpliced(domainAt, 1));
      const facts = said === '' ? blocked : list.factsFor(said, () => factsIn(cells, line, columns, list));
      if (facts !== undefined) list.add(domain, line, facts);
    } else if (header !== undefined) list.complain(line, () => 'no domain');
  }
  return list;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0', ''].map((word) => [word, false] as const),
]);

/** What a row says about its domain; undefined after a mistake. */
function factsIn(cells: readonly string[], line: number, columns: readonly string[], list: DomainList): DomainFacts | undefined {
  const cellIn = (column: string): string | undefined => (columns.includes(column) ? (cells[columns.indexOf(column)] ?? '') : undefined);
  const severity = list.severityIn(cellIn('severity') ?? 'suspend', line);
  if (severity === undefined) return undefined;
  const flags: {[Name in (typeof flagFields)[number]]?: boolean} = {};
  for (const name of flagFields) {
    const text = cellIn(name);
    if (text === undefined) continue;
    const flag = booleans.get(text.trim().toLowerCase());
    if (flag === undefined) {
      list.complain(line, () => `${name} is ${quotedWord(text)}; allowed: true, false`);
      return undefined;
    }
    flags[name] = flag;
  }
  return {severity, public_comment: cellIn('public_comment'), private_comment: cellIn('private_comment'), ...flags};
}

function readAccounts(name: string, header: Header | undefined, rows: Iterable<CsvRow>): AccountList {
  const entries: string[] = [];
  const mistakes = new Mistakes();
  for (const {line, cells} of rows) {
    const account = withoutComment(cells[0]);
    if (isHandle(account)) entries.push(account.replace(/^@/, ''));
    else if (account !== '') mistakes.add({file: name, line}, () => `${quotedWord(account)} is not an account`);
  }
  const format = header?.columns.includes('hide_notifications') === true ? 'mastodon-mutes-csv' : 'mastodon-blocks-csv';
  return {kind: 'accounts', format, name, entries, mistakes};
}
