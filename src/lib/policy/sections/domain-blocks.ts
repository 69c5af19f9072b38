/** The section `domain_blocks` of a policy: servers that the account blocks. */
import * as z from 'zod/mini';
import {itemsOnServer} from './answers.js';
import {byDomain, domainsKind, withoutTopLevel} from './domain-sections.js';
import {accountDomainsSchema} from './domains-schema.js';
import {type Actual, type Circumstances, type Desired, type Hold, type Kind, toOpenRow} from './policy-kind.js';
import {endsFollows} from './names.js';
import {listDomainBlocks} from '../../api/blocks.js';
import {field} from '../../api/schema.js';
import {countNoun} from '../../json/text.js';
import {domainBlock, domainUnblock} from '../../operations/domains.js';
import {convertInput} from '../../operations/operation.js';
import {remember} from '../model/canonical.js';
import {type DomainFacts, factsText, publicFacts} from '../model/domain-facts.js';

function followersText(count: number): string {
  const follows =
    count === 1 ? '1 account there follows this account or is followed' : `${count} accounts there follow this account or are followed`;
  return `${follows} by it; \`domain-blocks add\` blocks it anyway`;
}

/** Holds back blocks of domains with accounts that the account follows or that follow it, if the policy has `protect_followed`. */
export async function holdFollowed(kind: Kind, desired: Desired, {items}: Actual, read: Circumstances['followed']): Promise<Desired> {
  const rule = desired.rules?.protectFollowed;
  if (rule === undefined) return desired;
  const why = {rule: `${kind.key}.protect_followed`, where: rule.where};
  const followed = await read?.();
  if (followed !== undefined && 'value' in followed) {
    const {counts} = followed.value;
    const hold = (domain: string): Hold | undefined => {
      const count = counts.get(domain) ?? 0;
      return count < rule.value ? undefined : {says: followersText(count), why};
    };
    return {...desired, hold};
  }
  const says = `protect_followed (${why.where}) cannot be checked: ${followed?.failure.message ?? 'followed accounts were not read'}`;
  const open = [...desired.want.keys()].filter((domain) => !items.has(domain)).length;
  if (open === 0) return desired;
  const wanted = `${rule.value}, checked for ${countNoun(open, 'domain')}`;
  const texts = {wanted, actual: says, fix: 'run it again when the server responds'};
  const row = toOpenRow(kind, 'protect_followed', why, texts, {how: 'unknown', says});
  return {...desired, hold: () => ({says, why, how: 'unknown'}), cannot: [...(desired.cannot ?? []), row]};
}

function holdOwnServer(desired: Desired, host: string): Desired {
  const name = host.replace(/:\d+$/, '');
  if (!desired.want.has(name)) return desired;
  const {hold} = desired;
  return {
    ...desired,
    hold: (domain, want, has) =>
      domain === name ? {says: `a server does not block itself (${want.why.where})`, why: want.why} : hold?.(domain, want, has),
  };
}

/** An account's block rejects no media and no reports. */
const detailsText = (facts: DomainFacts): string => factsText({...facts, reject_media: undefined, reject_reports: undefined});
const publicText = remember((facts: DomainFacts) => detailsText(publicFacts(facts)));

export const domainBlocks: Kind = domainsKind({
  kind: 'domain_block',
  key: 'domain_blocks',
  owner: 'account',
  words: {item: 'domain block', title: 'Domain blocks', all: 'the domain blocks'},
  schema: () => field(accountDomainsSchema(), 'servers that the account blocks'),
  list: listDomainBlocks,
  async read(client, _, seen) {
    const domains = await itemsOnServer(client, listDomainBlocks, z.string(), seen);
    return {items: byDomain(domains.map((raw) => [raw, {value: true, raw}]))};
  },
  async narrow(desired, actual, {host, followed}) {
    return holdOwnServer(withoutTopLevel(domainBlocks, await holdFollowed(domainBlocks, desired, actual, followed), actual, host), host);
  },
  send: {
    add: domainBlock,
    remove: domainUnblock,
    input: ({action, name, raw}) =>
      action === 'remove' ? {body: {domain: typeof raw === 'string' ? raw : name}} : convertInput(domainBlock, {body: {domain: name}}),
  },
  details({facts, action}, showsPrivate) {
    if (facts === undefined || action !== 'add') return '';
    return showsPrivate ? detailsText(facts) : publicText(facts);
  },
  follows: endsFollows('Followers on blocked domains are removed permanently.'),
});
