/** Appends lines to a file in groups: lines that arrive while a group is written make up the next one. */
import {appendFileSync} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';

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
