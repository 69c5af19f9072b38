/** Appends lines to files: to one that only one process at a time appends to, and in groups, so that many cost little. */
import {appendFileSync} from 'node:fs';
import {lstat, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {syncFolder} from './folder.js';
import {acquireLock} from './lock.js';
import {absent} from './system-error.js';
import {followLinks, openToWrite, writeWhole} from './whole-file.js';

/** Milliseconds after which lines are flushed to disk although none of them is durable. */
const maxUnflushedTime = 1000;

class Group {
  text = '';
  isDurable = false;
  readonly written = Promise.withResolvers<void>();

  constructor() {
    // Not every caller awaits the promise, and a rejection must not end the process.
    this.written.promise.catch(() => {});
  }
}

/** Lines that arrive while a group is written make up the next one. */
export class GroupCommit {
  readonly #file: FileHandle;
  #next: Group | undefined;
  #writing: Promise<void> | undefined;
  #flushedAt = performance.now();
  #broken: {readonly error: unknown} | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Resolves when the system has the lines, so that they survive this process; durable ones when they are on disk.
   * @throws the system's error. Nothing more can be appended then, because the last line may be incomplete
   */
  append(lines: string, isDurable: boolean): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken.error);
    this.#next ??= new Group();
    const group = this.#next;
    group.text += lines;
    group.isDurable ||= isDurable;
    this.#writing ??= this.#write();
    return group.written.promise;
  }

  /** Waits until everything is on disk. @throws the system's error */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#broken !== undefined) throw this.#broken.error;
    await this.#file.datasync();
  }

  async #write(): Promise<void> {
    // Lines of the same turn of the event loop go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#next !== undefined) {
      const group = this.#next;
      this.#next = undefined;
      try {
        if (this.#broken !== undefined) throw this.#broken.error;
        // Synchronous: for a few lines that is faster than a thread.
        appendFileSync(this.#file.fd, group.text);
        if (group.isDurable || performance.now() - this.#flushedAt > maxUnflushedTime) await this.#flush();
        group.written.resolve();
      } catch (error) {
        this.#broken ??= {error};
        group.written.reject(error);
      }
    }
    this.#writing = undefined;
  }

  async #flush(): Promise<void> {
    await this.#file.datasync();
    this.#flushedAt = performance.now();
  }
}

/** A file to which one process at a time appends lines. */
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
