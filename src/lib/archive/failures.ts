/** Which failures are of one conversation, and which of the run. */
import {commandText} from '../files/command-text.js';
import {dirname} from 'node:path';
import {membersOf} from '../api/schema.js';
import {asFailure, Failure, localFailure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import type {ConversationPlace} from './places.js';

/** Files of a conversation that no export writes, or that cannot be read. Others are not concerned. */
export class Damaged extends Failure {
  /** @param hint by default how to repair it, once it is known where it is */
  constructor(what: string, hint?: string) {
    super('local', `${what}: the conversation is left as it is`, {reason: 'damaged', hint});
  }
}

/** Files that only a later version can read: nothing repairs them. */
export class LaterVersion extends Damaged {}

/** Files of another conversation, in its place. */
export class OfAnother extends Damaged {}

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

/** @param what a repair does, after `to` @param names of the conversations; none: all */
export const repairHint = (what: string, folder: string, names: readonly string[] = []): string =>
  `to ${what}: \`${commandText('dm export', {args: names, flags: {to: folder, repair: true}})}\``;

/** Kinds of errors that are about what is at a place, and not about the disk or the permissions. */
const isOfPlace = (error: unknown): boolean => ['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'ENOTFILE', 'EEXIST'].includes(systemCode(error) ?? '');

/** What a system's error is about: that to which a file was to be moved, if it was. */
function pathOf(error: unknown): string | undefined {
  const {dest, path} = membersOf(error);
  return typeof dest === 'string' ? dest : typeof path === 'string' ? path : undefined;
}

interface About {
  readonly place?: ConversationPlace | undefined;
  readonly what?: 'read' | 'write to';
}

/** What anything thrown is as a failure: an error of the system is one of the folder. */
export function ownFailure(error: unknown, folder: string, {place, what = 'write to'}: About = {}): Failure {
  if (systemCode(error) !== undefined) {
    if (!isOfPlace(error)) return localFailure(`Cannot ${what} ${folder}`, error);
    return localFailure(`Cannot ${what} ${pathOf(error) ?? folder}`, error, 'move away what is there, then run the same command again');
  }
  const failure = asFailure(error);
  if (place === undefined || failure.details.reason !== 'damaged') return failure;
  // Another id than of digits is not what its folder is called.
  const names = /^\d+$/.test(place.name) ? [place.name] : [];
  return failure.with({hint: repairHint('keep the readable part, and read the rest again', dirname(place.folder), names)});
}
