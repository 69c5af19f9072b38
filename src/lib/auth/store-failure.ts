/** What can be wrong with the files of a store, told as failures with advice. */
import {Failure, localFailure, repairOf, systemCode} from '../client/failure.js';
import {LockHeld} from '../files/lock.js';
import {NotPrivate} from '../files/own-folder.js';

/** A file whose content is not what was written there. */
export class CorruptFile extends Error {
  override readonly name = 'CorruptFile';
  readonly path: string;

  /** @param fault what is wrong, without anything of the content: it may be a secret */
  constructor(path: string, fault: string) {
    super(`${path} is corrupt: ${fault}`);
    this.path = path;
  }
}

/** @param folder the store's folder, for messages */
export function storeFailure(folder: string, error: unknown): unknown {
  if (error instanceof CorruptFile) {
    const hint = 'mend it, or sign in with `pixelctl auth login`, which moves it aside and starts anew';
    return new Failure('local', error.message, {hint});
  }
  if (error instanceof NotPrivate) {
    return new Failure('local', error.message, {hint: repairOf(error), cause: error});
  }
  if (error instanceof LockHeld) {
    const {pid, host} = error.holder;
    return new Failure('local', `Another process is changing the profiles: number ${pid} on ${host}`, {
      hint: `try again when it is done; if there is no such process any more, remove ${error.path}`,
      cause: error,
    });
  }
  if (error instanceof Failure || systemCode(error) === undefined) return error;
  return localFailure(`Cannot use the profiles in ${folder}`, error, 'PIXELCTL_CONFIG_DIR can name another folder');
}
