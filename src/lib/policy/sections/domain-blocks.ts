/** The section `domain_blocks` of a policy, servers that the account blocks; and what it shares with `admin_domain_blocks`. */
import * as z from 'zod/mini';
import {itemsOnServer} from './answers.js';
import {readDomains} from './domains-read.js';
import {accountDomainsSchema} from './domains-schema.js';
import type {Actual, Circumstances, Desired, Hold, Item, Kind, Want} from './policy-kind.js';
import {listDomainBlocks} from '../../api/blocks.js';
import {field} from '../../api/schema.js';
import {asFailure, Failure} from '../../client/failure.js';
import {domainBlock, domainUnblock, isTopLevel, normalizeStoredDomain, readDomain} from '../../operations/domains.js';
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

type DomainsDefinition = Omit<Kind, 'done' | 'key' | 'nameIn' | 'noun' | 'readRules'>;

export function domainsKind(own: DomainsDefinition): Kind {
  const {kind} = own;
  const key = `${kind}s`;
  return {
    ...own,
    key,
    noun: 'domain',
    done: 'blocked',
    nameIn(text) {
      const read = readDomain(text, true);
      if ('domain' in read && !text.includes('@')) return read.domain;
      throw new Failure('usage', `"${text.trim()}" is not a domain`);
    },
    readRules: readDomains,
  };
}

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

export const domainBlocks: Kind = domainsKind({
  kind: 'domain_block',
  owner: 'account',
  item: 'domain block',
  schema: () => field(accountDomainsSchema(), 'servers that the account blocks'),
  list: listDomainBlocks,
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
  send: {
    add: domainBlock,
    remove: domainUnblock,
    input: ({action, name, raw}) =>
      action === 'remove' ? {body: {domain: raw ?? name}} : convertInput(domainBlock, {body: {domain: name}}),
  },
  follows: ({action}) => (action === 'add' ? {says: 'Followers on blocked domains are removed permanently.', isEnd: true} : undefined),
});
