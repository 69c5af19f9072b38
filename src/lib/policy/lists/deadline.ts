/** Ends the reading of a list that takes too long: its rows come from strangers. */
import {Failure} from '../../client/failure.js';

/** Rows between two looks at the clock. */
const portion = 1000;

export class Deadline {
  readonly #name: string;
  readonly #timeout: number;
  readonly #end: number;

  /** @param name of the list @param timeout milliseconds from now; undefined: any number */
  constructor(name: string, timeout = Number.POSITIVE_INFINITY) {
    this.#name = name;
    this.#timeout = timeout;
    this.#end = performance.now() + timeout;
  }

  /** The rows, as long as there is time. @throws Failure `unavailable` */
  *each<Row>(rows: Iterable<Row>): Generator<Row> {
    let left = portion;
    for (const row of rows) {
      left -= 1;
      if (left === 0) {
        this.#check();
        left = portion;
      }
      yield row;
    }
  }

  #check(): void {
    if (performance.now() <= this.#end) return;
    throw new Failure('unavailable', `Reading the list ${this.#name} took longer than ${this.#timeout / 1000} s`, {
      hint: 'split it, or allow more time with --timeout',
    });
  }
}
