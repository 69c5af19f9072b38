import {firstOf, withOthersLikeIt} from '../../json/text.js';

/** Collects the errors of a list, and reports the first of each kind with a count. */
export class TargetMistakes {
  readonly #most = 5;
  readonly #found = new Map<string, {location: string; count: number}>();
  #count = 0;
  /** Whether something looks like a table. */
  hasTable = false;
  /** What to do about the first that has advice of its own. */
  advice: string | undefined;

  get count(): number {
    return this.#count;
  }

  /** @param what the same words for the same mistake */
  add(location: string, what: string, advice?: string): void {
    this.#count += 1;
    this.advice ??= advice;
    const known = this.#found.get(what);
    if (known !== undefined) known.count += 1;
    else if (this.#found.size < this.#most) this.#found.set(what, {location, count: 1});
  }

  /** `Line 2 of ids.txt names no filter, and 3 more like it`. */
  get text(): string {
    const shown = [...this.#found].map(([what, {location, count}]) => withOthersLikeIt(`${location} ${what}`, count));
    const rest = this.#count - [...this.#found.values()].reduce((sum, {count}) => sum + count, 0);
    return firstOf(shown, shown.length, {all: shown.length + rest, between: '; '});
  }
}
