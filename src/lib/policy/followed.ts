/** The servers of the accounts that an account follows or that follow it: how many there are on each, cached for a day. */
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {listFollowers, listFollowing} from '../api/internal.js';
import {once} from '../api/schema.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {requestFor} from '../client/request.js';
import {day, isFresh, moment, readKept, writeKept} from '../files/kept.js';
import {whoAmI} from '../operations/accounts.js';
import {parentsOf} from '../operations/domains.js';
import {handleOf} from '../operations/handle.js';
import {comparedDomain, type Followed, type Fetched, fetched, trusted} from './model/server-state.js';

/** Milliseconds that what was read may be used for: to show what would be done, and to do it. */
export const keptFor = {showing: day, applying: 10 * 60 * 1000} as const;

const kept = once(() => {
  const server = z.string().check(z.minLength(1));
  const count = z.int().check(z.positive());
  return z.object({at: moment, owner: z.string(), servers: z.array(z.tuple([server, count]))});
});

/** The most that servers send at once. */
const perPage = 80;

const account = z.looseObject({acct: z.string().check(z.regex(/^@?[^@\s]+(?:@[^@\s]+)?$/, 'expected user or user@host'))});

/** Whom an account follows, and then who follows it. @throws Failure when a page fails, or does not say who it names */
async function* handlesOf(client: Client, id: string): AsyncGenerator<string, void, undefined> {
  for (const endpoint of [listFollowing, listFollowers]) {
    const request = requestFor(endpoint, {path: {id}, query: {limit: perPage}});
    for await (const {items} of pagesOf(client, {request, endpoint})) {
      for (const item of items) yield handleOf(trusted(account, item, client.host, request.path).acct, client.host);
    }
  }
}

export interface FollowedOptions {
  readonly client: Client;
  /** The server's origin. */
  readonly server: string;
  /** Of the account, where it is known. */
  readonly id: string | undefined;
  /** The cache; undefined: there is none. */
  readonly folder: string | undefined;
  readonly now: Date;
  /** Milliseconds that the cache may be old. */
  readonly oldest: number;
}

function withParents(servers: Iterable<readonly [string, number]>): Followed['counts'] {
  const counts = new Map<string, number>();
  for (const [server, count] of servers)
    for (const domain of [server, ...parentsOf(server)]) counts.set(domain, (counts.get(domain) ?? 0) + count);
  return counts;
}

/** How many accounts are on each server; one that follows and is followed counts once. */
async function askServers(client: Client, id: string): Promise<Map<string, number>> {
  const handles = new Set<string>();
  const servers = new Map<string, number>();
  for await (const handle of handlesOf(client, id)) {
    if (handles.has(handle)) continue;
    handles.add(handle);
    // In the form that domains are compared in.
    const server = comparedDomain(handle.slice(handle.lastIndexOf('@') + 1));
    servers.set(server, (servers.get(server) ?? 0) + 1);
  }
  return servers;
}

/** Reads both lists, every page of them, unless they were read lately. */
export async function readFollowed({client, server, id, folder, now, oldest}: FollowedOptions): Promise<Fetched<Followed>> {
  return fetched(async () => {
    const own = id ?? (await whoAmI(client))?.id;
    if (own === undefined) throw new Failure('not_found', `${client.host} did not return the account of this token`);
    const owner = `${server} ${own}`;
    const path = folder && join(folder, `followed-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}.json`);
    const known = path ? await readKept(path, kept()) : undefined;
    if (known?.owner === owner && isFresh(known.at, oldest, now.getTime()))
      return {counts: withParents(known.servers), readAt: new Date(known.at)};
    const servers = [...(await askServers(client, own))];
    if (path) await writeKept(path, {at: now.getTime(), owner, servers});
    return {counts: withParents(servers), readAt: now};
  });
}
