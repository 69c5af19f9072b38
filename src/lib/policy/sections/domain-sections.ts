/** What the sections `domain_blocks` and `admin_domain_blocks` share. */
import type * as z from 'zod/mini';
import {readDomains} from './domains-read.js';
import type {DomainsData} from './domains-schema.js';
import type {Hold, Item, Kind, Want} from './policy-kind.js';
import type {SectionReader} from './reader.js';
import {Failure} from '../../client/failure.js';
import {isFileName, isTopLevel, readDomain} from '../../operations/domains.js';
import {isDomainListFormat, writeDomainList} from '../lists/write-list.js';
import {plainFacts, writtenDomain} from '../model/domain-facts.js';
import {toBlock} from '../model/value.js';
import {compareText} from '../source/location.js';

/** The form in which domains are compared; an invalid domain stays as it is. */
export function comparedDomain(text: string): string {
  const read = readDomain(text, true);
  return 'domain' in read ? read.domain : text;
}

/** Items by domain, in the form in which domains are compared; sorted. */
export function byDomain(entries: Iterable<readonly [domain: string, Item]>): ReadonlyMap<string, Item> {
  const compared = Array.from(entries, ([text, item]): [string, Item] => [comparedDomain(text), item]);
  return new Map(compared.sort(([one], [other]) => compareText(one, other)));
}

/** Holds back top-level domains on servers that cannot block these. One that the policy itself names stays a difference. */
export function holdTopLevel(name: string, {why}: Want, host: string): Hold | undefined {
  if (name.includes('.') || !isTopLevel(name)) return undefined;
  const says = `${host} cannot block whole top-level domains`;
  const texts = {wanted: 'blocked as a whole', actual: 'not blocked', fix: `drop ${name} from must: ${says}`};
  return {says, why, ...(why.rule.endsWith('.must') && {texts})};
}

interface DomainsDefinition extends Omit<Kind, 'done' | 'lists' | 'nameIn' | 'ofDomains' | 'policy'> {
  schema(): z.ZodMiniType;
}

export function domainsKind({schema, ...own}: DomainsDefinition): Kind {
  const {key, kind, item, owner} = own;
  return {
    ...own,
    ofDomains: true,
    done: 'blocked',
    nameIn(text) {
      const read = readDomain(text, true);
      if ('domain' in read && !text.includes('@')) return read.domain;
      throw new Failure('usage', `"${text.trim()}" is not a domain`);
    },
    policy: {
      schema,
      read: (reader: SectionReader<DomainsData>) => readDomains({key, kind}, reader),
      write({items}) {
        // A policy cannot block a domain such as `list.csv`: it would be taken for the file of a list.
        const [leftOut = [], named = []] = [true, false].map((isFile) => [...items].filter(([domain]) => isFileName(domain) === isFile));
        return {
          value: {must: named.map(([domain, {value}]) => writtenDomain(domain, plainFacts(toBlock(value))))},
          leftOut: leftOut.map(([domain]) => `${item} ${domain}`),
        };
      },
    },
    lists: {
      formats: ['mastodon-csv', 'mastodon-admin', 'fediblockhole', 'pixelfed-instances', 'plain'],
      write(format, {items}, setting) {
        if (!isDomainListFormat(format)) throw new Error(`${format} is no format of domains`);
        const domains = Array.from(items, ([domain, {value}]) => ({domain, facts: toBlock(value)}));
        return writeDomainList(format, domains, setting);
      },
      read(list) {
        if (list.kind !== 'domains') return undefined;
        const blocks = list.entries.filter(({facts}) => facts.severity !== 'noop');
        // Of an account's block a server stores the domain alone.
        return new Map(blocks.map(({domain, facts: {severity}}) => [domain, owner === 'server' ? {severity} : true]));
      },
    },
  };
}
