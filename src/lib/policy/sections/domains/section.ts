/** Sections whose items are domains: rules of their own, lists, agreement, protection, severities. */
import {dirname} from 'node:path';
import {type Compared, compareDomains} from './compare.js';
import {type DomainsData, domainsSchema} from './schema.js';
import {explainDomain} from './explain.js';
import {readDomains} from './read.js';
import type {SectionReader} from '../../section/reader.js';
import {type OfDomains, type Rule, rulesNamed, type Section, type Words} from '../../section/section.js';
import {type SetDefinition, setSection} from '../../section/set.js';
import {mayBeAccount} from '../../section/accounts.js';
import {field} from '../../../api/schema.js';
import type {Client} from '../../../client/client.js';
import {isDomain} from '../../../operations/domains.js';
import {ranked} from './cap.js';
import {abandoned} from '../../model/difference.js';
import {listName} from '../../source/list-origin.js';
import {isDomainListFormat, type WritableDomain, writeDomainList} from '../../lists/write-list.js';
import {compareText, locationText} from '../../source/location.js';
import type {DomainRules, ListReference, Policy} from '../../model/policy.js';
import {comparedDomain, type Fetched, fetched, fetchedValue, type State} from '../../model/server-state.js';

/** What sets a section of domains apart. */
export interface DomainsDefinition<Entry>
  extends
    Pick<
      SetDefinition<Entry>,
      | 'entryOf'
      | 'fingerprintName'
      | 'input'
      | 'kind'
      | 'lost'
      | 'misfit'
      | 'operations'
      | 'owner'
      | 'reads'
      | 'schemas'
      | 'text'
      | 'warning'
    >,
    Pick<Compared<Entry>, 'changeOf' | 'key' | 'part'>,
    OfDomains {
  readonly words: Omit<Words, 'rules'>;
  /** In editors. */
  readonly help: string;
  /** The group of commands, which has `add` and `remove`. */
  readonly topic: readonly string[];
  readonly limit: SetDefinition<Entry>['limit'];
  withRules(rules: DomainRules): Partial<Policy>;
  withPart(part: Fetched<ReadonlyMap<string, Entry>>): Partial<State>;
  /** What the server has, each with its domain as the server writes it. */
  entries(client: Client): Promise<readonly (readonly [domain: string, Entry])[]>;
  /** What is known of a domain that is blocked, for lists. */
  factsOf(entry: Entry): WritableDomain['facts'];
}

const formats = ['mastodon-csv', 'mastodon-admin', 'fediblockhole', 'plain'] as const;

export function domainsSection<Entry>(own: DomainsDefinition<Entry>): Section {
  const {key, kind, part, rules: rulesIn, seesFollows, topic} = own;
  const of = {key, kind};
  const names: Compared<Entry> = {
    key,
    kind,
    done: 'blocked',
    shown: (domain) => domain,
    command: (action, domain, {suggest}) => suggest([...topic, action], {args: [domain]}),
    part,
    changeOf: own.changeOf,
  };
  return {
    ...setSection<Entry>({
      ...own,
      ...names,
      words: {
        ...own.words,
        rules: {
          lists: 'Domains that enough of these lists name must be blocked.',
          must: 'These domains must be blocked.',
          must_not: 'These domains must not be blocked, even if a list names them.',
          only: 'No domain may be blocked unless the policy or a list names it.',
          protect: 'These domains are not blocked without --block-protected.',
          protect_followed: 'Domains of accounts that follow this one or are followed by it are not blocked without --block-protected.',
        },
      },
      schema: field(domainsSchema, own.help),
      rulesIn: (reader: SectionReader<DomainsData>) => own.withRules(readDomains(of, reader)),
      rulesOf(policy) {
        const rules = rulesIn(policy);
        if (rules === undefined) return [];
        const {must, mustNot, protect = [], protectLists = [], protectFollowed, allowLists = [], only, lists} = rules;
        const {each, one} = rulesNamed(of);
        const ofLists = (name: string, references: readonly ListReference[]) =>
          references.map(({from, location}): Rule => ({
            rule: `${key}.${name}`,
            kind,
            subject: listName(from, dirname(policy.file)),
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
      asks: (policy) => rulesIn(policy) !== undefined,
      *named({domains}) {
        const rules = domains.get(key);
        for (const subject of rules?.wanted.keys() ?? []) yield {subject};
        for (const subject of rules?.mustNot.keys() ?? []) yield {subject};
      },
      compared: comparedDomain,
      withEntries: (entries) => own.withPart({value: entries}),
      known: (subject) => subject,
      read: async (client) =>
        own.withPart(
          await fetched(async () => {
            const entries = await own.entries(client);
            return new Map(
              entries
                .map(([text, entry]): [string, Entry] => [comparedDomain(text), entry])
                .sort(([one], [other]) => compareText(one, other)),
            );
          }),
        ),
      compare: (wanted, state, circumstances) => compareDomains(names, wanted, state, circumstances),
      change: (action, domain, {stored}, why) => own.changeOf(action, {domain, stored}, why),
      ranked: (additions, {wanted: {domains}}) => ranked(additions, domains.get(key)),
      wantedIn: ({domains}) => domains.get(key)?.wanted.keys() ?? [],
      whyLeft(domain, {domains}) {
        const allowed = domains.get(key)?.mustNot.get(domain);
        if (allowed === undefined) return undefined;
        const because = `an earlier apply of this policy made it, and ${key}.must_not allows it: ${locationText(allowed.location)}`;
        return {...abandoned, because};
      },
      isWritable: isDomain,
      formats,
      list(format, state, _, setting) {
        const stored = part(state);
        const entries = stored === undefined ? [] : [...fetchedValue(stored)];
        const domains = entries.map(([domain, entry]) => ({domain, facts: own.factsOf(entry)}));
        return isDomainListFormat(format)
          ? writeDomainList(
              format,
              domains.sort((one, other) => compareText(one.domain, other.domain)),
              setting,
            ).text
          : '';
      },
      canBe: (text) => !mayBeAccount(text),
      explain: (text, wanted, state, now) => explainDomain(names, text, wanted, state, now),
      ofPolicy: ({domains}) => domains.get(key)?.wanted,
      ofList(list) {
        if (list.kind !== 'domains') return undefined;
        // One by one: there may be very many.
        const side = new Map<string, undefined>();
        for (const {domain, facts} of list.entries) if (facts.severity !== 'noop') side.set(domain, undefined);
        return side;
      },
    }),
    ofDomains: {rules: rulesIn, seesFollows},
  };
}
