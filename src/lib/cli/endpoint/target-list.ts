/** Parses a list of targets: lines, JSON, or CSV or TSV with a header. The content decides which. */
import {isObject} from '../../api/schema.js';
import {ItemReader, wordOf, type WantedKind} from './piped-item.js';
import {parseExact, TooDeep} from '../../json/exact.js';
import {at, itemsAt} from '../../json/path.js';
import {endOfValue} from '../../json/scan.js';
import {csvRows, delimiters, UnclosedQuote, type Delimiter} from '../../files/csv.js';
import type {Origin} from './target-origin.js';

type Unit = 'Item' | 'Line';

/** @param source the name of the text in messages */
const placeIn = (source: string, unit: Unit, number: number): string => `${unit} ${number} of ${source}`;

/** A target of a list. Its position is formatted only when it is needed, to save memory. */
class ListedTarget {
  readonly value: string;
  readonly #unit: Unit;
  readonly #number: number;
  readonly #source: string;

  constructor(value: string, unit: Unit, number: number, source: string) {
    this.value = value;
    this.#unit = unit;
    this.#number = number;
    this.#source = source;
  }

  get location(): string {
    return placeIn(this.#source, this.#unit, this.#number);
  }
}

/** Collects targets, and what the text says about them. A position is the number of a line, or of an item of a list. */
class Collector {
  readonly targets: ListedTarget[] = [];
  readonly reader: ItemReader;
  readonly #source: string;
  readonly #origin: Origin;
  #items = 0;

  constructor(wanted: WantedKind, source: string, origin: Origin) {
    this.reader = new ItemReader(wanted);
    this.#source = source;
    this.#origin = origin;
  }

  /** Adds a JSON document: a target or a list of targets, either alone or as the `data` of an answer. */
  addDocument(value: unknown, line: number): void {
    const items = this.#listIn(value);
    if (items === undefined) return this.#add(value, 'Line', line);
    for (const item of items) this.#add(item, 'Item', (this.#items += 1));
  }

  /** @param row as the object that it would be in JSON */
  addRow(row: Readonly<Record<string, unknown>>, line: number): void {
    this.#add(row, 'Line', line);
  }

  addLine(whole: string, line: number): void {
    const text = withoutComment(whole);
    if (this.reader.readsColumn) return this.#add(text, 'Line', line);
    const isAligned = / {2}/.test(text);
    if (!isAligned && /[,\t]/.test(text)) return this.complain(line, 'is a table row, but the header is missing or unknown', true);
    if (/^(?:- |[\w-]+:(?: |$))/.test(text)) return this.complain(line, 'looks like YAML', true);
    // No target contains a space, and the first word of a row could name something else.
    if (/\s/.test(text)) return this.complain(line, 'looks like a table row', true);
    this.#add(text, 'Line', line);
  }

  complain(line: number, what: string, isTable = false): void {
    const {mistakes} = this.#origin;
    mistakes.add(placeIn(this.#source, 'Line', line), what);
    mistakes.hasTable ||= isTable;
  }

  #listIn(value: unknown): readonly unknown[] | undefined {
    if (!isObject(value)) return itemsAt(value, []);
    const {data, ...others} = value;
    if (isObject(data) && Object.keys(others).every((name) => name === 'meta')) return [data];
    return itemsAt(value, ['data']) ?? this.reader.listIn(value);
  }

  #add(item: unknown, unit: Unit, number: number, own?: string): void {
    const isOfAccount = isObject(item) && String(Object.keys(item).sort()) === 'account,item';
    const account = isOfAccount && this.reader.readsAccounts(['account', 'item']) ? wordOf(at(item, ['account']).value) : undefined;
    const {accounts, expected, profiles, told, severities, mistakes} = this.#origin;
    if (account !== undefined && own === undefined) {
      // In a list of several accounts, each item comes with the name of its account.
      accounts.add(account);
      return this.#add(at(item, ['item']).value, unit, number, account);
    }
    const read = this.reader.read(item, own);
    if ('mistake' in read) return mistakes.add(placeIn(this.#source, unit, number), read.mistake, read.advice);
    this.#origin.isTold ||= read.isTold === true;
    const severity = read.severity?.toLowerCase();
    if (severity !== undefined) severities.set(severity, (severities.get(severity) ?? 0) + 1);
    if (read.told !== undefined) told.set(read.value, read.told);
    if (read.expected !== undefined) expected.set(read.value, read.expected);
    const profile = profiles.get(read.value) ?? read.profile;
    if (profile !== read.profile && read.profile !== undefined)
      return mistakes.add(placeIn(this.#source, unit, number), `has another account id than an earlier ${read.value}`);
    if (profile !== undefined) profiles.set(read.value, profile);
    this.targets.push(new ListedTarget(read.value, unit, number, this.#source));
  }
}

interface Header {
  readonly delimiter: Delimiter;
  readonly columns: readonly string[];
  /** Where the header begins in the text. */
  readonly at: number;
}

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

/** TSV has no quotes, except those that spreadsheets write around a cell. */
const splitTabs = (line: string): string[] => line.split('\t').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

const unescaped: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};

/** An object or a list in a cell is JSON; in TSV its backslashes are escaped. */
function valueIn(cell: string, delimiter: Delimiter): unknown {
  if (!/^[[{]/.test(cell)) return cell;
  const text = delimiter === '\t' ? cell.replaceAll(/\\(.)/g, (_, letter: string) => unescaped[letter] ?? letter) : cell;
  // A cell that cannot be read counts as empty.
  const document = parseTargetLine(text);
  return document.mistake === undefined ? document.value : '';
}

const restOfLine = /[^\r\n]*/y;
const lineEnd = /\r\n|\r|\n/g;
const space = /\s*/y;
const spaceInLine = /[^\S\r\n]*/y;

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Removes the comment behind a target. In a table cells are two spaces apart, so `7  # a title` is an id and a title. */
function withoutComment(line: string): string {
  const [, target = '', gap = ''] = /^(\S+)( +)#/.exec(line) ?? [];
  return gap === ' ' || /[.@]/.test(target) ? target : line;
}

function linesIn(text: string): number {
  return text.match(lineEnd)?.length ?? 0;
}

/** Splits a row of a list of several accounts into account and item. The column `item.account` is the item's own `account`. */
function withAccount(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const {account, ...fields} = row;
  const item = Object.entries(fields).map(([name, value]) => [name.replace(/^item\.(?=account(?:\.|$))/, ''), value] as const);
  return {account, item: Object.fromEntries(item)};
}

function addTable(list: Collector, text: string, {delimiter, columns, at}: Header): void {
  const table = text.slice(at);
  const firstLine = 1 + linesIn(text.slice(0, at));
  let isHeader = true;
  const isOfAccounts = columns[0] === 'account' && columns.length > 1 && !columns.includes('item') && list.reader.readsAccounts(columns);
  const add = (cells: readonly string[], line: number): void => {
    const row: Record<string, unknown> = {};
    for (const [index, name] of columns.entries()) row[name] = valueIn(cells[index] ?? '', delimiter);
    // The account of a notification is an object, and an empty cell is no name.
    const isNamed = isOfAccounts && typeof row['account'] === 'string' && row['account'] !== '';
    if (!isHeader) list.addRow(isNamed ? withAccount(row) : row, line);
    isHeader = false;
  };
  if (delimiter === '\t') {
    for (const [index, row] of table.split(lineEnd).entries()) if (row.trim() !== '') add(splitTabs(row), firstLine + index);
    return;
  }
  try {
    for (const {line, cells} of csvRows(table, firstLine, delimiter)) add(cells, line);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    list.complain(error.line, `cannot be read: ${error.message}`);
  }
}

function parseTargetLine(text: string): {readonly value: unknown; readonly mistake?: undefined} | {readonly mistake: string} {
  try {
    return {value: parseExact(text)};
  } catch (error) {
    return {mistake: error instanceof TooDeep ? `is ${error.message}` : 'is not valid JSON'};
  }
}

/** Plain lines (`#` begins a comment) and JSON, mixed as they come; a document may go over many lines. */
function addMixed(list: Collector, text: string): void {
  let line = 1;
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
      list.addLine(text.slice(begin, at).trimEnd(), line);
      continue;
    }
    const close = isByLine ? at : endOfValue(text, begin);
    const json = text.slice(begin, close);
    const document = parseTargetLine(json);
    if (document.mistake !== undefined) {
      list.complain(line, document.mistake);
      isByLine = true;
      at = endOf(restOfLine, text, begin);
      continue;
    }
    list.addDocument(document.value, line);
    line += linesIn(json);
    at = endOf(spaceInLine, text, close);
    if (at === text.length || /[[{"#\r\n]/.test(text.charAt(at))) continue;
    list.complain(line, 'has text after its JSON');
    at = endOf(restOfLine, text, at);
  }
}

/** The first line that is not blank or a comment, if it is a header. A comment with a known column name is a header, too. */
function firstHeader(text: string, isHeader: (columns: readonly string[]) => boolean): Header | undefined {
  for (let at = endOf(space, text, 0); at < text.length; at = endOf(space, text, at)) {
    const end = endOf(restOfLine, text, at);
    const line = text.slice(at, end);
    for (const delimiter of delimiters) {
      const columns = columnsIn(line, delimiter);
      if (isHeader(columns)) return {delimiter, columns, at};
    }
    if (text[at] !== '#') return undefined;
    at = end;
  }
  return undefined;
}

/**
 * Reads targets: CSV and TSV are known by the header, all else is read as lines and JSON documents, mixed as they come.
 * @param source the name of the text in messages
 * @param origin collects what else the text says, and the mistakes in it
 */
export function parseTargets(text: string, wanted: WantedKind, source: string, origin: Origin): readonly ListedTarget[] {
  const list = new Collector(wanted, source, origin);
  const header = firstHeader(text, (columns) => list.reader.isHeader(columns));
  if (header === undefined) addMixed(list, text);
  else addTable(list, text, header);
  return list.targets;
}
