/** Draws rows with cli-table3, which measures text as the rest of the program does. */
import {stripVTControlCharacters} from 'node:util';
import Table from 'cli-table3';
import utils from 'cli-table3/src/utils.js';
import {columnsOf} from './width.js';

/** Without our own colours. The escape character of a server's text is shown as a symbol by now. */
function paintedColumns(text: string): number {
  return columnsOf(text.includes('\u001b') ? stripVTControlCharacters(text) : text);
}

/**
 * cli-table3 measures with `string-width` 4, which misjudges emoji and combining characters, and cuts between UTF-16 units. Its modules
 * look these functions up when they draw. Text is cut before it comes here; a wider one, in a pipe, moves the rest of its line.
 */
Object.assign(utils, {
  strlen: (text: string) => text.split('\n').reduce((most, line) => Math.max(most, paintedColumns(line)), 0),
  truncate: (text: string) => text,
  pad(text: string, width: number, _: string, side: string) {
    const padding = ' '.repeat(Math.max(0, width - paintedColumns(text)));
    return side === 'right' ? padding + text : text + padding;
  },
});

const names = ['top', 'bottom', 'left', 'right', 'mid'] as const;
const corners = [
  'top-mid',
  'top-left',
  'top-right',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left-mid',
  'mid-mid',
  'right-mid',
] as const;
const noBorders = Object.fromEntries([...names, ...corners].map((name) => [name, '']));

/** Cells that are drawn at once: cli-table3 compares each with all before it. */
const cellsAtOnce = 40;

export interface DrawnColumn {
  readonly width: number;
  readonly isRight: boolean;
}

/**
 * Rows without borders. A cell may have several lines, each in colours of its own.
 * @param gap between two columns
 * @returns lines without spaces at their end, each with a line break
 */
export function draw(rows: readonly (readonly string[])[], columns: readonly DrawnColumn[], gap: string): string {
  let drawn = '';
  const rowsAtOnce = Math.ceil(cellsAtOnce / Math.max(1, columns.length));
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const table = new Table({
      chars: {...noBorders, middle: gap},
      colWidths: columns.map(({width}) => width),
      colAligns: columns.map(({isRight}) => (isRight ? 'right' : 'left')),
      style: {'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true},
    });
    for (const row of rows.slice(at, at + rowsAtOnce)) table.push([...row]);
    for (const line of table.toString().split('\n')) drawn += `${line.trimEnd()}\n`;
  }
  return drawn;
}
