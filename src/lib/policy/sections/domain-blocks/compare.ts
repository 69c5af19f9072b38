/** Compares the domains that a policy and its lists want blocked with those that are. */
import {domainBlockChange} from './changes.js';
import {compareSet, type SetNames, type WantedEntry} from '../../section/set.js';
import type {Change} from '../../model/change.js';
import type {Circumstances, Comparison, Skipped} from '../../model/difference.js';
import {publicFacts} from '../../model/domain-facts.js';
import type {WantedDomain, WantedDomains} from '../../lists/merge.js';
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

/** The additions of domains: accounts that want the same share them, because the plans of all are in memory. */
const additions = new WeakMap<
  WantedDomain,
  {
    readonly change: Change;
    readonly coveredBy: string | undefined;
    readonly factsOf: WantedDomains['factsOf'];
    readonly showsPrivate: boolean;
  }
>();

export function compareDomains(wanted: Wanted, state: State, {advice: {suggest}}: Circumstances): Comparison {
  const {domains: rules} = wanted;
  if (rules === undefined) return {differences: [], skipped: []};
  const blocked: DomainEntries = valueOf(state.domain_blocks) ?? new Map();
  const heldBack = (domain: string) => rules.protection.heldBack(domain, wanted);
  const {showsPrivate = false} = wanted;
  // Plans and reports are published: what is written of a private comment is added where it is printed as data.
  const factsOf = (domain: string) => (showsPrivate ? rules.factsOf(domain) : publicFacts(rules.factsOf(domain)));
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
        const known = entry && action === 'add' ? additions.get(entry) : undefined;
        const above = entry?.coveredBy;
        const coveredBy = above !== undefined && (blocked.has(above) || heldBack(above) === undefined) ? above : undefined;
        if (known?.factsOf === rules.factsOf && known.coveredBy === coveredBy && known.showsPrivate === showsPrivate) return known.change;
        const about = {domain, stored: blocked.get(domain), coveredBy, facts: factsOf(domain)};
        const change = domainBlockChange(action, about, grounds);
        if (entry && action === 'add') additions.set(entry, {change, coveredBy, factsOf: rules.factsOf, showsPrivate});
        return change;
      },
      detailsOf: factsOf,
      omitted: (domain, entry) =>
        domain === ownName ? {why: `a server does not block itself (${entry.sources.map(locationText).join(', ')})`} : heldBack(domain),
    },
    blocked,
  );
  return {differences, skipped: [...skipped, ...overruledBlocks(rules, blocked)]};
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
