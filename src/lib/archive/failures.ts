/** Which failures are of one conversation, and which of the run. */
import {dirname} from 'node:path';
import {asFailure, Failure, localFailure, type Hint} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import type {ConversationPlace} from './places.js';

/** Files of a conversation that no export writes, or that cannot be read. Others are not concerned. */
export class Damaged extends Failure {
  /** @param hint by default how to repair it, once it is known where it is */
  constructor(what: string, hint?: string) {
    super('local', `${what}: the conversation is left as it is`, {reason: 'damaged', hint});
  }
}

/** Whether a failure is one of the run. A 403 may be about one conversation. */
function isOfRun(failure: Failure): boolean {
  const {code, details} = failure;
  if (details.reason === 'damaged' || (code === 'auth' && details.reason === 'scope')) return false;
  return code !== 'not_found' && code !== 'refused' && code !== 'bad_answer' && code !== 'unavailable' && code !== 'usage';
}

/** Conversations in a row that a server may leave unanswered before no other is tried. */
const maxUnanswered = 3;

/** When this many conversations, from the first one on, are refused with a 403, the token lacks a scope. */
const minWithoutScope = 3;

/** Watches the conversations of a run, for a failure after which no other is tried. */
export class RunWatch {
  #count = 0;
  #withoutScope = 0;
  #unanswered = 0;

  /** @param failure of the next conversation @returns whether it ends the run */
  isEndedBy(failure: Failure | undefined): boolean {
    this.#count += 1;
    if (failure?.details.reason === 'scope') this.#withoutScope += 1;
    this.#unanswered = failure?.code === 'unavailable' ? this.#unanswered + 1 : 0;
    if (failure === undefined) return false;
    const hasNoScope = this.#withoutScope === this.#count && this.#count >= minWithoutScope;
    return isOfRun(failure) || hasNoScope || this.#unanswered === maxUnanswered;
  }
}

interface About {
  readonly place?: ConversationPlace | undefined;
  readonly what?: 'read' | 'write to';
}

/** What anything thrown is as a failure: an error of the system is one of the folder. */
export function ownFailure(error: unknown, folder: string, {place, what = 'write to'}: About = {}): Failure {
  if (systemCode(error) !== undefined) return localFailure(`Cannot ${what} ${folder}`, error);
  const failure = asFailure(error);
  if (place === undefined || failure.details.reason !== 'damaged') return failure;
  const hint: Hint = (suggest) =>
    `to keep what is readable and read the rest again: \`${suggest(['dm', 'export'], {args: [place.name], flags: {to: dirname(place.folder), repair: true}})}\``;
  return failure.with({hint});
}
