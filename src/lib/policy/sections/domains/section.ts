/** Sections whose items are domains: rules of their own, lists, agreement, protection, severities. */
import {dirname} from 'node:path';
import {type ComparedDomains, compareDomains, endedIn} from './compare.js';
import type {DomainsData} from './schema.js';
import {explainDomain} from './explain.js';
import {readDomains} from './read.js';
import type {SectionReader} from '../../section/reader.js';
import {type Holding, type OfDomains, type Rule, rulesNamed, type Section, type Words} from '../../section/section.js';
import {type SetDefinition, setSection, type SetValues, type ValuedSet, valuedSetSection} from '../../section/set.js';
import {mayBeAccount} from '../../section/accounts.js';
import {isBlockable, isDomain, isFileName} from '../../../operations/domains.js';
import {ranked} from './cap.js';
import {abandoned} from '../../model/difference.js';
import type {DomainFacts} from '../../model/domain-facts.js';
import type {List} from '../../lists/list.js';
import {listName} from '../../source/list-origin.js';
import {isDomainListFormat, writeDomainList} from '../../lists/write-list.js';
import {compareText, locationText} from '../../source/location.js';
import type {DomainRules, ListReference, Policy} from '../../model/policy.js';
import {comparedDomain, type Fetched, fetchedValue, type State} from '../../model/server-state.js';

/** What sets a section of domains apart. */
interface DomainsDefinition<Entry, Value extends DomainFacts | true = true>
  extends
    Pick<
      SetDefinition<Entry, Value>,
      | 'arranged'
      | 'arrangedBack'
      | 'command'
      | 'entryOf'
      | 'fingerprintName'
      | 'input'
      | 'kind'
      | 'limit'
      | 'lost'
      | 'misfit'
      | 'operations'
      | 'owner'
      | 'prepared'
      | 'reaches'
      | 'read'
      | 'reads'
      | 'schema'
      | 'schemas'
      | 'sendsPrivate'
      | 'text'
      | 'warning'
      | 'withoutPrivate'
    >,
    Pick<ComparedDomains<Entry, Value>, 'changeOf' | 'judge' | 'key' | 'part' | 'statusOf' | 'takesTopLevel'>,
    OfDomains {
  readonly words: Omit<Words, 'rules'>;
  readonly values?: SetValues<Entry, Value>;
  withRules(rules: DomainRules): Partial<Policy>;
  withPart(part: Fetched<ReadonlyMap<string, Entry>>): Partial<State>;
  /** What is known of a domain that is blocked, for lists. */
  factsOf(entry: Entry): DomainFacts;
}

const formats = ['mastodon-csv', 'mastodon-admin', 'fediblockhole', 'pixelfed-instances', 'plain'] as const;

/** Entries by the form that domains are compared in, sorted. */
export function byDomain<Entry>(entries: Iterable<readonly [domain: string, Entry]>): ReadonlyMap<string, Entry> {
  const compared = Array.from(entries, ([text, entry]): [string, Entry] => [comparedDomain(text), entry]);
  return new Map(compared.sort(([one], [other]) => compareText(one, other)));
}

/** A section of domains that are blocked or not. */
export function domainsSection<Entry>(own: DomainsDefinition<Entry>): Section {
  return {...setSection(definitionOf(own)), ofDomains: own};
}

/** What sets a section apart whose blocks say more than a domain. */
interface BlocksDefinition<Entry> extends DomainsDefinition<Entry, DomainFacts> {
  readonly operations: ValuedSet<Entry, DomainFacts>['operations'];
  readonly values: SetValues<Entry, DomainFacts>;
}

/** A section of domains whose blocks say more: severities, comments, flags. */
export function blocksSection<Entry>(own: BlocksDefinition<Entry>): Section {
  const {operations, values} = own;
  const section = valuedSetSection({...definitionOf(own), operations, values});
  return {...section, ofDomains: own, holding: {...section.holding, ...bySeverity(own)}};
}

type Sides = Pick<Holding, 'areSame' | 'ofList' | 'ofPolicy' | 'ofState' | 'sideText'>;

/** Where two sides differ in comments or flags, nobody can say which is right. */
function bySeverity<Entry>({key, part, factsOf}: BlocksDefinition<Entry>): Sides {
  return {
    ofState(state) {
      const there = part(state);
      return there && new Map([...fetchedValue(there)].map(([domain, entry]) => [domain, factsOf(entry).severity]));
    },
    ofPolicy({domains}) {
      const wanted = domains.get(key)?.wanted;
      return wanted && new Map([...wanted].map(([domain, {severity}]) => [domain, severity]));
    },
    ofList: (list) => sideOf(list, ({severity}) => severity),
    areSame: (one, other) => one === other,
    sideText: String,
  };
}

/** The domains of a list that are blocked. One by one: there may be very many. */
function sideOf<Value>(list: List, valueOf: (facts: DomainFacts) => Value): ReadonlyMap<string, Value> | undefined {
  if (list.kind !== 'domains') return undefined;
  const side = new Map<string, Value>();
  for (const {domain, facts} of list.entries) if (facts.severity !== 'noop') side.set(domain, valueOf(facts));
  return side;
}

/** How a domain was blocked, as a state file has it. */
function savedFacts(was: DomainFacts | true | undefined): DomainFacts | undefined {
  return was === true ? undefined : was;
}

function definitionOf<Entry, Value extends DomainFacts | true>(own: DomainsDefinition<Entry, Value>): SetDefinition<Entry, Value> {
  const {key, kind, part, rules: rulesIn} = own;
  const of = {key, kind};
  const names: ComparedDomains<Entry, Value> = {...own, done: 'blocked', shown: (domain) => domain};
  return {
    ...own,
    ...names,
    words: {
      ...own.words,
      rules: {
        lists: 'Domains that enough of these lists name must be blocked.',
        must: 'These domains must be blocked.',
        must_not: 'These domains must not be blocked, even if a list names them.',
        only: 'No domain may be blocked unless the policy or a list names it.',
        max_followed_severity: 'Domains of accounts that people of the server follow are not blocked more than this.',
        protect_followed: 'Domains of accounts that follow this one or are followed by it are not blocked.',
      },
    },
    rulesIn: (reader: SectionReader<DomainsData>) => own.withRules(readDomains(of, reader)),
    rulesOf(policy) {
      const rules = rulesIn(policy);
      if (rules === undefined) return [];
      const {must, mustNot, protectFollowed, allowLists = [], maxFollowed, only, lists} = rules;
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
        ...one('protect_followed', protectFollowed?.location),
        ...one('max_followed_severity', maxFollowed?.location),
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
    compare: (wanted, state, circumstances) => compareDomains(names, wanted, state, circumstances),
    change: (action, domain, {stored, was}, why) => own.changeOf(action, {domain, stored, facts: savedFacts(was)}, why),
    ranked: (additions, {wanted: {domains}}) => ranked(additions, domains.get(key)),
    wantedIn: ({domains}) => domains.get(key)?.wanted.keys() ?? [],
    endedIn: ({policy}) => endedIn(rulesIn(policy)),
    whyLeft(domain, {domains}) {
      const allowed = domains.get(key)?.mustNot.get(domain);
      if (allowed === undefined) return undefined;
      const because = `managed by this policy, and ${key}.must_not allows it: ${locationText(allowed.location)}`;
      return {...abandoned, because};
    },
    isWritable: (name) => !isFileName(name) && (own.takesTopLevel === undefined ? isDomain(name) : isBlockable(name)),
    formats,
    list(format, state, now, setting) {
      const stored = part(state);
      const entries = stored === undefined ? [] : [...fetchedValue(stored)];
      const domains = entries.map(([domain, entry]) => ({domain, facts: own.factsOf(entry)}));
      if (!isDomainListFormat(format)) throw new Error(`${format} is no format of domains`);
      domains.sort((one, other) => compareText(one.domain, other.domain));
      return writeDomainList(format, domains, {...setting, now: () => now});
    },
    canBe: (text) => !mayBeAccount(text),
    explain: (text, wanted, state, now) => explainDomain(names, text, wanted, state, now),
    ofPolicy: ({domains}) => domains.get(key)?.wanted,
    ofList: (list) => sideOf(list, () => undefined),
  };
}
