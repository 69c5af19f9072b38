/** The columns of a table: which are shown, how wide, and their cells as text. */
import type {Column} from '../api/view.js';
import {shortened} from '../json/text.js';
import {inert} from './inert.js';
import {palette, type Palette} from './palette.js';
import {columnText, isFields, longestText, nothing, type Layout} from './values.js';
import {columnsOf, truncate} from './width.js';

export interface Wish {
  /** What the widest cell takes. */
  readonly width: number;
  /** What must remain of it. */
  readonly least: number;
  /** What is left to it while there are less important columns that can go; as much as must remain unless given. */
  readonly preferred?: number;
  /** The highest goes first. */
  readonly priority: number;
}

/**
 * The widths of the columns that are shown; undefined for those left out. Columns shrink first, the widest most;
 * when that is not enough, the least important one is left out, and the others are tried again, until one is left.
 */
export function fit(wishes: readonly Wish[], width: number, gap: number): (number | undefined)[] {
  const shown = new Set(wishes);
  let room = width;
  let isPreferred = true;
  const leastOf = ({least, preferred = least}: Wish): number => (isPreferred ? preferred : least);
  while (shown.size > 1) {
    room = width - gap * (shown.size - 1);
    if (sum([...shown], leastOf) <= room) break;
    const worst = leastImportant([...shown]);
    // Nothing goes for the preference of what is no more important.
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

/** The widest that columns may be for all to have room. */
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

/** A column that may be cut short keeps this much, unless it says otherwise. */
const leastWidth = 10;

/** Fields of rows of which nothing is known: of more nobody sees anything in a table. */
const mostFields = 50;

/** Where no terminal says how wide a table may be, a cell that is wider than this moves what follows. */
const widestInPipe = 200;

/** Spaces that a whole table may have for keeping cells in line. */
const mostSpaces = 32_000_000;

export type Row = readonly string[];

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
