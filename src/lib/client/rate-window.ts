/** What a server says of its rate limit, and the distance between requests that follows from it. Milliseconds by the monotonic clock. */
import {rateLimitReset} from './waiting.js';

/** Servers of this kind count by the minute, and most do not say when it ends. */
const usualWindow = 60_000;

/** Of the limit; below it requests are spread. */
const scarce = 1 / 4;

/** A quarter of the limit of a server that does not say it. */
const scarceCount = 16;

/** Remaining requests that are more than before by this part of the limit belong to a new window; answers overtake each other. */
const refilled = 1 / 8;

type Headers = Readonly<Record<string, string>>;

function count(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}

export class RateWindow {
  #limit: number | undefined;
  #remaining: number | undefined;
  #endsAt = Number.NEGATIVE_INFINITY;
  #isTold = false;

  /**
   * @param underWay requests that were sent and not answered yet: the server has not counted them, or has just now
   * @param moment now by the monotonic clock, and by the server's
   */
  learn(headers: Headers, underWay: number, {now, serverTime}: {readonly now: number; readonly serverTime: number}): void {
    const told = count(headers['x-ratelimit-remaining']);
    if (told === undefined) return;
    const limit = count(headers['x-ratelimit-limit']);
    const reset = rateLimitReset(headers['x-ratelimit-reset'], serverTime);
    const remaining = Math.max(0, told - underWay);
    const isNew = limit !== this.#limit || remaining - (this.#remaining ?? remaining) > (limit ?? scarceCount) * refilled;
    if (reset !== undefined) this.#endsAt = now + reset;
    else if (isNew || now >= this.#endsAt) this.#endsAt = now + usualWindow;
    this.#isTold = reset !== undefined;
    this.#limit = limit;
    this.#remaining = remaining;
  }

  forget(): void {
    this.#remaining = undefined;
  }

  /** The distance between two requests that makes what is left last to the end of the window; 0 while there is plenty, or nothing. */
  gap(now: number): number {
    if (this.#remaining === undefined || this.#remaining === 0 || now >= this.#endsAt) return 0;
    const plenty = this.#limit === undefined ? scarceCount : this.#limit * scarce;
    return this.#remaining > plenty ? 0 : (this.#endsAt - now) / this.#remaining;
  }

  /** When there will be more, if nothing is left; else a time that has passed. */
  empty(): {readonly until: number; /** The server says so itself; else it is assumed. */ readonly isTold: boolean} {
    return {until: this.#remaining === 0 ? this.#endsAt : Number.NEGATIVE_INFINITY, isTold: this.#isTold};
  }
}
