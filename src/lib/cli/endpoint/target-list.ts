/** Parses a list of targets: lines, JSON, or CSV or TSV with a header. The content decides which. */
import type {Kind} from '../../api/kind.js';
import {isObject} from '../../api/schema.js';
import {csvRows, delimiters, UnclosedQuote, type Delimiter} from '../../files/csv.js';
import {parseExact, TooDeep} from '../../json/exact.js';
import {itemsAt} from '../../json/path.js';
import {endOfValue} from '../../json/scan.js';
import {ItemReader, type Mistaken, type WantedKind} from './piped-item.js';
import type {Mistakes, Place, Target} from './targets.js';

/** An item of a text, or what is wrong with a line; where it is in the text. */
type Entry = Pick<Place, 'number' | 'unit'> & (Mistaken | {readonly item: unknown});

interface Header {
  readonly delimiter: Delimiter;
  readonly columns: readonly string[];
  readonly at: number;
}

const restOfLine = /[^\r\n]*/y;
const lineEnd = /\r\n|\r|\n/g;
const space = /\s*/y;
const spaceInLine = /[^\S\r\n]*/y;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

const linesIn = (text: string): number => text.match(lineEnd)?.length ?? 0;

/** TSV has no quotes, except those that spreadsheets write around a cell. */
const splitTabs = (line: string): string[] => line.split('\t').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

/** The names in a line that may be a header. */
function columnsIn(line: string, delimiter: Delimiter): readonly string[] {
  try {
    const [row] = delimiter === '\t' ? [{cells: splitTabs(line)}] : csvRows(line, 1, delimiter);
    return row?.cells.map((name) => name.trim()) ?? [];
  } catch (error) {
    if (error instanceof UnclosedQuote) return [];
    throw error;
  }
}

/** The first line that is not blank or a comment, if it is a header. A comment with a known column name is a header, too. */
function firstHeader(text: string, reader: ItemReader): Header | undefined {
  for (let at = endOf(space, text, 0); at < text.length; at = endOf(space, text, at)) {
    const end = endOf(restOfLine, text, at);
    const line = text.slice(at, end);
    for (const delimiter of delimiters) {
      const columns = columnsIn(line, delimiter);
      if (reader.isHeader(columns)) return {delimiter, columns, at};
    }
    if (text[at] !== '#') return undefined;
    at = end;
  }
  return undefined;
}

function parseJson(text: string): Mistaken | {readonly item: unknown} {
  try {
    return {item: parseExact(text)};
  } catch (error) {
    return {mistake: error instanceof TooDeep ? `is ${error.message}` : 'is not valid JSON'};
  }
}

const unescaped: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};

/** An object or a list in a cell is JSON; in TSV its backslashes are escaped. A cell that cannot be read counts as empty. */
function valueIn(cell: string, delimiter: Delimiter): unknown {
  if (!/^[[{]/.test(cell)) return cell;
  const text = delimiter === '\t' ? cell.replaceAll(/\\(.)/g, (_, letter: string) => unescaped[letter] ?? letter) : cell;
  const read = parseJson(text);
  return 'item' in read ? read.item : '';
}

/** Splits a row of a list of several accounts into account and item. The column `item.account` is the item's own `account`. */
function withAccount({account, ...fields}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const item = Object.entries(fields).map(([name, value]) => [name.replace(/^item\.(?=account(?:\.|$))/, ''), value] as const);
  return {account, item: Object.fromEntries(item)};
}

function* rowsOf(
  table: string,
  firstLine: number,
  delimiter: Delimiter,
): Iterable<{readonly line: number; readonly cells: readonly string[]}> {
  if (delimiter !== '\t') yield* csvRows(table, firstLine, delimiter);
  else
    for (const [index, row] of table.split(lineEnd).entries())
      if (row.trim() !== '') yield {line: firstLine + index, cells: splitTabs(row)};
}

function* entriesOfTable(text: string, {delimiter, columns, at}: Header, reader: ItemReader): Generator<Entry> {
  const isOfAccounts = columns[0] === 'account' && columns.length > 1 && !columns.includes('item') && reader.readsAccounts(columns);
  let isHeader = true;
  try {
    for (const {line, cells} of rowsOf(text.slice(at), 1 + linesIn(text.slice(0, at)), delimiter)) {
      const row = Object.fromEntries(columns.map((name, index) => [name, valueIn(cells[index] ?? '', delimiter)]));
      // The account of a notification is an object, and an empty cell is no name.
      const isNamed = isOfAccounts && typeof row['account'] === 'string' && row['account'] !== '';
      if (!isHeader) yield {unit: 'Line', number: line, item: isNamed ? withAccount(row) : row};
      isHeader = false;
    }
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    yield {unit: 'Line', number: error.line, mistake: `cannot be read: ${error.message}`};
  }
}

/** Removes the comment behind a target. In a table cells are two spaces apart, so `7  # a title` is an id and a title. */
function withoutComment(line: string): string {
  const [, target = '', gap = ''] = /^(\S+)( +)#/.exec(line) ?? [];
  return gap === ' ' || /[.@]/.test(target) ? target : line;
}

const tableAdvice = 'print the list with -o ndjson, or name a column of CSV with --column NAME';

function readLine(line: string, {readsColumn}: ItemReader): Mistaken | {readonly item: string} {
  const item = withoutComment(line);
  if (readsColumn) return {item};
  const isAligned = / {2}/.test(item);
  if (!isAligned && /[,\t]/.test(item)) return {mistake: 'is a table row, but the header is missing or unknown', advice: tableAdvice};
  if (/^(?:- |[\w-]+:(?: |$))/.test(item)) return {mistake: 'looks like YAML', advice: tableAdvice};
  // No target contains a space, and the first word of a row could name something else.
  return /\s/.test(item) ? {mistake: 'looks like a table row', advice: tableAdvice} : {item};
}

/** The items that a JSON document lists, also as the `data` of an answer; undefined for one that is an item itself. */
function listIn(document: unknown, {listIn: listOf}: Kind): readonly unknown[] | undefined {
  if (!isObject(document)) return itemsAt(document, []);
  const {data, ...others} = document;
  if (isObject(data) && Object.keys(others).every((name) => name === 'meta')) return [data];
  return itemsAt(document, ['data']) ?? listOf?.(document);
}

/** Plain lines (`#` begins a comment) and JSON, mixed as they come; a document may go over many lines. */
function* entriesOfText(text: string, reader: ItemReader): Generator<Entry> {
  let [line, items] = [1, 0];
  // After a document that does not end, the rest is read line by line, so that the text is read only once.
  let isByLine = false;
  for (let at = 0; ;) {
    const begin = endOf(space, text, at);
    line += linesIn(text.slice(at, begin));
    if (begin === text.length) return;
    const first = text.charAt(begin);
    const isDocument = /[[{"]/.test(first);
    // The end of the line is not looked for at every document, because a line may have millions of them.
    if (isByLine || !isDocument) at = endOf(restOfLine, text, begin);
    if (first === '#') continue;
    if (!isDocument) {
      yield {unit: 'Line', number: line, ...readLine(text.slice(begin, at).trimEnd(), reader)};
      continue;
    }
    const close = isByLine ? at : endOfValue(text, begin);
    const json = text.slice(begin, close);
    const document = parseJson(json);
    if (!('item' in document)) {
      yield {unit: 'Line', number: line, ...document};
      isByLine = true;
      at = endOf(restOfLine, text, begin);
      continue;
    }
    const list = listIn(document.item, reader.kind);
    if (list === undefined) yield {unit: 'Line', number: line, ...document};
    else for (const item of list) yield {unit: 'Item', number: (items += 1), item};
    line += linesIn(json);
    at = endOf(spaceInLine, text, close);
    if (at === text.length || /[[{"#\r\n]/.test(text.charAt(at))) continue;
    yield {unit: 'Line', number: line, mistake: 'has text after its JSON'};
    at = endOf(restOfLine, text, at);
  }
}

/**
 * Reads targets: CSV and TSV are known by the header, all else is read as lines and JSON documents, mixed as they come.
 * @param source the name of the text in messages
 * @param mistakes gets those of the text
 */
export function parseTargets(text: string, wanted: WantedKind, source: string, mistakes: Mistakes): Target[] {
  const reader = new ItemReader(wanted);
  const header = firstHeader(text, reader);
  const targets: Target[] = [];
  for (const {unit, number, ...entry} of header === undefined ? entriesOfText(text, reader) : entriesOfTable(text, header, reader)) {
    const place = {unit, number, source};
    const read = 'item' in entry ? reader.read(entry.item) : entry;
    if ('mistake' in read) mistakes.add(place, read);
    else targets.push({...read, place});
  }
  return targets;
}
