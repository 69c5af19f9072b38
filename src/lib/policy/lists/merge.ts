/** Merges rules and lists into the domains that a policy wants blocked. */
import {andMore, countNoun} from '../../json/text.js';
import type {ListJson} from '../model/documents.js';
import {parentsOf} from '../../operations/domains.js';
import type {DomainList, ListedDomain, UsedList} from './list.js';
import type {WritableDomain} from './write-list.js';
import {compareLocations, compareText, type Location, locationText} from '../source/location.js';
import {
  blocked,
  type DomainFacts,
  isAtLeast,
  mergedSeverity,
  mergeFacts,
  type MergePlan,
  defaultMerge,
  optionalFields,
  type Severity,
} from '../model/domain-facts.js';
import type {DomainRules, ListReference, OwnDomain} from '../model/policy.js';
import {shortListName} from '../source/list-origin.js';
import type {Mistake} from '../source/mistakes.js';

/** Returns a function that reduces facts of a list to those that the policy takes. Shared objects stay shared. */
function takenFrom({fields, maxSeverity}: ListReference): (facts: DomainFacts) => DomainFacts {
  if (fields === undefined && maxSeverity === undefined) return (facts) => facts;
  const left = optionalFields.filter((name) => fields !== undefined && !fields.includes(name));
  const known = new WeakMap<DomainFacts, DomainFacts>();
  return (facts) => {
    const severity = maxSeverity === undefined || isAtLeast(maxSeverity, facts.severity) ? facts.severity : maxSeverity;
    const taken = known.get(facts) ?? {...facts, ...Object.fromEntries(left.map((name) => [name, undefined])), severity};
    known.set(facts, taken);
    return taken;
  };
}

/** Whether an entry is severe enough to count. With max_severity: noop nothing of the list is blocked. */
function isSevereEnough({facts}: ListedDomain, {maxSeverity, minSeverity}: ListReference): boolean {
  return maxSeverity !== 'noop' && isAtLeast(facts.severity, minSeverity);
}

/** One entry of one list about a domain. Lists have very many: what is rarely needed is worked out on demand. */
class Mention {
  readonly #used: UsedList;
  readonly #entry: ListedDomain;
  readonly #takeFacts: (facts: DomainFacts) => DomainFacts;

  constructor(used: UsedList, entry: ListedDomain, takeFacts: (facts: DomainFacts) => DomainFacts) {
    this.#used = used;
    this.#entry = entry;
    this.#takeFacts = takeFacts;
  }

  /** The name of the list. */
  get by(): string {
    return this.#used.list.name;
  }

  get location(): Location {
    return {file: this.by, line: this.#entry.line};
  }

  /** Only the facts that the policy takes from the list. */
  get facts(): DomainFacts {
    return this.#takeFacts(this.#entry.facts);
  }

  get counts(): boolean {
    return isSevereEnough(this.#entry, this.#used.reference);
  }

  /** The comment for a block that has no other one. `{date}` in it is not replaced yet. */
  get comment(): string | undefined {
    const {privateComment, from} = this.#used.reference;
    return privateComment?.replaceAll('{list}', () => shortListName(from));
  }
}

/** Keys are domains, sorted. The mentions of a domain are in the order of the policy. */
type Mentions = ReadonlyMap<string, readonly Mention[]>;

function mentionsIn(lists: readonly UsedList[]): Mentions {
  const all = new Map<string, Mention[]>();
  for (const used of lists) {
    const takeFacts = takenFrom(used.reference);
    for (const entry of used.list.entries) {
      const mention = new Mention(used, entry, takeFacts);
      const known = all.get(entry.domain);
      if (known === undefined) all.set(entry.domain, [mention]);
      else known.push(mention);
    }
  }
  return new Map([...all].sort(([one], [other]) => compareText(one, other)));
}

/** How many lists there are: one that is named twice counts once. */
export const countLists = (names: readonly string[]): number => (names.length < 2 ? names.length : new Set(names).size);

/** How many of all lists must name a domain. A share such as `50%` is rounded up. */
export const neededLists = (agree: number | string = 1, total: number): number =>
  typeof agree === 'number' ? agree : Math.max(1, Math.ceil((Number.parseInt(agree, 10) * total) / 100));

/** Why no domain can be in as many lists as `agree` asks for; undefined if one can, or if there are no lists. */
export function unreachable(agree: number | string, total: number): string | undefined {
  if (typeof agree === 'string' || total === 0 || agree <= total) return undefined;
  return `agree is ${agree}, but there ${total === 1 ? 'is' : 'are'} ${countNoun(total, 'list')}: nothing would be blocked`;
}

/** The mistake of a section that has `agree`, but no lists for any account. @param rules those of the section for each account */
export function uselessAgree(rules: readonly DomainRules[]): Mistake[] {
  const agree = rules.map((one) => one.agree).find((one) => one !== undefined);
  if (agree === undefined || typeof agree.value === 'string' || agree.value === 1) return [];
  if (rules.some(({lists}) => lists.length > 0)) return [];
  return [{...agree.location, message: `agree is ${agree.value}, but there are no lists`}];
}

export function summaryOf(list: DomainList, reference?: ListReference): ListJson {
  const {name, format, entries, obfuscated, mistakes} = list;
  return {
    list: name,
    format,
    entries: entries.length,
    obfuscated,
    below_min_severity: reference === undefined ? 0 : entries.filter((entry) => !isSevereEnough(entry, reference)).length,
    invalid: mistakes.rows,
    skipped: mistakes.first.map(({file, line, message}) => ({source: locationText({file, line}), why: message})),
    ...(reference?.spares && {allows: true}),
  };
}

/** How many invalid rows of a list are shown to people. */
const maxLines = 5;

/** Says which entries of a list are left out, and names the first invalid rows with their places. */
export function leftOutTexts({list, obfuscated, below_min_severity: tooMild, skipped, invalid}: ListJson): string[] {
  const parts = [
    ...(invalid > 0 ? [countNoun(invalid, 'invalid entry', 'invalid entries')] : []),
    ...(obfuscated > 0 ? [countNoun(obfuscated, 'obfuscated entry', 'obfuscated entries')] : []),
    ...(tooMild > 0 ? [`${countNoun(tooMild, 'entry', 'entries')} below min_severity`] : []),
  ];
  const rest = invalid - maxLines;
  const listed = invalid > skipped.length ? `the first ${skipped.length}` : 'all of them';
  return [
    ...(parts.length > 0 ? [`${list}: skipped ${parts.join(', ')}`] : []),
    ...skipped.slice(0, maxLines).map(({source, why}) => `${source}: ${why}`),
    ...(rest > 0 ? [`${list}: ${andMore(rest)} that are invalid; --json lists ${listed}`] : []),
  ];
}

/** A domain that a policy wants blocked, and why. What is rarely needed is worked out on demand. */
export class WantedDomain {
  readonly domain: string;
  /** How many lists name it severely enough. A plan is sorted by this and by severity. */
  readonly agreement: number;
  readonly severity: Severity;
  readonly #rules: DomainRules;
  readonly #must: OwnDomain | undefined;
  readonly #counting: readonly Mention[];
  #places: readonly string[] | undefined;

  /** @param must the entry of the policy itself @param counting the list entries that are severe enough */
  constructor(domain: string, rules: DomainRules, must: OwnDomain | undefined, counting: readonly Mention[]) {
    this.domain = domain;
    this.#rules = rules;
    this.#must = must;
    this.#counting = counting;
    this.agreement = countAgreeing(counting);
    this.severity = severityOf(must, counting, rules.merge);
  }

  get value(): true {
    return true;
  }

  get why(): this {
    return this;
  }

  /** Whether the policy itself names it. */
  get isOwn(): boolean {
    return this.#must !== undefined;
  }

  /** `domain_blocks.must` or `domain_blocks.lists`. */
  get rule(): string {
    return `${this.#rules.of.key}.${this.isOwn ? 'must' : 'lists'}`;
  }

  get where(): string {
    return this.#known[0] ?? '';
  }

  get lists(): readonly string[] | undefined {
    return this.#known.length > 1 ? this.#known : undefined;
  }

  /** Worked out once, because each account asks for it. */
  get #known(): readonly string[] {
    return (this.#places ??= this.sources.map(locationText));
  }

  /** The places that ask for it: first the policy, then list entries in the order of files and lines. */
  get sources(): readonly Location[] {
    const listed = this.#counting.map(({location}) => location).sort(compareLocations);
    return this.#must === undefined ? listed : [this.#must.location, ...listed];
  }

  /** The merged facts of its rule and of the lists that count; undefined if they have only its name. */
  get facts(): DomainFacts | undefined {
    return factsOf(this.#must, this.#counting, this.#rules.merge);
  }

  get own(): DomainFacts | undefined {
    return this.#must?.facts;
  }

  /** The last day on which it is wanted, if it has one. A domain that lists name as well has none. */
  get until(): string | undefined {
    return this.#counting.length === 0 ? this.#must?.until : undefined;
  }

  get listComment(): string | undefined {
    return this.#counting.find(({comment}) => comment !== undefined)?.comment;
  }
}

export interface Forbidden {
  readonly location: Location;
  /** Whether only a list says so: then a block that a person made stays. */
  readonly isListed: boolean;
}

export interface WantedDomains {
  readonly rules: DomainRules;
  /** Keys are domains, sorted. */
  readonly wanted: ReadonlyMap<string, WantedDomain>;
  /** Domains that are never blocked, with the rule or the list entry that says so. */
  readonly mustNot: ReadonlyMap<string, Forbidden>;
  /** Entries of lists of `must_not` without effect, because the policy itself says that the domain must be blocked. */
  readonly ineffective: ReadonlyMap<string, Location>;
  /** Domains that lists want blocked although `must_not` names them or a domain above them, sorted. */
  readonly overruled: readonly string[];
  /** How many lists must name a domain before it is blocked. */
  readonly needed: number;
  /** All entries of the block lists. */
  readonly mentions: Mentions;
  readonly summaries: readonly ListJson[];
  /**
   * The facts of a domain that is wanted, or that enough lists name with the merged severity noop; undefined if there is only its name.
   * They are merged when asked for, because merged comments of many domains take much memory.
   */
  readonly factsOf: (domain: string) => DomainFacts | undefined;
}

/**
 * @param lists also those of `must_not`
 * @param other a merge of the same block lists under other rules: equal parts are shared with it, because both are in memory
 */
export function mergeLists(rules: DomainRules, lists: readonly UsedList[], other?: WantedDomains): WantedDomains {
  const [blockLists, allowLists] = [lists.filter(({reference}) => !reference.spares), lists.filter(({reference}) => reference.spares)];
  const mentions = other?.mentions ?? mentionsIn(blockLists);
  const needed = neededLists(rules.agree?.value, countLists(blockLists.map(({list}) => list.name)));
  const must = new Map(rules.must.map((own) => [own.value, own]));
  const {mustNot, ineffective} = mustNotOf(rules, must, allowLists);
  const known = JSON.stringify(other?.rules.merge) === JSON.stringify(rules.merge) ? other?.wanted : undefined;
  const wanted = new Map<string, WantedDomain>();
  const overruled: string[] = [];
  for (const domain of [...new Set([...must.keys(), ...mentions.keys()])].sort(compareText)) {
    const own = must.get(domain);
    const counting = countingIn(mentions.get(domain) ?? []);
    if (own === undefined && !wantBlocked(counting, needed, rules.merge)) continue;
    if (mustNot.has(domain) || (own === undefined && isBelow(domain, mustNot))) {
      overruled.push(domain);
      continue;
    }
    const same = own === undefined ? known?.get(domain) : undefined;
    wanted.set(domain, same?.isOwn === false ? same : new WantedDomain(domain, rules, own, counting));
  }
  return {
    rules,
    wanted,
    mustNot,
    ineffective,
    overruled,
    needed,
    mentions,
    summaries: [
      ...blockLists.map(({reference, list}) => summaryOf(list, reference)).sort((one, two) => compareText(one.list, two.list)),
      ...allowLists.map(({reference, list}) => summaryOf(list, reference)),
    ],
    factsOf(domain) {
      const one = wanted.get(domain);
      if (one !== undefined) return one.facts;
      const counting = mustNot.has(domain) ? [] : countingIn(mentions.get(domain) ?? []);
      return areEnough(counting, needed) ? factsOf(undefined, counting, rules.merge) : undefined;
    },
  };
}

/** What the policy itself says of a domain comes before the entries of lists. */
function mustNotOf(
  rules: DomainRules,
  must: ReadonlyMap<string, unknown>,
  allowLists: readonly UsedList[],
): Pick<WantedDomains, 'ineffective' | 'mustNot'> {
  const ineffective = new Map<string, Location>();
  const mustNot = new Map<string, Forbidden>(rules.mustNot.map(({value, location}) => [value, {location, isListed: false}]));
  for (const {list} of allowLists)
    for (const {domain, line} of list.entries) {
      const location = {file: list.name, line};
      if (!must.has(domain)) mustNot.set(domain, mustNot.get(domain) ?? {location, isListed: true});
      else if (!ineffective.has(domain)) ineffective.set(domain, location);
    }
  return {mustNot, ineffective};
}

function countingIn(mentions: readonly Mention[]): readonly Mention[] {
  return mentions.every(({counts}) => counts) ? mentions : mentions.filter(({counts}) => counts);
}

/** A rule of the policy itself decides the severity; lists only add to what it says. */
function severityOf(own: OwnDomain | undefined, counting: readonly Mention[], plan: MergePlan): Severity {
  if (own !== undefined) return (own.facts ?? blocked).severity;
  const said = counting.map(({facts}) => facts.severity);
  return mergedSeverity(said, plan);
}

function factsOf(own: OwnDomain | undefined, counting: readonly Mention[], plan: MergePlan): DomainFacts | undefined {
  if (own !== undefined && own.facts === undefined && counting.length === 0) return undefined;
  const said = [...(own === undefined ? [] : [own.facts ?? blocked]), ...counting.map(({facts}) => facts)];
  const merged = mergeFacts(said, plan);
  const severity = severityOf(own, counting, plan);
  return merged.severity === severity ? merged : {...merged, severity};
}

/** How many lists name a domain severely enough. */
export function countAgreeing(mentions: readonly Mention[]): number {
  return countLists(countingIn(mentions).map(({by}) => by));
}

const areEnough = (counting: readonly Mention[], needed: number): boolean => counting.length > 0 && countAgreeing(counting) >= needed;

/** Whether lists together want a domain blocked: enough name it, and the merged severity is not noop. */
const wantBlocked = (counting: readonly Mention[], needed: number, plan: MergePlan): boolean =>
  areEnough(counting, needed) && severityOf(undefined, counting, plan) !== 'noop';

const isBelow = (domain: string, all: ReadonlyMap<string, unknown>): boolean =>
  all.size > 0 && parentsOf(domain).some((parent) => all.has(parent));

/** Merges lists as a policy without further rules does, but with domains of every severity. */
export function mergedEntries(lists: readonly DomainList[]): WritableDomain[] {
  const used = lists.map((list): UsedList => {
    const reference = {location: {file: list.name, line: 1}, from: {file: list.name}, minSeverity: 'noop', maxMistakes: 0} as const;
    return {reference: {...reference, mayBeEmpty: false}, list};
  });
  const factsIn = (all: readonly Mention[]) =>
    mergeFacts(
      all.map(({facts}) => facts),
      defaultMerge,
    );
  return Array.from(mentionsIn(used), ([domain, all]) => ({domain, facts: factsIn(all)}));
}

/** The domains that a policy wants blocked, to be written into a list. */
export function entriesOf({wanted}: WantedDomains): WritableDomain[] {
  return Array.from(wanted.values(), ({domain, facts = blocked, until}) => ({domain, facts, ...(until !== undefined && {until})}));
}
