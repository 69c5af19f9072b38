/** What an earlier apply of a policy made and the policy no longer names: plan removes it, audit reports it. */
import type {Change} from '../model/change.js';
import type {MatchedComparison} from '../sections/compare.js';
import {type Circumstances, type Skipped, unread} from '../model/difference.js';
import {byKind, type Item, type MadeItem} from '../model/items.js';
import {comparedName, holdingInPlans} from '../sections/index.js';
import type {Leftover} from '../section/section.js';
import {type State, domainsOfState} from '../model/server-state.js';
import type {Wanted} from '../lists/wanted.js';

/** Blocks that an apply did not make, and that a list of `must_not` names: lists alone do not remove them. */
export function keptBlocks({domains}: Wanted, state: State, owned: readonly Item[]): Skipped[] {
  const ownedOf = byKind(owned);
  return [...domains.values()].flatMap(({only, mustNot, rules: {of}}) => {
    if (only !== undefined) return [];
    const made = new Set(ownedOf(of.kind).map(({subject}) => subject));
    return [...(domainsOfState(state, of.key)?.keys() ?? [])].flatMap((domain): Skipped[] => {
      const forbidden = mustNot.get(domain);
      if (forbidden?.isListed !== true || made.has(domain)) return [];
      const why = `a list of must_not names it (${forbidden.location.file}), and no apply of this policy made the block: to unblock it, name it in must_not itself`;
      return [{kind: of.kind, subject: domain, why, heldBy: {rule: `${of.key}.must_not`, source: forbidden.location, how: 'kept'}}];
    });
  });
}

interface Leftovers {
  readonly left: readonly Leftover[];
  /** What is left to whoever changed it. */
  readonly skipped: readonly Skipped[];
}

/** @param asked what the rules of the policy ask for: what they change already is no leftover */
export function leftovers(
  wanted: Wanted,
  asked: () => readonly Change[],
  {
    state,
    owned,
    matchedBy,
  }: {readonly state: State; readonly owned: readonly MadeItem[]; readonly matchedBy: MatchedComparison['matchedBy']},
  circumstances: Circumstances,
): Leftovers {
  if (owned.length === 0) return {left: [], skipped: []};
  const [ownedOf, askedOf] = [byKind(owned), byKind(asked())];
  const all = holdingInPlans.flatMap(({kind, holding}) => {
    const past = {state, owned: ownedOf(kind), matched: matchedBy.get(kind) ?? new Set<string>()};
    return past.owned.length === 0 ? [] : holding.leftovers(wanted, askedOf(kind), past, circumstances);
  });
  const {people} = circumstances;
  if (people === undefined || people.all.length === 0) return {left: all, skipped: []};
  const left: Leftover[] = [];
  const skipped: Skipped[] = [];
  for (const one of all) {
    const {kind, subject, details} = one.change;
    const id = 'id' in details ? details.id : undefined;
    const doing = people.did({kind, subject: comparedName({kind, subject}, state.host), id});
    if (doing === undefined) left.push(one);
    else if (doing.left === undefined) left.push({...one, byHand: doing.byHand, change: {...one.change, by_hand: doing.byHand}});
    else skipped.push({kind, subject: one.subject, why: doing.left, heldBy: {rule: one.rule, source: one.source, how: 'kept'}});
  }
  return {left, skipped};
}

/** Parts that were read only for what an earlier apply made, and could not be. @param skipped what the rules say of the parts */
export function unreadOwned(skipped: readonly Skipped[], state: State): Skipped[] {
  return holdingInPlans.flatMap(({key, kind}) => {
    const part = state[key];
    const isReported = skipped.some((one) => one.kind === kind && one.failure !== undefined);
    return part !== undefined && 'failure' in part && !isReported ? [unread(kind, part.failure)] : [];
  });
}
