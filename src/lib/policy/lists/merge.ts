/** Merges rules and lists into the domains that a policy wants blocked. */
import {parentsOf} from '../../operations/domains.js';
import type {UsedList} from './load-lists.js';
import {wrongLines} from './read-list.js';
import {compareLocations, compareText, type Location, locationText} from '../location.js';
import type {Mistake} from '../mistakes.js';
import type {DomainBlockRules} from '../policy.js';
import {isAtLeast, type Severity} from '../severity.js';

/** One entry of one list about a domain. */
export interface Mention {
  readonly list: string;
  readonly location: Location;
  readonly severity: Severity;
  /** Whether it is severe enough to count. */
  readonly counts: boolean;
}

export interface WantedDomain {
  readonly domain: string;
  readonly rule: 'domain_blocks.lists' | 'domain_blocks.must';
  /** The rules and list entries that ask for it, in the order of files and lines. */
  readonly sources: readonly Location[];
  /** How many lists name it, and the highest severity among them, for the order of a plan. */
  readonly agreement: number;
  readonly severity: Severity;
  /** The nearest parent domain that is also wanted: many servers block subdomains with it. */
  readonly coveredBy?: string | undefined;
}

/** A summary of a list that was merged in. */
export interface ListSummary {
  readonly list: string;
  readonly format: string;
  readonly entries: number;
  /** Entries that are never applied, because letters of them are masked. */
  readonly obfuscated: number;
  /** Wildcards that were not applied. */
  readonly wildcards: number;
  /** Entries that are not severe enough. */
  readonly tooMild: number;
  /** What is wrong with the rows that `on_mistake` leaves out, and how many lines those are. */
  readonly skipped: readonly Mistake[];
  readonly skippedLines: number;
}

/** A summary in JSON, with every row that was left out. */
export function listJson({list, format, entries, obfuscated, wildcards, tooMild, skipped}: ListSummary): Record<string, unknown> {
  const rows = skipped.map(({file, line, message}) => ({source: locationText({file, line}), why: message}));
  return {list, format, entries, obfuscated, wildcards, below_min_severity: tooMild, skipped: rows};
}

export interface WantedDomains {
  /** By domain, sorted. */
  readonly wanted: ReadonlyMap<string, WantedDomain>;
  readonly mustNot: ReadonlyMap<string, Location>;
  readonly only: Location | undefined;
  readonly agree: number;
  /** All entries of the lists, by domain. */
  readonly mentions: ReadonlyMap<string, readonly Mention[]>;
  readonly summaries: readonly ListSummary[];
}

/** @param other of the same lists under other rules: what is the same is shared with it, because both are in memory */
export function mergeLists(rules: DomainBlockRules, lists: readonly UsedList[], other?: WantedDomains): WantedDomains {
  const {mentions, summaries} = other ?? mentionsIn(lists);
  const mustNot = new Map(rules.mustNot.map(({value, location}) => [value, location]));
  return {
    wanted: wantedOf(rules, mentions, mustNot, other?.wanted ?? new Map()),
    mustNot,
    only: rules.only,
    agree: rules.agree,
    mentions,
    summaries,
  };
}

function mentionsIn(lists: readonly UsedList[]): Pick<WantedDomains, 'mentions' | 'summaries'> {
  const mentions = new Map<string, Mention[]>();
  const summaries = lists.map(({reference, list}): ListSummary => {
    let tooMild = 0;
    for (const {domain, location, severity} of list.entries) {
      const counts = isAtLeast(severity, reference.minSeverity);
      if (!counts) tooMild += 1;
      const mention = {list: list.name, location, severity, counts};
      const others = mentions.get(domain);
      if (others) others.push(mention);
      else mentions.set(domain, [mention]);
    }
    return {
      list: list.name,
      format: list.format,
      entries: list.entries.length,
      obfuscated: list.obfuscated.length,
      wildcards: list.wildcards.length,
      tooMild,
      skipped: list.mistakes,
      skippedLines: wrongLines(list),
    };
  });
  for (const all of mentions.values()) all.sort((one, other) => compareLocations(one.location, other.location));
  return {mentions, summaries: summaries.toSorted((one, other) => compareText(one.list, other.list))};
}

/** How many lists name a domain severely enough. A list counts once. */
export function agreeing(mentions: readonly Mention[]): number {
  return new Set(mentions.filter(({counts}) => counts).map(({list}) => list)).size;
}

/** @param own where the policy itself names the domain */
function isOf({rule, sources: [first]}: WantedDomain, own: Location | undefined): boolean {
  if (own === undefined || first === undefined) return own === undefined && rule === 'domain_blocks.lists';
  return rule === 'domain_blocks.must' && compareLocations(first, own) === 0;
}

function wantedOf(
  rules: DomainBlockRules,
  mentions: ReadonlyMap<string, readonly Mention[]>,
  mustNot: ReadonlyMap<string, Location>,
  known: ReadonlyMap<string, WantedDomain>,
): Map<string, WantedDomain> {
  const must = new Map(rules.must.map(({value, location}) => [value, location]));
  const listed = [...mentions].filter(([, all]) => agreeing(all) >= rules.agree).map(([domain]) => domain);
  const domains = [...new Set([...must.keys(), ...listed])].filter((domain) => !mustNot.has(domain)).sort(compareText);
  const names = new Set(domains);
  return new Map(
    domains.map((domain) => {
      const own = must.get(domain);
      const coveredBy = parentsOf(domain).find((parent) => names.has(parent));
      const same = known.get(domain);
      if (same !== undefined && same.coveredBy === coveredBy && isOf(same, own)) return [domain, same];
      const counting = (mentions.get(domain) ?? []).filter(({counts}) => counts);
      const locations = counting.map(({location}) => location);
      return [
        domain,
        {
          domain,
          rule: own ? 'domain_blocks.must' : 'domain_blocks.lists',
          sources: own ? [own, ...locations] : locations,
          agreement: agreeing(counting),
          severity: counting.reduce<Severity>((most, {severity}) => (isAtLeast(severity, most) ? severity : most), 'noop'),
          ...(coveredBy !== undefined && {coveredBy}),
        },
      ];
    }),
  );
}
