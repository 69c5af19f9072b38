/** Counts the follows from accounts of a Mastodon server to other servers. Counts are cached for a day, in a file for each Mastodon server. */
import {dirname, join} from 'node:path';
import * as z from 'zod/mini';
import {followsOfDomain} from '../api/admin-entities.js';
import {measure} from '../api/internal.js';
import {membersOf} from '../api/schema.js';
import type {Client} from '../client/client.js';
import {secureFolder} from '../files/own-folder.js';
import {readPrivate} from '../files/private-file.js';
import {writeWhole} from '../files/whole-file.js';

/** The most domains in a cache file; the oldest are left out. */
const mostCached = 50_000;

const askedAtOnce = 4;

/** How long a count is cached, in milliseconds. */
const lifetime = 24 * 60 * 60 * 1000;

const entry = z.object({
  domain: z.string(),
  /** How many follows there are from accounts of the server to accounts of the domain. */
  follows: z.int().check(z.nonnegative()),
  /** Milliseconds since 1970. */
  at: z.number(),
});
const content = z.object({domains: z.array(entry)});

/** @returns undefined when there is no such file, or one that cannot be used, which is no error */
async function readCache(path: string): Promise<z.infer<typeof content> | undefined> {
  try {
    return content.parse(JSON.parse((await readPrivate(path)) ?? ''));
  } catch {
    return undefined;
  }
}

/** Replaces the cache in one step. A link is replaced, too: it leads to no cache. Where that fails, the server is asked again next time. */
async function writeCache(path: string, value: z.infer<typeof content>): Promise<void> {
  try {
    secureFolder(dirname(path), {make: true});
    await writeWhole(path, JSON.stringify(value), {followsLinks: false});
  } catch {
    // The counts are used all the same.
  }
}

/** The number of follows to each domain. On servers that count subdomains, these are included. */
export type Measured = ReadonlyMap<string, number>;

/** @throws Failure when it cannot be measured */
async function followsTo(domain: string, client: Client, today: string): Promise<number> {
  const about = {[followsOfDomain]: {domain, include_subdomains: true}};
  const {value} = await client.call(measure, {body: {keys: [followsOfDomain], start_at: today, end_at: today, ...about}});
  const counted = [value].flat().find((one) => membersOf(one)['key'] === followsOfDomain);
  const total = Number(membersOf(counted)['total']);
  return Number.isSafeInteger(total) && total >= 0 ? total : 0;
}

interface MeasuringServer {
  readonly client: Client;
  readonly origin: string;
  /** The folder of the cache; if undefined, nothing is cached. */
  readonly folder: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The follows to each of these domains, in one request for each that is not cached.
 * @throws Failure when the server does not tell; what was measured by then is cached
 */
export async function measuresOf(domains: readonly string[], {client, origin, folder, now}: MeasuringServer): Promise<Measured> {
  const path = folder && join(folder, `measures-${encodeURIComponent(origin)}.json`);
  const cached = new Map<string, z.infer<typeof entry>>();
  for (const one of (path && (await readCache(path))?.domains) || []) {
    // A time in the future was written while the clock was wrong.
    if (one.at <= now && now - one.at < lifetime) cached.set(one.domain, one);
  }
  const unknown = [...new Set(domains)].filter((domain) => !cached.has(domain));
  const left = unknown.values();
  const today = new Date(now).toISOString().slice(0, 10);
  let failed: unknown;
  const look = async () => {
    for (const domain of left) {
      const follows = await followsTo(domain, client, today).catch((error: unknown) => void (failed ??= error));
      if (follows !== undefined) cached.set(domain, {domain, follows, at: now});
      if (failed !== undefined) return;
    }
  };
  await Promise.all(Array.from({length: Math.min(askedAtOnce, unknown.length)}, look));
  if (path && unknown.length > 0) await writeCache(path, {domains: [...cached.values()].slice(-mostCached)});
  if (failed !== undefined) throw failed;
  return new Map(domains.flatMap((domain) => cached.get(domain) ?? []).map(({domain, follows}) => [domain, follows]));
}
