/** The cap of a policy on blocked domains: what is beyond it is held back. */
import type {Difference, Skipped} from '../../model/difference.js';
import type {WantedDomain, WantedDomains} from '../../lists/merge.js';
import {compareText, locationText} from '../../source/location.js';
import {severities} from '../../model/severity.js';
import {domainsOfState, type State} from '../../model/server-state.js';
import type {Wanted} from '../../lists/wanted.js';

/** First what the policy names itself, then what most lists agree on, the most severe first. */
function byImportance(one: WantedDomain, other: WantedDomain): number {
  if (one.isOwn !== other.isOwn) return one.isOwn ? -1 : 1;
  if (one.isOwn) return compareText(one.domain, other.domain);
  return (
    other.agreement - one.agreement ||
    severities.indexOf(other.severity) - severities.indexOf(one.severity) ||
    compareText(one.domain, other.domain)
  );
}

/** Additions of domains in the order of their importance. Each is looked up once, because there may be very many. */
export function ranked<One extends {readonly subject: string}>(additions: readonly One[], domains: WantedDomains | undefined): One[] {
  const entryOf = ({subject}: One): WantedDomain => {
    const entry = domains?.wanted.get(subject);
    if (entry === undefined) throw new Error(`Nothing asks for ${subject}`);
    return entry;
  };
  return additions
    .map((addition) => ({addition, entry: entryOf(addition)}))
    .sort(({entry: one}, {entry: other}) => byImportance(one, other))
    .map(({addition}) => addition);
}

/**
 * Takes out the blocks of domains for which the policy leaves no room. What exists counts, but for what is removed.
 * @param removed what goes besides
 */
export function withinCap<One extends Difference>(
  differences: readonly One[],
  {domains}: Pick<Wanted, 'domains'>,
  state: State,
  removed: readonly Difference[] = [],
): {readonly differences: readonly One[]; readonly held: readonly Skipped[]} {
  let [left, held] = [differences, [] as readonly Skipped[]];
  for (const one of domains.values()) {
    const found = withinOne(left, one, state, removed);
    [left, held] = [found.differences, [...held, ...found.held]];
  }
  return {differences: left, held};
}

function withinOne<One extends Difference>(
  differences: readonly One[],
  domains: WantedDomains,
  state: State,
  removed: readonly Difference[],
): {readonly differences: readonly One[]; readonly held: readonly Skipped[]} {
  const {limit, of} = domains.rules;
  const present = domainsOfState(state, of.key)?.size;
  if (limit === undefined || present === undefined) return {differences, held: []};
  const isAddition = ({kind, wanted}: Difference) => kind === of.kind && wanted === 'blocked';
  const additions = differences.filter(isAddition);
  const isRemoval = (one: Difference) => one.kind === of.kind && one.wanted === 'not blocked' && one.change?.action === 'remove';
  const gone = [...differences, ...removed].filter(isRemoval).length;
  const room = Math.max(0, limit.value - present + gone);
  if (additions.length <= room) return {differences, held: []};
  const inRank = ranked(additions, domains);
  const fitting = new Set<Difference>(inRank.slice(0, room));
  const why = `the policy allows ${limit.value} blocked domains (${locationText(limit.location)})`;
  const heldBy = {rule: `${of.key}.limit`, source: limit.location};
  return {
    differences: differences.filter((one) => fitting.has(one) || !isAddition(one)),
    held: inRank.slice(room).map(({subject}) => ({kind: of.kind, subject, why, heldBy, limit: 'policy_limit'})),
  };
}
