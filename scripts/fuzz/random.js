/** Random choices that a seed repeats. */

/** The first number of a sequence, from what sets it apart. */
function mixed(words) {
  let hash = 0x811c9dc5;
  for (const character of words.join('\0')) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  return hash >>> 0;
}

export class Random {
  #state;

  /** @param {...(number | string)} words the same words give the same choices */
  constructor(...words) {
    this.#state = mixed(words.map(String));
  }

  /** A number from 0 up to 1, without 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mix = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), mix | 61)) ^ mix;
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below the end. */
  below(end) {
    return Math.floor(this.next() * end);
  }

  /** @param {number} odds one in so many */
  once(odds) {
    return this.below(odds) === 0;
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  /** Two places in a text or a list, in order; mostly near each other. */
  range(length) {
    const start = this.below(length + 1);
    const most = this.once(3) ? length - start : Math.min(16, length - start);
    return [start, start + this.below(most + 1)];
  }
}
