/** How many accounts of other servers a Pixelfed server knows, kept for ten minutes for later runs: one file for each server. */
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Client} from '../client/client.js';
import {asFailure, isInterruption} from '../client/failure.js';
import {isFresh, readKept, writeKept} from '../files/kept.js';
import {at} from '../json/path.js';
import {readInstances} from './instances.js';

/** Milliseconds. */
const keptFor = 10 * 60 * 1000;

/** Domains in a file; the oldest go. */
const mostKept = 20_000;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const entry = z.object({
  domain: z.string(),
  count: z.nullable(z.number().check(z.refine(isCount))),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const content = z.object({domains: z.array(entry)});

type Entry = z.infer<typeof entry>;

const fileOf = (folder: string, origin: string): string => join(folder, `user-counts-${encodeURIComponent(origin)}.json`);

/** Drops what is kept of a server. */
export async function dropUserCounts({folder, origin}: Pick<CountingServer, 'folder' | 'origin'>): Promise<void> {
  // A cache that cannot be removed is read again.
  if (folder !== undefined) await rm(fileOf(folder, origin), {force: true}).catch(() => {});
}

export interface CountingServer {
  readonly client: Client;
  readonly origin: string;
  /** The caches; undefined: nothing is kept. */
  readonly folder: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The accounts by domain that a server knows: null where it has not counted them, whether there are any or not. */
export type UserCounts = ReadonlyMap<string, number | null>;

/** Of a domain that is stored in several forms, the largest number. */
function countIn(instances: readonly unknown[]): number | null {
  const counts = instances.map((instance) => at(instance, ['user_count']).value);
  const most = Math.max(0, ...counts.filter(isCount));
  return most > 0 || counts.every(isCount) ? most : null;
}

/**
 * How many accounts of each of these domains the server knows, 0 for a domain that it does not know. Only Pixelfed servers tell, and only
 * their admins.
 * @param domains in the form of `hostOf`
 * @returns undefined where it cannot be read, which is no failure
 * @throws Failure when the run was interrupted
 */
export async function userCounts(
  domains: readonly string[],
  {client, origin, folder, now}: CountingServer,
): Promise<UserCounts | undefined> {
  const path = folder && fileOf(folder, origin);
  const kept = new Map<string, Entry>();
  for (const one of (path && (await readKept(path, content))?.domains) || []) if (isFresh(one.at, keptFor, now)) kept.set(one.domain, one);
  const unknown = [...new Set(domains)].filter((domain) => !kept.has(domain));
  if (unknown.length > 0) {
    try {
      const known = await readInstances(unknown, client);
      for (const domain of unknown) kept.set(domain, {domain, count: countIn(known.get(domain) ?? []), at: now});
    } catch (error) {
      if (isInterruption(asFailure(error))) throw error;
      return undefined;
    }
    if (path) await writeKept(path, {domains: [...kept.values()].slice(-mostKept)});
  }
  return new Map(domains.map((domain) => [domain, kept.get(domain)?.count ?? null]));
}
