/** A list of targets as text: lines, JSON lines mixed with them, a JSON array, or CSV, told apart by content. */
import {parseExact, sourceText} from '../../json/exact.js';
import {csvRows, UnclosedQuote} from '../../policy/lists/csv.js';

export interface ListedTarget {
  readonly value: string;
  /** Where it stands, for messages. */
  readonly place: string;
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

  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  add(value: string | undefined, place: string): void {
    const target = value?.trim() ?? '';
    if (target === '') this.problems.push(`${place} names no target (${this.#fields.join(', ')})`);
    else this.targets.push({value: target, place});
  }

  addJson(text: string, place: string): void {
    let value: unknown;
    try {
      value = parseExact(text);
    } catch {
      this.problems.push(`${place} is not valid JSON`);
      return;
    }
    this.add(fromJson(value, this.#fields), place);
  }
}

/** The column that holds the target, when the first row is a header: it names a field that a target is looked for in. */
function targetColumn(header: readonly string[], fields: readonly string[]): number | undefined {
  const names = header.map((name) => name.trim());
  const field = fields.find((candidate) => names.includes(candidate));
  return field === undefined ? undefined : names.indexOf(field);
}

function parseArray(content: string, source: string, fields: readonly string[]): TargetList {
  const list = new Collector(fields);
  let items: unknown;
  try {
    items = parseExact(content);
  } catch {
    return {targets: [], problems: [`${source} begins like a JSON array and is none`]};
  }
  if (Array.isArray(items)) {
    items.forEach((item, index) => list.add(fromJson(item, fields), `Item ${index + 1} of ${source}`));
  }
  return list;
}

function parseTable(text: string, source: string, column: number, fields: readonly string[]): TargetList {
  const list = new Collector(fields);
  try {
    const [, ...rows] = csvRows(text);
    for (const {line, cells} of rows) list.add(cells[column], `Line ${line} of ${source}`);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    list.problems.push(`Line ${error.line} of ${source}: ${error.message}`);
  }
  return list;
}

function parseLines(text: string, source: string, fields: readonly string[]): TargetList {
  const list = new Collector(fields);
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    const place = `Line ${index + 1} of ${source}`;
    if (line === '' || line.startsWith('#')) return;
    if (/^[{"]/.test(line)) list.addJson(line, place);
    // No target has a comma in it, and a row that was taken for one could hit something else.
    else if (line.includes(',')) list.problems.push(`${place} is a row of a table without a header that names a target (${fields.join(', ')})`);
    else list.add(line, place);
  });
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
