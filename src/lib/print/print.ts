/** Prints answers, lists and results in the format that was asked for. */
import {keepMemoryFlat} from '../files/memory.js';
import type {View} from '../api/view.js';
import type {Text} from '../files/whole-file.js';
import {parseExact} from '../json/exact.js';
import {indent} from '../json/text.js';
import type {Form} from './fields.js';
import type {Ending, FormattedOutput, ItemSetting, ItemWriter, Setting} from './format.js';
import type {JqFilter} from './jq.js';

export type {Ending, ItemWriter, Nature, FormattedOutput, Terminal} from './format.js';

/** The values of `--output`. */
export const formatNames = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'] as const;

export type Format = (typeof formatNames)[number];

export interface FormatTraits {
  readonly hasNotes: boolean;
  /** Whether standard error is for programs, too: it has errors as JSON and nothing else. */
  readonly isForPrograms: boolean;
  /** Whether the output has rows and nothing around them. */
  readonly isRows: boolean;
  /** Whether each row is a line of cells, below a header. */
  readonly isDelimited: boolean;
  /** Whether the output is one document, which is valid only with its end. */
  readonly isOneDocument: boolean;
}

const plainFormat: FormatTraits = {
  hasNotes: false,
  isForPrograms: false,
  isRows: false,
  isDelimited: false,
  isOneDocument: false,
};

export const formatTraits: Readonly<Record<Format, FormatTraits>> = {
  table: {...plainFormat, hasNotes: true},
  json: {...plainFormat, isForPrograms: true, isOneDocument: true},
  ndjson: {...plainFormat, isForPrograms: true, isRows: true},
  csv: {...plainFormat, isRows: true, isDelimited: true},
  tsv: {...plainFormat, isRows: true, isDelimited: true},
  yaml: plainFormat,
};

/** Opens the writer of each format. The larger modules are imported only when they are used, so that the program starts quickly. */
const formats: Readonly<Record<Format, (setting: ItemSetting) => Promise<ItemWriter>>> = {
  table: async (setting) => (await import('./table.js')).openTable(setting),
  json: async (setting) => openJson(setting),
  ndjson: async () => openNdjson(),
  csv: async (setting) => (await import('./delimited.js')).openCsv(setting),
  tsv: async (setting) => (await import('./delimited.js')).openTsv(setting),
  yaml: async (setting) => (await import('./yaml.js')).openYaml(setting),
};

export interface PrintSetting extends Omit<ItemSetting, 'isList'> {
  readonly format: Format;
  /** Whether each item comes with the name of its account, as `accountItem` makes it. */
  readonly areOfAccounts?: boolean | undefined;
  /** Filters the answer, or with `ndjson` each item. The results are printed instead of the format. */
  readonly jq?: JqFilter | undefined;
}

export interface AnswerSetting extends PrintSetting {
  /** The path to the rows of a list inside the answer: `[]` for the answer itself; undefined: the answer is one object. */
  readonly rows?: readonly string[] | undefined;
  readonly passesNulls?: boolean | undefined;
}

/** How many items are formatted at once, so that a long answer is not in memory a second time. */
const batchSize = 1000;
const shortBatch = 30_000;

function isForWhole({format, jq, fields}: PrintSetting): boolean {
  return jq === undefined ? format === 'json' && fields === undefined : format !== 'ndjson';
}

/** A document as text, and as a value with every digit of its numbers. */
interface WholeDocument {
  readonly text: string;
  readonly exact: unknown;
}

export async function formatAnswer(document: WholeDocument, {rows, passesNulls, ...setting}: AnswerSetting): Promise<FormattedOutput> {
  if (isForWhole(setting)) return formatWhole(document, setting);
  const {itemsOf} = await import('../json/path.js');
  const {isList, items: all} = itemsOf(document.exact, rows);
  const items = passesNulls ? all.filter((item) => item !== null) : all;
  return writeBatches(await open(setting, isList), inBatches(items));
}

async function formatWhole(document: WholeDocument, setting: PrintSetting): Promise<FormattedOutput> {
  const {jq} = setting;
  if (jq === undefined) {
    const {nature, stdout} = await wholeJson(document.text, setting);
    return {nature, pieces: piecesIn([stdout])};
  }
  const {stdout, ...ending} = (await import('./jq.js')).filterDocument(jq, document);
  return {nature: 'data', pieces: piecesIn([stdout], ending)};
}

type Layout = Pick<ItemWriter, 'nature'> & {readonly laidOut: (text: string) => string};

async function layoutFor({isTerminal, color}: Setting['terminal']): Promise<Layout> {
  const colors = isTerminal && color ? (await import('./palette.js')).palette(color).json : undefined;
  // JSON escapes every escape character, so that the only bare ones are those of our own colours.
  const nature = colors === undefined ? 'data' : 'painted';
  return {nature, laidOut: (text) => (isTerminal ? indent(text, colors) : text.trimEnd())};
}

/** Prints a document as it was written, except for white space. */
async function wholeJson(text: string, {terminal}: Pick<Setting, 'terminal'>) {
  const {nature, laidOut} = await layoutFor(terminal);
  return {nature, stdout: `${laidOut(text)}\n`};
}

/** Prints items as one array, which has one item on each line except at a terminal. */
async function openJson({isList, terminal}: ItemSetting): Promise<ItemWriter> {
  const {nature, laidOut} = await layoutFor(terminal);
  const writeItem = (item: unknown) => laidOut(JSON.stringify(item));
  if (!isList) return {nature, items: (items) => items.map((item) => `${writeItem(item)}\n`).join(''), end: () => ({stdout: ''})};
  const inList = (item: unknown) => (terminal.isTerminal ? `  ${writeItem(item).replaceAll('\n', '\n  ')}` : writeItem(item));
  let isEmpty = true;
  return {
    nature,
    items(items) {
      if (items.length === 0) return '';
      const before = isEmpty ? '[\n' : ',\n';
      isEmpty = false;
      return before + items.map(inList).join(',\n');
    },
    end: () => ({stdout: isEmpty ? '[]\n' : '\n]\n'}),
  };
}

function openNdjson(): ItemWriter {
  return {nature: 'data', items: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''), end: () => ({stdout: ''})};
}

/** Makes a document of a value of this program, which may be nested to any depth. */
function ownDocument(value: unknown): WholeDocument {
  const text = JSON.stringify(value);
  return {text, exact: parseExact(text, Number.POSITIVE_INFINITY)};
}

/** A document with a list whose items are made only when they are printed, because there may be very many. */
export class LongDocument {
  /**
   * @param before the JSON before the items of the list
   * @param items values, or long documents in their turn
   */
  constructor(
    readonly before: string,
    readonly items: Iterable<unknown>,
    readonly after: string,
  ) {}
}

/** @param list the name of the field that gets the items as its list */
export function withItems(
  document: Readonly<Record<string, unknown>>,
  {list, items}: {readonly list: string; readonly items: Iterable<unknown>},
): LongDocument {
  // Quotes in JSON texts are escaped, so that this finds the name of the field.
  const name = `${JSON.stringify(list)}:[`;
  const text = JSON.stringify({...document, [list]: []});
  const at = text.indexOf(`${name}]`) + name.length;
  return new LongDocument(text.slice(0, at), items, text.slice(at));
}

/** Formats a document that need not be in memory as a whole, with the items of its list as rows. */
export async function formatDocument(document: LongDocument, setting: PrintSetting): Promise<FormattedOutput> {
  if (!isForWhole(setting)) return writeBatches(await open(setting, true), inBatches(document.items));
  if (setting.jq !== undefined || setting.terminal.isTerminal) return formatWhole(wholeOf(document), setting);
  function* pieces(): Generator<string, Ending, undefined> {
    yield* longPieces(document);
    yield '\n';
    return {};
  }
  return {nature: 'data', pieces: pieces()};
}

/** A document as JSON, with each item of its lists on a line. */
export function* documentLines(document: unknown): Generator<string> {
  yield* joinShort(piecesOfDocument(document, ',\n'));
  yield '\n';
}

const longPieces = (document: unknown): Generator<string> => joinShort(piecesOfDocument(document, ','));

/** Joins short pieces into few longer ones, which are soon garbage and then cheap to collect. */
export function* joinShort(pieces: Iterable<string>): Generator<string> {
  let joined = '';
  for (const piece of pieces) {
    joined += piece;
    if (joined.length < shortBatch) continue;
    keepMemoryFlat(joined.length);
    yield joined;
    joined = '';
  }
  yield joined;
}

function* piecesOfDocument(document: unknown, separator: string): Generator<string> {
  if (!(document instanceof LongDocument)) {
    yield JSON.stringify(document);
    return;
  }
  yield document.before;
  let isFirst = true;
  for (const item of document.items) {
    if (!isFirst) yield separator;
    yield* piecesOfDocument(item, separator);
    isFirst = false;
  }
  yield document.after;
}

function wholeOf(document: LongDocument): WholeDocument {
  const text = [...longPieces(document)].join('');
  return {text, exact: parseExact(text, Number.POSITIVE_INFINITY)};
}

/** Yields many items at a time, but a long document, such as the whole plan of an account, alone. */
function* inBatches(items: Iterable<unknown>): Generator<unknown[], void, undefined> {
  let batch: unknown[] = [];
  for (const item of items) {
    const isLong = item instanceof LongDocument;
    batch.push(isLong ? wholeOf(item).exact : item);
    if (batch.length < batchSize && !isLong) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

export interface CommandResult {
  /** A server's answer, which JSON prints in full, as it came. */
  readonly answer?: WholeDocument | undefined;
  /** Our own document in place of an answer, for JSON and jq. It is a function where it is slow to make and other formats need none. */
  readonly document?: object | (() => Promise<object>) | undefined;
  /** The path to the rows of a list inside an answer or a short document; undefined: it is one object. */
  readonly at?: readonly string[] | undefined;
  readonly passesNulls?: boolean | undefined;
  /** The rows of the other formats, where they are not those of the document. */
  readonly rows?: Iterable<unknown> | undefined;
  /** The rows of a table, where people see other rows than programs. */
  readonly tableRows?: Iterable<unknown> | undefined;
  /** Text for people in place of a table, with our own colours. With `--fields` the rows are printed instead. */
  readonly text?: Iterable<string> | undefined;
  /** Text that replaces every format but JSON, and JSON, too, where there is no document. */
  readonly plain?: (() => string) | undefined;
}

const isMaker = (document: CommandResult['document']): document is () => Promise<object> => typeof document === 'function';

/** Formats the part of a result that the format shows; undefined where there is nothing to show. */
export async function formatResult(
  {answer, document, at, passesNulls, rows, tableRows, text, plain}: CommandResult,
  setting: PrintSetting,
): Promise<FormattedOutput | undefined> {
  const {fields, format, jq} = setting;
  const whole = async () => {
    const made = answer ?? (isMaker(document) ? await document() : document);
    if (made === undefined) return undefined;
    if (made instanceof LongDocument) return formatDocument(made, setting);
    return formatAnswer(answer ?? ownDocument(made), {...setting, rows: at, passesNulls});
  };
  if (plain !== undefined && document === undefined) return {nature: 'data', pieces: piecesIn([plain()])};
  // `--fields` selects fields of rows, in JSON, too.
  if ((format === 'json' && (fields === undefined || rows === undefined)) || jq !== undefined) return whole();
  if (plain !== undefined) return {nature: 'data', pieces: piecesIn([plain()])};
  if (format === 'table' && text !== undefined && fields === undefined) return {nature: 'painted', pieces: piecesIn(text)};
  const items = format === 'table' ? (tableRows ?? rows) : rows;
  return items === undefined ? whole() : formatDocument(new LongDocument('[', items, ']'), setting);
}

/** The items of a result; none where its document is made only when it is printed. */
export async function itemsOfResult({answer, document, at, passesNulls, rows}: CommandResult): Promise<readonly unknown[]> {
  if (rows !== undefined) return [...rows];
  if (answer === undefined && (document === undefined || isMaker(document) || document instanceof LongDocument)) return [];
  const {itemsOf} = await import('../json/path.js');
  const {items} = itemsOf(answer === undefined ? document : answer.exact, at);
  return passesNulls === true ? items.filter((item) => item !== null) : items;
}

function* piecesIn(texts: Iterable<string>, ending: Ending = {}): Generator<string, Ending, undefined> {
  yield* texts;
  return ending;
}

/** Opens a writer for items that arrive bit by bit: a list of many pages, or the results of many targets. */
export const openList = (setting: PrintSetting): Promise<ItemWriter> => open(setting, true);

async function open({format, jq, areOfAccounts, ...given}: PrintSetting, isList: boolean): Promise<ItemWriter> {
  if (jq) {
    const {openJq} = await import('./jq.js');
    return openJq(jq, format === 'ndjson' || !isList || given.isEndless === true);
  }
  const setting = {...given, view: withoutHidden(given)};
  const writer = areOfAccounts ? await openOfAccounts(format, {...setting, isList}) : await openPicking(format, {...setting, isList});
  const hidden = formatTraits[format].isForPrograms ? [] : hiddenIn(setting);
  if (hidden.length === 0) return writer;
  const [{mapping}, {withoutMembers}] = await Promise.all([import('./fields.js'), import('../json/exact.js')]);
  return mapping(writer, (item) => withoutMembers(item, hidden));
}

async function openOfAccounts(format: Format, setting: ItemSetting): Promise<ItemWriter> {
  const {openAccountItems} = await import('./account-items.js');
  return openAccountItems({form: formOf(format), openWriter: formats[format]}, setting);
}

async function openPicking(format: Format, setting: ItemSetting): Promise<ItemWriter> {
  const writer = await formats[format](setting);
  const {fields} = setting;
  if (!fields) return writer;
  const {mapping, pick} = await import('./fields.js');
  return mapping(writer, (item) => pick(item, fields, {...setting, form: formOf(format)}));
}

const memberOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Members that are left out. A member stays if `--fields` names it, as `email` or `body.data.email`, or by the heading of its column. */
function hiddenIn({hides = [], fields = [], view}: Pick<PrintSetting, 'fields' | 'hides' | 'view'>): readonly string[] {
  const columns = view?.columns?.filter(({header}) => fields.includes(header)) ?? [];
  const named = new Set([...fields, ...columns.map(({path}) => path)].map(memberOf));
  return hides.filter((name) => !named.has(name));
}

function withoutHidden(setting: Pick<PrintSetting, 'fields' | 'hides' | 'view'>): View | undefined {
  const {view} = setting;
  const hidden = hiddenIn(setting);
  if (hidden.length === 0 || view?.columns === undefined) return view;
  return {...view, columns: view.columns.filter(({path}) => !hidden.includes(memberOf(path)))};
}

export const accountItem = (account: string, item: unknown) => ({account, item});

function formOf(format: Format): Form {
  if (formatTraits[format].isDelimited) return 'cells';
  return format === 'table' ? 'table' : 'nested';
}

export function piecesOf(text: Text): Iterable<string> {
  return typeof text === 'string' ? [text] : text;
}

function writeBatches(writer: ItemWriter, batches: Iterable<readonly unknown[]>): FormattedOutput {
  function* pieces(): Generator<string, Ending, undefined> {
    for (const items of batches) {
      const text = writer.items(items);
      keepMemoryFlat(text.length);
      yield text;
    }
    const {stdout, ...ending} = writer.end();
    yield* piecesOf(stdout);
    return ending;
  }
  return {nature: writer.nature, pieces: pieces()};
}
