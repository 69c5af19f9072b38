/** Compares the domains that a policy and its lists want blocked with those that are. */
import {type DomainBlockChange, domainBlockChange} from './changes.js';
import {compareSet, type SetNames, type WantedEntry} from '../../section/set.js';
import type {Circumstances, Comparison, Skipped} from '../../model/difference.js';
import {type FactsOf, publicFacts} from '../../model/domain-facts.js';
import type {WantedDomains} from '../../lists/merge.js';
import {locationText} from '../../source/location.js';
import {type State, valueOf} from '../../model/server-state.js';
import type {Wanted} from '../../lists/wanted.js';

export const names: SetNames = {
  key: 'domain_blocks',
  kind: 'domain_block',
  done: 'blocked',
  shown: (domain) => domain,
  command: (action, domain, {suggest}) => suggest(['domain-blocks', action], {args: [domain]}),
};

/** By the form that domains are compared in, sorted: as the server writes them. */
export type DomainEntries = ReadonlyMap<string, string>;

/**
 * The additions of domains, by what a policy says about them, which may be with private comments: accounts that want the same share
 * them, because the plans of all are in memory.
 */
const additions = {
  published: new WeakMap<FactsOf, Map<string, DomainBlockChange>>(),
  private: new WeakMap<FactsOf, Map<string, DomainBlockChange>>(),
};

export function compareDomains(wanted: Wanted, state: State, {advice: {suggest}}: Circumstances): Comparison {
  const {domains: rules} = wanted;
  if (rules === undefined) return {differences: [], skipped: []};
  const blocked: DomainEntries = valueOf(state.domain_blocks) ?? new Map();
  const heldBack = (domain: string) => rules.protection.heldBack(domain, wanted);
  const {showsPrivate = false} = wanted;
  // Plans and reports are published: what is written of a private comment is added where it is printed as data.
  const factsOf = (domain: string) => (showsPrivate ? rules.factsOf(domain) : publicFacts(rules.factsOf(domain)));
  const shared = additions[showsPrivate ? 'private' : 'published'];
  const known = shared.get(rules.factsOf) ?? new Map<string, DomainBlockChange>();
  shared.set(rules.factsOf, known);
  const ownName = state.host.replace(/:\d+$/, '');
  const {differences, skipped} = compareSet(
    names,
    {host: state.host, suggest},
    {
      wanted: rules.wanted,
      only: rules.only,
      mustNot: unblockedBy(rules, blocked),
      change(action, domain, grounds) {
        const entry = rules.wanted.get(domain);
        const above = entry?.coveredBy;
        const coveredBy = above !== undefined && (blocked.has(above) || heldBack(above) === undefined) ? above : undefined;
        const make = () => domainBlockChange(action, {domain, stored: blocked.get(domain), coveredBy, facts: factsOf(domain)}, grounds());
        if (entry === undefined || action === 'remove') return make();
        const same = known.get(domain);
        if (same?.action === 'add' && same.details.covered_by === coveredBy) return same;
        const change = make();
        known.set(domain, change);
        return change;
      },
      detailsOf: factsOf,
      omitted: (domain, entry) =>
        domain === ownName ? {why: `a server does not block itself (${entry.sources.map(locationText).join(', ')})`} : heldBack(domain),
    },
    blocked,
  );
  return {differences, skipped: [...skipped, ...overruledBlocks(rules, blocked), ...ineffectiveEntries(rules)]};
}

/** What is blocked although the policy, or a list that unblocks, forbids it. */
function unblockedBy({mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): ReadonlyMap<string, WantedEntry> {
  const found = new Map<string, WantedEntry>();
  for (const domain of blocked.keys()) {
    const forbidden = mustNot.get(domain);
    if (forbidden === undefined || forbidden.list === 'holds back') continue;
    const reason = forbidden.list === undefined ? 'forbidden' : 'lists';
    found.set(domain, {rule: 'domain_blocks.must_not', sources: [forbidden.location], reason});
  }
  return found;
}

/** What lists name and must_not forbids. What is blocked is a difference, or kept. */
function overruledBlocks({overruled, mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): Skipped[] {
  return overruled.flatMap((domain) => {
    const source = mustNot.get(domain)?.location;
    if (source === undefined || blocked.has(domain)) return [];
    const why = `lists name it, but must_not forbids blocking it (${source.file})`;
    return [{kind: 'domain_block', subject: domain, why, heldBy: {rule: 'domain_blocks.must_not', source}}];
  });
}

/** What a list of must_not names and the policy itself wants blocked. */
function ineffectiveEntries({ineffective}: WantedDomains): Skipped[] {
  return [...ineffective].map(([subject, source]) => {
    const why = `the policy names it in must, so a list of must_not does not hold it back (${source.file})`;
    return {kind: 'domain_block', subject, why, heldBy: {rule: 'domain_blocks.must_not', source, how: 'ineffective'}};
  });
}
