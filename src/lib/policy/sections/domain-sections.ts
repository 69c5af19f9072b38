/** What the sections `domain_blocks` and `admin_domain_blocks` share. */
import {readDomains} from './domains-read.js';
import type {DomainsData} from './domains-schema.js';
import type {Hold, Item, Kind, Want} from './policy-kind.js';
import type {SectionReader} from './reader.js';
import {Failure} from '../../client/failure.js';
import {isTopLevel, readDomain} from '../../operations/domains.js';
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
    readRules: (reader: SectionReader<DomainsData>) => readDomains({key, kind}, reader),
  };
}
