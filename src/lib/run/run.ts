/** One run over many targets: paced, in order, with or without a journal, ended early when every further step would fail, too. */
import type {SuggestedCommand, Repeat} from '../api/endpoint.js';
import {withCommas} from '../json/text.js';
import {asFailure, Failure, type FailureDetails, isInterruption} from '../client/failure.js';
import {earlierFate, unknownBefore, type StepEnding, type Journal} from './journal.js';
import {runInOrder} from './queue.js';

/** The part of an answer that a run needs. */
export interface Reply {
  readonly status: number;
  /** As the server sent it. */
  readonly text: string;
}

export interface Step<R extends Reply> {
  readonly target: string;
  /** Its number in a journal, where that is not its place among the steps: targets that were left out have one, too. */
  readonly slot?: number | undefined;
  readonly repeat: Repeat;
  /** Changes nothing: its failure never leaves open what was done. */
  readonly isRead?: boolean | undefined;
  readonly run: () => Promise<R>;
  /**
   * Checks whether it was carried out, where a read can tell. Used when an earlier run left that open.
   * @returns what it created, as JSON; undefined when it was not carried out
   */
  readonly seen?: (() => Promise<string | undefined>) | undefined;
  /** What shows a person whether it was carried out. */
  readonly lookWith?: SuggestedCommand | undefined;
}

/** `index` counts the steps from 0, or is the slot of a step that has one. */
export type Outcome<R extends Reply> = {readonly index: number; readonly target: string} & (
  | {readonly kind: 'done'; readonly isResumed: false; readonly status: number; readonly text: string; readonly reply: R}
  | {
      readonly kind: 'done';
      readonly isResumed: true;
      readonly status: number;
      /** Null when it was too long for the journal. */
      readonly text: string | null;
    }
  | {readonly kind: 'failed'; readonly failure: Failure}
  /** An earlier run may have carried it out, so it was not sent again. */
  | {readonly kind: 'unknown'; readonly failure: Failure}
);

export interface RunOptions {
  /** Steps at a time, 1 or more. */
  readonly concurrency: number;
  /** Whether no further step is begun after a failure. */
  readonly failFast?: boolean | undefined;
  /** After it is aborted no further step is begun. Its reason, a Failure, is how the run ends. */
  readonly signal?: AbortSignal | undefined;
  /** The number of steps, if known, so that unsent ones can be counted; it may grow. */
  readonly total?: number | undefined;
  /** Waits for a turn and returns the function that gives it back: `keepTurn` of the client that the steps use. */
  readonly keepTurn?: (() => Promise<() => void>) | undefined;
  readonly journal?: Journal | undefined;
  /** Also sends again what an earlier run may have carried out and is not idempotent. */
  readonly resendUnknown?: boolean | undefined;
}

export interface RunCounts {
  readonly done: number;
  /** Including those of unknown fate. */
  readonly failed: number;
  /** How many of those done were done by earlier runs. */
  readonly resumed: number;
  /** How many were not made because of a limit, which is no failure. */
  readonly held: number;
}

/** A step that was begun. */
interface Begun<R extends Reply> {
  readonly step: Step<R>;
  readonly index: number;
  /** The journal that knows how the step ended; undefined for a step that is still to be sent. */
  readonly past: Journal | undefined;
  /** Gives the turn back. */
  readonly over: (() => void) | undefined;
  isTaken: boolean;
}

interface Settled<R extends Reply> {
  readonly ending: StepEnding;
  readonly result: Outcome<R> | undefined;
}

/** When this many answers, from the first one on, say that the token lacks a scope, the run ends. */
const minWithoutScope = 3;

/** Whether every further step would fail in the same way. One 403 alone may be about its target. */
function isForAll({code, details: {reason}}: Failure): boolean {
  return (code === 'auth' && reason !== 'scope') || (code === 'rate_limited' && reason === 'wait_too_long');
}

export class Run<R extends Reply> implements AsyncIterable<Outcome<R>> {
  readonly #steps: AsyncIterable<Step<R>> | Iterable<Step<R>>;
  readonly #options: RunOptions;
  readonly #stop = new AbortController();
  #stopped: Failure | undefined;
  #done = 0;
  #failed = 0;
  #failedNow = 0;
  #withoutScope = 0;
  #actsTwice = false;
  #resumed = 0;
  #held = 0;

  constructor(steps: AsyncIterable<Step<R>> | Iterable<Step<R>>, options: RunOptions) {
    this.#steps = steps;
    this.#options = options;
    const {signal} = options;
    const interrupt = () => this.#stopFor(asFailure(signal?.reason));
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt, {once: true});
  }

  /** No further step is begun; those that were begun are finished. */
  stop(failure: Failure): void {
    this.#stopFor(failure);
  }

  /** Whether any step that was begun is not idempotent. */
  get actsTwice(): boolean {
    return this.#actsTwice;
  }

  get counts(): RunCounts {
    return {done: this.#done, failed: this.#failed, resumed: this.#resumed, held: this.#held};
  }

  /** The number of steps that were not sent; 0 when the total is not known. */
  get unsent(): number {
    return Math.max(0, (this.#options.total ?? 0) - this.#done - this.#failed - this.#held);
  }

  /**
   * The results in the order of the steps. Steps that were not sent have none. When the reader stops, no further step is begun.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Outcome<R>, void, undefined> {
    return runInOrder(this.#begun(), (begun) => this.#finish(begun), {
      concurrency: this.#options.concurrency,
      stop: this.#stop.signal,
    });
  }

  /** How the run failed, after its end; undefined when every step is done. */
  get failure(): Failure | undefined {
    const stopped = this.#stopped;
    const tried = this.#done + this.#failed;
    const unsent = this.unsent === 0 ? '' : `; ${withCommas(this.unsent)} more were not sent`;
    if (stopped !== undefined && isInterruption(stopped)) {
      return stopped.saying(` after ${withCommas(tried)} of ${withCommas(tried + this.unsent)}`);
    }
    if (stopped !== undefined && stopped.code !== 'partial') return stopped.saying(unsent);
    if (this.#failed === 0) return undefined;
    return new Failure('partial', `${withCommas(this.#failed)} of ${withCommas(tried)} failed${unsent}`, {
      hint: 'the results show which ones and why',
    });
  }

  /** The steps, each when it has its turn. Only steps that are sent need one. */
  async *#begun(): AsyncGenerator<Begun<R>, void, undefined> {
    let count = 0;
    for await (const step of this.#steps) {
      const index = step.slot ?? count;
      const past = this.#settledIn(step, index);
      let over: (() => void) | undefined;
      try {
        if (past === undefined) over = await this.#options.keepTurn?.();
      } catch (error) {
        return this.#stopFor(asFailure(error));
      }
      const begun: Begun<R> = {step, index, past, over, isTaken: false};
      try {
        yield begun;
      } finally {
        // The run may have ended while the step waited for its turn.
        if (!begun.isTaken) over?.();
      }
      count += 1;
    }
  }

  #stopFor(failure: Failure): void {
    this.#stopped ??= failure;
    this.#stop.abort();
  }

  /** The journal, when the step is not to be sent because of what earlier runs did. */
  #settledIn({repeat, seen}: Step<R>, index: number): Journal | undefined {
    const {journal, resendUnknown} = this.#options;
    const state = journal?.pastState(index);
    const isLeft = state === 'unknown' && repeat === 'never' && seen === undefined && resendUnknown !== true;
    return isLeft || state === 'done' ? journal : undefined;
  }

  async #finish(begun: Begun<R>): Promise<Outcome<R> | undefined> {
    begun.isTaken = true;
    const {step, index, past, over} = begun;
    this.#actsTwice ||= step.repeat === 'never';
    if (past !== undefined) return this.#pastResult(step, index, past);
    try {
      return await this.#send(step, index);
    } finally {
      over?.();
    }
  }

  async #pastResult({target, lookWith}: Step<R>, index: number, past: Journal): Promise<Outcome<R>> {
    const ending = await past.pastEnding(index);
    if (ending.kind === 'done') {
      this.#done += 1;
      this.#resumed += 1;
      return {kind: 'done', index, target, isResumed: true, status: ending.status, text: ending.text};
    }
    this.#failed += 1;
    return {kind: 'unknown', index, target, failure: ending.failure.with({lookWith})};
  }

  async #send(step: Step<R>, index: number): Promise<Outcome<R> | undefined> {
    const {target, repeat} = step;
    const {journal} = this.#options;
    let isOpen = journal?.pastState(index) === 'unknown' && step.isRead !== true;
    if (isOpen && step.seen !== undefined) {
      const looked = await this.#look(step.seen, step, index);
      if (typeof looked === 'object') return looked.result;
      isOpen = looked === 'unreadable';
    }
    if (journal !== undefined && !(await this.#isWritten(journal.intend(index, target, repeat !== 'harmless')))) return undefined;
    const {ending, result} = await this.#outcome(step, index, isOpen);
    // A step that was sent has its result, even if the journal cannot record it.
    if (journal !== undefined) await this.#isWritten(journal.settle(index, ending));
    return result;
  }

  /** Checks a step that an earlier run left open. It has to be sent when nothing is seen, or that cannot be read and it can be repeated. */
  async #look(
    seen: NonNullable<Step<R>['seen']>,
    {target, lookWith, repeat}: Step<R>,
    index: number,
  ): Promise<'nothing' | 'unreadable' | {readonly result: Outcome<R> | undefined}> {
    try {
      const text = await seen();
      if (text === undefined) return 'nothing';
      const {ending, result} = this.#doneBefore(index, target, text);
      await this.#isWritten(this.#options.journal?.settle(index, ending));
      return {result};
    } catch (error) {
      const {code, message, details} = asFailure(error);
      if (details.reason === 'unsent') return {result: undefined};
      if (repeat === 'harmless') return 'unreadable';
      const failure = new Failure(code, `${earlierFate}; checking failed: ${message}`, {...details, fate: 'unknown', lookWith});
      this.#countFailure(failure);
      return {result: {kind: 'unknown', index, target, failure}};
    }
  }

  /** @param text the answer of the read that shows it; null when that has none */
  #doneBefore(index: number, target: string, text: string | null, status = 200): Settled<R> {
    this.#done += 1;
    this.#resumed += 1;
    return {ending: {kind: 'done', status, text}, result: {kind: 'done', index, target, isResumed: true, status, text}};
  }

  /** @param isOpen whether an earlier run may have carried out the step */
  async #outcome(step: Step<R>, index: number, isOpen: boolean): Promise<Settled<R>> {
    const {target, repeat, isRead = false, lookWith} = step;
    try {
      const reply = await step.run();
      const {status, text} = reply;
      this.#done += 1;
      return {ending: {kind: 'done', status, text}, result: {kind: 'done', index, target, isResumed: false, status, text, reply}};
    } catch (error) {
      const failure = error instanceof Failure || isRead ? asFailure(error) : asFailure(error).with({fate: 'unknown', lookWith});
      const {reason, status} = failure.details;
      if (reason === 'unsent') return {ending: isOpen ? {kind: 'unknown', failure: unknownBefore()} : {kind: 'unsent'}, result: undefined};
      if (isOpen && repeat === 'gone' && failure.details.gone === true) return this.#doneBefore(index, target, null, status);
      if (failure.details.heldBack === undefined) this.#countFailure(failure);
      else this.#held += 1;
      // The earlier run may still have carried it out, although this one was refused.
      const told = isOpen ? laterThanOpen(failure, step) : failure;
      const kind = told.details.fate === 'unknown' ? 'unknown' : 'failed';
      return {ending: {kind, failure: told}, result: {kind: 'failed', index, target, failure: told}};
    }
  }

  #countFailure(failure: Failure): void {
    this.#failed += 1;
    this.#failedNow += 1;
    if (failure.code === 'auth' && failure.details.reason === 'scope') this.#withoutScope += 1;
    const lacksScope = this.#withoutScope === minWithoutScope && this.#failedNow + this.#done - this.#resumed === minWithoutScope;
    if (isForAll(failure) || lacksScope) this.#stopFor(failure);
    else if (this.#options.failFast === true) this.#stopFor(new Failure('partial', failure.message));
  }

  async #isWritten(writing: Promise<void> | undefined): Promise<boolean> {
    try {
      await writing;
      return true;
    } catch (error) {
      this.#stopFor(asFailure(error));
      return false;
    }
  }
}

/** The failure of a step that an earlier run may have carried out. */
function laterThanOpen(failure: Failure, {repeat, lookWith}: Step<Reply>): Failure {
  if (failure.details.fate === 'unknown') return failure;
  const canRepeat = repeat === 'harmless' ? true : undefined;
  return failure.saying('; an earlier run may have carried it out', {fate: 'unknown', canRepeat, lookWith, hint: undefined});
}

interface RunEnd<R extends Reply> {
  readonly run: Run<R>;
  readonly hasUnknown: boolean;
  readonly hasJournal: boolean;
  /** Advice for steps of unknown fate, where it is not for the user to look at each. */
  readonly unknownHint: string | undefined;
}

/** How a run failed; undefined when every step is done. */
export function failureOfRun<R extends Reply>(end: RunEnd<R>): Failure | undefined {
  const {failure} = end.run;
  return failure && new Failure(failure.code, failure.message, {...failure.details, hint: hintFor(failure, end)});
}

/** Never suggests to send anything twice: steps of unknown fate are for the user to decide. */
function hintFor<R extends Reply>(failure: Failure, {run, hasUnknown, hasJournal, unknownHint}: RunEnd<R>): FailureDetails['hint'] {
  if (failure.code === 'partial') {
    if (!hasUnknown) return failure.details.hint;
    return (
      unknownHint ??
      'check whether the requests with an unknown outcome were carried out; with --resend-unknown the same command sends them too'
    );
  }
  if (!isInterruption(failure)) return failure.details.hint;
  if (hasJournal) return 'to continue, run the same command with the same journal';
  return run.actsTwice ? 'the results show what was done; the same command would do some of it twice' : failure.details.hint;
}
