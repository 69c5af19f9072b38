/** Draws rows with cli-table3, which measures text as the rest of the program does. */
import {stripVTControlCharacters} from 'node:util';
import Table from 'cli-table3';
import utils from 'cli-table3/src/utils.js';
import {columnsOf} from './width.js';

/** Measures text without our own colours. Escape characters in texts of servers have become symbols before. */
function paintedColumns(text: string): number {
  return columnsOf(text.includes('\u001b') ? stripVTControlCharacters(text) : text);
}

/**
 * cli-table3 measures with `string-width` 4, which misjudges emoji and combining characters, and cuts between UTF-16 units. Its modules
 * look these functions up when they draw. Most of them do nothing, because the text that comes here is measured, cut and coloured. In a
 * pipe, a text that is wider than its column moves the rest of its line.
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
 * Draws rows without borders. A cell may have several lines, each with its own colours. Each column is passed to cli-table3 as one tall
 * cell, because a cell takes it as long as many lines.
 * @param gap the text between two columns
 * @returns lines without spaces at their end, each with a line break
 */
export function draw(rows: readonly (readonly string[])[], columns: readonly DrawnColumn[], gap: string): string {
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

/** Adds empty lines to the cells of a row until all are as high as the highest one. */
function alike(row: readonly string[]): readonly string[] {
  if (!row.some((text) => text.includes('\n'))) return row;
  const heightOf = (text: string): number => text.split('\n').length;
  const height = Math.max(...row.map(heightOf));
  return row.map((text) => text + '\n'.repeat(height - heightOf(text)));
}
