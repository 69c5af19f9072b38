/** What a Mastodon server knows of the accounts of other servers, kept for a day for later runs: one file for each server. */
import {join} from 'node:path';
import * as z from 'zod/mini';
import {measuresOfDomain} from '../api/admin-entities.js';
import {measure} from '../api/internal.js';
import {membersOf} from '../api/schema.js';
import type {Client} from '../client/client.js';
import {day, isFresh, readKept, writeKept} from '../files/kept.js';
import type {CountingServer} from './user-counts.js';

/** Domains in a file; the oldest go. */
const mostKept = 50_000;

/** After so many new ones the file is written, so that a run that is interrupted has not asked for nothing. */
const portion = 200;

/** Domains that are asked about at the same time. */
const askedAtOnce = 4;

const count = z.int().check(z.nonnegative());

const entry = z.object({
  domain: z.string(),
  /** Known accounts. */
  accounts: count,
  /** Follows of people here to accounts there. */
  follows: count,
  /** Follows of accounts there to people here. */
  followers: count,
  /** Milliseconds since 1970. */
  at: z.number(),
});
const content = z.object({domains: z.array(entry)});

/** What is measured of a domain, with everything below it on servers that count that. */
export type Measures = Omit<z.infer<typeof entry>, 'at' | 'domain'>;

/** By domain. */
export type Measured = ReadonlyMap<string, Measures>;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** @throws Failure when it cannot be measured */
async function measured(domain: string, client: Client, today: string): Promise<Measures> {
  const about = Object.fromEntries(measuresOfDomain.map((key) => [key, {domain, include_subdomains: true}]));
  const {value} = await client.call(measure, {body: {keys: [...measuresOfDomain], start_at: today, end_at: today, ...about}});
  const totals = new Map([value].flat().map((one) => [membersOf(one)['key'], Number(membersOf(one)['total'])]));
  const [accounts = 0, follows = 0, followers = 0] = measuresOfDomain
    .map((key) => totals.get(key) ?? 0)
    .map((one) => (isCount(one) ? one : 0));
  return {accounts, follows, followers};
}

/**
 * What is known of the accounts on each of these domains, in one request for each that is not kept.
 * @throws Failure when the server does not tell; what was measured by then is kept
 */
export async function measuresOf(domains: readonly string[], {client, origin, folder, now}: CountingServer): Promise<Measured> {
  const path = folder && join(folder, `measures-${encodeURIComponent(origin)}.json`);
  const kept = new Map<string, z.infer<typeof entry>>();
  for (const one of (path && (await readKept(path, content))?.domains) || []) if (isFresh(one.at, day, now)) kept.set(one.domain, one);
  const unknown = [...new Set(domains)].filter((domain) => !kept.has(domain));
  const left = unknown.values();
  const today = new Date(now).toISOString().slice(0, 10);
  let unwritten = 0;
  const write = async () => {
    unwritten = 0;
    if (path) await writeKept(path, {domains: [...kept.values()].slice(-mostKept)});
  };
  let failed: unknown;
  const look = async () => {
    for (const domain of left) {
      const found = await measured(domain, client, today).catch((error: unknown) => void (failed ??= error));
      if (found !== undefined) {
        kept.set(domain, {domain, ...found, at: now});
        unwritten += 1;
      }
      if (failed !== undefined) return;
      if (unwritten >= portion) await write();
    }
  };
  await Promise.all(Array.from({length: Math.min(askedAtOnce, unknown.length)}, look));
  if (unwritten > 0) await write();
  if (failed !== undefined) throw failed;
  return new Map(domains.flatMap((domain) => kept.get(domain) ?? []).map((one) => [one.domain, one]));
}
