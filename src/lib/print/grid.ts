/** Lays out tables: which columns are shown, how wide they are, and the text of their cells. Draws them with cli-table3. */
import {stripVTControlCharacters} from 'node:util';
import Table from 'cli-table3';
import utils from 'cli-table3/src/utils.js';
import {isObject} from '../api/schema.js';
import type {Column} from '../api/view.js';
import {fitColumns, gap, type Row} from './fit.js';
import {palette, type Palette} from './palette.js';
import {drawLines} from './record.js';
import {columnText, isForTerminal, isNothing, nothing, oneLine, type Layout} from './values.js';
import {columnsOf, truncate, wrap} from './width.js';

/** The largest number of columns where the fields are not known. */
const maxFields = 50;

export function cellTexts(row: unknown, columns: readonly Column[], layout: Layout): string[] {
  return columns.map((column) => oneLine(columnText(row, column, layout)));
}

export function columnsFor(rows: readonly unknown[]): Column[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of isObject(row) ? Object.keys(row) : []) if (names.size < maxFields) names.add(name);
  return names.size === 0 ? [{header: 'value', path: ''}] : [...names].map(fieldColumn);
}

/** The meaning of these fields is not known: the first is taken for a name, and earlier ones are more important than later ones. */
function fieldColumn(name: string, index: number): Column {
  return {header: oneLine(name), path: name, ...(index === 0 ? {key: true} : {flexible: true, priority: index + 1})};
}

/** A column for each field of `--fields`. None is left out or cut short. */
export function columnsNamed(names: readonly string[]): Column[] {
  return names.map((name) => ({header: oneLine(name), path: name, key: true}));
}

type Wider = 'cut' | 'moves the rest' | 'wraps';

interface ShownColumn {
  readonly column: Column;
  readonly wider: Wider;
  /** Index among all columns, including those that are not shown. */
  readonly index: number;
  readonly width: number;
}

/** Lays out rows for a terminal, a pipe or a file. The rows that are known at first determine the widths of the columns. */
export class Grid {
  /** The headings of columns that have no room, although they have a text. */
  readonly notShown: readonly string[];
  readonly #layout: Layout;
  readonly #shown: readonly ShownColumn[];
  readonly #isStacked: boolean;
  readonly #colors: Palette;

  /** @param isRolling whether more rows follow: flexible columns then take all the room there is */
  constructor(columns: readonly Column[], rows: readonly Row[], layout: Layout, isRolling = false) {
    this.#layout = layout;
    this.#colors = palette(layout.color);
    const {shown, leftOut, isStacked} = fitColumns(columns, rows, layout, isRolling);
    this.#isStacked = isStacked;
    this.notShown = leftOut.flatMap((index) => columns[index]?.header ?? []);
    this.#shown = shown.flatMap(({index, width}) => {
      const column = columns[index];
      return column === undefined ? [] : [{column, wider: widerOf(column, layout), index, width}];
    });
  }

  start(rows: readonly Row[]): string {
    if (this.#isStacked) return this.#stack(rows);
    const header = this.#shown.map((shown) => linesOf(shown.column.header, shown, this.#colors.heading).join('\n'));
    return this.#draw([header, ...this.#cells(rows)]);
  }

  rows(rows: readonly Row[]): string {
    return this.#isStacked ? `\n${this.#stack(rows)}` : this.#draw(this.#cells(rows));
  }

  /** Writes each row as several lines of heading and text, without columns that have no text. */
  #stack(rows: readonly Row[]): string {
    const blocks = rows.map((texts) =>
      this.#shown.flatMap(({column, index}) => {
        const text = texts[index] ?? '';
        return isNothing(text) && column.key !== true ? [] : [{name: column.header, text, paint: paintOf(column, text, this.#colors)}];
      }),
    );
    return blocks.map((lines) => drawLines(lines, this.#layout)).join('\n');
  }

  #cells(rows: readonly Row[]): Row[] {
    return rows.map((texts) =>
      this.#shown.map((shown) => {
        const text = texts[shown.index] ?? '';
        return linesOf(text, shown, paintOf(shown.column, text, this.#colors)).join('\n');
      }),
    );
  }

  #draw(rows: readonly Row[]): string {
    const columns = this.#shown.map(({column: {kind}, width}) => ({width, isRight: kind === 'number' || kind === 'count'}));
    return draw(rows, columns, ' '.repeat(gap));
  }
}

/** Only text of flexible columns is cut short. Names are always whole, because people type them after the next command. */
function widerOf({key, stays, wraps, flexible}: Column, layout: Layout): Wider {
  if (!isForTerminal(layout)) return 'moves the rest';
  return flexible && !wraps && !stays && !key ? 'cut' : 'wraps';
}

function linesOf(text: string, {wider, width}: ShownColumn, paint: Paint | undefined): string[] {
  const lines = wider === 'moves the rest' ? [text] : wider === 'cut' ? [truncate(text, width)] : wrap(text, width);
  return lines.map((line) => (paint === undefined || line === '' ? line : paint(line)));
}

type Paint = (text: string) => string;

function paintOf({kind}: Column, text: string, colors: Palette): Paint | undefined {
  if (kind === 'outcome' && text === 'ok') return colors.good;
  if (kind === 'outcome' && (text === 'failed' || text === 'unknown')) return colors.bad;
  return kind === 'time' || text === nothing ? colors.quiet : undefined;
}

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
