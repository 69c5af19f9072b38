/** Lays out tables: which columns are shown, how wide they are, and the text of their cells. */
import {isObject} from '../api/schema.js';
import type {Column} from '../api/view.js';
import {draw} from './draw.js';
import {palette, type Palette} from './palette.js';
import {columnText, isForTerminal, nothing, oneLine, type Layout} from './values.js';
import {columnsOf, truncate, wrap} from './width.js';

export interface Wish {
  /** The width of the widest cell. */
  readonly width: number;
  /** The smallest width. */
  readonly least: number;
  /** The smallest width while less important columns can be left out instead; `least` by default. */
  readonly preferred?: number;
  /** Columns of the highest priority number are left out first. */
  readonly priority: number;
  /** Why it can go before any other is cut short. */
  readonly spare?: Spare | undefined;
}

/** A column without a text in any row, or with the same in every row. */
type Spare = 'empty' | 'same';

/** Those that remain when columns that tell nothing are left out, as many as it takes to fit. */
function withoutSpare(wishes: readonly Wish[], width: number, gap: number): Set<Wish> {
  const shown = new Set(wishes);
  for (const why of ['empty', 'same'] satisfies Spare[]) {
    const spare = wishes.filter((wish) => wish.spare === why);
    while (spare.length > 0 && shown.size > 1 && sum([...shown], (wish) => wish.width) > width - gap * (shown.size - 1)) {
      const worst = leastImportant(spare);
      spare.splice(spare.indexOf(worst), 1);
      shown.delete(worst);
    }
  }
  const needed = wishes.filter(({spare}) => spare === undefined);
  const isTooWide = sum(needed, ({least}) => least) > width - gap * (needed.length - 1);
  if (!isTooWide || needed.length < 2 || needed.length === wishes.length) return shown;
  // One that cannot stay in any case costs none its place that says something.
  const hopeless = leastImportant(needed);
  return withoutSpare(
    wishes.filter((wish) => wish !== hopeless && wish.spare !== 'empty'),
    width,
    gap,
  );
}

/**
 * The widths of the columns; undefined for those left out. Where not all fit, leaves out those that tell nothing, then shrinks the
 * widest columns. When that is not enough, leaves out the least important one and tries again, until one is left.
 */
export function fit(wishes: readonly Wish[], width: number, gap: number): (number | undefined)[] {
  const shown = withoutSpare(wishes, width, gap);
  let room = width;
  let isPreferred = true;
  const leastOf = ({least, preferred = least}: Wish): number => (isPreferred ? preferred : least);
  while (shown.size > 1) {
    room = width - gap * (shown.size - 1);
    if (sum([...shown], leastOf) <= room) break;
    const worst = leastImportant([...shown]);
    // No column is left out for the preferred width of one that is not more important.
    if (isPreferred && [...shown].some((wish) => leastOf(wish) > wish.least && wish.priority >= worst.priority)) isPreferred = false;
    else shown.delete(worst);
  }
  if (shown.size === 1) return wishes.map((wish) => (shown.has(wish) ? Math.min(wish.width, width) : undefined));
  const narrowed = wishes.map((wish) => ({...wish, least: leastOf(wish), isShown: shown.has(wish)}));
  const cap = widestCap(
    narrowed.filter(({isShown}) => isShown),
    room,
  );
  return narrowed.map((wish) => (wish.isShown ? capped(wish, cap) : undefined));
}

function capped({width, least}: Wish, cap: number): number {
  return Math.max(least, Math.min(width, cap));
}

/** The largest width at which all columns fit. */
function widestCap(wishes: readonly Wish[], room: number): number {
  let cap = wishes.reduce((most, {width}) => Math.max(most, width), 0);
  if (sum(wishes, ({width}) => width) <= room) return cap;
  let low = 0;
  while (low < cap) {
    const middle = Math.ceil((low + cap) / 2);
    if (sum(wishes, (wish) => capped(wish, middle)) <= room) low = middle;
    else cap = middle - 1;
  }
  return low;
}

function leastImportant(wishes: readonly Wish[]): Wish {
  return wishes.reduce((worst, wish) => (wish.priority >= worst.priority ? wish : worst));
}

function sum(wishes: readonly Wish[], of: (wish: Wish) => number): number {
  return wishes.reduce((total, wish) => total + of(wish), 0);
}

/** Spaces between two columns. */
const gap = 2;

/** The smallest width of a flexible column, by default. */
const minWidth = 10;

/** The largest number of columns where the fields are not known. */
const maxFields = 50;

/** In a pipe or a file, columns are not padded beyond this width: a wider cell moves the rest of its line. */
const widestInPipe = 200;

/** The largest number of spaces for padding in a whole table. */
const maxSpaces = 32_000_000;

export type Row = readonly string[];

export function cellTexts(row: unknown, columns: readonly Column[], layout: Layout): string[] {
  return columns.map((column) => oneLine(columnText(row, column, layout)));
}

/** Columns for rows whose fields are not known. */
export function columnsFor(rows: readonly unknown[]): Column[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of isObject(row) ? Object.keys(row) : []) if (names.size < maxFields) names.add(name);
  return names.size === 0 ? [{header: 'value', path: ''}] : columnsNamed([...names]);
}

/** A column for each field. */
export function columnsNamed(names: readonly string[]): Column[] {
  return names.map((name, index) => ({header: oneLine(name), path: name, priority: index + 1, flexible: true}));
}

interface ShownColumn {
  readonly column: Column;
  /** What becomes of wider text. */
  readonly wider: 'cut' | 'moves the rest' | 'wraps';
  /** Index among all columns, including those left out. */
  readonly index: number;
  readonly width: number;
}

/** The widths of the columns, determined from the rows that are known. */
export class Grid {
  readonly #shown: readonly ShownColumn[];
  readonly #colors: Palette;
  /** Indexes of columns that make their row bold. */
  readonly #emphasis: readonly number[];

  /** @param isRolling whether more rows follow: flexible columns then take all the room there is */
  constructor(columns: readonly Column[], rows: readonly Row[], layout: Layout, isRolling = false) {
    const {width, color} = layout;
    this.#colors = palette(color);
    this.#emphasis = columns.flatMap(({emphasis}, index) => (emphasis ? [index] : []));
    const isTerminal = isForTerminal(layout);
    const widest = Math.min(widestInPipe, Math.floor(maxSpaces / (columns.length * rows.length)));
    const wishes = columns.map((column, index) => {
      const header = columnsOf(column.header);
      const all = rows.reduce((most, texts) => Math.max(most, columnsOf(texts[index] ?? '')), header);
      const own = isTerminal ? all : Math.min(all, widest);
      const wish = isRolling && isTerminal && column.flexible ? (column.usual ?? width) : own;
      const leastHeader = wraps(column, layout) ? widestWord(column.header) : header;
      const atLeast = (share: number): number => (column.flexible ? Math.min(wish, Math.max(share, leastHeader)) : wish);
      const {least = minWidth, preferred = least, priority = 1} = column;
      const spare = isTerminal && !column.stays && !(isRolling && column.wraps) ? spareOf(rows, index, isRolling) : undefined;
      return {width: wish, least: atLeast(least), preferred: atLeast(preferred), priority, spare};
    });
    const widths = fit(wishes, Math.max(1, width), gap);
    this.#shown = columns.flatMap((column, index) => {
      const columnWidth = widths[index];
      if (columnWidth === undefined) return [];
      const isElastic = isTerminal && (column.flexible === true || columnWidth < (wishes[index]?.width ?? 0));
      const wider = isElastic ? (wraps(column, layout) ? 'wraps' : 'cut') : 'moves the rest';
      return [{column, wider, index, width: columnWidth}];
    });
  }

  /** The header, and the lines of the first rows. */
  start(rows: readonly Row[]): string {
    const {heading} = this.#colors;
    return this.#draw([this.#shown.map((shown) => fitted(shown.column.header, shown, heading)), ...this.#cells(rows)]);
  }

  /** The lines of rows. */
  rows(rows: readonly Row[]): string {
    return this.#draw(this.#cells(rows));
  }

  #cells(rows: readonly Row[]): Row[] {
    return rows.map((texts) => {
      const isStrong = this.#emphasis.some((index) => Number(texts[index]) > 0);
      return this.#shown.map((shown) => this.#cell(texts[shown.index] ?? '', shown, isStrong));
    });
  }

  #cell(text: string, shown: ShownColumn, isStrong: boolean): string {
    const paint = paintOf(shown.column, text, this.#colors) ?? (isStrong ? this.#colors.heading : undefined);
    return fitted(text, shown, paint);
  }

  #draw(rows: readonly Row[]): string {
    const columns = this.#shown.map(({column: {kind}, width}) => ({width, isRight: kind === 'number' || kind === 'count'}));
    return draw(rows, columns, ' '.repeat(gap));
  }
}

function fitted(text: string, {column, wider, width}: ShownColumn, paint: Paint | undefined): string {
  const lines = wider === 'wraps' ? wrap(text, width) : [wider === 'cut' ? truncate(text, width, column.keep) : text];
  return lines.map((line) => painted(line, paint)).join('\n');
}

function wraps(column: Column, layout: Layout): boolean {
  return column.wraps === true && layout.noWrap !== true && isForTerminal(layout);
}

function widestWord(text: string): number {
  return Math.max(...text.split(' ').map(columnsOf));
}

/** @param isRolling whether more rows follow, of which a single row says nothing */
function spareOf(rows: readonly Row[], index: number, isRolling: boolean): Spare | undefined {
  if (rows.length < (isRolling ? 2 : 1)) return undefined;
  const texts = new Set(rows.map((row) => row[index] ?? ''));
  if (texts.isSubsetOf(new Set(['', nothing]))) return 'empty';
  return rows.length > 1 && texts.size === 1 ? 'same' : undefined;
}

function painted(text: string, paint: Paint | undefined): string {
  return paint === undefined || text === '' ? text : paint(text);
}

type Paint = (text: string) => string;

function paintOf({kind}: Column, text: string, colors: Palette): Paint | undefined {
  if (kind === 'outcome' && text === 'ok') return colors.good;
  if (kind === 'outcome' && (text === 'failed' || text === 'unknown')) return colors.bad;
  return kind === 'time' || text === nothing ? colors.quiet : undefined;
}
