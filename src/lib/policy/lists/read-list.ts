/** Reads a list of any known tool; the format is detected from the content. A list without a header is a table with one column. */
import {csvRows, delimiters, UnclosedQuote, type CsvRow, type Delimiter} from '../../files/csv.js';
import {readJsonList} from './json-list.js';
import {type DomainList, readDomains, type Row} from './list.js';
import {mistakeAt, mistakesFailure, quotedWord} from '../source/mistakes.js';

const maxShown = 5;

/** @throws Failure `usage` that counts the invalid rows, and names the first ones, when there are any */
export function refuseRowMistakes({name, mistakes}: DomainList, hint?: string): void {
  if (mistakes.count > 0) throw mistakesFailure(name, mistakes, maxShown).with({hint});
}

/** The beginning of a web page, which a server or a proxy may send after the rows of a list. */
const page = /^\s*<(?:!--|(?:!doctype|html|head|body|title|meta|link|script|\?xml)\b)/i;

/**
 * @param name of the list in messages and sources: its path or URL
 * @throws Failure `usage` for what is not a list; invalid rows are in the mistakes of the list
 */
export function readList(text: string, name: string): DomainList {
  if (/^\s*[[{]/.test(text)) return readJsonList(name, text);
  const {line, content, end} = firstLine(text);
  const header = headerOf(content);
  if (header === undefined && /[,;\t]/.test(content.replace(comment, '')))
    throw mistakeAt(name, line, 'several columns without a header, such as #domain,#severity');
  const twice = header?.columns.find((name, at, all) => name !== '' && all.indexOf(name) < at);
  if (twice !== undefined) throw mistakeAt(name, line, `two columns are named ${quotedWord(twice)}`);
  try {
    const rows = header === undefined ? csvRows(text) : csvRows(text.slice(end), line + 1, header.delimiter);
    return readDomains(name, header?.columns ?? ['domain'], domainRows(name, header, rows));
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

interface Header {
  readonly columns: readonly string[];
  readonly delimiter: Delimiter;
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
  if (line.length > maxHeader || !/domain/i.test(line)) return undefined;
  for (const delimiter of delimiters) {
    const columns = line.split(delimiter).map(columnName);
    if (columns.includes('domain')) return {columns, delimiter};
  }
  return undefined;
}

/** Each row with a cell for every column, without comments behind domains. */
function* domainRows(name: string, header: Header | undefined, rows: Iterable<CsvRow>): Generator<Row> {
  const {columns} = header ?? {columns: ['domain']};
  const domainAt = columns.indexOf('domain');
  for (const row of rows) {
    const {line, cells} = row;
    // It is refused even where invalid rows are allowed, because the rest of the list is missing.
    if (page.test(cells[0] ?? '')) throw mistakeAt(name, line, 'a web page, not a list');
    const cell = cells[domainAt] ?? '';
    const domain = withoutComment(cell);
    if (header === undefined && domain === '') continue;
    if (domain === cell && cells.length === columns.length) {
      yield row;
      continue;
    }
    // A comment behind the domain may have delimiters in it.
    const isWhole = (domain !== cell && domainAt === columns.length - 1) || cells.slice(columns.length).every((one) => one === '');
    const all = isWhole ? columns.map((_, at) => cells[at] ?? '') : cells;
    yield {line, cells: all.with(domainAt, domain)};
  }
}
