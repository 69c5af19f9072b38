/** Compares the domains that a policy and its lists want blocked with those that are. */
import {compareSet, type WantedEntry} from '../../section/compare-set.js';
import type {SetNames} from '../../section/set.js';
import type {Change, Grounds} from '../../model/change.js';
import type {Circumstances, Comparison, Skipped} from '../../model/difference.js';
import {type FactsJson, type FactsOf, publicFacts} from '../../model/domain-facts.js';
import type {WantedDomains} from '../../lists/merge.js';
import type {DomainsKey} from '../../model/policy.js';
import {locationText} from '../../source/location.js';
import {type Fetched, type State, valueOf} from '../../model/server-state.js';
import type {Wanted} from '../../lists/wanted.js';

/** What is known of a domain that is blocked or unblocked. */
export interface AboutDomain<Entry> {
  readonly domain: string;
  /** As the server has it, where it has it. */
  readonly stored?: Entry | undefined;
  /** A parent domain that is also blocked: many servers block subdomains with it. */
  readonly coveredBy?: string | undefined;
  /** What the policy and its lists say about it. */
  readonly facts?: FactsJson | undefined;
}

/** A section of domains, as it is compared and explained. */
export interface Compared<Entry> extends SetNames {
  readonly key: DomainsKey;
  /** By the form that domains are compared in. */
  part(state: State): Fetched<ReadonlyMap<string, Entry>> | undefined;
  changeOf(action: 'add' | 'remove', about: AboutDomain<Entry>, grounds: Grounds): Change;
}

/**
 * The additions of domains, by what a policy says about them, which may be with private comments: accounts that want the same share
 * them, because the plans of all are in memory.
 */
const additions = {
  published: new WeakMap<FactsOf, Map<string, SharedAddition>>(),
  private: new WeakMap<FactsOf, Map<string, SharedAddition>>(),
};

interface SharedAddition {
  readonly change: Change;
  readonly coveredBy: string | undefined;
}

export function compareDomains<Entry>(
  names: Compared<Entry>,
  wanted: Wanted,
  state: State,
  {advice: {suggest}}: Circumstances,
): Comparison {
  const rules = wanted.domains.get(names.key);
  if (rules === undefined) return {differences: [], skipped: []};
  const blocked: ReadonlyMap<string, Entry> = valueOf(names.part(state)) ?? new Map();
  const heldBack = (domain: string) => rules.protection.heldBack(domain, wanted);
  const {showsPrivate = false} = wanted;
  // Plans and reports are published: what is written of a private comment is added where it is printed as data.
  const factsOf = (domain: string) => (showsPrivate ? rules.factsOf(domain) : publicFacts(rules.factsOf(domain)));
  const shared = additions[showsPrivate ? 'private' : 'published'];
  const known = shared.get(rules.factsOf) ?? new Map<string, SharedAddition>();
  shared.set(rules.factsOf, known);
  const ownName = state.host.replace(/:\d+$/, '');
  const {differences, skipped} = compareSet(
    names,
    {host: state.host, suggest},
    {
      wanted: rules.wanted,
      only: rules.only,
      mustNot: unblockedBy(names, rules, blocked),
      change(action, domain, grounds) {
        const entry = rules.wanted.get(domain);
        const above = entry?.coveredBy;
        const coveredBy = above !== undefined && (blocked.has(above) || heldBack(above) === undefined) ? above : undefined;
        const make = () => names.changeOf(action, {domain, stored: blocked.get(domain), coveredBy, facts: factsOf(domain)}, grounds());
        if (entry === undefined || action === 'remove') return make();
        const same = known.get(domain);
        if (same !== undefined && same.coveredBy === coveredBy) return same.change;
        const change = make();
        known.set(domain, {change, coveredBy});
        return change;
      },
      detailsOf: factsOf,
      omitted: (domain, entry) =>
        domain === ownName ? {why: `a server does not block itself (${entry.sources.map(locationText).join(', ')})`} : heldBack(domain),
    },
    blocked,
  );
  return {differences, skipped: [...skipped, ...overruledBlocks(names, rules, blocked), ...ineffectiveEntries(names, rules)]};
}

const mustNotOf = ({key}: SetNames): string => `${key}.must_not`;

/** What is blocked although the policy, or a list that unblocks, forbids it. */
function unblockedBy(names: SetNames, {mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): ReadonlyMap<string, WantedEntry> {
  const found = new Map<string, WantedEntry>();
  for (const domain of blocked.keys()) {
    const forbidden = mustNot.get(domain);
    if (forbidden === undefined || forbidden.list === 'holds back') continue;
    const reason = forbidden.list === undefined ? 'forbidden' : 'lists';
    found.set(domain, {rule: mustNotOf(names), sources: [forbidden.location], reason});
  }
  return found;
}

/** What lists name and must_not forbids. What is blocked is a difference, or kept. */
function overruledBlocks(names: SetNames, {overruled, mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): Skipped[] {
  return overruled.flatMap((domain) => {
    const source = mustNot.get(domain)?.location;
    if (source === undefined || blocked.has(domain)) return [];
    const why = `lists name it, but must_not forbids blocking it (${source.file})`;
    return [{kind: names.kind, subject: domain, why, heldBy: {rule: mustNotOf(names), source}}];
  });
}

/** What a list of must_not names and the policy itself wants blocked. */
function ineffectiveEntries(names: SetNames, {ineffective}: WantedDomains): Skipped[] {
  return [...ineffective].map(([subject, source]) => {
    const why = `the policy names it in must, so a list of must_not does not hold it back (${source.file})`;
    return {kind: names.kind, subject, why, heldBy: {rule: mustNotOf(names), source, how: 'ineffective'}};
  });
}
