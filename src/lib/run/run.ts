/** Runs a command over many targets in order, with or without a journal, and ends early when every further step would fail, too. */
import type {SuggestedCommand, Repeat} from '../api/endpoint.js';
import {withCommas} from '../json/text.js';
import {asFailure, Failure, type FailureDetails, isInterruption} from '../client/failure.js';
import type {Journal} from './journal.js';
import {runInOrder} from './queue.js';
import {earlierFate, type Outcome, type Reply, type Step, type Steps, unknownBefore} from './step.js';

export interface RunOptions<Request, R extends Reply> {
  readonly send: (request: Request) => Promise<R>;
  /**
   * Checks whether a request was carried out, where a read can tell. Used when an earlier run left that open.
   * @returns what the request created, as JSON; undefined when it was not carried out
   */
  readonly look?: ((request: Request) => Promise<string | undefined>) | undefined;
  /** Whether the run only reads, so that no failure leaves it open what was done. */
  readonly isRead?: boolean | undefined;
  /** How many steps are under way at a time, 1 or more. */
  readonly concurrency: number;
  /** Whether no further step is begun after a failure. */
  readonly failFast?: boolean | undefined;
  /** After an abort no further step is begun. The run ends with the reason of the signal, a Failure. */
  readonly signal?: AbortSignal | undefined;
  /** The number of steps, if known, so that unsent ones can be counted; it may grow. */
  readonly total?: (() => number) | undefined;
  /** Waits for a turn, and returns the function that gives it back: `keepTurn` of the client that the steps use. */
  readonly keepTurn?: (() => Promise<() => void>) | undefined;
  readonly journal?: Journal | undefined;
  /** Whether to send again what an earlier run may have carried out, even if that does it twice. */
  readonly resendUnknown?: boolean | undefined;
  /** The hint about steps of unknown fate; by default it asks the user to look at each of them. */
  readonly unknownHint?: string | undefined;
}

export interface RunCounts {
  readonly done: number;
  /** Steps of unknown fate are included. */
  readonly failed: number;
  /** How many of the steps in `done` were done by earlier runs. */
  readonly resumed: number;
  /** How many changes were held back, which is no failure. */
  readonly held: number;
}

interface Begun<Request> {
  readonly step: Step<Request>;
  readonly index: number;
  /** The journal that knows how the step ended; undefined for a step that is still to be sent. */
  readonly past: Journal | undefined;
  readonly over: (() => void) | undefined;
  isTaken: boolean;
}

/** When this many answers, from the first one on, say that the token lacks a scope, the run ends. */
const minWithoutScope = 3;

/** Advises nothing that sends a request twice: the user decides about steps of unknown fate. */
const decideUnknown =
  'check whether the requests with an unknown outcome were carried out; with --resend-unknown the same command sends them too';

/** Whether every further step would fail in the same way. One 403 alone may be about its target. */
function isForAll({code, details: {reason}}: Failure): boolean {
  return (code === 'auth' && reason !== 'scope') || (code === 'rate_limited' && reason === 'wait_too_long');
}

export class Run<Request, R extends Reply> implements AsyncIterable<Outcome<R>> {
  readonly #steps: Steps<Request>;
  readonly #options: RunOptions<Request, R>;
  readonly #stop = new AbortController();
  #stopped: Failure | undefined;
  #done = 0;
  #failed = 0;
  #failedNow = 0;
  #withoutScope = 0;
  #actsTwice = false;
  #hasUnknown = false;
  #resumed = 0;
  #held = 0;

  constructor(steps: Steps<Request>, options: RunOptions<Request, R>) {
    this.#steps = steps;
    this.#options = options;
    const {signal} = options;
    const interrupt = () => this.stop(asFailure(signal?.reason));
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt);
  }

  /** Ends the run: no further step is begun, and those that were begun are finished. */
  stop(failure: Failure): void {
    this.#stopped ??= failure;
    this.#stop.abort();
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  get counts(): RunCounts {
    return {done: this.#done, failed: this.#failed, resumed: this.#resumed, held: this.#held};
  }

  /** The number of steps that were not sent; 0 when the total is not known. */
  get unsent(): number {
    return Math.max(0, (this.#options.total?.() ?? 0) - this.#done - this.#failed - this.#held);
  }

  /** The outcomes, in the order of the steps. When the reader stops, no further step is begun. */
  [Symbol.asyncIterator](): AsyncGenerator<Outcome<R>, void, undefined> {
    return runInOrder(this.#begun(), (begun) => this.#finish(begun), {
      concurrency: this.#options.concurrency,
      stop: this.#stop.signal,
    });
  }

  /** How the run failed, after its end; undefined when all steps are done. */
  get failure(): Failure | undefined {
    const stopped = this.#stopped;
    const tried = this.#done + this.#failed;
    const unsent = this.unsent === 0 ? '' : `; ${withCommas(this.unsent)} more ${this.unsent === 1 ? 'was' : 'were'} not sent`;
    if (stopped !== undefined && isInterruption(stopped))
      return stopped.saying(` after ${withCommas(tried)} of ${withCommas(tried + this.unsent)}`, {hint: this.#hintToGoOn(stopped)});
    if (stopped !== undefined && stopped.code !== 'partial') return stopped.saying(unsent);
    if (this.#failed === 0) return undefined;
    const hint = this.#hasUnknown ? (this.#options.unknownHint ?? decideUnknown) : 'the results show which ones and why';
    return new Failure('partial', `${withCommas(this.#failed)} of ${withCommas(tried)} failed${unsent}`, {hint});
  }

  #hintToGoOn({details: {hint}}: Failure): FailureDetails['hint'] {
    if (this.#options.journal !== undefined) return 'to continue, run the same command with the same journal';
    return this.#actsTwice ? 'the results show what was done; the same command would do some of it twice' : hint;
  }

  /** Yields each step when it has its turn. A step that is not sent needs none. */
  async *#begun(): AsyncGenerator<Begun<Request>, void, undefined> {
    let count = 0;
    for await (const step of this.#steps) {
      const index = step.slot ?? count;
      const past = this.#pastOf(step, index);
      let over: (() => void) | undefined;
      try {
        if (past === undefined) over = await this.#options.keepTurn?.();
      } catch (error) {
        return this.stop(asFailure(error));
      }
      const begun: Begun<Request> = {step, index, past, over, isTaken: false};
      try {
        yield begun;
      } finally {
        // The run may have ended while the step waited for its turn.
        if (!begun.isTaken) over?.();
      }
      count += 1;
    }
  }

  /** The journal, if it says that a step must not be sent again; else undefined. */
  #pastOf({repeat}: Step<Request>, index: number): Journal | undefined {
    const {journal, look, resendUnknown} = this.#options;
    const state = journal?.pastState(index);
    const isLeft = state === 'unknown' && repeat === 'never' && look === undefined && resendUnknown !== true;
    return isLeft || state === 'done' ? journal : undefined;
  }

  async #finish(begun: Begun<Request>): Promise<Outcome<R>> {
    begun.isTaken = true;
    const {step, index, past, over} = begun;
    this.#actsTwice ||= step.repeat === 'never';
    try {
      return await (past === undefined ? this.#send(step, index) : this.#pastOutcome(step, index, past));
    } finally {
      over?.();
    }
  }

  async #pastOutcome({target, lookWith}: Step<Request>, index: number, past: Journal): Promise<Outcome<R>> {
    const ending = await past.pastEnding(index);
    const place = {index, target, isResumed: true};
    if (ending.kind === 'done') return this.#doneBefore({...ending, ...place});
    this.#failed += 1;
    this.#hasUnknown = true;
    return {...place, kind: 'unknown', failure: ending.failure.with({lookWith})};
  }

  #doneBefore(outcome: Outcome<R>): Outcome<R> {
    this.#done += 1;
    this.#resumed += 1;
    return outcome;
  }

  async #send(step: Step<Request>, index: number): Promise<Outcome<R>> {
    const {journal, isRead} = this.#options;
    let isOpen = journal?.pastState(index) === 'unknown' && isRead !== true;
    if (isOpen) {
      const looked = await this.#lookFor(step, index);
      if (typeof looked === 'object') return looked;
      isOpen = looked === 'not known';
    }
    const unwritten = await this.#write(journal?.intend(index, step.target, step.repeat !== 'harmless'));
    if (unwritten !== undefined) return {kind: 'unsent', failure: unwritten, index, target: step.target, isResumed: false};
    const outcome = await this.#outcomeOf(step, index, isOpen);
    // A step that was not sent now may have been carried out by an earlier run.
    await this.#write(journal?.settle(index, isOpen && outcome.kind === 'unsent' ? {kind: 'unknown', failure: unknownBefore()} : outcome));
    // A step that was sent has its outcome, even if the journal cannot record it.
    return outcome;
  }

  /** Checks a step that an earlier run left open. It has to be sent when nothing is there, or when that is not known and it can be repeated. */
  async #lookFor({request, target, lookWith, repeat}: Step<Request>, index: number): Promise<Outcome<R> | 'not known' | 'not there'> {
    const {look, journal} = this.#options;
    if (look === undefined) return 'not known';
    const place = {index, target, isResumed: true};
    try {
      const text = await look(request);
      if (text === undefined) return 'not there';
      const outcome = this.#doneBefore({...place, kind: 'done', status: 200, text});
      await this.#write(journal?.settle(index, outcome));
      return outcome;
    } catch (error) {
      const failure = asFailure(error);
      const {code, message, details} = failure;
      if (details.reason === 'unsent') return {...place, kind: 'unsent', failure};
      if (repeat === 'harmless') return 'not known';
      const unknown = new Failure(code, `${earlierFate}; checking failed: ${message}`, {...details, fate: 'unknown', lookWith});
      this.#countFailure(unknown);
      this.#hasUnknown = true;
      return {...place, kind: 'unknown', failure: unknown};
    }
  }

  /** @param isOpen whether an earlier run may have carried out the step */
  async #outcomeOf({request, target, repeat, lookWith}: Step<Request>, index: number, isOpen: boolean): Promise<Outcome<R>> {
    const {send, isRead, unknownHint} = this.#options;
    const place = {index, target, isResumed: false};
    try {
      const reply = await send(request);
      this.#done += 1;
      return {...place, kind: 'done', status: reply.status, text: reply.text, reply};
    } catch (error) {
      const failure = error instanceof Failure || isRead ? asFailure(error) : asFailure(error).with({fate: 'unknown', lookWith});
      const {reason, status = 200, gone, heldBack} = failure.details;
      if (reason === 'unsent') return {...place, kind: 'unsent', failure};
      if (isOpen && repeat === 'gone' && gone === true)
        return this.#doneBefore({...place, kind: 'done', status, text: null, isResumed: true});
      if (heldBack !== undefined) {
        this.#held += 1;
        return {...place, kind: 'failed', failure};
      }
      this.#countFailure(failure);
      // The earlier run may still have carried it out, although this one was refused.
      const told = isOpen ? laterThanOpen(failure, repeat, lookWith) : failure;
      if (told.details.fate !== 'unknown') return {...place, kind: 'failed', failure: told};
      this.#hasUnknown ||= unknownHint !== undefined;
      return {...place, kind: 'unknown', failure: told};
    }
  }

  #countFailure(failure: Failure): void {
    this.#failed += 1;
    this.#failedNow += 1;
    if (failure.code === 'auth' && failure.details.reason === 'scope') this.#withoutScope += 1;
    const lacksScope = this.#withoutScope === minWithoutScope && this.#failedNow + this.#done - this.#resumed === minWithoutScope;
    if (isForAll(failure) || lacksScope) this.stop(failure);
    else if (this.#options.failFast === true) this.stop(new Failure('partial', failure.message));
  }

  /** @returns why the journal cannot be written, which ends the run */
  async #write(writing: Promise<void> | undefined): Promise<Failure | undefined> {
    try {
      await writing;
      return undefined;
    } catch (error) {
      const failure = asFailure(error);
      this.stop(failure);
      return failure;
    }
  }
}

function laterThanOpen(failure: Failure, repeat: Repeat, lookWith: SuggestedCommand | undefined): Failure {
  if (failure.details.fate === 'unknown') return failure;
  const canRepeat = repeat === 'harmless' ? true : undefined;
  return failure.saying('; an earlier run may have carried it out', {fate: 'unknown', canRepeat, lookWith, hint: undefined});
}
