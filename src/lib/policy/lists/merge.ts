/** Merges rules and lists into the domains that a policy wants blocked. */
import {andMore, countNoun} from '../../json/text.js';
import type {ListJson} from '../model/documents.js';
import {isTopLevel, parentsOf} from '../../operations/domains.js';
import {countLists, neededLists} from './agreement.js';
import {type DomainList, locationIn, type UsedList} from './list.js';
import {isSevereEnough, type Mention, Mentions} from './mentions.js';
import type {WritableDomains} from './write-list.js';
import {compareLocations, compareText, type Location, locationText} from '../source/location.js';
import type {Mistake} from '../source/mistakes.js';
import {
  blocked,
  type DomainFacts,
  type FactsOf,
  mergedSeverity,
  mergeFacts,
  type MergePlan,
  defaultMerge,
  type Severity,
} from '../model/domain-facts.js';
import type {DomainRules, ListReference, OwnDomain} from '../model/policy.js';

export interface WantedDomain {
  readonly domain: string;
  /** `domain_blocks.must`, or that of lists. */
  readonly rule: string;
  /** Whether the policy itself names it. */
  readonly isOwn: boolean;
  /** The rules and list entries that ask for it, in the order of files and lines. */
  readonly sources: readonly Location[];
  /** The places that name a domain, each with what it says. */
  readonly named: readonly (Mention | OwnDomain)[];
  /** What the lists that name it severely enough say. */
  readonly counting: readonly Mention[];
  /** How many lists name it severely enough, and its severity, for the order of a plan. */
  readonly agreement: number;
  readonly severity: Severity;
  /** The last day on which it is wanted, where it has one. */
  readonly until?: string | undefined;
}

/** A summary of a list that was merged in. */
export interface ListSummary {
  readonly list: string;
  readonly format: string;
  readonly entries: number;
  /** Entries that are never applied, because letters of them are masked. */
  readonly obfuscated: number;
  /** Entries that are not severe enough. */
  readonly tooMild: number;
  /** Why they are not, in words. */
  readonly tooMildFor: string;
  /** What is wrong with the first rows that `on_mistake` leaves out, and how many rows those are. */
  readonly skipped: readonly Mistake[];
  readonly skippedRows: number;
  /** Set where what it names is not to be blocked. */
  readonly spares?: true | undefined;
}

/** What is said of entries of a list that are not severe enough. */
function mildnessText({maxSeverity, minSeverity}: Pick<ListReference, 'maxSeverity' | 'minSeverity'>): string {
  if (maxSeverity === 'noop') return 'because of max_severity: noop';
  return minSeverity === 'silence' ? 'with the severity noop' : 'below min_severity';
}

/** @param tooMild how many of its entries are not severe enough, and why */
export function summaryOf(
  list: DomainList,
  {tooMild, tooMildFor}: Pick<ListSummary, 'tooMild' | 'tooMildFor'> = {tooMild: 0, tooMildFor: ''},
): ListSummary {
  return {
    list: list.name,
    format: list.format,
    entries: list.entries.length,
    obfuscated: list.obfuscated.length,
    tooMild,
    tooMildFor,
    skipped: list.mistakes.first,
    skippedRows: list.mistakes.rows,
  };
}

/** Invalid rows of a list that people are told of. */
const maxLines = 5;

/** What of a list is left out, with the first invalid rows and their places. */
export function leftOutTexts({list, obfuscated, tooMild, tooMildFor, skipped, skippedRows}: ListSummary): string[] {
  const parts = [
    ...(skippedRows > 0 ? [countNoun(skippedRows, 'invalid entry', 'invalid entries')] : []),
    ...(obfuscated > 0 ? [countNoun(obfuscated, 'obfuscated entry', 'obfuscated entries')] : []),
    ...(tooMild > 0 ? [`${countNoun(tooMild, 'entry', 'entries')} ${tooMildFor}`] : []),
  ];
  const rest = skippedRows - maxLines;
  const listed = skippedRows > skipped.length ? `the first ${skipped.length}` : 'all of them';
  return [
    ...(parts.length > 0 ? [`${list}: skipped ${parts.join(', ')}`] : []),
    ...skipped.slice(0, maxLines).map(({file, line, message}) => `${locationText({file, line})}: ${message}`),
    ...(rest > 0 ? [`${list}: ${andMore(rest)} that are invalid; --json lists ${listed}`] : []),
  ];
}

/** A summary in JSON, with the first rows that were left out. */
export function listJson({list, format, entries, tooMild, tooMildFor: _, skipped, spares, ...counts}: ListSummary): ListJson {
  const rows = skipped.map(({file, line, message}) => ({source: locationText({file, line}), why: message}));
  return {
    list,
    format,
    entries,
    obfuscated: counts.obfuscated,
    below_min_severity: tooMild,
    invalid: counts.skippedRows,
    skipped: rows,
    ...(spares && {allows: true}),
  };
}

/** Why a domain is never blocked. */
export interface Forbidden {
  readonly location: Location;
  /** Whether only a list says so: the policy itself unblocks what it names. */
  readonly isListed: boolean;
}

export interface WantedDomains {
  readonly rules: DomainRules;
  /** By domain, sorted. */
  readonly wanted: ReadonlyMap<string, WantedDomain>;
  /** Those of `wanted` that are whole top-level domains. */
  readonly topLevel: readonly string[];
  /** Domains that are never blocked, with the rule or the list entry that says so. */
  readonly mustNot: ReadonlyMap<string, Forbidden>;
  /** Entries of lists of `must_not` without effect, because the policy itself says that the domain must be blocked. */
  readonly ineffective: ReadonlyMap<string, Location>;
  /** Those of `mustNot` that the lists want blocked, sorted. */
  readonly overruled: readonly string[];
  readonly only: Location | undefined;
  /** How many lists must name a domain. */
  readonly needed: number;
  /** How many lists there are. */
  readonly total: number;
  readonly merge: MergePlan;
  /** All entries of the lists. */
  readonly mentions: Mentions;
  readonly summaries: readonly ListSummary[];
  /**
   * What its rule and the lists that count say about a domain that is wanted, or that enough lists name and together call noop, merged;
   * undefined: no more than its name.
   * Merged when asked, because merged comments of many domains take much memory.
   */
  readonly factsOf: FactsOf;
}

/**
 * @param lists those of `must_not` as well
 * @param other of the same block lists under other rules: what is the same is shared with it, because both are in memory
 */
export function mergeLists(rules: DomainRules, lists: readonly UsedList[], other?: WantedDomains): WantedDomains {
  const selectLists = (spares: ListReference['spares']) => lists.filter(({reference}) => reference.spares === spares);
  const [blockLists, allowLists] = [selectLists(undefined), selectLists(true)];
  const {mentions, summaries, total} = other ?? mentionsIn(blockLists);
  const {merge} = rules;
  const needed = neededLists(rules.agree?.value, total);
  const must = new Map(rules.must.map((own) => [own.value, own]));
  const {mustNot, ineffective} = mustNotOf(rules, must, allowLists);
  const known = other?.merge.severity === rules.merge.severity ? other.wanted : new Map<string, WantedDomain>();
  const wanted = toWanted({...rules, needed}, must, mentions, mustNot, known);
  return {
    rules,
    wanted,
    topLevel: [...wanted.keys()].filter(isTopLevel),
    mustNot,
    ineffective,
    overruled: findOverruled(mustNot, mentions, {needed, merge}),
    only: rules.only,
    needed,
    total,
    merge,
    mentions,
    summaries: [
      ...summaries.filter(({spares}) => spares === undefined),
      ...allowLists.map(({list}) => ({...summaryOf(list), spares: true as const})),
    ],
    factsOf(domain) {
      const one = wanted.get(domain);
      if (one !== undefined) return factsOf(must.get(domain), one.counting, merge);
      const all = mustNot.has(domain) ? [] : mentions.get(domain);
      return isNamed(all, needed) ? factsOf(undefined, countingIn(all), merge) : undefined;
    },
  };
}

/** What lists want blocked and `must_not` names, or has above it. */
function findOverruled(
  mustNot: ReadonlyMap<string, Forbidden>,
  mentions: Mentions,
  how: Pick<WantedDomains, 'merge' | 'needed'>,
): readonly string[] {
  if (mustNot.size === 0) return [];
  const named: string[] = [];
  for (const [domain, all] of mentions) if ((mustNot.has(domain) || isBelow(domain, mustNot)) && wantsBlocked(all, how)) named.push(domain);
  return named;
}

function mentionsIn(lists: readonly UsedList[]): Pick<WantedDomains, 'mentions' | 'summaries' | 'total'> {
  const summaries = lists.map(({reference, list}): ListSummary => {
    let tooMild = 0;
    for (const entry of list.entries) if (!isSevereEnough(entry, reference)) tooMild += 1;
    return summaryOf(list, {tooMild, tooMildFor: mildnessText(reference)});
  });
  return {
    mentions: new Mentions(lists),
    summaries: summaries.toSorted((one, other) => compareText(one.list, other.list)),
    total: countLists(lists.map(({list}) => list.name)),
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
    for (const entry of list.entries) {
      const {domain} = entry;
      if (must.has(domain)) {
        if (!ineffective.has(domain)) ineffective.set(domain, locationIn(list, entry));
      } else if (!mustNot.has(domain)) {
        mustNot.set(domain, {location: locationIn(list, entry), isListed: true});
      }
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

/** Whether enough lists name a domain. */
function isNamed(mentions: readonly Mention[], needed: number): boolean {
  return mentions.length > 0 && countAgreeing(mentions) >= needed;
}

/** Whether lists together want a domain blocked: enough name it, and what they say of it is not noop when it is merged. */
function wantsBlocked(mentions: readonly Mention[], {needed, merge}: Pick<WantedDomains, 'merge' | 'needed'>): boolean {
  if (!isNamed(mentions, needed)) return false;
  const said = mentions.flatMap(({counts, facts}) => (counts ? facts.severity : []));
  return !said.includes('noop') || mergedSeverity(said, merge) !== 'noop';
}

/** @param own where the policy itself names the domain */
function isOf({isOwn, sources: [first]}: WantedDomain, own: Location | undefined): boolean {
  if (own === undefined || first === undefined) return own === undefined && !isOwn;
  return isOwn && compareLocations(first, own) === 0;
}

/** Lists as they are, merged as a policy without further rules merges them, with every severity. */
export function mergedEntries(lists: readonly DomainList[]): WritableDomains {
  const used = lists.map((list): UsedList => {
    const reference = {location: {file: list.name, line: 1}, from: {file: list.name}, minSeverity: 'noop', maxMistakes: 0} as const;
    return {reference: {...reference, mayBeEmpty: false}, list};
  });
  const {mentions} = mentionsIn(used);
  return {
    *[Symbol.iterator]() {
      for (const [domain, all] of mentions) {
        const said = all.map(({facts}) => facts);
        yield {domain, facts: mergeFacts(said, defaultMerge)};
      }
    },
  };
}

/** The domains that a policy wants blocked, to be written into a list. */
export function entriesOf({wanted, factsOf: said}: WantedDomains): WritableDomains {
  return {
    *[Symbol.iterator]() {
      for (const [domain, {until}] of wanted) yield {domain, facts: said(domain) ?? blocked, ...(until !== undefined && {until})};
    },
  };
}

interface Grounds {
  readonly mentions: Mentions;
  /** The names of its rules. */
  readonly rules: {readonly lists: string; readonly must: string};
}

/** There may be very many, so what only some are asked for is found when it is asked for. */
class MergedDomain implements WantedDomain {
  readonly #grounds: Grounds;
  readonly #own: OwnDomain | undefined;
  readonly #position: number | undefined;

  /** @param own where the policy itself names it @param position of what lists say about it; undefined where none names it */
  constructor(
    readonly domain: string,
    readonly agreement: number,
    readonly severity: Severity,
    grounds: Grounds,
    own: OwnDomain | undefined,
    position: number | undefined,
  ) {
    this.#grounds = grounds;
    this.#own = own;
    this.#position = position;
  }

  get isOwn(): boolean {
    return this.#own !== undefined;
  }

  get rule(): string {
    const {lists, must} = this.#grounds.rules;
    return this.isOwn ? must : lists;
  }

  get sources(): readonly Location[] {
    return this.named.map(({location}) => location);
  }

  get named(): readonly (Mention | OwnDomain)[] {
    return [this.#own ?? [], this.counting.toSorted((one, other) => compareLocations(one.location, other.location))].flat();
  }

  get until(): string | undefined {
    // What lists name as well stays for them.
    return this.#own?.until !== undefined && this.counting.length === 0 ? this.#own.until : undefined;
  }

  get counting(): readonly Mention[] {
    return this.#position === undefined ? [] : countingIn(this.#grounds.mentions.at(this.#position));
  }
}

/** The domains of the rules and the lists, sorted, each with what lists say about it. */
function* nameDomains(
  must: ReadonlyMap<string, unknown>,
  mentions: Mentions,
): Generator<[domain: string, all: Mention[], position: number | undefined]> {
  const own = [...must.keys()].sort(compareText).values();
  let next = own.next();
  for (const named of mentions) {
    const [domain] = named;
    for (; !next.done && next.value <= domain; next = own.next()) if (next.value < domain) yield [next.value, [], undefined];
    yield named;
  }
  for (; !next.done; next = own.next()) yield [next.value, [], undefined];
}

/** Whether a domain is below one of these. */
export const isBelow = (domain: string, all: ReadonlyMap<string, unknown>): boolean =>
  all.size > 0 && parentsOf(domain).some((parent) => all.has(parent));

function toWanted(
  rules: Pick<DomainRules, 'merge' | 'of'> & Pick<WantedDomains, 'needed'>,
  must: ReadonlyMap<string, OwnDomain>,
  mentions: Mentions,
  mustNot: ReadonlyMap<string, unknown>,
  known: ReadonlyMap<string, WantedDomain>,
): Map<string, WantedDomain> {
  const wanted = new Map<string, WantedDomain>();
  const {key} = rules.of;
  const grounds = {mentions, rules: {lists: `${key}.lists`, must: `${key}.must`}};
  for (const [domain, all, position] of nameDomains(must, mentions)) {
    const own = must.get(domain);
    if (mustNot.has(domain) || (own === undefined && (!wantsBlocked(all, rules) || isBelow(domain, mustNot)))) continue;
    const counting = countingIn(all);
    const severity = severityOf(own, counting, rules.merge);
    wanted.set(domain, new MergedDomain(domain, countAgreeing(counting), severity, grounds, own, position));
  }
  for (const [domain, same] of known) {
    const one = wanted.get(domain);
    if (one !== undefined && isOf(same, must.get(domain)?.location)) wanted.set(domain, same);
  }
  return wanted;
}
