/** The section `domain_blocks` of a policy: servers that the account blocks. */
import * as z from 'zod/mini';
import {itemsOnServer} from './answers.js';
import {byDomain, domainsKind, holdTopLevel} from './domain-sections.js';
import {accountDomainsSchema} from './domains-schema.js';
import type {Actual, Circumstances, Desired, Kind} from './policy-kind.js';
import {listDomainBlocks} from '../../api/blocks.js';
import {field} from '../../api/schema.js';
import {asFailure, Failure} from '../../client/failure.js';
import {domainBlock, domainUnblock} from '../../operations/domains.js';
import {convertInput} from '../../operations/operation.js';

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
