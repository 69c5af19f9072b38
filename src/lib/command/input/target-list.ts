/** A list of targets as text: lines, JSON lines mixed with them, a JSON array, or CSV, told apart by content. */
import {parseExact, sourceText} from '../../json/exact.js';
import {csvRows, UnclosedQuote} from '../../policy/lists/csv.js';

/** A text with targets in it; the places in it are counted in this unit. */
interface Source {
  readonly name: string;
  readonly unit: 'Item' | 'Line';
}

function placeIn({name, unit}: Source, number: number): string {
  return `${unit} ${number} of ${name}`;
}

/** One of many: its place takes no memory until it is asked for. */
export class ListedTarget {
  readonly value: string;
  readonly #number: number;
  readonly #source: Source;

  constructor(value: string, number: number, source: Source) {
    this.value = value;
    this.#number = number;
    this.#source = source;
  }

  /** Where it stands, for messages. */
  get place(): string {
    return placeIn(this.#source, this.#number);
  }
}

export interface TargetList {
  readonly targets: readonly ListedTarget[];
  /** What names no target, each with its place. */
  readonly problems: readonly string[];
}

/** Of an object the fields that hold the target, first come first. */
function fromObject(item: object, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    if (!Object.hasOwn(item, field)) continue;
    const value: unknown = Reflect.get(item, field);
    return typeof value === 'string' ? value : sourceText(value);
  }
  return undefined;
}

function fromJson(value: unknown, fields: readonly string[]): string | undefined {
  const isObject = typeof value === 'object' && value !== null && sourceText(value) === undefined;
  return typeof value === 'string' ? value : isObject ? fromObject(value, fields) : sourceText(value);
}

/** Collects targets and what is none. */
class Collector {
  readonly targets: ListedTarget[] = [];
  readonly problems: string[] = [];
  readonly #fields: readonly string[];
  readonly #source: Source;

  constructor(fields: readonly string[], source: Source) {
    this.#fields = fields;
    this.#source = source;
  }

  add(value: string | undefined, number: number): void {
    const target = value?.trim() ?? '';
    if (target === '') this.complain(number, `names no target (${this.#fields.join(', ')})`);
    else this.targets.push(new ListedTarget(target, number, this.#source));
  }

  addJson(text: string, number: number): void {
    let value: unknown;
    try {
      value = parseExact(text);
    } catch {
      this.complain(number, 'is not valid JSON');
      return;
    }
    this.add(fromJson(value, this.#fields), number);
  }

  addLine(line: string, number: number): void {
    if (/^[{"]/.test(line)) this.addJson(line, number);
    // No target has a comma in it, and a row that was taken for one could hit something else.
    else if (line.includes(',')) this.complain(number, `is a row of a table without a header that names a target (${this.#fields.join(', ')})`);
    else this.add(line, number);
  }

  complain(number: number, words: string): void {
    this.problems.push(`${placeIn(this.#source, number)} ${words}`);
  }
}

/** The column that holds the target, when the first row is a header: it names a field that a target is looked for in. */
function targetColumn(header: readonly string[], fields: readonly string[]): number | undefined {
  const names = header.map((name) => name.trim());
  const field = fields.find((candidate) => names.includes(candidate));
  return field === undefined ? undefined : names.indexOf(field);
}

function parseArray(content: string, name: string, fields: readonly string[]): TargetList {
  const list = new Collector(fields, {name, unit: 'Item'});
  let items: unknown;
  try {
    items = parseExact(content);
  } catch {
    return {targets: [], problems: [`${name} begins like a JSON array and is none`]};
  }
  if (Array.isArray(items)) items.forEach((item, index) => list.add(fromJson(item, fields), index + 1));
  return list;
}

function parseTable(text: string, name: string, column: number, fields: readonly string[]): TargetList {
  const list = new Collector(fields, {name, unit: 'Line'});
  let isHeader = true;
  try {
    for (const {line, cells} of csvRows(text)) {
      if (!isHeader) list.add(cells[column], line);
      isHeader = false;
    }
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    list.complain(error.line, `cannot be read: ${error.message}`);
  }
  return list;
}

const lineEnd = /\r\n|\r|\n|$/g;

function parseLines(text: string, name: string, fields: readonly string[]): TargetList {
  const list = new Collector(fields, {name, unit: 'Line'});
  let start = 0;
  let number = 1;
  for (const {index, 0: end} of text.matchAll(lineEnd)) {
    const line = text.slice(start, index).trim();
    if (line !== '' && !line.startsWith('#')) list.addLine(line, number);
    start = index + end.length;
    number += 1;
  }
  return list;
}

/**
 * Reads targets: an array is known by its first character, CSV by its header row; all else is read line by line, plain
 * lines (`#` begins a comment) and JSON mixed as they come.
 * @param ownFields of objects and columns, the ones that hold the target, before `target` and `id`
 * @param source what the text is called in messages
 */
export function parseTargets(text: string, ownFields: readonly string[], source: string): TargetList {
  const plain = text.replace(/^\u{feff}/u, '');
  const fields = [...ownFields, 'target', 'id'];
  const content = plain.trimStart();
  if (content.startsWith('[')) return parseArray(content, source, fields);
  const [first = ''] = content.split(/\r?\n|\r/, 1);
  const column = targetColumn(first.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1')), fields);
  return column === undefined ? parseLines(plain, source, fields) : parseTable(plain, source, column, fields);
}
