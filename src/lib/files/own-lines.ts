/** A file to which one process at a time appends lines. */
import {lstat, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {syncFolder} from './folder.js';
import {GroupCommit} from './group-commit.js';
import {acquireLock} from './lock.js';
import {absent} from './system-error.js';
import {followLinks, openToWrite, writeWhole} from './whole-file.js';

export class OwnLines implements AsyncDisposable {
  readonly file: FileHandle;
  readonly #lock: Disposable | undefined;
  readonly #lines: GroupCommit;

  constructor(file: FileHandle, lock?: Disposable) {
    this.file = file;
    this.#lock = lock;
    this.#lines = new GroupCommit(file);
  }

  /**
   * Opens the file, or begins one. It is locked until it is disposed of.
   * @param firstLine written in one step where there is no file, so that a file without it was damaged later
   * @param read looks at what is there before anything is appended
   * @throws LockHeld while another process has it; what `read` throws; the system's error
   */
  static async open<Past>(path: string, read: (file: FileHandle) => Promise<Past>, firstLine?: string): Promise<readonly [OwnLines, Past]> {
    const target = await followLinks(path);
    const lock = await acquireLock(`${target}.lock`, {patience: 0});
    let file: FileHandle | undefined;
    try {
      if (firstLine !== undefined && (await lstat(target).catch(absent)) === undefined) await writeWhole(target, firstLine);
      file = await openToWrite(target, 'append');
      const past = await read(file);
      await file.datasync();
      await syncFolder(dirname(target));
      return [new OwnLines(file, lock), past];
    } catch (error) {
      await file?.close();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  append(lines: string, isDurable: boolean): Promise<void> {
    return this.#lines.append(lines, isDurable);
  }

  end(): Promise<void> {
    return this.#lines.end();
  }

  /** Closes the file and releases the lock. Never fails: {@link end} reports what could not be written. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end().catch(() => {});
    await this.file.close().catch(() => {});
    this.#lock?.[Symbol.dispose]();
  }
}
