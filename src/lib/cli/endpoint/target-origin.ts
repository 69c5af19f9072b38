/** What lists of targets say besides the targets, and the mistakes in them. */
import type {ExpectedId} from '../../operations/expected-ids.js';
import {firstOf, withOthersLikeIt} from '../../json/text.js';

/** Collects the errors of a list, and reports the first of each kind with a count. */
class TargetMistakes {
  readonly #most = 5;
  readonly #found = new Map<string, {location: string; count: number}>();
  #count = 0;
  hasTable = false;
  /** The advice of the first mistake that has any. */
  advice: string | undefined;

  get count(): number {
    return this.#count;
  }

  /** @param what the mistake in words: mistakes with the same words are counted together */
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

export class Origin {
  /** The accounts that the items belong to, in a list of several accounts: `ana@pix.example`. */
  readonly accounts = new Set<string>();
  /** By target, the id of the account on the server that listed it. */
  readonly expected = new Map<string, ExpectedId>();
  /** By target, the account id of a registered person. */
  readonly profiles = new Map<string, string>();
  /** By target, the listed object that has the post. */
  readonly told = new Map<string, unknown>();
  /** How many domains are listed with each severity. */
  readonly severities = new Map<string, number>();
  readonly mistakes = new TargetMistakes();
  /** Whether a member of an object named any of the targets. */
  isTold = false;
}
