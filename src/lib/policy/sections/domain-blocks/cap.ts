/** The cap of a policy on blocked domains: what is beyond it is held back. */
import type {Difference, Skipped} from '../../model/difference.js';
import type {WantedDomain, WantedDomains} from '../../lists/merge.js';
import {compareText, locationText} from '../../source/location.js';
import {severities} from '../../model/severity.js';
import {type State, valueOf} from '../../model/server-state.js';
import type {Wanted} from '../../lists/wanted.js';

/** First what the policy names itself, then what most lists agree on, the most severe first. */
function byImportance(one: WantedDomain, other: WantedDomain): number {
  const rank = ({rule}: WantedDomain) => (rule === 'domain_blocks.must' ? 0 : 1);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  if (rank(one) === 0) return compareText(one.domain, other.domain);
  return (
    other.agreement - one.agreement ||
    severities.indexOf(other.severity) - severities.indexOf(one.severity) ||
    compareText(one.domain, other.domain)
  );
}

/** Additions of domains in the order of their importance. Each is looked up once, because there may be very many. */
export function ranked<One extends {readonly subject: string}>(additions: readonly One[], domains: WantedDomains | undefined): One[] {
  return additions
    .map((addition) => ({addition, entry: domains?.wanted.get(addition.subject)}))
    .sort(({entry: one}, {entry: other}) => (one && other ? byImportance(one, other) : 0))
    .map(({addition}) => addition);
}

function isAddition({kind, wanted}: Difference): boolean {
  return kind === 'domain_block' && wanted === 'blocked';
}

/**
 * Takes out the blocks of domains for which the policy leaves no room. What exists counts, but for what is removed.
 * @param removed what goes besides
 */
export function withinCap<One extends Difference>(
  differences: readonly One[],
  {policy, domains}: Wanted,
  state: State,
  removed: readonly Difference[] = [],
): {readonly differences: readonly One[]; readonly held: readonly Skipped[]} {
  const limit = policy.domain_blocks?.limit;
  const present = valueOf(state.domain_blocks)?.size;
  if (limit === undefined || present === undefined) return {differences, held: []};
  const additions = differences.filter(isAddition);
  const gone = [...differences, ...removed].filter(({kind, wanted}) => kind === 'domain_block' && wanted === 'not blocked').length;
  const room = Math.max(0, limit.value - present + gone);
  if (additions.length <= room) return {differences, held: []};
  const inRank = ranked(additions, domains);
  const fitting = new Set<Difference>(inRank.slice(0, room));
  const why = `the policy allows ${limit.value} blocked domains (${locationText(limit.location)})`;
  const heldBy = {rule: 'domain_blocks.limit', source: limit.location};
  return {
    differences: differences.filter((one) => fitting.has(one) || !isAddition(one)),
    held: inRank.slice(room).map(({subject}) => ({kind: 'domain_block', subject, why, heldBy, limit: 'policy_limit'})),
  };
}
