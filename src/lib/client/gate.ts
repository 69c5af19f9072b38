/**
 * Decides when requests may be sent: one gate for all requests of a client. Times are milliseconds, of the monotonic clock: the
 * time of day may change during a wait.
 */
import {rateLimitReset, serverTime, systemClock, type Clock} from './retry.js';

/** A request that its timer sends late, by no more than this, counts as sent in time, so that the rate is reached. */
const lateness = 5;

/** No timer runs longer than this: a longer wait is computed again after it. */
const maxSleep = 60_000;

/**
 * The distance between requests that the user asked for: the clients of several accounts on one server share it. Everything else in a gate
 * is about one account, because servers count the requests of each account apart.
 */
export class Rate {
  readonly gap: number;
  next = Number.NEGATIVE_INFINITY;

  /** @param perSecond how many requests may be sent, at most; undefined: any number */
  constructor(perSecond: number | undefined) {
    this.gap = perSecond === undefined ? 0 : 1000 / perSecond;
  }
}

/** A pause before a request: the server limits requests, the user asked for a rate, or a request is tried again. */
export interface Pause {
  readonly why: 'limit' | 'rate' | 'retry';
  /** How much of the pause is left, in milliseconds. It may grow. */
  readonly left: () => number;
}

export interface GateSetting {
  /** Requests per second, at most; retries count. */
  readonly rate?: Rate | number | undefined;
  /** After an abort nothing more is sent, and all waits end. Requests under way are finished. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

export interface GateOptions extends GateSetting {
  /** Milliseconds that all waits for the server's rate limits may take together; concurrent waits count once. */
  readonly maxWait: number;
  /** Called when a pause begins. @returns a function that is called when it is over */
  readonly pausing?: ((pause: Pause) => () => void) | undefined;
}

export interface GateState {
  /** How long the server asks to pause, in milliseconds. */
  readonly pausedFor: number | undefined;
  /** Requests per second, at most. */
  readonly rate: number | undefined;
}

export class NoTurn extends Error {
  override readonly name = 'NoTurn';

  /** @param tooLong the wait that would have been needed, in milliseconds; undefined after an abort */
  constructor(readonly tooLong: number | undefined) {
    super(tooLong === undefined ? 'interrupted' : 'the wait would be too long');
  }
}

/** Pixelfed servers count requests by the minute, and most do not say when the minute ends. */
const defaultWindow = 60_000;

/** When less than this part of the limit is left, requests are spread over time. */
const scarce = 1 / 4;

/** When fewer requests are left on a server that does not say its limit, they are spread over time. */
const scarceCount = 16;

/** When the remaining requests have grown by more than this part of the limit, a new minute has begun; else answers overtook each other. */
const refilled = 1 / 8;

/** The period in which the server counts requests, as an answer last described it. */
interface CountedTime {
  readonly limit: number | undefined;
  readonly remaining: number;
  readonly endsAt: number;
  /** Whether the server said when it ends; otherwise that is assumed. */
  readonly isExact: boolean;
}

type Headers = Readonly<Record<string, string>>;

function numberIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/.test(header.trim()) ? Number(header) : undefined;
}

export class Gate {
  readonly #options: GateOptions;
  readonly #clock: Clock;
  readonly #rate: Rate;
  readonly #sleepers = new Set<() => void>();
  readonly #line: symbol[] = [];
  #counted: CountedTime | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  #waited = 0;
  #waitedUntil = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  /** How many requests may be under way. After a 429 it is one, and grows by one with each round of successful responses. */
  #allowed = Number.POSITIVE_INFINITY;
  #reserved = 0;
  #keepers = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#rate = options.rate instanceof Rate ? options.rate : new Rate(options.rate);
    options.signal?.addEventListener('abort', () => this.#wakeAll(), {once: true});
  }

  get state(): GateState {
    const now = this.#clock.now();
    const gap = Math.max(this.#rate.gap, this.#spread(now));
    const pausedFor = Math.max(this.#pausedUntil, this.#emptyUntil(now)) - now;
    return {pausedFor: pausedFor > 0 ? pausedFor : undefined, rate: gap === 0 ? undefined : 1000 / gap};
  }

  /**
   * Waits for a turn and reserves it for the next request, so that what prepares this request can be done just before it.
   * @returns a function that releases the turn if no request took it
   * @throws NoTurn
   */
  async keepTurn(): Promise<() => void> {
    await this.#standInLine();
    this.#underWay -= 1;
    this.#reserved += 1;
    this.#keepers += 1;
    return () => {
      this.#keepers -= 1;
      this.#reserved = Math.min(this.#reserved, this.#keepers);
      this.#wakeAll();
    };
  }

  /**
   * Waits until a request may be sent. The caller reports the result with {@link noteAnswer}.
   * @throws NoTurn
   */
  async turn(): Promise<void> {
    const isReserved = this.#reserved > 0;
    if (isReserved) this.#reserved -= 1;
    const goesNow = isReserved && this.#pausedUntil <= this.#clock.now() && this.#options.signal?.aborted !== true;
    if (goesNow) this.#underWay += 1;
    else await this.#standInLine();
  }

  /** @param answer undefined when none came */
  noteAnswer(answer: {readonly status: number; readonly headers: Headers} | undefined): void {
    this.#underWay -= 1;
    if (answer?.status === 429) {
      // The pause that follows replaces what the server said before.
      this.#counted = undefined;
      this.#allowed = 1;
    } else if (answer !== undefined) {
      this.#allowed += 1 / this.#allowed;
      this.#learn(answer.headers);
    }
    this.#wakeAll();
  }

  /** Holds all requests back for a time. @throws NoTurn when it is too long */
  pause(milliseconds: number): void {
    this.#count(milliseconds);
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + milliseconds);
  }

  /** Holds one request back for a time. @throws NoTurn at once when it is too long, later when the signal comes */
  wait(milliseconds: number): Promise<void> {
    this.#count(milliseconds);
    const until = this.#clock.now() + milliseconds;
    return this.#sleepUntil(
      () => until,
      () => 'retry',
    );
  }

  async #standInLine(): Promise<void> {
    const own = Symbol();
    this.#line.push(own);
    try {
      // Another gate with the same rate may have sent a request meanwhile.
      do {
        await this.#sleepUntil(
          () => (this.#line[0] === own ? this.#opensAt() : Number.POSITIVE_INFINITY),
          () => this.#why(),
        );
      } while (this.#dueAt(this.#clock.now()) > this.#clock.now());
      this.#take();
    } finally {
      this.#line.splice(this.#line.indexOf(own), 1);
      this.#wakeAll();
    }
  }

  #take(): void {
    if (this.#options.signal?.aborted) throw new NoTurn(undefined);
    const now = this.#clock.now();
    const due = this.#dueAt(now);
    this.#lastAt = due > now - lateness ? due : now;
    this.#rate.next = this.#lastAt + this.#rate.gap;
    this.#underWay += 1;
  }

  #opensAt(): number {
    if (this.#underWay + this.#reserved >= Math.floor(this.#allowed)) return Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    const emptyUntil = this.#emptyUntil(now);
    if (emptyUntil > now) this.#count(emptyUntil - now);
    return Math.max(this.#dueAt(now), this.#pausedUntil, emptyUntil);
  }

  #dueAt(now: number): number {
    return Math.max(this.#lastAt + this.#spread(now), this.#rate.next);
  }

  /** Reads how many requests are left. Those under way are subtracted, because the server may not have counted them yet. */
  #learn(headers: Headers): void {
    const reported = numberIn(headers['x-ratelimit-remaining']);
    if (reported === undefined) return;
    const [now, before] = [this.#clock.now(), this.#counted];
    const limit = numberIn(headers['x-ratelimit-limit']);
    const reset = rateLimitReset(headers['x-ratelimit-reset'], serverTime(headers, this.#clock));
    const remaining = Math.max(0, reported - this.#underWay);
    const isKnown =
      before !== undefined &&
      limit === before.limit &&
      now < before.endsAt &&
      remaining - before.remaining <= (limit ?? scarceCount) * refilled;
    const endsAt = reset === undefined ? (isKnown ? before.endsAt : now + defaultWindow) : now + reset;
    this.#counted = {limit, remaining, endsAt, isExact: reset !== undefined};
  }

  /** The distance with which the requests that are left last until the period ends: 0 while plenty are left, or none, and below when it has ended. */
  #spread(now: number): number {
    const {limit, remaining = 0, endsAt = now} = this.#counted ?? {};
    const plenty = limit === undefined ? scarceCount : limit * scarce;
    if (remaining === 0 || remaining > plenty) return 0;
    const gap = (endsAt - now) / remaining;
    // Instead of exceeding the maximum wait, send, and let the server say when.
    return gap > this.#options.maxWait ? 0 : gap;
  }

  /** When the period ends in which no request is left; a time that has passed while some are left. */
  #emptyUntil(now: number): number {
    const {remaining, endsAt = 0, isExact} = this.#counted ?? {};
    if (remaining !== 0) return Number.NEGATIVE_INFINITY;
    // The end is only assumed: instead of giving up, send, and let the server say when.
    return isExact || this.#more(endsAt, now) + this.#waited <= this.#options.maxWait ? endsAt : 0;
  }

  /** How much a wait until then adds to the waits that already count. */
  #more(until: number, now: number): number {
    return Math.max(0, until - Math.max(now, this.#waitedUntil));
  }

  /** Counts a wait that begins now; time that already counts does not count again. @throws NoTurn when the waits become too long */
  #count(milliseconds: number): void {
    const now = this.#clock.now();
    const until = now + milliseconds;
    const more = this.#more(until, now);
    if (this.#waited + more > this.#options.maxWait) throw new NoTurn(milliseconds);
    this.#waited += more;
    this.#waitedUntil = Math.max(this.#waitedUntil, until);
  }

  #why(): Pause['why'] {
    const now = this.#clock.now();
    const isLimited = Math.max(this.#pausedUntil, this.#emptyUntil(now), this.#lastAt + this.#spread(now)) > now;
    return isLimited ? 'limit' : 'rate';
  }

  async #sleepUntil(moment: () => number, why: () => Pause['why']): Promise<void> {
    const leftNow = () => moment() - this.#clock.now();
    let over: (() => void) | undefined;
    try {
      for (;;) {
        if (this.#options.signal?.aborted) throw new NoTurn(undefined);
        const left = leftNow();
        if (left <= 0) return;
        // A wait without an end is for other requests, and is not reported.
        const hasEnd = Number.isFinite(left);
        if (hasEnd) over ??= this.#options.pausing?.({why: why(), left: leftNow});
        await this.#sleep(hasEnd ? Math.min(left, maxSleep) : undefined);
      }
    } finally {
      over?.();
    }
  }

  /** @param milliseconds undefined: until something changes */
  #sleep(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel?.();
        this.#sleepers.delete(wake);
        resolve();
      };
      const cancel = milliseconds === undefined ? undefined : this.#clock.after(Math.ceil(milliseconds), wake);
      this.#sleepers.add(wake);
    });
  }

  #wakeAll(): void {
    for (const wake of this.#sleepers) wake();
  }
}
