/** Servers that the account blocks. */
import {dirname} from 'node:path';
import {compareDomains, type DomainEntries, names} from './compare.js';
import {type DomainBlockChange, domainBlockAddition, domainBlockChange, domainBlockRemoval} from './changes.js';
import {type DomainBlocksData, domainBlocksSchema} from './schema.js';
import {explainDomain} from './explain.js';
import {readDomainBlocks} from './read.js';
import type {SectionReader} from '../../section/reader.js';
import {noFollows, type Rule, rulesNamed} from '../../section/section.js';
import {setSection} from '../../section/set.js';
import {mayBeAccount} from '../../section/accounts.js';
import {listDomainBlocks} from '../../../api/blocks.js';
import {field} from '../../../api/schema.js';
import {everyItem} from '../../../client/paging.js';
import {domainBlock, domainUnblock, isDomain} from '../../../operations/domains.js';
import {converted} from '../../../operations/operation.js';
import {ranked} from './cap.js';
import {abandoned} from '../../model/difference.js';
import {blocked, factsText} from '../../model/domain-facts.js';
import {listName} from '../../source/list-origin.js';
import {isDomainListFormat, writeDomainList} from '../../lists/write-list.js';
import {compareText, locationText} from '../../source/location.js';
import type {DomainBlockRules, ListReference} from '../../model/policy.js';
import {comparedDomain, fetched, fetchedValue, trusted} from '../../model/server-state.js';
import * as z from 'zod/mini';

declare module '../../model/section-types.js' {
  interface Rules {
    readonly domain_blocks: DomainBlockRules;
  }
  interface Values {
    /** By the form that domains are compared in, sorted: as the server writes them. */
    readonly domain_blocks: DomainEntries;
  }
  interface Changes {
    readonly domain_block: DomainBlockChange;
  }
}

const {key, kind} = names;

export const domainBlocks = setSection<string>({
  ...names,
  owner: 'account',
  words: {
    item: 'domain block',
    counted: ['domain block', 'domain blocks'],
    title: 'Domain blocks',
    all: 'the domain blocks',
    rules: {
      lists: 'Domains that enough of these lists name must be blocked.',
      must: 'These domains must be blocked.',
      must_not: 'These domains must not be blocked, even if a list names them.',
      only: 'No domain may be blocked unless the policy or a list names it.',
      protect: 'These domains are not blocked without --block-protected.',
      protect_followed: 'Domains of accounts that follow this one or are followed by it are not blocked without --block-protected.',
    },
  },
  schema: field(domainBlocksSchema, 'servers that the account blocks'),
  rulesIn: (reader: SectionReader<DomainBlocksData>) => ({domain_blocks: readDomainBlocks(reader)}),
  rulesOf({file, domain_blocks: rules}) {
    if (rules === undefined) return [];
    const {must, mustNot, protect = [], protectLists = [], protectFollowed, allowLists = [], only, lists} = rules;
    const {each, one} = rulesNamed({key, kind});
    const ofLists = (name: string, references: readonly ListReference[]) =>
      references.map(({from, location}): Rule => ({
        rule: `${key}.${name}`,
        kind,
        subject: listName(from, dirname(file)),
        isList: true,
        source: location,
      }));
    return [
      ...each('must', must),
      ...each('must_not', mustNot),
      ...ofLists('must_not', allowLists),
      ...each('protect', protect),
      ...ofLists('protect', protectLists),
      ...one('protect_followed', protectFollowed?.location),
      ...one('only', only),
      ...ofLists('lists', lists),
    ];
  },
  asks: ({domain_blocks: rules}) => rules !== undefined,
  *named({domains}) {
    for (const subject of domains?.wanted.keys() ?? []) yield {subject};
    for (const subject of domains?.mustNot.keys() ?? []) yield {subject};
  },
  compared: comparedDomain,
  fingerprintName: 'domains',
  part: ({domain_blocks: part}) => part,
  withEntries: (entries) => ({domain_blocks: {value: entries}}),
  entryOf: ({subject}) => subject,
  known: (subject) => subject,
  reads: listDomainBlocks,
  read: async (client) => ({
    domain_blocks: await fetched(async () => {
      const items: unknown[] = (await everyItem(client, listDomainBlocks)).map((text) => JSON.parse(text));
      const domains = trusted(z.array(z.string()), items, client.host, listDomainBlocks.path);
      return new Map(
        domains.map((text): [string, string] => [comparedDomain(text), text]).sort(([one], [other]) => compareText(one, other)),
      );
    }),
  }),
  compare: compareDomains,
  schemas: [domainBlockAddition, domainBlockRemoval],
  change: (action, domain, {stored}, why) => domainBlockChange(action, {domain, stored}, why),
  operations: {add: domainBlock, remove: domainUnblock},
  input({action, subject, details}: DomainBlockChange) {
    if (action === 'remove') return {body: {domain: details.stored ?? subject}};
    return converted(domainBlock, {body: {domain: subject}});
  },
  text({action, details}: DomainBlockChange) {
    if (action === 'remove') return '';
    const {covered_by: parent} = details;
    return [factsText(details), parent === undefined ? '' : `below ${parent}`].filter((part) => part !== '').join('; ');
  },
  misfit({action, subject, details}: DomainBlockChange, found) {
    if (action === 'add') return undefined;
    const {stored: named = subject} = details;
    return found === named ? undefined : `the server calls it ${found}, and the plan ${named}`;
  },
  ranked: (additions, {wanted: {domains}}) => ranked(additions, domains),
  wantedIn: ({domains}) => domains?.wanted.keys() ?? [],
  whyLeft(domain, {domains}) {
    const allowed = domains?.mustNot.get(domain);
    if (allowed === undefined) return undefined;
    const because = `an earlier apply of this policy made it, and ${key}.must_not allows it: ${locationText(allowed.location)}`;
    return {...abandoned, because};
  },
  lost: noFollows,
  warning: 'Followers on blocked domains are removed permanently.',
  limit: {
    older: 50,
    newer: 100,
    item: 'domain block',
    words: 'domains would be blocked',
    advice: `set ${key}.limit in the policy`,
  },
  namesIn: (there) => there.keys(),
  isWritable: isDomain,
  formats: ['mastodon-csv', 'mastodon-admin', 'fediblockhole', 'plain'],
  list(format, {domain_blocks: part}, _, setting) {
    const domains = part && isDomainListFormat(format) ? [...fetchedValue(part).keys()].sort(compareText) : [];
    return isDomainListFormat(format)
      ? writeDomainList(
          format,
          domains.map((domain) => ({domain, facts: blocked})),
          setting,
        ).text
      : '';
  },
  canBe: (text) => !mayBeAccount(text),
  explain: explainDomain,
  ofPolicy: ({domains}) => domains?.wanted,
  ofList(list) {
    if (list.kind !== 'domains') return undefined;
    // One by one: there may be very many.
    const side = new Map<string, undefined>();
    for (const {domain, facts} of list.entries) if (facts.severity !== 'noop') side.set(domain, undefined);
    return side;
  },
});
