/** Merges rules and lists into what a policy wants of domains. */
import {basename} from 'node:path';
import {countNoun} from '../../json/text.js';
import type {ListJson} from '../model/documents.js';
import {parentsOf} from '../../operations/domains.js';
import type {DomainList, ListedDomain, UsedList} from './list.js';
import type {WritableDomain} from './write-list.js';
import {compareText, locationText} from '../source/location.js';
import {
  blocked,
  type DomainFacts,
  isAtLeast,
  mergedSeverity,
  mergeFacts,
  type MergePlan,
  defaultMerge,
  optionalFields,
  severities,
  type Severity,
} from '../model/domain-facts.js';
import type {DomainRules, ListReference, OwnDomain} from '../model/policy.js';
import type {Desired, Hold, Want, Why} from '../sections/policy-kind.js';

export interface Mention {
  readonly used: UsedList;
  readonly entry: ListedDomain;
  /** Only the facts that the policy takes from the list. */
  readonly facts: DomainFacts;
}

/** The mentions of each domain in the order of the policy. */
type Mentions = ReadonlyMap<string, readonly Mention[]>;

/** Whether an entry is severe enough to count. With max_severity: noop nothing of the list is blocked. */
function isSevereEnough({facts}: ListedDomain, {maxSeverity, minSeverity}: ListReference): boolean {
  return maxSeverity !== 'noop' && isAtLeast(facts.severity, minSeverity);
}

export const mentionCounts = ({entry, used: {reference}}: Mention): boolean => isSevereEnough(entry, reference);

/** `list.csv:3` */
export const placeOf = ({entry: {line}, used: {list}}: Mention): string => locationText({file: list.name, line});

/** Returns a function that reduces facts of a list to those that the policy takes. Shared objects stay shared. */
function takenFrom({fields, maxSeverity = 'suspend'}: ListReference): (facts: DomainFacts) => DomainFacts {
  const left = optionalFields.filter((name) => fields !== undefined && !fields.includes(name));
  const known = new WeakMap<DomainFacts, DomainFacts>();
  return (facts) => {
    if (isAtLeast(maxSeverity, facts.severity) && left.every((name) => facts[name] === undefined)) return facts;
    const severity = isAtLeast(maxSeverity, facts.severity) ? facts.severity : maxSeverity;
    const taken = known.get(facts) ?? {...facts, ...Object.fromEntries(left.map((name) => [name, undefined])), severity};
    known.set(facts, taken);
    return taken;
  };
}

function mentionsIn(lists: readonly UsedList[]): Mentions {
  const all = new Map<string, Mention[]>();
  for (const used of lists) {
    const takeFacts = takenFrom(used.reference);
    for (const entry of used.list.entries) {
      const mention = {used, entry, facts: takeFacts(entry.facts)};
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
  const {name, format, entries, obfuscated, mistakes} = list;
  return {
    list: name,
    format,
    entries: entries.length,
    obfuscated,
    below_min_severity: reference === undefined ? 0 : entries.filter((entry) => !isSevereEnough(entry, reference)).length,
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
  /** @param must the entry of the policy itself @param counting the list entries that are severe enough, in the order of the policy */
  constructor(
    readonly domain: string,
    readonly rules: DomainRules,
    readonly must: OwnDomain | undefined,
    readonly counting: readonly Mention[],
  ) {}

  get value(): true {
    return true;
  }

  get why(): this {
    return this;
  }

  get isOwn(): boolean {
    return this.must !== undefined;
  }

  /** `domain_blocks.must` or `domain_blocks.lists`. */
  get rule(): string {
    return `${this.rules.of.key}.${this.isOwn ? 'must' : 'lists'}`;
  }

  get where(): string {
    const [first] = this.#listed;
    return this.must?.where ?? (first === undefined ? '' : placeOf(first));
  }

  get lists(): readonly string[] | undefined {
    const {must, counting} = this;
    if (Number(this.isOwn) + counting.length < 2) return undefined;
    return [...(must === undefined ? [] : [must.where]), ...this.#listed.map(placeOf)];
  }

  /** The entries in the order of files and lines. */
  get #listed(): readonly Mention[] {
    const {counting} = this;
    if (counting.length < 2) return counting;
    return counting.toSorted(
      ({used: one, entry}, {used: two, entry: other}) => compareText(one.list.name, two.list.name) || entry.line - other.line,
    );
  }

  /** The merged facts of its rule and of the lists that count; undefined if they have only its name. */
  get facts(): DomainFacts | undefined {
    return mergedFacts(this.must, this.counting, this.rules.merge);
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
    const {privateComment, from} = this.counting.find(({used}) => used.reference.privateComment !== undefined)?.used.reference ?? {};
    return from && privateComment?.replaceAll('{list}', () => (from.isRemote ? new URL(from.name).host : basename(from.name)));
  }
}

export interface Forbidden {
  readonly where: string;
  /** Whether only a list says so: then a block that a person made stays. */
  readonly isListed: boolean;
}

/** What policies want of domains. Accounts with the same rules share it, so that it is worked out once. */
export interface WantedDomains {
  readonly rules: DomainRules;
  readonly desired: Desired;
  /** The domains of `desired`: those of the policy itself first, then those on the most lists, then the most severe. */
  readonly wanted: ReadonlyMap<string, WantedDomain>;
  /** Domains that are never blocked, with the rule or the list entry that says so. */
  readonly mustNot: ReadonlyMap<string, Forbidden>;
  /** How many lists must name a domain before it is blocked. */
  readonly needed: number;
  readonly mentions: Mentions;
  /** The lists of `must_not`. */
  readonly allowLists: readonly UsedList[];
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
  const [blockLists, allowLists] = [lists.filter(({reference}) => !reference.spares), lists.filter(({reference}) => reference.spares)];
  const mentions = other?.mentions ?? mentionsIn(blockLists);
  const needed = neededLists(rules.agree, new Set(blockLists.map(({list}) => list.name)).size);
  const known = JSON.stringify(other?.rules.merge) === JSON.stringify(rules.merge) ? other?.wanted : undefined;
  const must = new Map(rules.must.map((own) => [own.value, own]));
  const why = (rule: string, where: string): Why => ({rule: `${rules.of.key}.${rule}`, where});
  const spared = new Map<string, Hold>();
  const holdBack = (where: string, says: string, how?: Hold['how']): Hold => ({
    says: says.replace('LIST', where.replace(/:\d+$/, '')),
    why: why('must_not', where),
    how,
  });
  const mustNot = new Map<string, Forbidden>(rules.mustNot.map(({value, where}) => [value, {where, isListed: false}]));
  for (const {list} of allowLists)
    for (const {domain, line} of list.entries) {
      if (must.has(domain) || mustNot.has(domain)) continue;
      const where = locationText({file: list.name, line});
      mustNot.set(domain, {where, isListed: true});
      spared.set(domain, holdBack(where, isSpared, 'kept'));
    }
  const ranked: {readonly want: WantedDomain; readonly rank: number}[] = [];
  for (const domain of [...new Set([...must.keys(), ...mentions.keys()])].sort()) {
    const own = must.get(domain);
    const counting = countingIn(mentions.get(domain) ?? []);
    const agreement = countLists(counting);
    if (own === undefined && (agreement === 0 || agreement < needed || severityOf(own, counting, rules.merge) === 'noop')) continue;
    const forbidden = own !== undefined || mustNot.size === 0 ? undefined : [domain, ...parentsOf(domain)].find((one) => mustNot.has(one));
    if (forbidden !== undefined) {
      const how =
        forbidden === domain ? 'but must_not forbids blocking it' : `but it is below ${forbidden}, and must_not forbids blocking that`;
      spared.set(domain, holdBack(mustNot.get(forbidden)?.where ?? '', `lists name it, ${how} (LIST)`));
      continue;
    }
    const same = own === undefined ? known?.get(domain) : undefined;
    const want = same?.isOwn === false ? same : new WantedDomain(domain, rules, own, counting);
    const severity = severities.indexOf(severityOf(own, counting, rules.merge));
    ranked.push({want, rank: own === undefined ? agreement * severities.length + severity : Number.MAX_SAFE_INTEGER});
  }
  ranked.sort((one, other) => other.rank - one.rank);
  const wanted = new Map(ranked.map(({want}) => [want.domain, want]));
  const never = new Map(rules.mustNot.map(({value, where}) => [value, why('must_not', where)]));
  return {
    rules,
    desired: {
      want: wanted,
      never,
      spared,
      only: rules.only === undefined ? undefined : why('only', rules.only),
      limit: rules.limit && {most: rules.limit.value, why: why('limit', rules.limit.where)},
      rules,
    },
    wanted,
    mustNot,
    needed,
    mentions,
    allowLists,
    summaries: [
      ...blockLists.map(({reference, list}) => summaryOf(list, reference)).sort((one, two) => compareText(one.list, two.list)),
      ...allowLists.map(({reference, list}) => summaryOf(list, reference)),
    ],
    factsOf(domain) {
      const own = must.get(domain);
      const counting = mustNot.has(domain) ? [] : countingIn(mentions.get(domain) ?? []);
      const isEnough = own !== undefined || (counting.length > 0 && countLists(counting) >= needed);
      return isEnough ? mergedFacts(own, counting, rules.merge) : undefined;
    },
  };
}

const countingIn = (mentions: readonly Mention[]): readonly Mention[] =>
  mentions.every(mentionCounts) ? mentions : mentions.filter(mentionCounts);

/** How many lists name a domain: one that names it twice counts once. */
export const countLists = (mentions: readonly Mention[]): number =>
  mentions.length < 2 ? mentions.length : new Set(mentions.map(({used}) => used.list.name)).size;

/** A rule of the policy itself decides the severity; lists only add to what it says. @param counting at least one, if there is no rule */
function severityOf(own: OwnDomain | undefined, counting: readonly Mention[], plan: MergePlan): Severity {
  if (own !== undefined) return (own.facts ?? blocked).severity;
  const [first] = counting;
  if (first !== undefined && counting.length === 1) return first.facts.severity;
  return mergedSeverity(
    counting.map(({facts}) => facts.severity),
    plan,
  );
}

function mergedFacts(own: OwnDomain | undefined, counting: readonly Mention[], plan: MergePlan): DomainFacts | undefined {
  if (own === undefined && counting.length === 1) return counting[0]?.facts;
  if (own !== undefined && own.facts === undefined && counting.length === 0) return undefined;
  const said = [...(own === undefined ? [] : [own.facts ?? blocked]), ...counting.map(({facts}) => facts)];
  const merged = mergeFacts(said, plan);
  const severity = severityOf(own, counting, plan);
  return merged.severity === severity ? merged : {...merged, severity};
}

/** Merges lists as a policy without further rules does, but with domains of every severity. */
export function mergedEntries(lists: readonly DomainList[]): WritableDomain[] {
  const used = lists.map((list): UsedList => {
    const location = {file: list.name, line: 1};
    return {reference: {location, from: {name: list.name, isRemote: false}, minSeverity: 'noop', mayBeEmpty: false}, list};
  });
  return sortEntries(
    Array.from(mentionsIn(used), ([domain, all]) => ({domain, facts: mergedFacts(undefined, all, defaultMerge) ?? blocked})),
  );
}

const sortEntries = (entries: WritableDomain[]): WritableDomain[] => entries.sort((one, other) => compareText(one.domain, other.domain));

/** The domains that a policy wants blocked, to be written into a list. */
export const entriesOf = ({wanted}: WantedDomains): WritableDomain[] =>
  sortEntries(Array.from(wanted.values(), ({domain, facts = blocked, until}) => ({domain, facts, until})));
