/**
 * Decides when requests may be sent: one pace for all requests of a client. Times are milliseconds, of the monotonic clock: the
 * time of day may change during a wait.
 */
import {rateLimitReset, serverTime, systemClock, type Clock} from './retry.js';

/** A timer that is late by no more than this is compensated for. */
const lateness = 5;

/** The longest timer; the wait is computed again after it. */
const maxSleep = 60_000;

const atOnce = Promise.resolve();

/** The distance between requests to a server that the user asked for: clients of several accounts on it share it. */
export class Spacing {
  /** Milliseconds. */
  readonly gap: number;
  #next = Number.NEGATIVE_INFINITY;

  /** @param rate requests per second, at most; undefined: any number */
  constructor(rate: number | undefined) {
    this.gap = rate === undefined ? 0 : 1000 / rate;
  }

  /** When the next request may be sent. */
  get next(): number {
    return this.#next;
  }

  /** @param at when one is sent */
  take(at: number): void {
    this.#next = at + this.gap;
  }
}

/** A pause before a request: the server limits requests, the user asked for a rate, or a request is tried again. */
export interface Pause {
  readonly why: 'limit' | 'rate' | 'retry';
  /** Milliseconds. They may become more. */
  readonly left: () => number;
}

/** What a client can be told of its pace. */
export interface PaceSetting {
  /** Requests per second, at most; retries count. */
  readonly rate?: number | undefined;
  /** Shared by the clients of several accounts on one server, in place of `rate`. */
  readonly spacing?: Spacing | undefined;
  /** After an abort nothing more is sent, and all waits end. Requests under way are finished. */
  readonly signal?: AbortSignal | undefined;
  /** For waits between requests. */
  readonly clock?: Clock | undefined;
}

export interface PaceOptions extends PaceSetting {
  /** All waits for the server's rate limits together; concurrent waits count once. */
  readonly maxWait: number;
  /** Called when a pause begins. @returns called when it is over */
  readonly pausing?: ((pause: Pause) => () => void) | undefined;
}

/** What slows requests down now. */
export interface PaceState {
  /** How long the server asks to pause. */
  readonly pausedFor: number | undefined;
  /** Requests per second, at most. */
  readonly rate: number | undefined;
}

/** A request did not get its turn. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn';

  /** @param tooLong the wait that would have been needed; undefined after an abort */
  constructor(readonly tooLong: number | undefined) {
    super(tooLong === undefined ? 'interrupted' : 'the wait would be too long');
  }
}

interface Waiting {
  readonly go: () => void;
  readonly fail: (reason: unknown) => void;
}

export class Pace {
  readonly #options: PaceOptions;
  readonly #clock: Clock;
  readonly #spacing: Spacing;
  readonly #window = new RateWindow();
  readonly #sleepers = new Set<() => void>();
  /** Requests that were limited go before new ones. */
  readonly #resent: Waiting[] = [];
  readonly #unsent: Waiting[] = [];
  #isServing = false;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  #waited = 0;
  #waitedUntil = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  /** How many requests may be under way. After a 429 it is one, and grows by one with each round of successful responses. */
  #allowed = Number.POSITIVE_INFINITY;
  #kept = 0;
  #keepers = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#spacing = options.spacing ?? new Spacing(options.rate);
    options.signal?.addEventListener('abort', () => this.#wakeAll(), {once: true});
  }

  get state(): PaceState {
    const now = this.#clock.now();
    const gap = Math.max(this.#spacing.gap, this.#gap(now));
    const pausedFor = Math.max(this.#pausedUntil, this.#emptyUntil(now)) - now;
    return {pausedFor: pausedFor > 0 ? pausedFor : undefined, rate: gap === 0 ? undefined : 1000 / gap};
  }

  /**
   * Waits for a turn and reserves it for the next request, so that work just before it is done late.
   * @returns releases the turn if no request took it
   * @throws NoTurn
   */
  async keepTurn(): Promise<() => void> {
    await this.#inTurn(this.#unsent);
    this.#underWay -= 1;
    this.#kept += 1;
    this.#keepers += 1;
    return () => {
      this.#keepers -= 1;
      this.#kept = Math.min(this.#kept, this.#keepers);
      this.#wakeAll();
    };
  }

  /**
   * Waits until a request may be sent. The caller reports the result with {@link answered}.
   * @param isResent whether it was sent before
   * @throws NoTurn
   */
  turn(isResent: boolean): Promise<void> {
    const isKept = this.#kept > 0;
    if (isKept) this.#kept -= 1;
    const goesNow = isKept && this.#pausedUntil <= this.#clock.now() && this.#options.signal?.aborted !== true;
    if (!goesNow) return this.#inTurn(isResent || isKept ? this.#resent : this.#unsent);
    this.#underWay += 1;
    return atOnce;
  }

  /** @param answer undefined when none came */
  answered(answer: {readonly status: number; readonly headers: Readonly<Record<string, string>>} | undefined): void {
    this.#underWay -= 1;
    if (answer?.status === 429) {
      // The pause that follows replaces what the window knew.
      this.#window.forget();
      this.#allowed = 1;
    } else if (answer !== undefined) {
      this.#allowed += 1 / this.#allowed;
      this.#window.learn(answer.headers, this.#underWay, {now: this.#clock.now(), serverTime: serverTime(answer.headers, this.#clock)});
    }
    this.#wakeAll();
  }

  /** Holds all requests back for a time. @throws NoTurn when it is too long */
  pause(milliseconds: number): void {
    const now = this.#clock.now();
    this.#count(milliseconds, now);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + milliseconds);
  }

  /** Holds one request back for a time. @throws NoTurn at once when it is too long, later when the signal comes */
  wait(milliseconds: number): Promise<void> {
    const now = this.#clock.now();
    this.#count(milliseconds, now);
    return this.#sleepUntil(
      () => now + milliseconds,
      () => 'retry',
    );
  }

  /** Holds one request back for a time that no server asked for: it does not count. @throws NoTurn when the signal comes */
  rest(milliseconds: number): Promise<void> {
    const until = this.#clock.now() + milliseconds;
    return this.#sleepUntil(
      () => until,
      () => 'retry',
    );
  }

  async #inTurn(line: Waiting[]): Promise<void> {
    if (!this.#isServing && this.#opensAt() <= this.#clock.now()) return this.#take();
    await new Promise<void>((go, fail) => {
      line.push({go, fail});
      if (!this.#isServing) void this.#serve();
    });
  }

  /** Lets those who wait go, one after the other. */
  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#resent.length + this.#unsent.length > 0) {
      const error = await this.#sleepUntil(
        () => this.#opensAt(),
        () => this.#why(),
      )
        .then(() => this.#take())
        .catch((thrown: unknown) => thrown);
      const next = this.#resent.shift() ?? this.#unsent.shift();
      if (error === undefined) next?.go();
      else next?.fail(error);
    }
    this.#isServing = false;
  }

  #take(): void {
    if (this.#options.signal?.aborted) throw new NoTurn(undefined);
    const now = this.#clock.now();
    const due = Math.max(this.#lastAt + this.#gap(now), this.#spacing.next);
    this.#lastAt = due > now - lateness ? due : now;
    this.#spacing.take(this.#lastAt);
    this.#underWay += 1;
  }

  #opensAt(): number {
    if (this.#underWay + this.#kept >= Math.floor(this.#allowed)) return Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    const emptyUntil = this.#emptyUntil(now);
    if (emptyUntil > now) this.#count(emptyUntil - now, now);
    return Math.max(this.#lastAt + this.#gap(now), this.#spacing.next, this.#pausedUntil, emptyUntil);
  }

  /** When a window in which nothing is left ends; a time that has passed while there is something. */
  #emptyUntil(now: number): number {
    const {until, isExact} = this.#window.empty();
    // The end is only assumed: instead of giving up, send, and let the server say when.
    return isExact || this.#more(until, now) + this.#waited <= this.#options.maxWait ? until : 0;
  }

  /** How much longer than anyway everything waits, if it waits until then. */
  #more(until: number, now: number): number {
    return Math.max(0, until - Math.max(now, this.#waitedUntil));
  }

  #gap(now: number): number {
    const spread = this.#window.gap(now);
    // Instead of exceeding the maximum wait, send, and let the server say when.
    return spread > this.#options.maxWait ? 0 : spread;
  }

  /** Counts a wait from now on; time that is waited anyway does not count again. @throws NoTurn */
  #count(milliseconds: number, now: number): void {
    const until = now + milliseconds;
    const more = this.#more(until, now);
    if (this.#waited + more > this.#options.maxWait) throw new NoTurn(milliseconds);
    this.#waited += more;
    this.#waitedUntil = Math.max(this.#waitedUntil, until);
  }

  #why(): Pause['why'] {
    const now = this.#clock.now();
    const isLimited = Math.max(this.#pausedUntil, this.#emptyUntil(now), this.#lastAt + this.#gap(now)) > now;
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
        // Without an end, it is for the answers of other requests.
        if (Number.isFinite(left)) over ??= this.#options.pausing?.({why: why(), left: leftNow});
        await this.#sleep(Math.min(left, maxSleep));
      }
    } finally {
      over?.();
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#sleepers.delete(wake);
        resolve();
      };
      const cancel = this.#clock.after(Math.ceil(milliseconds), wake);
      this.#sleepers.add(wake);
    });
  }

  #wakeAll(): void {
    for (const wake of this.#sleepers) wake();
  }
}

/** Pixelfed servers count by the minute, and most do not say when it ends. */
const defaultWindow = 60_000;

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

/** The rate limit window of a server, and the gap between requests that follows from it. */
export class RateWindow {
  #limit: number | undefined;
  #remaining: number | undefined;
  #endsAt = Number.NEGATIVE_INFINITY;
  #isExact = false;

  /**
   * @param underWay requests that were sent and not answered yet: the server has not counted them, or has just now
   * @param moment now by the monotonic clock, and by the server's
   */
  learn(headers: Headers, underWay: number, {now, serverTime}: {readonly now: number; readonly serverTime: number}): void {
    const reported = count(headers['x-ratelimit-remaining']);
    if (reported === undefined) return;
    const limit = count(headers['x-ratelimit-limit']);
    const reset = rateLimitReset(headers['x-ratelimit-reset'], serverTime);
    const remaining = Math.max(0, reported - underWay);
    const isNew = limit !== this.#limit || remaining - (this.#remaining ?? remaining) > (limit ?? scarceCount) * refilled;
    if (reset !== undefined) this.#endsAt = now + reset;
    else if (isNew || now >= this.#endsAt) this.#endsAt = now + defaultWindow;
    this.#isExact = reset !== undefined;
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
  empty(): {readonly until: number; /** The server says so itself; else it is assumed. */ readonly isExact: boolean} {
    return {until: this.#remaining === 0 ? this.#endsAt : Number.NEGATIVE_INFINITY, isExact: this.#isExact};
  }
}
