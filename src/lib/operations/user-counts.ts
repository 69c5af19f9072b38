/** How many accounts of other servers a Pixelfed server knows, kept for ten minutes for later runs: one file for each server. */
import {join} from 'node:path';
import * as z from 'zod/mini';
import {listInstances} from '../api/instances.js';
import {getAdminStatistics} from '../api/internal.js';
import type {Client} from '../client/client.js';
import {asFailure} from '../client/failure.js';
import {everyItem} from '../client/paging.js';
import {isFresh, readKept, writeKept} from '../files/kept.js';
import {at, textAt} from '../json/path.js';
import {inOneForm} from './domains.js';
import {findInstance} from './instances.js';

/** Milliseconds. */
const keptFor = 10 * 60 * 1000;

/** Domains in a file; the oldest go. */
const mostKept = 20_000;

/** Domains that are looked for at the same time. */
const lookedForAtOnce = 4;

/** Servers on a page of their list. */
const pageSize = 10;

/** Domains that are looked for without asking how many servers there are, which is a request as well. */
const fewDomains = 2;

const entry = z.object({
  domain: z.string(),
  count: z.number(),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const content = z.object({domains: z.array(entry)});

type Entry = z.infer<typeof entry>;

export interface CountingServer {
  readonly client: Client;
  readonly origin: string;
  /** The caches; undefined: nothing is kept. */
  readonly folder: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Servers that have not counted yet know of none. */
function countIn(value: unknown): number {
  const count = at(value, ['user_count']).value;
  return typeof count === 'number' ? count : 0;
}

async function byDomain(domains: readonly string[], client: Client): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const left = domains.values();
  const look = async () => {
    for (const domain of left) {
      const found = await findInstance(domain, client);
      counts.set(domain, found === undefined ? 0 : countIn(JSON.parse(found.text)));
    }
  };
  await Promise.all(Array.from({length: lookedForAtOnce}, look));
  return counts;
}

/** All servers of the list; of one that is stored in several forms, the largest number. */
async function fromList(client: Client): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const text of await everyItem(client, listInstances)) {
    const value: unknown = JSON.parse(text);
    const domain = inOneForm(textAt(value, ['domain']) ?? '');
    counts.set(domain, Math.max(counts.get(domain) ?? 0, countIn(value)));
  }
  return counts;
}

/** How many pages the list of servers has; without an end where that is not known. */
async function pagesOfList(client: Client): Promise<number> {
  const {value} = await client.call(getAdminStatistics, {}).catch(() => ({value: undefined}));
  const servers = Number(textAt(value, ['instances']) ?? at(value, ['instances']).value ?? Number.NaN);
  return Number.isFinite(servers) ? Math.max(1, Math.ceil(servers / pageSize)) : Number.POSITIVE_INFINITY;
}

/** Looks for each domain, or reads the whole list, whichever is fewer requests. */
async function read(domains: readonly string[], client: Client): Promise<ReadonlyMap<string, number>> {
  if (domains.length <= fewDomains || (await pagesOfList(client)) >= domains.length) return byDomain(domains, client);
  return fromList(client);
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
): Promise<ReadonlyMap<string, number> | undefined> {
  const path = folder && join(folder, `user-counts-${encodeURIComponent(origin)}.json`);
  const kept = new Map<string, Entry>();
  for (const one of (path && (await readKept(path, content))?.domains) || []) if (isFresh(one.at, keptFor, now)) kept.set(one.domain, one);
  const unknown = [...new Set(domains)].filter((domain) => !kept.has(domain));
  if (unknown.length > 0) {
    try {
      const counts = await read(unknown, client);
      for (const domain of unknown) kept.set(domain, {domain, count: counts.get(domain) ?? 0, at: now});
    } catch (error) {
      const {code} = asFailure(error);
      if (code === 'interrupted' || code === 'terminated') throw error;
      return undefined;
    }
    if (path) await writeKept(path, {domains: [...kept.values()].slice(-mostKept)});
  }
  return new Map(domains.map((domain) => [domain, kept.get(domain)?.count ?? 0]));
}
