/** Lists in reports that forges and mailboxes accept only up to a size: what fits is shown, the rest is counted. */

/**
 * Divides what there is room for: what is small is whole, and the large ones share what is left.
 * @param sizes of what wants room
 * @returns how much each gets, in the same order; at most `total` together
 */
export function shares(sizes: readonly number[], total: number): number[] {
  const given = [...sizes];
  let left = Math.max(0, total);
  const large = sizes.map((_, index) => index).sort((one, other) => (sizes[one] ?? 0) - (sizes[other] ?? 0));
  while (large.length > 0) {
    const [smallest = 0] = large;
    const size = sizes[smallest] ?? 0;
    if (size > Math.floor(left / large.length)) break;
    left -= size;
    large.shift();
  }
  const each = Math.floor(left / Math.max(1, large.length));
  // What does not divide goes to the first ones.
  for (const [place, index] of large.sort((one, other) => one - other).entries())
    given[index] = each + (place < left - each * large.length ? 1 : 0);
  return given;
}

/** Bytes between two rows, such as a comma and a line break. */
const betweenRows = 2;

interface Room {
  /** Of the whole report. */
  readonly bytes: number;
  /** Of all lists together. */
  readonly rows?: number;
}

/** A list as {@link fitted} knows it, whatever is in it. */
export interface AnyRows {
  readonly items: readonly unknown[];
  texts(place?: number): Iterable<string>;
  /** How many rows it would show if there were room. */
  readonly wished: number;
  /** The bytes of each of the first items. */
  sizes(count: number): number[];
  /** Shows the first items, as far as they fit. */
  choose(sizes: readonly number[], bytes: number): void;
}

/** Texts of one item of a list, one for each place where the report has something of it. */
type Texts = readonly string[];

/** A list in a report. It shows nothing until {@link fitted} has chosen what fits. */
export class Rows<Item> implements AnyRows {
  readonly items: readonly Item[];
  readonly #textsOf: (item: Item) => Texts;
  readonly #most: number;
  #shown: readonly Item[] = [];

  /**
   * @param textsOf an item, to be put into the report with {@link texts}
   * @param most items to show, whatever room there is
   */
  constructor(items: readonly Item[], textsOf: (item: Item) => Texts, most = Number.POSITIVE_INFINITY) {
    this.items = items;
    this.#textsOf = textsOf;
    this.#most = most;
  }

  get wished(): number {
    return Math.min(this.#most, this.items.length);
  }

  get shown(): readonly Item[] {
    return this.#shown;
  }

  /** How many items are not shown. */
  get rest(): number {
    return this.items.length - this.#shown.length;
  }

  /** Those of the items that are shown. @param place as the texts of an item are numbered */
  *texts(place = 0): Generator<string> {
    for (const item of this.#shown) {
      const text = this.#textsOf(item)[place];
      if (text !== undefined && text !== '') yield text;
    }
  }

  sizes(count: number): number[] {
    const size = (text: string) => (text === '' ? 0 : Buffer.byteLength(text) + betweenRows);
    return this.items.slice(0, count).map((item) => this.#textsOf(item).reduce((sum, text) => sum + size(text), 0));
  }

  choose(sizes: readonly number[], bytes: number): void {
    let left = bytes;
    const fits = (size: number): boolean => {
      if (size > left) return false;
      left -= size;
      return true;
    };
    this.#shown = sizes.flatMap((size, index) => (fits(size) ? this.items.slice(index, index + 1) : []));
  }
}

function bytesIn(pieces: Iterable<string>): number {
  let bytes = 0;
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  return bytes;
}

/**
 * Chooses what the lists of a report show.
 * @param render the report with what its lists show; counts what they do not show. Called twice, first with nothing shown
 * @param lists all that are in it
 */
export function fitted(render: () => Iterable<string>, lists: readonly AnyRows[], {bytes, rows}: Room): Iterable<string> {
  const counts = shares(
    lists.map(({wished}) => wished),
    rows ?? Number.MAX_SAFE_INTEGER,
  );
  const sizes = lists.map((list, index) => list.sizes(counts[index] ?? 0));
  const totals = sizes.map((some) => some.reduce((sum, one) => sum + one, 0));
  const room = shares(totals, bytes - bytesIn(render()));
  for (const [index, list] of lists.entries()) list.choose(sizes[index] ?? [], room[index] ?? 0);
  return render();
}
