import {compareIds} from './paging.js';

/** Ids as large servers make them: 19 digits, always growing. The same ones each time, so that examples can be repeated. */
export class Identifiers {
  #last = 1_029_249_415_850_680_321n;

  next(): string {
    // The step is no round number, as time and machine are part of a real id.
    this.#last += 397_114_881n;
    return this.#last.toString();
  }

  /** Takes an id from elsewhere into account: later ones are greater. */
  take(id: string): string {
    if (compareIds(id, this.#last.toString()) > 0) this.#last = BigInt(id);
    return id;
  }
}
