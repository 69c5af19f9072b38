/** Which columns of a table are shown in a terminal, and how wide. */

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
