/** CSV as RFC 4180 has it, with any line ends. Rows keep the line that they begin on, which is what people look for. */

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A quote that nothing closes, by the line that it stands on. */
export class UnclosedQuote extends Error {
  constructor(readonly line: number) {
    super('a quote is opened here and never closed');
  }
}

/** One cell and what ends it: a quoted text (quotes in it doubled) or plain text, then a comma, a line end or the end. */
const cellPattern = /(?:[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*|([^,\r\n]*))(,|\r\n|\r|\n|$)/y;
const lineEnd = /\r\n|\r|\n/g;

/**
 * The rows that hold anything.
 * @throws UnclosedQuote
 */
export function* csvRows(text: string, firstLine = 1): Generator<CsvRow> {
  let at = 0;
  let line = firstLine;
  let begun = firstLine;
  let cells: string[] = [];
  while (at < text.length || cells.length > 0) {
    cellPattern.lastIndex = at;
    const found = cellPattern.exec(text);
    const [whole = '', quoted, plain = '', end = ''] = found ?? [];
    if (found === null || (quoted === undefined && /^\s*"/.test(plain) && !/^\s*"[^"]*"/.test(plain))) throw new UnclosedQuote(line);
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += quoted?.match(lineEnd)?.length ?? 0;
    at += whole.length;
    if (end === ',') continue;
    if (cells.some((cell) => cell !== '')) yield {line: begun, cells};
    cells = [];
    line += 1;
    begun = line;
    if (end === '') return;
  }
}

/** A row as text, quoted where it has to be. */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',') + '\n';
}
