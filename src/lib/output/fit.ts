/** Which columns of a table are shown in a terminal, and how wide. */

export interface Wish {
  /** What the widest cell takes. */
  readonly width: number;
  /** What must remain of it. */
  readonly least: number;
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
  while (shown.size > 1) {
    room = width - gap * (shown.size - 1);
    if (sum([...shown], ({least}) => least) <= room) break;
    shown.delete(leastImportant([...shown]));
  }
  if (shown.size === 1) return wishes.map((wish) => (shown.has(wish) ? Math.min(wish.width, width) : undefined));
  const cap = widestCap([...shown], room);
  return wishes.map((wish) => (shown.has(wish) ? capped(wish, cap) : undefined));
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
