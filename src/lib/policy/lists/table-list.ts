/** Lists with a header: Mastodon's domain blocks, blocks and mutes, FediBlockHole's. */
import {isHandle} from '../account.js';
import {refuseMistakes} from '../mistakes.js';
import {severityOf} from '../severity.js';
import {csvRows, UnclosedQuote, type CsvRow} from './csv.js';
import {booleanOf, DomainEntries, type DomainFacts} from './domain-entries.js';
import type {AccountList, DomainFormat, DomainList} from './list.js';

/** `#reject_media` and `Reject media` are one column. */
function columnName(cell: string): string {
  return cell.trim().toLowerCase().replace(/^#\s*/, '').replaceAll(/\s+/g, '_');
}

/** The columns of a line that is a header of such a list; undefined for any other line. */
export function headerOf(line: string): readonly string[] | undefined {
  try {
    const [row] = csvRows(line);
    const columns = row?.cells.map(columnName) ?? [];
    return columns.includes('domain') || columns[0] === 'account_address' ? columns : undefined;
  } catch (error) {
    if (error instanceof UnclosedQuote) return undefined;
    throw error;
  }
}

/** @param text what follows the header, from `firstLine` on */
export function readTable(
  name: string,
  columns: readonly string[],
  hasHashes: boolean,
  text: string,
  firstLine: number,
): AccountList | DomainList {
  try {
    const rows = [...csvRows(text, firstLine)];
    return columns[0] === 'account_address' ? readAccounts(name, columns, rows) : readDomains(name, columns, hasHashes, rows);
  } catch (error) {
    if (error instanceof UnclosedQuote) refuseMistakes(name, [{file: name, line: error.line, message: error.message}]);
    throw error;
  }
}

function domainFormat(columns: readonly string[], hasHashes: boolean): DomainFormat {
  if (!hasHashes) return 'fediblockhole';
  return columns.length > 1 ? 'mastodon-admin-csv' : 'mastodon-csv';
}

function readDomains(name: string, columns: readonly string[], hasHashes: boolean, rows: readonly CsvRow[]): DomainList {
  const entries = new DomainEntries(name, domainFormat(columns, hasHashes));
  for (const {line, cells} of rows) {
    if (cells.slice(columns.length).some((cell) => cell !== '')) {
      entries.complain(line, `${cells.length} cells, where the header names ${columns.length}`);
      continue;
    }
    const cell = (column: string): string | undefined => {
      const index = columns.indexOf(column);
      return index === -1 ? undefined : (cells[index] ?? '');
    };
    const domain = cell('domain')?.trim() ?? '';
    if (domain === '') {
      entries.complain(line, 'no domain');
      continue;
    }
    const facts = factsOf(cell, (message) => entries.complain(line, message));
    if (facts) entries.add(domain, line, facts);
  }
  return entries.end();
}

function factsOf(cell: (column: string) => string | undefined, complain: (message: string) => void): DomainFacts | undefined {
  let isFit = true;
  const refuse = (message: string) => {
    isFit = false;
    complain(message);
  };
  const boolean = (column: string): boolean | undefined => {
    const text = cell(column);
    const value = text === undefined ? undefined : booleanOf(text);
    if (text !== undefined && value === undefined) refuse(`${column} is "${text}"; allowed: true, false`);
    return value;
  };
  const text = cell('severity');
  const severity = text === undefined ? 'suspend' : severityOf(text);
  if (severity === undefined) refuse(`the severity is "${text}"; allowed: noop, silence, suspend`);
  const facts: DomainFacts = {
    severity: severity ?? 'noop',
    publicComment: cell('public_comment'),
    privateComment: cell('private_comment'),
    rejectMedia: boolean('reject_media'),
    rejectReports: boolean('reject_reports'),
    obfuscate: boolean('obfuscate'),
  };
  return isFit ? facts : undefined;
}

function readAccounts(name: string, columns: readonly string[], rows: readonly CsvRow[]): AccountList {
  const mistakes = rows
    .filter(({cells}) => !isHandle(cells[0] ?? ''))
    .map(({line, cells}) => ({file: name, line, message: `"${cells[0]}" is not an account`}));
  refuseMistakes(name, mistakes);
  return {
    kind: 'accounts',
    format: columns.includes('hide_notifications') ? 'mastodon-mutes-csv' : 'mastodon-blocks-csv',
    name,
    entries: rows.map(({line, cells}) => ({account: plainAccount(cells[0] ?? ''), place: {file: name, line}})),
  };
}

export function plainAccount(text: string): string {
  return text.trim().replace(/^@/, '');
}
