/** What tests wait for in place of time: that something has happened, however long the machine takes for it. */
import {existsSync, readFileSync, watch} from 'node:fs';
import {basename, dirname} from 'node:path';
import {setImmediate} from 'node:timers/promises';

/** Counts what happens, and tells when it has happened so often. */
export class Tally {
  #count = 0;
  readonly #waiting = new Set<{readonly count: number; readonly resolve: () => void}>();

  get count(): number {
    return this.#count;
  }

  add(): void {
    this.#count += 1;
    for (const one of this.#waiting) {
      if (one.count > this.#count) continue;
      this.#waiting.delete(one);
      one.resolve();
    }
  }

  /** Resolves when it has happened so often since the beginning. */
  reached(count: number): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    if (this.#count >= count) resolve();
    else this.#waiting.add({count, resolve});
    return promise;
  }
}

/** Resolves with the text of a file when it is there and not empty, or when its text is such. Its folder has to be there. */
export async function fileThere(path: string, isSuch: (text: string) => boolean = (text) => text !== ''): Promise<string> {
  const {promise, resolve, reject} = Promise.withResolvers<string>();
  const look = (): void => {
    try {
      const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
      if (isSuch(text)) resolve(text);
    } catch (error) {
      reject(error);
    }
  };
  const watcher = watch(dirname(path), (_, name) => {
    if (name === null || name === basename(path)) look();
  });
  watcher.on('error', reject);
  look();
  return promise.finally(() => watcher.close());
}

/** Resolves when something holds in this process: it is looked at in every turn of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setImmediate();
}
