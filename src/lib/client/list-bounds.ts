/** The ids between which items of a list were asked for. Servers take one bound at a time, so they are kept here as well. */
import type {PagePlace, PageQuery} from './next-page.js';

function numberIn(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
}

function bounds(query: PageQuery, ...names: readonly string[]): bigint[] {
  return query.flatMap(([name, value]) => (names.includes(name) ? (numberIn(value) ?? []) : []));
}

function greatest(numbers: readonly bigint[]): bigint | undefined {
  return numbers.reduce<bigint | undefined>((most, number) => (most === undefined || number > most ? number : most), undefined);
}

const within = {isWithin: true, isBeyond: false} as const;

export class ListBounds {
  readonly #above: bigint | undefined;
  readonly #below: bigint | undefined;
  readonly #isUp: boolean;

  /** @param isUp whether the pages go from the oldest item to the newest */
  constructor({query}: PagePlace, isUp: boolean) {
    this.#above = greatest(bounds(query, 'min_id', 'since_id'));
    [this.#below] = bounds(query, 'max_id');
    this.#isUp = isUp;
  }

  /** Whether an item was asked for, and whether those after it cannot have been. */
  place(key: string): {readonly isWithin: boolean; readonly isBeyond: boolean} {
    if (this.#above === undefined && this.#below === undefined) return within;
    const id = numberIn(key);
    const isTooLow = id !== undefined && this.#above !== undefined && id <= this.#above;
    const isTooHigh = id !== undefined && this.#below !== undefined && id >= this.#below;
    return {isWithin: !isTooLow && !isTooHigh, isBeyond: this.#isUp ? isTooHigh : isTooLow};
  }

  /** Whether a page can have nothing that was asked for, by where it begins. */
  excludes({query}: PagePlace): boolean {
    if (this.#isUp) return this.#below !== undefined && bounds(query, 'min_id').some((from) => from + 1n >= (this.#below ?? from));
    return this.#above !== undefined && bounds(query, 'max_id').some((from) => from - 1n <= (this.#above ?? from));
  }
}
