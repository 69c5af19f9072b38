import {fieldTexts, kindOf, stringOf} from '../json/slices.js';
import type {PageQuery} from './next-page.js';

/** How many items back a repetition is noticed; more would not be flat in memory. */
const remembered = 10_000;

/** A text of its own: one that is part of a page would keep the whole page in memory. */
function copied(text: string): string {
  return kindOf(text) === 'string' ? stringOf(text) : stringOf(JSON.stringify(text));
}

/** What tells an item from others: its id, or of plain values the value. */
function keyOf(text: string): string {
  return copied((kindOf(text) === 'object' ? fieldTexts(text).get('id') : undefined) ?? text);
}

function numberIn(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
}

/** Remembers the items of the last pages, so that each is given once however the list moves under the pages. */
export class RecentItems {
  readonly #keys = new Set<string>();
  readonly #above: bigint | undefined;
  readonly #below: bigint | undefined;

  /** @param query of the first page: its `min_id`, `since_id` and `max_id` hold on every page */
  constructor(query: PageQuery) {
    const bound = (...names: readonly string[]) => numberIn(query.find(([name]) => names.includes(name))?.[1]);
    this.#above = bound('min_id', 'since_id');
    this.#below = bound('max_id');
  }

  /** The items that are new and within the bounds; `isBeyond` says that the page passed a bound. */
  sift(texts: readonly string[]): {items: string[]; isBeyond: boolean} {
    let isBeyond = false;
    const items = texts.filter((text) => {
      const key = keyOf(text);
      const id = numberIn(kindOf(text) === 'object' ? key : undefined);
      const isOutside = id !== undefined && this.#isOutside(id);
      isBeyond ||= isOutside;
      if (isOutside || this.#keys.has(key)) return false;
      this.#remember(key);
      return true;
    });
    return {items, isBeyond};
  }

  #isOutside(id: bigint): boolean {
    return (this.#above !== undefined && id <= this.#above) || (this.#below !== undefined && id >= this.#below);
  }

  #remember(key: string): void {
    this.#keys.add(key);
    if (this.#keys.size <= remembered) return;
    for (const oldest of this.#keys.values().take(1)) this.#keys.delete(oldest);
  }
}
