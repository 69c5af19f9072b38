/** The section `domain_blocks` of a policy, servers that the account blocks; and what it shares with `admin_domain_blocks`. */
import * as z from 'zod/mini';
import {checkAnswerShape, itemsOnServer} from './answers.js';
import {readDomains} from './domains-read.js';
import {accountDomainsSchema} from './domains-schema.js';
import type {Actual, Circumstances, Desired, Hold, Item, Kind, Section, Want} from './policy-kind.js';
import {listDomainBlocks} from '../../api/blocks.js';
import {listFollowers, listFollowing} from '../../api/internal.js';
import {field} from '../../api/schema.js';
import type {Client} from '../../client/client.js';
import {asFailure, Failure} from '../../client/failure.js';
import {pagesOf} from '../../client/paging.js';
import {requestFor} from '../../client/request.js';
import {whoAmI} from '../../operations/accounts.js';
import {domainBlock, domainUnblock, isTopLevel, normalizeStoredDomain, parentsOf, readDomain} from '../../operations/domains.js';
import {handleOf} from '../../operations/handle.js';
import {convertInput} from '../../operations/operation.js';
import {compareText} from '../source/location.js';

/** Items by domain, in the form in which domains are compared; sorted. */
export function byDomain(entries: Iterable<readonly [domain: string, Item]>): ReadonlyMap<string, Item> {
  const compared = Array.from(entries, ([text, item]): [string, Item] => [normalizeStoredDomain(text), item]);
  return new Map(compared.sort(([one], [other]) => compareText(one, other)));
}

/** Holds back top-level domains on servers that cannot block these. One that the policy itself names stays a difference. */
export function holdTopLevel(name: string, {why}: Want, host: string): Hold | undefined {
  if (name.includes('.') || !isTopLevel(name)) return undefined;
  const says = `${host} cannot block whole top-level domains`;
  const texts = {wanted: 'blocked as a whole', actual: 'not blocked', fix: `drop ${name} from must: ${says}`};
  return {says, why, ...(why.rule.endsWith('.must') && {texts})};
}

/** What policies can say of domains. @param schema of the section, made when needed */
export const domainsSection = (schema: Section['schema']): Section => ({
  noun: 'domain',
  schema,
  nameIn(text) {
    const read = readDomain(text, true);
    if ('domain' in read && !text.includes('@')) return read.domain;
    throw new Failure('usage', `"${text.trim()}" is not a domain`);
  },
  readRules: readDomains,
});

function followersText(count: number): string {
  const follows =
    count === 1 ? '1 account there follows this account or is followed' : `${count} accounts there follow this account or are followed`;
  return `${follows} by it; \`domain-blocks add\` blocks it anyway`;
}

/**
 * Holds back blocks of domains with accounts that the account follows or that follow it, if the policy has `protect_followed`.
 * @throws Failure when these cannot be read: then nobody knows which blocks are wanted
 */
export async function holdFollowed({rules, want}: Desired, {items}: Actual, read: Circumstances['followed']): Promise<Desired['hold']> {
  const rule = rules?.protectFollowed;
  if (rule === undefined || want.keys().every((domain) => items.has(domain))) return undefined;
  const why = {rule: `${domainBlocks.key}.protect_followed`, where: rule.where};
  const counts = await read().catch((error: unknown) => {
    const {code, message, details} = asFailure(error);
    throw new Failure(code, `protect_followed (${why.where}) cannot be checked: ${message}`, details);
  });
  return (domain) => {
    const count = counts.get(domain) ?? 0;
    return count < rule.value ? undefined : {says: followersText(count), why};
  };
}

const account = z.looseObject({acct: z.string().check(z.regex(/^@?[^@\s]+(?:@[^@\s]+)?$/, 'expected user or user@host'))});

/**
 * Counts, for each server, the accounts there that an account follows or that follow it. One that is both counts once, and also for the
 * domains above its own.
 * @param own the id of the account; undefined: the server is asked for it
 */
export async function countFollowed(client: Client, own: string | undefined): Promise<ReadonlyMap<string, number>> {
  const id = own ?? (await whoAmI(client))?.id;
  if (id === undefined) throw new Failure('not_found', `${client.host} did not return the account of this token`);
  const handles = new Set<string>();
  for (const list of [listFollowing, listFollowers]) {
    const request = requestFor(list, {path: {id}, query: {limit: 80}});
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

export const domainBlocks: Kind = {
  key: 'domain_blocks',
  section: domainsSection(() => field(accountDomainsSchema(), 'servers that the account blocks')),
  owner: 'account',
  item: 'domain block',
  done: 'blocked',
  calls: [listDomainBlocks, domainBlock, domainUnblock],
  async read(client, _, seen) {
    const domains = await itemsOnServer(client, listDomainBlocks, z.string(), seen);
    return {items: byDomain(domains.map((raw) => [raw, {value: true, raw}]))};
  },
  async narrow(desired, actual, {host, followed}) {
    const hold = await holdFollowed(desired, actual, followed);
    const own = host.replace(/:\d+$/, '');
    return {
      hold(name, want, has) {
        if (name === own) return {says: `a server does not block itself (${want.why.where})`, why: want.why};
        return holdTopLevel(name, want, host) ?? hold?.(name, want, has);
      },
    };
  },
  send: ({action, name, raw}) =>
    action === 'add'
      ? {operation: domainBlock, input: convertInput(domainBlock, {body: {domain: name}})}
      : {operation: domainUnblock, input: {body: {domain: raw ?? name}}},
};
