/** Ids of accounts that were found by their handles, kept for a day for later runs: one file for each server. */
import {join} from 'node:path';
import * as z from 'zod/mini';
import {isIdentifier} from '../client/request.js';
import {day, isFresh, readKept, writeKept} from '../files/kept.js';

/** Accounts in a file; the oldest go. */
const most = 5000;

const entry = z.object({
  handle: z.string(),
  id: z.string().check(z.refine(isIdentifier)),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const content = z.object({accounts: z.array(entry)});

type Entry = z.infer<typeof entry>;

export class KeptIds {
  readonly #path: string;
  readonly #now: () => number;
  readonly #found = new Map<string, Entry>();
  readonly #wrong = new Map<string, string>();
  #kept: Promise<ReadonlyMap<string, Entry>> | undefined;

  /**
   * @param folder the caches
   * @param origin of the server
   * @param now milliseconds since 1970
   */
  constructor(folder: string, origin: string, now: () => number = Date.now) {
    this.#path = join(folder, `accounts-${encodeURIComponent(origin)}.json`);
    this.#now = now;
  }

  /**
   * The id that an account had within the last day. The server has to confirm it: somebody else may have that name by now.
   * @param handle as `handleOf` gives it
   */
  async idOf(handle: string): Promise<string | undefined> {
    this.#kept ??= this.#read();
    return (await this.#kept).get(handle)?.id;
  }

  /** Remembers what the server answered just now. */
  add(handle: string, id: string): void {
    this.#found.set(handle, {handle, id, at: this.#now()});
  }

  /** Forgets an id that is not that of the account any more. */
  remove(handle: string, id: string): void {
    this.#wrong.set(handle, id);
  }

  /** Writes what is new, beside what other processes have written meanwhile. */
  async write(): Promise<void> {
    if (this.#found.size + this.#wrong.size === 0) return;
    const others = await this.#read();
    for (const {handle, id} of others.values()) if (this.#wrong.get(handle) === id || this.#found.has(handle)) others.delete(handle);
    await writeKept(this.#path, {accounts: [...others.values(), ...this.#found.values()].slice(-most)});
    this.#found.clear();
    this.#wrong.clear();
  }

  async #read(): Promise<Map<string, Entry>> {
    const now = this.#now();
    const {accounts = []} = (await readKept(this.#path, content)) ?? {};
    return new Map(accounts.filter(({at}) => isFresh(at, day, now)).map((one) => [one.handle, one]));
  }
}
