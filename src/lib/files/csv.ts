/** Reads CSV (RFC 4180) with any line ends and delimiters, and writes it. A row has the number of the line that it begins on. */

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** The cells behind the first one, for most rows. Rows that say the same there share it. */
  readonly tail?: readonly string[] | undefined;
}

/** Spreadsheets write semicolons where the comma is the decimal separator. */
export const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

export class UnclosedQuote extends Error {
  constructor(readonly line: number) {
    super('a quote is opened here and never closed');
  }
}

const lineEnd = /\r\n|\r|\n/g;
const plainCell: Readonly<Record<Delimiter, RegExp>> = {',': /[^,\r\n]*/y, ';': /[^;\r\n]*/y, '\t': /[^\t\r\n]*/y};
const space = /[ \t]*/y;
/** What comes before the first quote of a line, or the whole line. */
const plainPart = /[^"\r\n]*/y;
const wholeLine = /[^\r\n]*/y;
const ending = /\r\n|[\r\n]/y;

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Where a quoted text ends: the index after its closing quote; -1 when it has none. */
function endOfQuoted(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  // A doubled quote stands for one quote of the text.
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end === -1 ? -1 : end + 1;
}

interface Cell {
  readonly text: string;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** @throws UnclosedQuote */
function cellAt(text: string, at: number, delimiter: Delimiter, line: number): Cell {
  const isEnd = (index: number) => index === text.length || [delimiter, '\r', '\n'].includes(text[index] ?? '');
  const isSpaced = delimiter !== '\t';
  const opening = isSpaced ? at + match(space, text, at).length : at;
  if (text[opening] === '"') {
    const closed = endOfQuoted(text, opening);
    if (closed === -1) throw new UnclosedQuote(line);
    const end = isSpaced ? closed + match(space, text, closed).length : closed;
    if (isEnd(end)) return {text: text.slice(opening + 1, closed - 1).replaceAll('""', '"'), end, isQuoted: true};
  }
  const plain = match(plainCell[delimiter], text, at);
  if (text[opening] === '"' && !plain.includes('"', opening - at + 1)) throw new UnclosedQuote(line);
  return {text: plain.trim(), end: at + plain.length, isQuoted: false};
}

/** A text with more different rows than this is read cell by cell. Most lists say the same in most rows, but for their first cell. */
const maxTails = 1000;

/**
 * The rows that are not empty.
 * @throws UnclosedQuote
 */
export function* csvRows(text: string, firstLine = 1, delimiter: Delimiter = ','): Generator<CsvRow> {
  const tails = new Map<string, readonly string[]>();
  let at = 0;
  let line = firstLine;
  while (at < text.length) {
    const [begun, start] = [line, at];
    const whole = tails.size < maxTails ? match(wholeLine, text, at) : '';
    const first = whole.slice(0, Math.max(0, whole.indexOf(delimiter)));
    const rest = first === '' || first.includes('"') ? '' : whole.slice(first.length);
    let tail = tails.get(rest);
    const cells = tail === undefined ? [] : [first.trim(), ...tail];
    if (tail === undefined) {
      const plain = match(plainPart, text, at);
      const isPlain = text[at + plain.length] !== '"';
      // Most cells stand before any quote, and need not be read one by one.
      const end = isPlain ? plain.length : plain.lastIndexOf(delimiter);
      if (isPlain || end !== -1) for (const cell of plain.slice(0, end).split(delimiter)) cells.push(cell.trim());
      at += isPlain ? end : end + 1;
      for (let isLast = isPlain; !isLast;) {
        const cell = cellAt(text, at, delimiter, line);
        cells.push(cell.text);
        if (cell.isQuoted) line += cell.text.match(lineEnd)?.length ?? 0;
        isLast = text[cell.end] !== delimiter;
        at = isLast ? cell.end : cell.end + 1;
      }
      // Where a cell has a quote, the lines below may decide how the row is read.
      if (rest !== '' && at === start + whole.length && !cells.some((cell) => cell.includes('"'))) tails.set(rest, (tail = cells.slice(1)));
    } else at += whole.length;
    at += match(ending, text, at).length;
    line += 1;
    if (cells.some((one) => one !== '')) yield {line: begun, cells, tail};
  }
}

/** Quotes are doubled in pieces of this many characters. In one go, millions of quotes would make as many small strings at once. */
const portion = 50_000;

function withDoubledQuotes(text: string): string {
  let doubled = '';
  for (let at = 0; at < text.length; at += portion) {
    doubled += text
      .slice(at, at + portion)
      .split('"')
      .join('""');
  }
  return doubled;
}

export function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${withDoubledQuotes(text)}"` : text;
}

/** Spreadsheets may run a text that begins like this as a formula. */
export const csvFormula = /^[=+\-@\t\r\n＝＋－＠]/;

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}
