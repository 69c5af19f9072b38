/** Lists as tables that fit the terminal. */
import type {Column, Layout} from './columns.js';
import {fit} from './fit.js';
import {gap, grid, type Cell} from './grid.js';
import {inert} from './inert.js';
import {palette, type Palette} from './palette.js';
import {columnText, isFields, nothing} from './values.js';
import {columnsOf, truncate} from './width.js';

/** A column that may be cut short keeps this much. */
export const leastWidth = 10;

/** What stands in the cells of a row. */
export function cellTexts(row: unknown, columns: readonly Column[], now: Date): string[] {
  return columns.map((column) => oneLine(columnText(row, column, now)));
}

/** A header and one line for each row; every line ends in a line break. */
export function renderTable(rows: readonly unknown[], columns: readonly Column[], {width, color, now}: Layout): string {
  const colors = palette(color);
  const body = rows.map((row) => cellTexts(row, columns, now));
  const wishes = columns.map((column, index) => {
    const widest = body.reduce((most, texts) => Math.max(most, columnsOf(texts[index] ?? '')), columnsOf(column.header));
    const least = column.flexible ? Math.min(widest, Math.max(leastWidth, columnsOf(column.header))) : widest;
    return {width: widest, least, priority: column.priority ?? 1};
  });
  const widths = fit(wishes, Math.max(1, width), gap);
  const shown = columns.flatMap((column, index) => {
    const columnWidth = widths[index];
    return columnWidth === undefined ? [] : [{column, index, width: columnWidth, align: alignment(column)}];
  });
  const header = shown.map(({column, width: most}) => cell(column.header, most, colors.heading));
  const lines = body.map((texts) =>
    shown.map(({column, index, width: most}) => cell(texts[index] ?? '', most, paintOf(column, texts[index] ?? '', colors))),
  );
  return `${grid([header, ...lines], shown)}\n`;
}

/** Columns for rows of which nothing is known: every field that one of them has. */
export function columnsFor(rows: readonly unknown[]): Column[] {
  const names = new Set(rows.flatMap((row) => (isFields(row) ? Object.keys(row) : [])));
  if (names.size === 0) return [{header: 'value', path: ''}];
  return columnsNamed([...names]);
}

/** A column for each field, under its own name. */
export function columnsNamed(names: readonly string[]): Column[] {
  return names.map((name, index) => ({header: inert(name), path: name, priority: index + 1, flexible: true}));
}

function oneLine(text: string): string {
  return inert(text).replaceAll(/\s+/g, ' ').trim();
}

function cell(text: string, width: number, paint: ((text: string) => string) | undefined): Cell {
  const fitting = truncate(text, width);
  return {text: fitting, width: columnsOf(fitting), ...(paint && {paint})};
}

export function alignment({kind}: Column): 'left' | 'right' {
  return kind === 'number' || kind === 'count' ? 'right' : 'left';
}

export function paintOf({kind}: Column, text: string, colors: Palette): ((text: string) => string) | undefined {
  if (kind === 'outcome') return text === 'ok' ? colors.good : colors.bad;
  return kind === 'time' || text === nothing ? colors.quiet : undefined;
}
