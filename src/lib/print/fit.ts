/** Fits a table into a terminal: which columns stand side by side, how wide they are, and which are left out. */
import type {Column} from '../api/view.js';
import {isForTerminal, isNothing, type Layout} from './values.js';
import {columnsOf, widestWord} from './width.js';

/** The number of spaces between two columns. */
export const gap = 2;

/** The smallest width of a column that can be cut short, by default. */
const minWidth = 10;

/** The smallest width of a column that is never left out, by default. */
const minProse = 20;

/** In a pipe or a file, columns are not padded beyond this width: a wider cell moves the rest of its line. */
const widestInPipe = 200;

const maxSpaces = 32_000_000;

export type Row = readonly string[];

export interface Wish {
  readonly width: number;
  readonly least: number;
  /** Columns of the highest priority number are left out first. */
  readonly priority: number;
  readonly stays?: boolean;
  /** Whether the cells tell nothing. The column is then left out before any other is cut short. */
  readonly isEmpty?: boolean;
}

interface Fit {
  /** The columns in their order, with their indexes in the list of wishes. */
  readonly shown: readonly {readonly index: number; readonly width: number}[];
  /** Indexes of columns that have text but no room. */
  readonly leftOut: readonly number[];
  /** Whether the columns that are shown have no room side by side, so that each needs lines of its own. */
  readonly isStacked: boolean;
}

interface Candidate extends Wish {
  readonly index: number;
}

/** Where not all columns have room, those that tell nothing go first. The rest shrinks, and then the least important ones go, too. */
export function fit(wishes: readonly Wish[], width: number, gap: number): Fit {
  const shown = new Set<Candidate>(wishes.map((wish, index) => ({...wish, index})));
  const leftOut: number[] = [];
  const room = (): number => width - gap * (shown.size - 1);
  const isTooWide = (of: (column: Candidate) => number): boolean => shown.size > 1 && sum(shown, of) > room();
  const leastImportant = (is: (column: Candidate) => boolean): Candidate | undefined =>
    [...shown].filter(is).reduce<Candidate | undefined>((worst, one) => (one.priority >= (worst?.priority ?? 0) ? one : worst), undefined);
  /** Leaves out columns for which `is` holds, the least important first, until the widths that `of` gives have room. */
  const thinOut = (is: (column: Candidate) => boolean, of: (column: Wish) => number, to: number[] = []): void => {
    for (let worst = leastImportant(is); worst !== undefined && isTooWide(of); worst = leastImportant(is)) {
      shown.delete(worst);
      to.push(worst.index);
    }
  };

  thinOut(({isEmpty}) => isEmpty === true, whole);
  // A column that has no room beside the columns that stay goes first, so that it takes no other column's place.
  const taken = sum(
    [...shown].filter(({stays}) => stays === true),
    ({least}) => least + gap,
  );
  thinOut(({stays, least}) => stays !== true && taken + least > width, whole, leftOut);
  const leastOf = ({least}: Wish): number => least;
  thinOut(({stays}) => stays !== true, leastOf, leftOut);

  const left = [...shown];
  const cap = widestCap(left, room());
  return {
    shown: left.map((one) => ({index: one.index, width: left.length === 1 ? Math.min(one.width, width) : capWidth(one, cap)})),
    leftOut: leftOut.toSorted((one, other) => one - other),
    isStacked: isTooWide(leastOf),
  };
}

const whole = ({width}: Wish): number => width;

type Shrinking = Pick<Wish, 'least' | 'width'>;

function capWidth({width, least}: Shrinking, cap: number): number {
  return Math.max(least, Math.min(width, cap));
}

function widestCap(wishes: readonly Shrinking[], room: number): number {
  let cap = wishes.reduce((most, {width}) => Math.max(most, width), 0);
  let low = 0;
  while (low < cap) {
    const middle = Math.ceil((low + cap) / 2);
    if (sum(wishes, (wish) => capWidth(wish, middle)) <= room) low = middle;
    else cap = middle - 1;
  }
  return low;
}

function sum<One>(all: Iterable<One>, of: (one: One) => number): number {
  let total = 0;
  for (const one of all) total += of(one);
  return total;
}

/** @param isRolling whether more rows follow */
export function fitColumns(columns: readonly Column[], rows: readonly Row[], layout: Layout, isRolling: boolean): Fit {
  const {width} = layout;
  const isPipe = !isForTerminal(layout);
  const most = isPipe ? Math.min(widestInPipe, Math.floor(maxSpaces / (columns.length * rows.length))) : Number.POSITIVE_INFINITY;
  /** The largest number of the texts of a column and its header. */
  const largest = ({header}: Column, index: number, of: (text: string) => number): number =>
    rows.reduce((most, texts) => Math.max(most, of(texts[index] ?? '')), of(header));
  const widest = (column: Column, index: number): number => Math.min(most, largest(column, index, columnsOf));
  if (isPipe) return {shown: columns.map((column, index) => ({index, width: widest(column, index)})), leftOut: [], isStacked: false};
  const wishes = columns.map((column, index) => {
    const own = widest(column, index);
    if (isRolling) return rollingWish(column, own, width);
    const isEmpty = column.key !== true && rows.every((texts) => isNoNews(column, texts[index] ?? ''));
    // Names are only broken between words, unless a word is wider than the terminal.
    const least = column.key && {least: Math.min(width, largest(column, index, widestWord))};
    return {...wishOf(column, own), ...least, isEmpty};
  });
  return fit(wishes, Math.max(1, width), gap);
}

function wishOf(column: Column, width: number): Wish {
  const {key = false, stays = false, flexible = false, wraps = false, priority = 1, least = stays ? minProse : minWidth} = column;
  const leastHeader = wraps || stays ? widestWord(column.header) : columnsOf(column.header);
  const canShrink = !key && (flexible || wraps || stays);
  return {width, least: canShrink ? Math.min(width, Math.max(least, leastHeader)) : width, priority, stays: stays || key};
}

/** Nothing is known about rows that are still to come, so that a flexible column takes its usual width or all the room. */
function rollingWish(column: Column, widest: number, room: number): Wish {
  const {key, stays, flexible, wraps, usual} = column;
  const width = key ? Math.max(widest, usual ?? 0) : flexible || wraps || stays ? (usual ?? room) : widest;
  return wishOf(column, width);
}

/** Whether a cell tells nothing: it has no value, counts zero, or shows the word for a value that is not set. */
function isNoNews({kind, none, stays}: Column, text: string): boolean {
  return isNothing(text) || (stays !== true && (text === none || (text === '0' && (kind === 'number' || kind === 'count'))));
}
