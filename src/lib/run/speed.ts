/** Milliseconds that the speed is taken over: long enough to be calm, short enough to follow. */
const span = 15_000;

interface Mark {
  readonly at: number;
  readonly count: number;
}

/** How fast a count grows, over the last seconds. */
export class Speed {
  #marks: Mark[] = [];

  /** @param at milliseconds */
  note(count: number, at: number): void {
    // The mark at which the span begins stays.
    const begin = this.#marks.findLastIndex((mark) => mark.at <= at - span);
    this.#marks = [...this.#marks.slice(Math.max(0, begin)), {at, count}];
  }

  /** Undefined until there are two moments to compare. */
  get perSecond(): number | undefined {
    const [first] = this.#marks;
    const last = this.#marks.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return undefined;
    return ((last.count - first.count) / (last.at - first.at)) * 1000;
  }
}
