/** The state file on disk: where it is, who may use it, and how it is written. */
import {basename, dirname, isAbsolute, relative, resolve, sep} from 'node:path';
import {Failure, localFailure} from '../../client/failure.js';
import {acquireLock, LockHeld} from '../../files/lock.js';
import {secureFolder} from '../../files/own-folder.js';
import {readUntouched} from '../../files/private-file.js';
import {writeWhole} from '../../files/whole-file.js';
import {
  emptyOwnership,
  ownershipText,
  readOwnership,
  recordOf,
  withRecord,
  type Owner,
  type OwnershipFile,
  type OwnershipRecord,
} from '../../policy/ownership.js';

export const stateFileEnding = '.state.json';

/** @param chosen what `--state` says */
export function stateFileFor(policy: string, chosen: unknown): string {
  return typeof chosen === 'string' ? chosen : policy + stateFileEnding;
}

/** What a policy is called in a state file: the same in every checkout, and apart from others beside the same state file. */
export function nameInState(policy: string, stateFile: string): string {
  const way = relative(dirname(resolve(stateFile)), resolve(policy));
  return way.startsWith('..') || isAbsolute(way) ? basename(policy) : way.split(sep).join('/');
}

export class StateFile {
  readonly path: string;
  #file: OwnershipFile;

  private constructor(path: string, file: OwnershipFile) {
    this.path = path;
    this.#file = file;
  }

  /**
   * One that is not there yet is empty.
   * @throws Failure `local` when it cannot be read or understood
   */
  static async read(path: string): Promise<StateFile> {
    const text = await readUntouched(path).catch((error: unknown) => {
      throw localFailure(`Cannot read the state file ${path}`, error);
    });
    return new StateFile(path, text === undefined ? emptyOwnership : readOwnership(text, path));
  }

  get records(): readonly OwnershipRecord[] {
    return this.#file.records;
  }

  recordOf(owner: Owner): OwnershipRecord {
    return recordOf(this.#file, owner);
  }

  /** Writes the whole file anew, unless it says so already. @throws Failure `local` */
  async write(record: OwnershipRecord): Promise<void> {
    const changed = withRecord(this.#file, record);
    const text = ownershipText(changed);
    if (text === ownershipText(this.#file)) return;
    await writeWhole(this.path, text).catch((error: unknown) => {
      throw localFailure(`Cannot write the state file ${this.path}`, error, 'fix that first: later runs go by what it says of this one');
    });
    this.#file = changed;
  }
}

/**
 * Does what changes a state file, which no other process does meanwhile.
 * @throws Failure `local` when another one is at it, or the folder cannot be written to; else what the work throws
 */
export async function whileLocked<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  using _lock = await lockOn(path);
  return await work();
}

async function lockOn(path: string): Promise<Disposable> {
  try {
    secureFolder(dirname(path), {own: 0, make: true});
    return await acquireLock(`${path}.lock`, {patience: 0});
  } catch (error) {
    if (error instanceof LockHeld)
      throw new Failure('local', `Another pixelctl (process ${error.holder.pid}) is using ${path}: nothing was sent`, {
        hint: 'wait for it to end, then run this again',
      });
    throw localFailure(`Cannot use the state file ${path}`, error);
  }
}
