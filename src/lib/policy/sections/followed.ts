/** Counts, for each server, the accounts there that an account follows or that follow it. */
import * as z from 'zod/mini';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import {pagesOf} from '../../client/paging.js';
import {requestFor} from '../../client/request.js';
import {whoAmI} from '../../operations/accounts.js';
import {normalizeStoredDomain, parentsOf} from '../../operations/domains.js';
import {handleOf} from '../../operations/handle.js';
import {listFollowers, listFollowing} from '../../api/internal.js';
import {checkAnswerShape} from './answers.js';

const perPage = 80;

const account = z.looseObject({acct: z.string().check(z.regex(/^@?[^@\s]+(?:@[^@\s]+)?$/, 'expected user or user@host'))});

/**
 * Reads all followers and followed accounts. One that is both counts once, and also for the domains above its own.
 * @param own the id of the account; undefined: the server is asked for it
 */
export async function countFollowed(client: Client, own: string | undefined): Promise<ReadonlyMap<string, number>> {
  const id = own ?? (await whoAmI(client))?.id;
  if (id === undefined) throw new Failure('not_found', `${client.host} did not return the account of this token`);
  const handles = new Set<string>();
  for (const list of [listFollowing, listFollowers]) {
    const request = requestFor(list, {path: {id}, query: {limit: perPage}});
    for await (const {items} of pagesOf(client, {request, endpoint: list}))
      for (const item of items) handles.add(handleOf(checkAnswerShape(account, item, client.host, request.path).acct, client.host));
  }
  const counts = new Map<string, number>();
  for (const handle of handles) {
    const server = normalizeStoredDomain(handle.slice(handle.lastIndexOf('@') + 1));
    for (const domain of [server, ...parentsOf(server)]) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}
