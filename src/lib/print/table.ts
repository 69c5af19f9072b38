/** Lists as tables that fit the terminal. */
import type {Column} from '../api/view.js';
import {parseExact} from '../json/exact.js';
import {shortened} from '../json/text.js';
import {longestText, type Layout} from './columns.js';
import type {Setting} from './format.js';
import {fit} from './fit.js';
import {inert} from './inert.js';
import {palette, type Palette} from './palette.js';
import {columnText, isFields, nothing} from './values.js';
import {columnsOf, truncate} from './width.js';

/** Spaces between two columns. */
const gap = 2;

/** A column that may be cut short keeps this much, unless it says otherwise. */
const leastWidth = 10;

/** Fields of rows of which nothing is known: of more nobody sees anything in a table. */
const mostFields = 50;

/** Where no terminal says how wide a table may be, a cell that is wider than this moves what follows. */
const widestInPipe = 200;

/** Spaces that a whole table may have for keeping cells in line. */
const mostSpaces = 32_000_000;

type Row = readonly string[];

/** Nothing is cut short where no terminal is. */
export function layoutOf({terminal: {isTerminal, width, color}, now, names}: Setting): Layout {
  return {width: isTerminal ? width : Number.POSITIVE_INFINITY, color, now, names};
}

/** What stands in the cells of a row. */
export function cellTexts(row: unknown, columns: readonly Column[], layout: Layout): string[] {
  return columns.map((column) => oneLine(columnText(row, column, layout)));
}

function oneLine(text: string): string {
  return inert(shortened(text, longestText)).replaceAll(/\s+/g, ' ').trim();
}

/** Columns for rows of which nothing is known: every field that one of them has, as far as there is room. */
export function columnsFor(rows: readonly unknown[]): Column[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of isFields(row) ? Object.keys(row) : []) if (names.size < mostFields) names.add(name);
  return names.size === 0 ? [{header: 'value', path: ''}] : columnsNamed([...names]);
}

/** A column for each field, under its own name. */
export function columnsNamed(names: readonly string[]): Column[] {
  return names.map((name, index) => ({header: oneLine(name), path: name, priority: index + 1, flexible: true}));
}

interface ShownColumn {
  readonly column: Column;
  /** Whether what is wider is cut short. */
  readonly isElastic: boolean;
  /** Among all columns, of which some may not be shown. */
  readonly index: number;
  readonly width: number;
}

/** How wide the columns are, settled with the rows that are known by then. */
export class Grid {
  readonly #shown: readonly ShownColumn[];
  readonly #colors: Palette;

  /** @param isRolling whether more rows come, for which columns that may be cut short take all the room there is */
  constructor(columns: readonly Column[], rows: readonly Row[], {width, color}: Layout, isRolling = false) {
    this.#colors = palette(color);
    const isTerminal = Number.isFinite(width);
    const widest = Math.min(widestInPipe, Math.floor(mostSpaces / (columns.length * rows.length || 1)));
    const wishes = columns.map((column, index) => {
      const header = columnsOf(column.header);
      const all = rows.reduce((most, texts) => Math.max(most, columnsOf(texts[index] ?? '')), header);
      const own = isTerminal ? all : Math.min(all, widest);
      const wish = isRolling && isTerminal && column.flexible ? (column.usual ?? width) : own;
      const atLeast = (share: number): number => (column.flexible ? Math.min(wish, Math.max(share, header)) : wish);
      const {least = leastWidth, preferred = least, priority = 1} = column;
      return {width: wish, least: atLeast(least), preferred: atLeast(preferred), priority};
    });
    const widths = fit(wishes, Math.max(1, width), gap);
    this.#shown = columns.flatMap((column, index) => {
      const columnWidth = widths[index];
      if (columnWidth === undefined) return [];
      const isElastic = isTerminal && (column.flexible === true || columnWidth < (wishes[index]?.width ?? 0));
      return [{column, isElastic, index, width: columnWidth}];
    });
  }

  header(): string {
    return this.#line(
      ({column}) => column.header,
      () => this.#colors.heading,
    );
  }

  row(texts: Row): string {
    return this.#line(
      ({index}) => texts[index] ?? '',
      ({column}, text) => paintOf(column, text, this.#colors),
    );
  }

  #line(textOf: (shown: ShownColumn) => string, paintOfCell: (shown: ShownColumn, text: string) => Paint | undefined): string {
    let line = '';
    let spaces = 0;
    for (const shown of this.#shown) {
      const {column, isElastic, width} = shown;
      const whole = textOf(shown);
      const text = isElastic ? truncate(whole, width, column.keep) : whole;
      const free = Math.max(0, width - columnsOf(text));
      const isRight = column.kind === 'number' || column.kind === 'count';
      if (text !== '') line += ' '.repeat(spaces + (isRight ? free : 0)) + (paintOfCell(shown, whole)?.(text) ?? text);
      spaces = (text === '' ? spaces + width : isRight ? 0 : free) + gap;
    }
    return `${line}\n`;
  }
}

type Paint = (text: string) => string;

function paintOf({kind}: Column, text: string, colors: Palette): Paint | undefined {
  if (kind === 'outcome' && text === 'ok') return colors.good;
  if (kind === 'outcome' && (text === 'failed' || text === 'unknown')) return colors.bad;
  return kind === 'time' || text === nothing ? colors.quiet : undefined;
}

/** Cells and characters that a table holds until it is printed: how wide its columns are depends on all of them. */
const mostCells = 300_000;
const mostCharacters = 16_000_000;

/** The rows of a table on their way; more than it holds are only counted. */
export class TableRows {
  readonly #layout: Layout;
  readonly #cells: Row[] = [];
  #columns: readonly Column[] | undefined;
  #characters = 0;
  #leftOut = 0;

  /** @param columns those that the first rows have, unless given */
  constructor(columns: readonly Column[] | undefined, layout: Layout) {
    this.#columns = columns;
    this.#layout = layout;
  }

  get isEmpty(): boolean {
    return this.#cells.length === 0;
  }

  add(rows: readonly unknown[]): void {
    const columns = (this.#columns ??= columnsFor(rows));
    for (const row of rows) {
      if (this.#cells.length >= mostCells / columns.length || this.#characters >= mostCharacters) {
        this.#leftOut += 1;
        continue;
      }
      const texts = cellTexts(row, columns, this.#layout);
      for (const {length} of texts) this.#characters += length;
      this.#cells.push(texts);
    }
  }

  addTexts(texts: readonly string[]): void {
    if (texts.length > 0) this.add(texts.map(parseExact));
  }

  /** A header and one line for each row. */
  print(): string {
    const grid = new Grid(this.#columns ?? [], this.#cells, this.#layout);
    return grid.header() + this.#cells.map((texts) => grid.row(texts)).join('');
  }

  /** What the table does not show. */
  get warning(): string | undefined {
    if (this.#leftOut === 0) return undefined;
    const all = this.#cells.length + this.#leftOut;
    return `the table shows the first ${this.#cells.length.toLocaleString('en')} of ${all.toLocaleString('en')} rows; --output ndjson prints all of them`;
  }
}
