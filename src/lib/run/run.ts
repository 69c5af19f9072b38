/** One run over many targets: paced, in order, with or without a journal, and ended early where that is right. */
import type {CommandLine, Repeat} from '../api/endpoint.js';
import {asFailure, Failure} from '../client/failure.js';
import {earlierFate, unknownBefore, type Ending, type Journal} from './journal.js';
import {inOrder} from './queue.js';

/** What a step needs of an answer. */
export interface Reply {
  readonly status: number;
  /** What the server sent, to the letter. */
  readonly text: string;
}

export interface Step<R extends Reply> {
  readonly target: string;
  readonly repeat: Repeat;
  readonly run: () => Promise<R>;
  /**
   * Looks whether it was carried out, where a read can tell: what is there because of it, as JSON; undefined when nothing is.
   * It is asked when an earlier run left that open.
   */
  readonly seen?: (() => Promise<string | undefined>) | undefined;
  /** The command by which a person finds that out. */
  readonly lookWith?: CommandLine | undefined;
}

/** What became of one target; `index` counts the steps from 0. */
export type StepResult<R extends Reply> = {readonly index: number; readonly target: string} & (
  | {readonly kind: 'done'; readonly isResumed: false; readonly status: number; readonly text: string; readonly reply: R}
  | {
      readonly kind: 'done';
      readonly isResumed: true;
      readonly status: number;
      /** Null when it was too long for the journal. */ readonly text: string | null;
    }
  | {readonly kind: 'failed'; readonly failure: Failure}
  /** An earlier run may have carried it out: it was not sent again, and is for the user to decide. */
  | {readonly kind: 'unknown'; readonly failure: Failure}
);

export interface RunOptions {
  /** Steps at a time, 1 or more. */
  readonly concurrency: number;
  /** Failures after which nothing new begins. */
  readonly maxFailures?: number | undefined;
  /** Once it is aborted nothing new begins; its reason, when that is a Failure, is how the run ends. */
  readonly signal?: AbortSignal | undefined;
  /** How many steps there are, if that is known beforehand: then those that were not sent can be counted. */
  readonly total?: number | undefined;
  /** Waits for a turn, and says how to give it back: `keepTurn` of the client that the steps use. */
  readonly keepTurn?: (() => Promise<() => void>) | undefined;
  readonly journal?: Journal | undefined;
  /** Sends again also what may have been carried out and acts twice. */
  readonly resendUnknown?: boolean | undefined;
}

export interface Counts {
  readonly done: number;
  /** Also those of unknown outcome. */
  readonly failed: number;
  /** Of those done, those of earlier runs. */
  readonly resumed: number;
}

/** A step whose turn it is. */
interface Begun<R extends Reply> {
  readonly step: Step<R>;
  readonly index: number;
  /** Gives the turn back; absent when the step is not sent again. */
  readonly over: (() => void) | undefined;
  isTaken: boolean;
}

interface Outcome<R extends Reply> {
  readonly ending: Ending;
  readonly result: StepResult<R> | undefined;
}

/** When so many answers, and all from the first on, say that the token lacks a scope, the others will say so too. */
const fewestWithoutScope = 3;

/** Whether all that follows would fail in the same way: a 403 is about one target, as far as one answer can tell. */
function isForAll({code, details: {reason}}: Failure): boolean {
  return (code === 'auth' && reason !== 'scope') || (code === 'rate_limited' && reason === 'wait_too_long');
}

export class Run<R extends Reply> implements AsyncIterable<StepResult<R>> {
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

  constructor(steps: AsyncIterable<Step<R>> | Iterable<Step<R>>, options: RunOptions) {
    this.#steps = steps;
    this.#options = options;
    const {signal} = options;
    const interrupt = () => this.#stopFor(asInterruption(signal?.reason));
    if (signal?.aborted) interrupt();
    else signal?.addEventListener('abort', interrupt, {once: true});
  }

  /** Nothing new begins; what is under way is finished. */
  stop(failure: Failure): void {
    this.#stopFor(failure);
  }

  /** Whether anything of what was begun acts twice when it is repeated. */
  get actsTwice(): boolean {
    return this.#actsTwice;
  }

  get counts(): Counts {
    return {done: this.#done, failed: this.#failed, resumed: this.#resumed};
  }

  /** Steps that were not sent; 0 when their number is not known. */
  get unsent(): number {
    return Math.max(0, (this.#options.total ?? 0) - this.#done - this.#failed);
  }

  /**
   * The results in the order of the steps, each as soon as it and those before it are there. Steps that were not sent
   * have none. When whoever reads them stops reading, nothing new begins.
   */
  [Symbol.asyncIterator](): AsyncGenerator<StepResult<R>, void, undefined> {
    return inOrder(this.#begun(), (begun) => this.#finish(begun), {
      concurrency: this.#options.concurrency,
      stop: this.#stop.signal,
    });
  }

  /** How the run failed, once it is over; undefined when every target is done. */
  get failure(): Failure | undefined {
    const stopped = this.#stopped;
    const tried = this.#done + this.#failed;
    const unsent = this.unsent === 0 ? '' : `; ${this.unsent} more were not sent`;
    if (stopped?.code === 'interrupted' || stopped?.code === 'terminated') {
      return new Failure(stopped.code, `${stopped.message} after ${tried} of ${tried + this.unsent}`, stopped.details);
    }
    if (stopped !== undefined && stopped.code !== 'partial') return new Failure(stopped.code, stopped.message + unsent, stopped.details);
    if (this.#failed === 0) return undefined;
    return new Failure('partial', `${this.#failed} of ${tried} failed${unsent}`, {hint: 'the results say which, and why'});
  }

  /** The steps, each in its turn; only what is sent needs one. */
  async *#begun(): AsyncGenerator<Begun<R>, void, undefined> {
    let index = 0;
    for await (const step of this.#steps) {
      const isToBeSent = this.#isToBeSent(step, index);
      let over: (() => void) | undefined;
      try {
        over = isToBeSent ? ((await this.#options.keepTurn?.()) ?? (() => {})) : undefined;
      } catch (error) {
        return this.#stopFor(asFailure(error));
      }
      const begun: Begun<R> = {step, index, over, isTaken: false};
      try {
        yield begun;
      } finally {
        // The run may have ended while it waited for its turn.
        if (!begun.isTaken) over?.();
      }
      index += 1;
    }
  }

  #stopFor(failure: Failure): void {
    this.#stopped ??= failure;
    this.#stop.abort();
  }

  #isToBeSent({repeat, seen}: Step<R>, index: number): boolean {
    const state = this.#options.journal?.pastState(index);
    if (state === 'unknown') return repeat !== 'never' || seen !== undefined || this.#options.resendUnknown === true;
    return state !== 'done';
  }

  async #finish(begun: Begun<R>): Promise<StepResult<R> | undefined> {
    begun.isTaken = true;
    const {step, index, over} = begun;
    this.#actsTwice ||= step.repeat === 'never';
    if (over === undefined) return this.#pastResult(step, index);
    try {
      return await this.#send(step, index);
    } finally {
      over();
    }
  }

  async #pastResult({target, lookWith}: Step<R>, index: number): Promise<StepResult<R> | undefined> {
    const ending = (await this.#options.journal?.pastEnding(index)) ?? {kind: 'unsent'};
    if (ending.kind === 'unsent') return undefined;
    if (ending.kind === 'done') {
      this.#done += 1;
      this.#resumed += 1;
      return {kind: 'done', index, target, isResumed: true, status: ending.status, text: ending.text};
    }
    this.#failed += 1;
    return {kind: 'unknown', index, target, failure: ending.failure.with({lookWith})};
  }

  async #send(step: Step<R>, index: number): Promise<StepResult<R> | undefined> {
    const {target, repeat} = step;
    const {journal} = this.#options;
    const isUnknown = journal?.pastState(index) === 'unknown';
    if (isUnknown && step.seen !== undefined) {
      const seen = await this.#look(step.seen, step, index);
      if (seen !== undefined) return seen.result;
    }
    if (journal !== undefined && !(await this.#isWritten(journal.intend(index, target, repeat !== 'harmless')))) return undefined;
    const {ending, result} = await this.#outcome(step, index, isUnknown && step.seen === undefined);
    // What was sent has its result, whether or not that can be written down.
    if (journal !== undefined) await this.#isWritten(journal.settle(index, ending));
    return result;
  }

  /** What a read tells of a step that an earlier run left open; undefined when it was not carried out, and is to be sent. */
  async #look(
    seen: NonNullable<Step<R>['seen']>,
    {target, lookWith, repeat}: Step<R>,
    index: number,
  ): Promise<{readonly result: StepResult<R> | undefined} | undefined> {
    try {
      const text = await seen();
      if (text === undefined) return undefined;
      const {ending, result} = this.#doneBefore(index, target, text);
      await this.#isWritten(this.#options.journal?.settle(index, ending));
      return {result};
    } catch (error) {
      const {code, message, details} = asFailure(error);
      if (details.reason === 'unsent') return {result: undefined};
      if (repeat === 'harmless') return undefined;
      const failure = new Failure(code, `${earlierFate}; looking for it failed: ${message}`, {...details, fate: 'unknown', lookWith});
      this.#countFailure(failure);
      return {result: {kind: 'unknown', index, target, failure}};
    }
  }

  /** @param text what shows it, or null when that says nothing */
  #doneBefore(index: number, target: string, text: string | null, status = 200): Outcome<R> {
    this.#done += 1;
    this.#resumed += 1;
    return {ending: {kind: 'done', status, text}, result: {kind: 'done', index, target, isResumed: true, status, text}};
  }

  /** @param isOpen whether an earlier run may have carried it out */
  async #outcome(step: Step<R>, index: number, isOpen: boolean): Promise<Outcome<R>> {
    const {target, repeat} = step;
    try {
      const reply = await step.run();
      const {status, text} = reply;
      this.#done += 1;
      return {ending: {kind: 'done', status, text}, result: {kind: 'done', index, target, isResumed: false, status, text, reply}};
    } catch (error) {
      const failure = error instanceof Failure ? error : asFailure(error).with({fate: repeat === 'harmless' ? undefined : 'unknown'});
      const {reason, fate, mayHaveActed, status} = failure.details;
      if (reason === 'unsent') return {ending: isOpen ? {kind: 'unknown', failure: unknownBefore()} : {kind: 'unsent'}, result: undefined};
      if (isOpen && repeat === 'gone' && failure.code === 'not_found' && reason === undefined)
        return this.#doneBefore(index, target, null, status);
      this.#countFailure(failure);
      // That it was refused now says nothing of what the earlier run did.
      const isUnknown = fate === 'unknown' || (isOpen && repeat !== 'harmless') || (mayHaveActed && step.seen !== undefined);
      const kind = isUnknown ? 'unknown' : 'failed';
      return {ending: {kind, failure}, result: {kind: 'failed', index, target, failure}};
    }
  }

  #countFailure(failure: Failure): void {
    this.#failed += 1;
    this.#failedNow += 1;
    if (failure.code === 'auth' && failure.details.reason === 'scope') this.#withoutScope += 1;
    const lacksScope = this.#withoutScope === fewestWithoutScope && this.#failedNow + this.#done - this.#resumed === fewestWithoutScope;
    if (isForAll(failure) || lacksScope) this.#stopFor(failure);
    else if (this.#failedNow >= (this.#options.maxFailures ?? Number.POSITIVE_INFINITY))
      this.#stopFor(new Failure('partial', failure.message));
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

function asInterruption(reason: unknown): Failure {
  return reason instanceof Failure ? reason : new Failure('interrupted', 'Interrupted');
}
