/** Lines appended to a file in groups: those that come while one group is written make up the next. */
import {appendFileSync} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';

/** Milliseconds after which what was written is forced to disk though nobody asked for that. */
const longestUnforced = 1000;

class Group {
  text = '';
  isDurable = false;
  readonly written = Promise.withResolvers<void>();

  constructor() {
    // Not everyone who appends waits for it.
    this.written.promise.catch(() => {});
  }
}

export class GroupCommit {
  readonly #file: FileHandle;
  #next: Group | undefined;
  #writing: Promise<void> | undefined;
  #forcedAt = performance.now();
  #broken: {readonly error: unknown} | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Settles when the lines are with the system: they outlive this process. If durable, when they are on disk.
   * @throws the system's error; the file then takes nothing more, as its last line may be half a line
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
    // What the same turn of the event loop brings goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#next !== undefined) {
      const group = this.#next;
      this.#next = undefined;
      try {
        if (this.#broken !== undefined) throw this.#broken.error;
        // The system takes a few lines sooner than another thread could be asked to give them to it.
        appendFileSync(this.#file.fd, group.text);
        if (group.isDurable || performance.now() - this.#forcedAt > longestUnforced) await this.#force();
        group.written.resolve();
      } catch (error) {
        this.#broken ??= {error};
        group.written.reject(error);
      }
    }
    this.#writing = undefined;
  }

  async #force(): Promise<void> {
    await this.#file.datasync();
    this.#forcedAt = performance.now();
  }
}
