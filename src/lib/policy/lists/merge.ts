/** Merges rules and lists into what a policy wants of domains. */
import {basename} from 'node:path';
import {countNoun} from '../../json/text.js';
import {parentsOf} from '../../operations/domains.js';
import {remember} from '../model/canonical.js';
import type {ListJson} from '../model/documents.js';
import {
  blocked,
  defaultMerge,
  type DomainFacts,
  isAtLeast,
  mergedSeverity,
  mergeFacts,
  type MergePlan,
  optionalFields,
  severities,
} from '../model/domain-facts.js';
import type {DomainRules, ListReference, OwnDomain} from '../model/policy.js';
import type {Desired, Hold, Want, Why} from '../sections/policy-kind.js';
import {compareText, locationText} from '../source/location.js';
import type {DomainList, ListedDomain, UsedList} from './list.js';
import type {WritableDomain} from './write-list.js';

export interface Mention {
  readonly used: UsedList;
  readonly line: number;
  /** Only the facts that the policy takes from the list. */
  readonly facts: DomainFacts;
  /** Whether it asks for a block. */
  readonly counts: boolean;
}

/** The mentions of each domain in the order of the policy, those of lists of `must_not` too. */
type Mentions = ReadonlyMap<string, readonly Mention[]>;

/** Whether an entry counts. With max_severity: noop nothing of the list is blocked. */
const isSevere = ({facts}: ListedDomain, {maxSeverity, minSeverity}: ListReference): boolean =>
  maxSeverity !== 'noop' && isAtLeast(facts.severity, minSeverity);

/** `list.csv:3` */
export const placeOf = ({line, used: {list}}: Mention): string => locationText({file: list.name, line});

/** Returns a function that reduces facts of a list to those that the policy takes. Shared objects stay shared. */
const takenFrom = ({fields = optionalFields, maxSeverity = 'suspend'}: ListReference) =>
  remember((facts: DomainFacts): DomainFacts => {
    const left = optionalFields.filter((name) => facts[name] !== undefined && !fields.includes(name));
    const severity = isAtLeast(maxSeverity, facts.severity) ? facts.severity : maxSeverity;
    if (left.length === 0 && severity === facts.severity) return facts;
    return {...facts, ...Object.fromEntries(left.map((name) => [name, undefined])), severity};
  });

function mentionsIn(lists: readonly UsedList[]): Mentions {
  const all = new Map<string, Mention[]>();
  for (const used of lists) {
    const takeFacts = takenFrom(used.reference);
    for (const entry of used.list.entries) {
      const counts = used.reference.spares === undefined && isSevere(entry, used.reference);
      const mention = {used, line: entry.line, facts: takeFacts(entry.facts), counts};
      const known = all.get(entry.domain);
      if (known === undefined) all.set(entry.domain, [mention]);
      else known.push(mention);
    }
  }
  return all;
}

/** How many of all lists must name a domain. A share such as `50%` is rounded up. */
export const neededLists = (agree: number | string = 1, total: number): number =>
  typeof agree === 'number' ? agree : Math.max(1, Math.ceil((Number.parseInt(agree, 10) * total) / 100));

export function summaryOf(list: DomainList, reference?: ListReference): ListJson {
  const {name, entries, obfuscated, mistakes} = list;
  return {
    list: name,
    entries: entries.length,
    obfuscated,
    below_min_severity: reference === undefined ? 0 : entries.filter((entry) => !isSevere(entry, reference)).length,
    invalid: mistakes.count,
    skipped: mistakes.first.map(({file, line, message}) => ({source: locationText({file, line}), why: message})),
    ...(reference?.spares && {allows: true}),
  };
}

/** How many invalid rows of a list are shown to people. */
const maxLines = 5;

/** Says which entries of a list are left out, and names the first invalid rows with their places. */
export function leftOutTexts({list, obfuscated, below_min_severity: tooMild, skipped, invalid}: ListJson): string[] {
  const counts: readonly (readonly [number, string, string])[] = [
    [invalid, 'invalid entry', 'invalid entries'],
    [obfuscated, 'obfuscated entry', 'obfuscated entries'],
    [tooMild, 'entry below min_severity', 'entries below min_severity'],
  ];
  const parts = counts.flatMap(([count, one, several]) => (count > 0 ? countNoun(count, one, several) : []));
  return [
    ...(parts.length > 0 ? [`${list}: skipped ${parts.join(', ')}`] : []),
    ...skipped.slice(0, maxLines).map(({source, why}) => `${source}: ${why}`),
  ];
}

/** A domain that a policy wants blocked, and why. What is rarely needed is worked out on demand, because there may be very many. */
export class WantedDomain implements Want, Why {
  readonly value = true;

  /** @param must the entry of the policy itself @param counting the list entries that are severe enough, in the order of the policy */
  constructor(
    readonly domain: string,
    readonly rules: DomainRules,
    readonly must: OwnDomain | undefined,
    readonly counting: readonly Mention[],
  ) {}

  get why(): this {
    return this;
  }

  /** `domain_blocks.must` or `domain_blocks.lists`. */
  get rule(): string {
    return `${this.rules.key}.${this.must === undefined ? 'lists' : 'must'}`;
  }

  get where(): string {
    const [first] = this.counting;
    return this.lists?.[0] ?? this.must?.where ?? (first === undefined ? '' : placeOf(first));
  }

  /** The entry of the policy, then those of lists in the order of files and lines; undefined: there is one. */
  get lists(): readonly string[] | undefined {
    if (this.counting.length <= (this.must === undefined ? 1 : 0)) return undefined;
    const listed = this.counting.toSorted((one, other) => compareText(one.used.list.name, other.used.list.name) || one.line - other.line);
    // A policy may name a list twice.
    const places = new Set([...(this.must === undefined ? [] : [this.must.where]), ...listed.map(placeOf)]);
    return places.size === 1 ? undefined : [...places];
  }

  /** The merged facts of its rule and of the lists that count; undefined if they have only its name. */
  get facts(): DomainFacts | undefined {
    return factsIn(this.must, this.counting, this.rules.merge);
  }

  get own(): DomainFacts | undefined {
    return this.must?.facts;
  }

  /** The last day on which it is wanted, if it has one. A domain that lists name as well has none. */
  get until(): string | undefined {
    return this.counting.length === 0 ? this.must?.until : undefined;
  }

  /** The comment for a block that has no other one. `{date}` in it is not replaced yet. */
  get listComment(): string | undefined {
    const {reference} = this.counting.find(({used}) => used.reference.privateComment !== undefined)?.used ?? {};
    return reference?.privateComment?.replaceAll('{list}', () =>
      reference.isRemote ? new URL(reference.name).host : basename(reference.name),
    );
  }
}

/** What policies want of domains. Accounts with the same rules share it, so that it is worked out once. */
export interface WantedDomains {
  readonly rules: DomainRules;
  readonly desired: Desired;
  /** The domains of `desired`: those of the policy itself first, then those on the most lists, then the most severe. */
  readonly wanted: ReadonlyMap<string, WantedDomain>;
  /** Domains that are never blocked, with the place of the rule or the list entry that says so. */
  readonly mustNot: ReadonlyMap<string, string>;
  /** How many lists must name a domain before it is blocked. */
  readonly needed: number;
  readonly mentions: Mentions;
  readonly summaries: readonly ListJson[];
  /** The facts of a domain that is wanted, or that enough lists name with the merged severity noop; undefined if there is only its name. */
  readonly factsOf: (domain: string) => DomainFacts | undefined;
}

const isSpared =
  'a list of must_not names it (LIST), and no apply of this policy made the block: to unblock it, name it in must_not itself';

/**
 * @param lists also those of `must_not`
 * @param other a merge of the same block lists under other rules: equal parts are shared with it, because both are in memory
 */
export function mergeLists(rules: DomainRules, lists: readonly UsedList[], other?: WantedDomains): WantedDomains {
  const mentions = other?.mentions ?? mentionsIn(lists);
  const blockLists = lists.filter(({reference}) => !reference.spares);
  const needed = neededLists(rules.agree, new Set(blockLists.map(({list}) => list.name)).size);
  const shared = JSON.stringify(other?.rules.merge) === JSON.stringify(rules.merge) ? other?.wanted : undefined;
  const must = new Map(rules.must.map((own) => [own.value, own]));
  const why = (rule: string, where: string): Why => ({rule: `${rules.key}.${rule}`, where});
  const mustNot = new Map(rules.mustNot.map(({value, where}) => [value, where]));
  const spared = new Map<string, Hold>();
  const holdBack = (domain: string, where: string, says: string, how?: Hold['how']) =>
    spared.set(domain, {says: says.replace('LIST', where.replace(/:\d+$/, '')), why: why('must_not', where), how});
  if (blockLists.length < lists.length)
    for (const [domain, all] of mentions) {
      const sparing = all.find(({used}) => used.reference.spares);
      if (sparing === undefined || must.has(domain) || mustNot.has(domain)) continue;
      mustNot.set(domain, placeOf(sparing));
      holdBack(domain, placeOf(sparing), isSpared, 'kept');
    }
  const ranked = new Map<number, WantedDomain[]>();
  const add = (domain: string, rank: number, counting: readonly Mention[], own?: OwnDomain) => {
    const same = own === undefined ? shared?.get(domain) : undefined;
    const want = same?.must === undefined && same ? same : new WantedDomain(domain, rules, own, counting);
    const equal = ranked.get(rank);
    if (equal === undefined) ranked.set(rank, [want]);
    else equal.push(want);
  };
  const unlisted = [...must.keys()].filter((domain) => !mentions.has(domain));
  for (const domain of [...mentions.keys(), ...unlisted].sort()) {
    const counting = countingIn(mentions.get(domain));
    const own = must.get(domain);
    if (own !== undefined) {
      add(domain, Number.MAX_SAFE_INTEGER, counting, own);
      continue;
    }
    const agreement = countLists(counting);
    if (agreement === 0 || agreement < needed) continue;
    const severity = mergedSeverity(factsOfAll(counting), rules.merge);
    if (severity === 'noop') continue;
    const forbidden = mustNot.size === 0 ? undefined : [domain, ...parentsOf(domain)].find((one) => mustNot.has(one));
    if (forbidden === undefined) {
      add(domain, agreement * severities.length + severities.indexOf(severity), counting);
      continue;
    }
    const isBelow = forbidden !== domain;
    const how = isBelow ? `it is below ${forbidden}, and must_not forbids blocking that` : 'must_not forbids blocking it';
    holdBack(domain, mustNot.get(forbidden) ?? '', `lists name it, but ${how} (LIST)`);
  }
  const wanted = new Map<string, WantedDomain>();
  for (const [, equal] of [...ranked].sort(([one], [two]) => two - one)) for (const want of equal) wanted.set(want.domain, want);
  return {
    rules,
    desired: {
      want: wanted,
      never: new Map(rules.mustNot.map(({value, where}) => [value, why('must_not', where)])),
      spared,
      only: rules.only === undefined ? undefined : why('only', rules.only),
      limit: rules.limit && {most: rules.limit.value, why: why('limit', rules.limit.where)},
      rules,
    },
    wanted,
    mustNot,
    needed,
    mentions,
    summaries: lists
      .map(({reference, list}) => summaryOf(list, reference))
      .sort((one, two) => Number(one.allows ?? false) - Number(two.allows ?? false) || compareText(one.list, two.list)),
    factsOf(domain) {
      const [own, counting] = [must.get(domain), mustNot.has(domain) ? [] : countingIn(mentions.get(domain))];
      return own !== undefined || countLists(counting) >= needed ? factsIn(own, counting, rules.merge) : undefined;
    },
  };
}

const countingIn = (mentions: readonly Mention[] = []): readonly Mention[] =>
  mentions.every(({counts}) => counts) ? mentions : mentions.filter(({counts}) => counts);

/** How many lists name a domain: one that names it twice counts once. */
export const countLists = (mentions: readonly Mention[]): number =>
  mentions.length < 2 ? mentions.length : new Set(mentions.map(({used}) => used.list.name)).size;

const factsOfAll = (mentions: readonly Mention[]): DomainFacts[] => mentions.map(({facts}) => facts);

/** A rule of the policy itself decides the severity; lists only add to what it says. Undefined: only the name is known. */
function factsIn(own: OwnDomain | undefined, counting: readonly Mention[], plan: MergePlan): DomainFacts | undefined {
  if (counting.length === 0) return own?.facts;
  if (own === undefined) return mergeFacts(factsOfAll(counting), plan);
  const {facts = blocked} = own;
  return {...mergeFacts([facts, ...factsOfAll(counting)], plan), severity: facts.severity};
}

/** Merges lists as a policy without further rules does, but with domains of every severity. */
export function mergedEntries(lists: readonly DomainList[]): WritableDomain[] {
  const used = lists.map((list): UsedList => ({
    reference: {name: list.name, isRemote: false, where: list.name, minSeverity: 'noop', mayBeEmpty: false},
    list,
  }));
  return sortEntries(Array.from(mentionsIn(used), ([domain, all]) => ({domain, facts: mergeFacts(factsOfAll(all), defaultMerge)})));
}

const sortEntries = (entries: WritableDomain[]): WritableDomain[] => entries.sort((one, other) => compareText(one.domain, other.domain));

/** The domains that a policy wants blocked, to be written into a list. */
export const entriesOf = ({wanted}: WantedDomains): WritableDomain[] =>
  sortEntries(Array.from(wanted.values(), ({domain, facts = blocked, until}) => ({domain, facts, until})));
