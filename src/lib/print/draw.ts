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
 * look these functions up when they draw. Columns have their widths, and each line its own colours. Text is cut before it comes here; a
 * wider one, in a pipe, moves the rest of its line.
 */
Object.assign(utils, {
  strlen: () => 0,
  truncate: (text: string) => text,
  colorizeLines: (lines: readonly string[]) => lines,
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

interface DrawnColumn {
  readonly width: number;
  readonly isRight: boolean;
}

/**
 * Rows without borders. A cell may have several lines, each in colours of its own. For cli-table3 each column is one tall cell: what it does
 * for a cell takes as long as drawing many lines.
 * @param gap between two columns
 * @returns lines without spaces at their end, each with a line break
 */
export function draw(rows: readonly (readonly string[])[], columns: readonly DrawnColumn[], gap: string): string {
  if (rows.length === 0) return '';
  const table = new Table({
    chars: {...noBorders, middle: gap},
    colWidths: columns.map(({width}) => width),
    colAligns: columns.map(({isRight}) => (isRight ? 'right' : 'left')),
    style: {'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true},
  });
  const texts = rows.map(alike);
  table.push(columns.map((_, index) => texts.map((row) => row[index] ?? '').join('\n')));
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** A row whose cells have as many lines as the highest of them. */
function alike(row: readonly string[]): readonly string[] {
  if (!row.some((text) => text.includes('\n'))) return row;
  const heights = row.map((text) => text.split('\n').length);
  const height = Math.max(...heights);
  return row.map((text, index) => text + '\n'.repeat(height - (heights[index] ?? 0)));
}
