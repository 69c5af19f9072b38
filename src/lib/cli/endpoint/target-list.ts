/** Parses a list of targets: lines, JSON, or CSV or TSV with a header. The content decides which. */
import {blocksIn} from '../../api/items.js';
import {isObject, type ItemKind} from '../../api/schema.js';
import type {ExpectedId} from '../../operations/expected-ids.js';
import {isColumn, isRead, ItemReader, wordOf} from './piped-item.js';
import {deepestInput, parseInput, TooDeep} from '../../json/exact.js';
import {at, itemsAt} from '../../json/path.js';
import {endOfValue} from '../../json/scan.js';
import {csvRows, delimiters, UnclosedQuote, type Delimiter} from '../../files/csv.js';
import {firstOf, withOthersLikeIt} from '../../json/text.js';

/** A text with targets. Positions in it are lines, or items of its lists. */
interface Source {
  readonly name: string;
}

type Unit = 'Item' | 'Line';

function placeIn({name}: Source, unit: Unit, number: number): string {
  return `${unit} ${number} of ${name}`;
}

/** A target of a list. Its position is formatted only when it is needed, to save memory. */
class ListedTarget {
  readonly value: string;
  readonly #unit: Unit;
  readonly #number: number;
  readonly #source: Source;

  constructor(value: string, unit: Unit, number: number, source: Source) {
    this.value = value;
    this.#unit = unit;
    this.#number = number;
    this.#source = source;
  }

  /** Its position, for messages. */
  get location(): string {
    return placeIn(this.#source, this.#unit, this.#number);
  }
}

/** Collects the errors of a list, and reports the first of each kind with a count. */
export class Mistakes {
  readonly #most = 5;
  readonly #found = new Map<string, {location: string; count: number}>();
  #count = 0;
  /** Whether something looks like a table. */
  hasTable = false;
  /** What to do about the first that has advice of its own. */
  advice: string | undefined;

  get count(): number {
    return this.#count;
  }

  /** @param what the same words for the same mistake */
  add(location: string, what: string, advice?: string): void {
    this.#count += 1;
    this.advice ??= advice;
    const known = this.#found.get(what);
    if (known !== undefined) known.count += 1;
    else if (this.#found.size < this.#most) this.#found.set(what, {location, count: 1});
  }

  /** `Line 2 of ids.txt names no filter, and 3 more like it`. */
  get text(): string {
    const shown = [...this.#found].map(([what, {location, count}]) => withOthersLikeIt(`${location} ${what}`, count));
    const rest = this.#count - [...this.#found.values()].reduce((sum, {count}) => sum + count, 0);
    return firstOf(shown, shown.length, {all: shown.length + rest, between: '; '});
  }
}

/** What lists say of the targets that come from them. */
export interface Origin {
  /** The accounts that the items belong to, in a list of several accounts: `ana@pix.example`. */
  readonly accounts: ReadonlySet<string>;
  /** The ids of accounts where they were listed, by target. */
  readonly expected: ReadonlyMap<string, ExpectedId>;
  /** Whether members of objects named targets. */
  readonly isTold: boolean;
  /** How many domains are listed with each severity. */
  readonly severities: ReadonlyMap<string, number>;
}

interface TargetList extends Origin {
  readonly targets: readonly ListedTarget[];
  readonly mistakes: Mistakes;
}

/** Collects targets and errors. */
class Collector implements TargetList {
  readonly targets: ListedTarget[] = [];
  readonly accounts = new Set<string>();
  readonly expected = new Map<string, ExpectedId>();
  readonly severities = new Map<string, number>();
  isTold = false;
  readonly mistakes: Mistakes;
  readonly #wanted: ItemKind;
  readonly #reader: ItemReader;
  readonly #source: Source;
  #items = 0;

  constructor(wanted: ItemKind, source: Source, mistakes: Mistakes) {
    this.mistakes = mistakes;
    this.#wanted = wanted;
    this.#reader = new ItemReader(wanted);
    this.#source = source;
  }

  /** A JSON document: a target, or a list of them; either alone, or as the `data` of an answer. */
  addDocument(value: unknown, line: number): void {
    const items = this.#listIn(value);
    if (items === undefined) return this.#add(value, 'Line', line);
    for (const item of items) this.#add(item, 'Item', (this.#items += 1));
  }

  /** A row of a table as the object that it would be in JSON. */
  addRow(row: Readonly<Record<string, unknown>>, line: number): void {
    this.#add(row, 'Line', line);
  }

  addLine(whole: string, line: number): void {
    const text = withoutComment(whole);
    const isAligned = / {2}/.test(text);
    if (!isAligned && /[,\t]/.test(text))
      return this.complain(line, 'is a row of a table whose header is missing or names nothing that is known', true);
    // No target contains a space, and the first word of a row could name something else.
    if (/\s/.test(text)) return this.complain(line, 'looks like a table row', true);
    this.#add(text, 'Line', line);
  }

  complain(line: number, what: string, isTable = false): void {
    this.mistakes.add(placeIn(this.#source, 'Line', line), what);
    this.mistakes.hasTable ||= isTable;
  }

  #listIn(value: unknown): readonly unknown[] | undefined {
    if (Array.isArray(value)) return value;
    if (!isObject(value)) return undefined;
    if (this.#wanted === 'domain' && blocksIn(value) !== undefined) return blocksIn(value);
    const {data, ...others} = value;
    if (isObject(data) && Object.keys(others).length === 0) return [data];
    // A thread holds its messages.
    return itemsAt(value, ['data']) ?? (this.#wanted === 'message' ? itemsAt(value, ['messages']) : undefined);
  }

  #add(item: unknown, unit: Unit, number: number, own?: string): void {
    const isOfAccount = isObject(item) && String(Object.keys(item).sort()) === 'account,item';
    const account = isOfAccount ? wordOf(at(item, ['account']).value) : undefined;
    if (account !== undefined && own === undefined) {
      // In a list of several accounts, each item comes with the name of its account.
      this.accounts.add(account);
      return this.#add(at(item, ['item']).value, unit, number, account);
    }
    const read = this.#reader.read(item, own);
    if ('mistake' in read) return this.mistakes.add(placeIn(this.#source, unit, number), read.mistake, read.advice);
    this.isTold ||= read.isTold === true;
    const severity = read.severity?.toLowerCase();
    if (severity !== undefined) this.severities.set(severity, (this.severities.get(severity) ?? 0) + 1);
    if (read.expected !== undefined) this.expected.set(read.value, read.expected);
    this.targets.push(new ListedTarget(read.value, unit, number, this.#source));
  }
}

interface Header {
  readonly delimiter: Delimiter;
  readonly columns: readonly string[];
  /** Where it begins in the text. */
  readonly at: number;
}

/** A header names something that lists print. */
function headerIn(line: string, at: number): Header | undefined {
  for (const delimiter of delimiters) {
    const columns = line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
    if (columns.some(isColumn)) return {delimiter, columns, at};
  }
  return undefined;
}

const unescaped: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t'};

/** An object or a list in a cell is JSON; in TSV its backslashes are escaped. */
function valueIn(cell: string, delimiter: Delimiter): unknown {
  if (!/^[[{]/.test(cell)) return cell;
  const text = delimiter === '\t' ? cell.replaceAll(/\\(.)/g, (_, letter: string) => unescaped[letter] ?? letter) : cell;
  // What cannot be read is no target, nor is another column in its place.
  const document = parsed(text);
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

/** A target without the comment behind it. Cells of a table are two spaces apart, and the first may be an id: `7  # a title`. */
function withoutComment(line: string): string {
  const [, target = '', gap = ''] = /^(\S+)( +)#/.exec(line) ?? [];
  return gap === ' ' || /[.@]/.test(target) ? target : line;
}

function linesIn(text: string): number {
  return text.match(lineEnd)?.length ?? 0;
}

/** A row of a list of several accounts as the item with its account: that comes first, and the item's own `account` is `item.account`. */
function withAccount(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const {account, ...fields} = row;
  const item = Object.entries(fields).map(([name, value]) => [name.replace(/^item\.(?=account(?:\.|$))/, ''), value] as const);
  return {account, item: Object.fromEntries(item)};
}

function addTable(list: Collector, text: string, {delimiter, columns, at}: Header): void {
  const table = text.slice(at);
  const firstLine = 1 + linesIn(text.slice(0, at));
  let isHeader = true;
  const isOfAccounts = columns[0] === 'account' && columns.length > 1 && !columns.includes('item');
  const add = (cells: readonly string[], line: number): void => {
    const row: Record<string, unknown> = {};
    for (const [index, name] of columns.entries()) row[name] = isRead(name) ? valueIn(cells[index] ?? '', delimiter) : '';
    // The account of a notification is an object; one that is missing is no name.
    const isNamed = isOfAccounts && typeof row['account'] === 'string' && row['account'] !== '';
    if (!isHeader) list.addRow(isNamed ? withAccount(row) : row, line);
    isHeader = false;
  };
  // TSV has no quotes, except those that spreadsheets write around a cell.
  if (delimiter === '\t') {
    for (const [index, row] of table.split(lineEnd).entries()) {
      if (row.trim() !== '')
        add(
          row.split('\t').map((cell) => cell.replace(/^"(.*)"$/, '$1')),
          firstLine + index,
        );
    }
    return;
  }
  try {
    for (const {line, cells} of csvRows(table, firstLine, delimiter)) add(cells, line);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    list.complain(error.line, `cannot be read: ${error.message}`);
  }
}

function parsed(text: string): {readonly value: unknown; readonly mistake?: undefined} | {readonly mistake: string} {
  try {
    return {value: parseInput(text)};
  } catch (error) {
    return {mistake: error instanceof TooDeep ? `is nested deeper than ${deepestInput} levels` : 'is not valid JSON'};
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
    // Not for every document of a line, which may have millions.
    if (isByLine || !isDocument) at = endOf(restOfLine, text, begin);
    if (first === '#') continue;
    if (!isDocument) {
      list.addLine(text.slice(begin, at).trimEnd(), line);
      continue;
    }
    const close = isByLine ? at : endOfValue(text, begin);
    const json = text.slice(begin, close);
    const document = parsed(json);
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

/** The first line that is not blank, nor a comment without a known name in it. */
function firstHeader(text: string): Header | undefined {
  for (let at = endOf(space, text, 0); at < text.length; at = endOf(space, text, at)) {
    const end = endOf(restOfLine, text, at);
    const header = headerIn(text.slice(at, end), at);
    if (header !== undefined || text[at] !== '#') return header;
    at = end;
  }
  return undefined;
}

/**
 * Reads targets: CSV and TSV are known by the header, all else is read as lines and JSON documents, mixed as they come.
 * @param wanted what the targets are
 * @param source what the text is called in messages
 * @param mistakes collects what names no target
 */
export function parseTargets(text: string, wanted: ItemKind, source: string, mistakes: Mistakes): TargetList {
  const list = new Collector(wanted, {name: source}, mistakes);
  const header = firstHeader(text);
  if (header === undefined) addMixed(list, text);
  else addTable(list, text, header);
  return list;
}
