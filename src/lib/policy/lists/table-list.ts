/** Lists with a header: domain blocks, blocks and mutes of Mastodon, lists of FediBlockHole. */
import {isHandle} from '../../operations/handle.js';
import {Mistakes, mistakesFailure, quotedWord} from '../source/mistakes.js';
import {csvRows, delimiters, UnclosedQuote, type CsvRow, type Delimiter} from '../../files/csv.js';
import {booleanIn, DomainEntries, refusePage} from './domain-entries.js';
import type {AccountList, DomainFormat, DomainList} from './list.js';
import {blocked, type DomainFacts} from '../model/domain-facts.js';

/** `#reject_media` and `Reject media` are one column. */
function columnName(cell: string): string {
  return cell.trim().toLowerCase().replace(/^#\s*/, '').replaceAll(/\s+/g, '_');
}

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

/** @param text after the header, from `firstLine` on */
export function readTable(name: string, header: Header, text: string, firstLine: number): AccountList | DomainList {
  try {
    const rows = csvRows(text, firstLine, header.delimiter);
    return header.columns[0] === 'account_address' ? readAccounts(name, header, rows) : readDomains(name, header, rows);
  } catch (error) {
    if (error instanceof UnclosedQuote) throw mistakesFailure(name, [{file: name, line: error.line, message: error.message}]);
    throw error;
  }
}

function domainFormat({columns, hasHash}: Header): DomainFormat {
  if (!hasHash) return 'fediblockhole';
  return columns.length > 1 ? 'mastodon-admin-csv' : 'mastodon-csv';
}

/** A comment behind a domain, as in `bad.example # spam`. */
export const comment = /(?:^|\s)#.*$/s;

function readDomains(name: string, header: Header, rows: Iterable<CsvRow>): DomainList {
  const {columns} = header;
  const entries = new DomainEntries(name, domainFormat(header));
  const domainAt = columns.indexOf('domain');
  const isDomainLast = domainAt === columns.length - 1;
  for (const {line, cells} of rows) {
    refusePage(cells[0] ?? '', name, line);
    // A comment behind the domain may have delimiters in it.
    const isComment = isDomainLast && comment.test(cells[domainAt] ?? '');
    if (!isComment && cells.length > columns.length && cells.slice(columns.length).some((cell) => cell !== '')) {
      entries.complain(line, () => `${cells.length} cells, where the header names ${columns.length}`);
      continue;
    }
    const cell = cells[domainAt] ?? '';
    const domain = cell.includes('#') ? cell.replace(comment, '').trim() : cell;
    if (domain === '') {
      entries.complain(line, () => 'no domain');
      continue;
    }
    const said = JSON.stringify(cells.toSpliced(domainAt, 1));
    const facts = columns.length === 1 ? blocked : entries.factsFor(said, () => factsIn(cells, line, columns, entries));
    if (facts !== undefined) entries.add(domain, line, {facts});
  }
  return entries.list();
}

/** What a row says about its domain; undefined if it has mistakes, which are added to the entries. */
function factsIn(cells: readonly string[], line: number, columns: readonly string[], entries: DomainEntries): DomainFacts | undefined {
  const {count} = entries.mistakes;
  const cell = (column: string): string | undefined => {
    const index = columns.indexOf(column);
    return index === -1 ? undefined : (cells[index] ?? '');
  };
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

function readAccounts(name: string, {columns}: Header, rows: Iterable<CsvRow>): AccountList {
  const entries: string[] = [];
  const mistakes = new Mistakes();
  for (const {
    line,
    cells: [account = ''],
  } of rows) {
    if (isHandle(account)) entries.push(plainAccount(account));
    else mistakes.add({file: name, line}, () => `${quotedWord(account)} is not an account`);
  }
  const format = columns.includes('hide_notifications') ? 'mastodon-mutes-csv' : 'mastodon-blocks-csv';
  return {kind: 'accounts', format, name, entries, mistakes};
}

export function plainAccount(text: string): string {
  return text.trim().replace(/^@/, '');
}
