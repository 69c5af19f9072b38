/** What sections whose items are domains share: rules of their own, lists, agreement. */
import type * as z from 'zod/mini';
import {readDomains} from './domains-read.js';
import type {DomainsData} from './domains-schema.js';
import type {Reason, Section, Side} from './section.js';
import {mayBeAccount} from './accounts.js';
import {blockableOf, isFileName, isTopLevel, parentsOf, readDomain} from '../../operations/domains.js';
import {Failure} from '../../client/failure.js';
import {countNoun, firstOf} from '../../json/text.js';
import type {Actual, Desired, Hold, Item, Kind, Row, Want, Why} from '../model/kind.js';
import type {Value} from '../model/value.js';
import {agreementText} from '../lists/agreement.js';
import type {List} from '../lists/list.js';
import {countAgreeing, type WantedDomain, type WantedDomains} from '../lists/merge.js';
import {isDomainListFormat, writeDomainList} from '../lists/write-list.js';
import {type DomainFacts, factsText, severities} from '../model/domain-facts.js';
import type {DomainRules, Rules, SectionKey} from '../model/policy.js';
import {untilText} from '../model/time.js';
import type {SectionReader} from '../section/reader.js';
import {compareText, type Location, locationText} from '../source/location.js';

const formats = ['mastodon-csv', 'mastodon-admin', 'fediblockhole', 'pixelfed-instances', 'plain'] as const;

/** The form that domains are compared in; an invalid domain is kept unchanged. */
function comparedDomain(text: string): string {
  try {
    return blockableOf(text);
  } catch {
    return text;
  }
}

/** Items by the form that domains are compared in, sorted. */
export function byDomain(entries: Iterable<readonly [domain: string, Item]>): ReadonlyMap<string, Item> {
  const compared = Array.from(entries, ([text, item]): [string, Item] => [comparedDomain(text), item]);
  return new Map(compared.sort(([one], [other]) => compareText(one, other)));
}

/** First what the policy names itself, then what most lists agree on, the most severe first. */
function byRank(one: WantedDomain, other: WantedDomain): number {
  if (one.isOwn !== other.isOwn) return one.isOwn ? -1 : 1;
  if (one.isOwn) return compareText(one.domain, other.domain);
  return (
    other.agreement - one.agreement ||
    severities.indexOf(other.severity) - severities.indexOf(one.severity) ||
    compareText(one.domain, other.domain)
  );
}

/** A wanted domain. There may be very many, so what only some are asked for is found when it is asked for. */
class DomainWant implements Want, Why {
  readonly value = true;
  readonly #domain: WantedDomain;
  readonly #domains: WantedDomains;
  readonly #own: DomainFacts | undefined;
  #places: readonly string[] | undefined;

  constructor(domain: WantedDomain, domains: WantedDomains, own: DomainFacts | undefined) {
    this.#domain = domain;
    this.#domains = domains;
    this.#own = own;
  }

  get why(): Why {
    return this;
  }

  get rule(): string {
    return this.#domain.rule;
  }

  get where(): string {
    return this.#known[0] ?? '';
  }

  get lists(): readonly string[] | undefined {
    return this.#known.length > 1 ? this.#known : undefined;
  }

  /** They are asked for by each account. */
  get #known(): readonly string[] {
    return (this.#places ??= this.#domain.sources.map(locationText));
  }

  get facts(): DomainFacts | undefined {
    return this.#domains.factsOf(this.#domain.domain);
  }

  get own(): DomainFacts | undefined {
    return this.#own;
  }

  /** What lists have noted on a block without a comment of its own. */
  get listComment(): string | undefined {
    return this.#domain.counting.find(({comment}) => comment !== undefined)?.comment;
  }
}

export const listCommentOf = (want: Want): string | undefined => (want instanceof DomainWant ? want.listComment : undefined);

/** What a policy wants of domains, which accounts with the same rules share. */
const known = new WeakMap<WantedDomains, Desired>();

function desiredDomains(key: SectionKey, rules: DomainRules, domains: WantedDomains): Desired {
  const earlier = known.get(domains);
  if (earlier !== undefined) return earlier;
  const own = new Map(rules.must.map(({value, facts}) => [value, facts]));
  const ranked = [...domains.wanted.values()].sort(byRank);
  const why = (rule: string, location: Location): Why => ({rule: `${key}.${rule}`, where: locationText(location)});
  const never = new Map<string, Why>();
  const spared = new Map<string, Hold>();
  for (const [domain, {location, isListed}] of domains.mustNot)
    if (isListed) {
      const says = `a list of must_not names it (${location.file}), and no apply of this policy made the block: to unblock it, name it in must_not itself`;
      spared.set(domain, {says, why: why('must_not', location), how: 'kept'});
    } else never.set(domain, why('must_not', location));
  for (const domain of domains.overruled) {
    const [name, location] = findForbidding(domain, domains);
    const says =
      name === domain
        ? `lists name it, but must_not forbids blocking it (${location.file})`
        : `lists name it, but it is below ${name}, and must_not forbids blocking that (${location.file})`;
    spared.set(domain, {says, why: why('must_not', location)});
  }
  for (const [domain, location] of domains.ineffective) {
    const says = `the policy names it in must, so a list of must_not does not hold it back (${location.file})`;
    spared.set(domain, {says, why: why('must_not', location), how: 'void'});
  }
  const desired: Desired = {
    want: new Map(ranked.map((one) => [one.domain, new DomainWant(one, domains, own.get(one.domain))])),
    never,
    spared,
    only: rules.only && why('only', rules.only),
    rules,
    limit: rules.limit && {most: rules.limit.value, why: why('limit', rules.limit.location)},
  };
  known.set(domains, desired);
  return desired;
}

/** The name of `must_not` that forbids a domain: its own, or the nearest above it. */
function findForbidding(domain: string, {mustNot}: WantedDomains): readonly [name: string, location: Location] {
  for (const name of [domain, ...parentsOf(domain)]) {
    const found = mustNot.get(name);
    if (found !== undefined) return [name, found.location];
  }
  throw new Error(`Nothing forbids ${domain}`);
}

/** Domains that a remark names. */
const maxNamed = 5;

/** Leaves out whole top-level domains, where servers cannot block them: those of the policy itself are differences. */
export function withoutTopLevel(kind: Kind, desired: Desired, {items}: Actual, host: string): Desired {
  const top = [...desired.want].filter(([name]) => isTopLevel(name) && !items.has(name));
  if (top.length === 0) return desired;
  const cannot = `${host} cannot block whole top-level domains`;
  const left = new Set(top.map(([name]) => name));
  const [own, listed] = [top.filter(([, {why}]) => why.rule.endsWith('.must')), top.filter(([, {why}]) => !why.rule.endsWith('.must'))];
  const row = (name: string, why: Why, more: Partial<Row>): Row => ({
    kind,
    name,
    action: 'cannot',
    has: null,
    want: null,
    why,
    isAsked: true,
    ...more,
  });
  const [first] = listed;
  const names = listed.map(([name]) => name).sort(compareText);
  const note = `${countNoun(names.length, 'entry', 'entries')} of lists left out, because ${cannot}: ${firstOf(names, maxNamed)}`;
  return {
    ...desired,
    want: new Map([...desired.want].filter(([name]) => !left.has(name))),
    cannot: [
      ...(desired.cannot ?? []),
      ...own.map(([name, {why}]) =>
        row(name, why, {texts: {wanted: 'blocked as a whole', actual: 'not blocked', fix: `drop ${name} from must: ${cannot}`}}),
      ),
      ...(first === undefined ? [] : [row('', first[1].why, {action: 'held', says: note})]),
    ],
  };
}

/** What sets a section of domains apart. */
interface DomainsDefinition extends Pick<Section, 'key' | 'sendsPrivate' | 'sentences'> {
  readonly kind: Kind;
  schema(): z.ZodMiniType;
  withRules(rules: DomainRules): DomainRules;
  /** What is known of a block, for lists and policies. */
  factsOf(value: Value): DomainFacts;
  written(domain: string, value: Value): object | string;
}

export function domainsSection({withRules, factsOf, written, ...own}: DomainsDefinition): Section {
  const {key, kind} = own;
  return {
    ...own,
    hasLists: true,
    sentences: {
      lists: 'Domains that enough of these lists name must be blocked.',
      must: 'These domains must be blocked.',
      must_not: 'These domains must not be blocked, even if a list names them.',
      only: 'No domain may be blocked unless the policy or a list names it.',
      ...own.sentences,
    },
    rulesIn: (reader: SectionReader<DomainsData>): Rules => withRules(readDomains({key, kind: kind.kind}, reader)),
    desired(rules: DomainRules, _, domains) {
      if (domains === undefined) throw new Error(`The lists of ${key} were not read`);
      return desiredDomains(key, rules, domains);
    },
    nameIn(text) {
      const read = readDomain(text, true);
      if ('domain' in read) return read.domain;
      throw new Failure('usage', `"${text.trim()}" is not a domain`);
    },
    canBe: (text) => !mayBeAccount(text) && 'domain' in readDomain(text, true),
    reasons: (domain, rules: DomainRules, _, domains) => reasonsOf(key, domain, rules, domains),
    exported({items}) {
      // A policy names no file as a domain, so that a list that is meant is never blocked by its name.
      const [named, leftOut] = [[...items].filter(([domain]) => !isFileName(domain)), [...items.keys()].filter(isFileName)];
      return {
        value: {must: named.map(([domain, {value}]) => written(domain, value))},
        leftOut: leftOut.map((domain) => `${kind.words.item} ${domain}`),
      };
    },
    formats,
    list(format, {items}, {now, setting}) {
      if (!isDomainListFormat(format)) throw new Error(`${format} is no format of domains`);
      const domains = Array.from(items, ([domain, {value}]) => ({domain, facts: factsOf(value)}));
      return writeDomainList(format, domains, {...setting, now: () => now});
    },
    ofList: (list) => sideOf(list),
    sideText: (value) => (own.sendsPrivate ? factsOf(value).severity : kind.words.done),
  };
}

/** The domains of a list that are blocked. One by one: there may be very many. */
function sideOf(list: List): Side | undefined {
  if (list.kind !== 'domains') return undefined;
  const side = new Map<string, Value>();
  for (const {domain, facts} of list.entries) if (facts.severity !== 'noop') side.set(domain, facts);
  return side;
}

function reasonsOf(key: SectionKey, domain: string, rules: DomainRules, domains: WantedDomains | undefined): Reason[] {
  if (domains === undefined) return [];
  const place = (rule: string, location: Location) => ({rule: `${key}.${rule}`, where: locationText(location)});
  const forbidden = domains.mustNot.get(domain);
  const must = rules.must.find(({value}) => value === domain);
  const {note} = rules.mustNot.find(({value}) => value === domain) ?? {};
  const mentions = domains.mentions.get(domain);
  const wanted = domains.wanted.get(domain);
  const isNoop = wanted === undefined && domains.factsOf(domain)?.severity === 'noop';
  const above = [...domains.wanted.values()].filter((one) => domain.endsWith(`.${one.domain}`));
  return [
    ...(forbidden
      ? [
          {
            ...place('must_not', forbidden.location),
            says: `never blocked, even if a list names it${forbidden.isListed ? '; what a person blocked stays' : ''}${note === undefined ? '' : `: ${note}`}`,
          },
        ]
      : []),
    ...(must
      ? [
          {
            ...place('must', must.location),
            says: `must be blocked${untilText(must.until)}${must.facts ? `: ${factsText(must.facts)}` : ''}`,
            details: must.facts,
          },
        ]
      : []),
    ...mentions.map(({location, facts, counts}) => ({
      ...place('lists', location),
      says: [
        factsText(facts),
        counts ? agreementText(countAgreeing(mentions), domains.needed) : 'less than min_severity',
        ...(counts && isNoop ? ['not blocked: the merged severity is noop'] : []),
      ].join('; '),
      details: facts,
    })),
    ...above.flatMap(({domain: parent, rule, sources}) =>
      sources.slice(0, 1).map((source) => ({rule, where: locationText(source), says: `its parent ${parent} must be blocked`})),
    ),
    ...(rules.only && !wanted && !forbidden ? [{...place('only', rules.only), says: 'nothing else may be blocked'}] : []),
  ];
}
