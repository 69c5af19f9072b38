/** Decides whether a failure concerns one conversation or ends the run. */
import {membersOf} from '../api/schema.js';
import {asFailure, Failure, localFailure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';

/** A conversation has files that no run wrote, or that cannot be read. The other conversations are still exported. */
export class Damaged extends Failure {
  readonly path: string;

  /** @param what says what is wrong, and names the file */
  constructor(path: string, what: string, hint: string) {
    super('local', what, {reason: 'damaged', hint});
    this.path = path;
  }
}

/** For `catch`. @throws Damaged that says why a file cannot be read */
export const unreadable =
  (path: string, hint: string) =>
  (error: unknown): never => {
    throw new Damaged(path, localFailure(`Cannot read ${path}`, error).message, hint);
  };

export const isDamage = (failure: Failure | undefined): boolean => failure?.details.reason === 'damaged';

/** Whether a failure concerns the whole run. A 403 may concern one conversation only. */
function endsWholeRun(failure: Failure): boolean {
  const {code, details} = failure;
  if (isDamage(failure) || (code === 'auth' && details.reason === 'scope')) return false;
  return code !== 'not_found' && code !== 'refused' && code !== 'bad_answer' && code !== 'unavailable' && code !== 'usage';
}

/** After this many conversations in a row without an answer, no other is tried. */
const maxUnanswered = 3;

/** When this many conversations, from the first one on, are refused with a 403, the token lacks a scope. */
const minWithoutScope = 3;

/** Watches the failures of conversations, to find one after which the run ends. */
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
    return endsWholeRun(failure) || hasNoScope || this.#unanswered === maxUnanswered;
  }
}

/** Whether an error is about what is at a path, and not about the disk or the permissions. */
const isOfPlace = (error: unknown): boolean => ['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'ENOTFILE', 'EEXIST'].includes(systemCode(error) ?? '');

/** The path that an error of the system is about; for a file that was to be moved, its new path. */
function pathOf(error: unknown): string | undefined {
  const {dest, path} = membersOf(error);
  return typeof dest === 'string' ? dest : typeof path === 'string' ? path : undefined;
}

/** Makes a failure of anything thrown. For an error of the system, it names the folder, or the file in the way. */
export function ownFailure(error: unknown, folder: string, what: 'read' | 'write to' = 'write to'): Failure {
  if (systemCode(error) === undefined) return asFailure(error);
  if (!isOfPlace(error)) return localFailure(`Cannot ${what} ${folder}`, error);
  const path = pathOf(error) ?? folder;
  return new Damaged(path, localFailure(`Cannot ${what} ${path}`, error).message, `move ${path} away, then run the same command again`);
}
