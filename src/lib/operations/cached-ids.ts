/** A cache of the ids of accounts by their handles, for a day, and of handles that were not found: one file for each server. */
import {join} from 'node:path';
import * as z from 'zod/mini';
import {isIdentifier} from '../client/request.js';
import {day, isFresh, readCache, writeCache} from '../files/cache.js';

/** Accounts in a file; the oldest go. */
const most = 5000;

const entry = z.object({
  handle: z.string(),
  id: z.string().check(z.refine(isIdentifier)),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const missingEntry = z.object({handle: z.string(), at: z.number()});
const content = z.object({accounts: z.array(entry), missing: z.array(missingEntry)});

/** Milliseconds that it is known who was not found: longer than the day after which servers look up others again. */
const missingFor = 30 * day;

type Content = z.infer<typeof content>;
type Entry = z.infer<typeof entry>;

const nameOf = (origin: string): string => `accounts-${encodeURIComponent(origin)}.json`;

async function freshIn(path: string, now: number): Promise<Content> {
  const {accounts = [], missing = []} = (await readCache(path, content)) ?? {};
  return {
    accounts: accounts.filter(({at}) => isFresh(at, day, now)),
    missing: missing.filter(({at}) => isFresh(at, missingFor, now)),
  };
}

export class CachedIds {
  readonly #path: string;
  readonly #now: () => number;
  readonly #found = new Map<string, Entry>();
  readonly #wrong = new Map<string, string>();
  readonly #missing = new Set<string>();
  #content: Promise<Content> | undefined;

  /**
   * @param folder the caches
   * @param origin of the server
   * @param now milliseconds since 1970
   */
  constructor(folder: string, origin: string, now: () => number = Date.now) {
    this.#path = join(folder, nameOf(origin));
    this.#now = now;
  }

  /**
   * The id that an account had within the last day. The server has to confirm it: somebody else may have that name by now.
   * @param handle as `handleOf` gives it
   */
  async idOf(handle: string): Promise<string | undefined> {
    this.#content ??= this.#read();
    return (await this.#content).accounts.findLast((one) => one.handle === handle)?.id;
  }

  /** Whether no account with that handle was found in the last month. */
  async wasMissing(handle: string): Promise<boolean> {
    this.#content ??= this.#read();
    return (await this.#content).missing.some((one) => one.handle === handle);
  }

  /** Remembers that the server found no such account just now. */
  addMissing(handle: string): void {
    this.#missing.add(handle);
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
    if (this.#found.size + this.#wrong.size + this.#missing.size === 0) return;
    const {accounts, missing} = await this.#read();
    const others = accounts.filter(({handle, id}) => this.#wrong.get(handle) !== id && !this.#found.has(handle));
    const stillMissing = missing.filter(({handle}) => !this.#found.has(handle) && !this.#missing.has(handle));
    const at = this.#now();
    await writeCache(this.#path, {
      accounts: [...others, ...this.#found.values()].slice(-most),
      missing: [...stillMissing, ...Array.from(this.#missing, (handle) => ({handle, at}))].slice(-most),
    });
    this.#found.clear();
    this.#wrong.clear();
    this.#missing.clear();
  }

  #read(): Promise<Content> {
    return freshIn(this.#path, this.#now());
  }
}
