/** What a run does about one target, and how that ended. It is not in the file of the journal, which most commands do not load. */
import type {Repeat, SuggestedCommand} from '../api/endpoint.js';
import {Failure} from '../client/failure.js';

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Step<Request> {
  readonly target: string;
  /** The run passes it to `send`. */
  readonly request: Request;
  /** The number of the step in a journal, where that differs from its place: targets that were left out have numbers, too. */
  readonly slot?: number | undefined;
  readonly repeat: Repeat;
  /** A command that shows people whether the request was carried out. */
  readonly lookWith?: SuggestedCommand | undefined;
}

export type Steps<Request> = AsyncIterable<Step<Request>> | Iterable<Step<Request>>;

/** How a step ended. `unknown`: it may have been carried out. `unsent`: it was not sent, and is not counted. */
export type StepEnding =
  | {
      readonly kind: 'done';
      readonly status: number;
      /** The answer; null when it was too long to be recorded. */
      readonly text: string | null;
    }
  | {readonly kind: 'failed' | 'unknown' | 'unsent'; readonly failure: Failure};

export const earlierFate = 'It is not known whether an earlier run carried this out';

export function unknownBefore(): Failure {
  return new Failure('unavailable', earlierFate, {fate: 'unknown'});
}

export type Outcome<R extends Reply> = StepEnding & {
  /** The place of the step, from 0, or its slot if it has one. */
  readonly index: number;
  readonly target: string;
  /** Whether an earlier run did it, or may have done it, so that it was not sent again. */
  readonly isResumed: boolean;
  /** The answer, when this run sent the request. */
  readonly reply?: R | undefined;
};
