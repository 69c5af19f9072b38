/** Counts, for each server, the accounts there that an account follows or that follow it. */
import * as z from 'zod/mini';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {pagesOf} from '../../client/paging.js';
import {requestFor} from '../../client/request.js';
import {whoAmI} from '../../operations/accounts.js';
import {parentsOf} from '../../operations/domains.js';
import {handleOf} from '../../operations/handle.js';
import {listFollowers, listFollowing} from '../../api/internal.js';
import {checkAnswerShape} from './answers.js';
import {comparedDomain} from './domain-sections.js';
import type {Fetched, Followed} from './policy-kind.js';

/** The most accounts that servers send on a page. */
const perPage = 80;

const account = z.looseObject({acct: z.string().check(z.regex(/^@?[^@\s]+(?:@[^@\s]+)?$/, 'expected user or user@host'))});

function withParents(servers: Iterable<readonly [string, number]>): Followed['counts'] {
  const counts = new Map<string, number>();
  for (const [server, count] of servers)
    for (const domain of [server, ...parentsOf(server)]) counts.set(domain, (counts.get(domain) ?? 0) + count);
  return counts;
}

/** Counts accounts by server; an account that follows and is followed counts once. */
async function askServers(client: Client, id: string): Promise<Map<string, number>> {
  const handles = new Set<string>();
  const servers = new Map<string, number>();
  for (const list of [listFollowing, listFollowers]) {
    const request = requestFor(list, {path: {id}, query: {limit: perPage}});
    for await (const {items} of pagesOf(client, {request, endpoint: list}))
      for (const item of items) {
        const handle = handleOf(checkAnswerShape(account, item, client.host, request.path).acct, client.host);
        if (handles.has(handle)) continue;
        handles.add(handle);
        const server = comparedDomain(handle.slice(handle.lastIndexOf('@') + 1));
        servers.set(server, (servers.get(server) ?? 0) + 1);
      }
  }
  return servers;
}

/** Reads all followers and followed accounts. @param id the account's; undefined: the server is asked for it */
export async function readFollowed(client: Client, id: string | undefined): Promise<Fetched<Followed>> {
  try {
    const own = id ?? (await whoAmI(client))?.id;
    if (own === undefined) throw new Failure('not_found', `${client.host} did not return the account of this token`);
    return {value: {counts: withParents(await askServers(client, own))}};
  } catch (error) {
    if (error instanceof Failure) return {failure: error};
    throw error;
  }
}
