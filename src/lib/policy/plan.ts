/** From a policy and what a server has to the changes that make them agree. */
import {compare} from './compare.js';
import type {Change, DomainBlockChange, FilterChange, PushChange} from './change.js';
import {domainDifference} from './domain-difference.js';
import {canBeSent, filterAddition, filterRemoval, filterUpdate, orderedFilterChanges} from './filter-changes.js';
import {filterDifference, hasDepartures} from './filter-difference.js';
import type {Finding, Skipped} from './finding.js';
import {fingerprint} from './fingerprint.js';
import {guardOf, type Guard} from './guard.js';
import {fewestDomainBlocks, limitsHit} from './limits.js';
import type {WantedDomain} from './lists/merge.js';
import {nothingOwned, type Owned} from './owned.js';
import {compareText, placeText} from './place.js';
import type {PushRule} from './policy.js';
import {liveFilters, valueOf, type FilterState, type PartName, type State} from './state.js';
import type {Wanted} from './wanted.js';

export interface Plan {
  /** In the order in which they are carried out. */
  readonly changes: readonly Change[];
  /** Findings that no request of the API can mend; `fix` says what can. */
  readonly cannot: readonly Finding[];
  readonly skipped: readonly Skipped[];
  /** Limits of servers that the changes would run into. */
  readonly limits: readonly string[];
  readonly guard: Guard;
  /** Of the state that it was made from. */
  readonly fingerprint: string;
}

/** The parts of the state that have to be read for a policy, and to give up what an earlier apply made. */
export function neededParts(
  {domainBlocks, filters, blocks, mutes, push, config}: Wanted['policy'],
  owned: Owned = nothingOwned,
): ReadonlySet<PartName> {
  const needed: Readonly<Record<PartName, boolean>> = {
    domain_blocks: domainBlocks !== undefined || owned.domainBlocks.length > 0,
    filters: filters !== undefined || owned.filters.length > 0,
    blocks: blocks !== undefined,
    mutes: mutes !== undefined,
    push: push !== undefined && push.length > 0,
    config: config !== undefined && config.length > 0,
  };
  return new Set((['blocks', 'config', 'domain_blocks', 'filters', 'mutes', 'push'] as const).filter((part) => needed[part]));
}

const givenUp = 'an earlier apply of this policy made it, and the policy no longer names it';

/** @throws Failure `usage` when filters cannot be told apart */
export function makePlan(wanted: Wanted, state: State, owned: Owned, now: Date): Plan {
  const {findings, skipped} = compare(wanted, state, now);
  const domains = domainChanges(wanted, state, owned);
  const filters = filterChanges(wanted, state, owned, now);
  const push = pushChange(wanted.policy.push, state);
  const changes: Change[] = [...domains, ...filters.changes, ...push.changes];
  const present = {domain_block: valueOf(state.domainBlocks)?.size ?? 0, filter: liveFilters(valueOf(state.filters) ?? [], now).length};
  const isForOthers = ({kind, rule, subject, isAppliable}: Finding) =>
    kind === 'push' ? !push.mends.has(subject) : !isAppliable || (rule === 'filters.must' && filters.unsendable.has(subject));
  return {
    changes,
    cannot: findings.filter(isForOthers),
    skipped,
    limits: limitsHit(changes, present.domain_block, liveFilters(valueOf(state.filters) ?? [], now)),
    guard: guardOf(changes, present),
    fingerprint: fingerprint(state),
  };
}

function sourcesText({rule, sources}: WantedDomain): string {
  return `${rule}: ${sources.map(placeText).join(', ')}`;
}

function domainChanges({domains}: Wanted, state: State, owned: Owned): DomainBlockChange[] {
  const blocked = valueOf(state.domainBlocks);
  if (blocked === undefined) return [];
  const kind = 'domain_block';
  const difference = domains && domainDifference(domains, new Set(blocked.keys()), state.host);
  const removal = (domain: string, reason: 'forbidden' | 'no_longer_named' | 'only', because: string): DomainBlockChange => {
    const stored = blocked.get(domain);
    return {action: 'remove', kind, subject: domain, details: stored === undefined || stored === domain ? {} : {stored}, reason, because};
  };
  const additions = (difference?.missing ?? []).map((one): DomainBlockChange => ({
    action: 'add',
    kind,
    subject: one.domain,
    details: one.coveredBy === undefined ? {} : {covered_by: one.coveredBy},
    reason: one.rule === 'domain_blocks.must' ? 'must' : 'lists',
    because: sourcesText(one),
  }));
  const removals = [
    ...(difference?.forbidden ?? []).map(({domain, place}) => removal(domain, 'forbidden', `domain_blocks.must_not: ${placeText(place)}`)),
    ...(difference?.surplus ?? []).map(({domain, place}) => removal(domain, 'only', `domain_blocks.only: ${placeText(place)}`)),
  ];
  const named = new Set([...(domains?.wanted.keys() ?? []), ...removals.map(({subject}) => subject)]);
  const dropped = owned.domainBlocks
    .filter((domain) => blocked.has(domain) && !named.has(domain))
    .map((domain) => removal(domain, 'no_longer_named', givenUp));
  const all = [...removals, ...dropped].sort((one, other) => compareText(one.subject, other.subject));
  // Nothing is open for a while that could stay closed, unless there may be no room.
  return blocked.size + additions.length > fewestDomainBlocks ? [...all, ...additions] : [...additions, ...all];
}

interface FilterPlan {
  readonly changes: readonly FilterChange[];
  /** Titles of filters whose update servers would refuse. */
  readonly unsendable: ReadonlySet<string>;
}

function filterChanges({policy: {filters: rules}}: Wanted, state: State, owned: Owned, now: Date): FilterPlan {
  const filters = valueOf(state.filters);
  if (filters === undefined) return {changes: [], unsendable: new Set()};
  const difference = rules && filterDifference(rules, filters, now);
  const updates = (difference?.pairs ?? [])
    .filter(({departures}) => hasDepartures(departures))
    .map(({wanted, actual, departures}) =>
      filterUpdate(wanted, actual, departures, {reason: 'must', because: `filters.must: ${placeText(wanted.place)}`}),
    );
  const removals = [
    ...(difference?.forbidden ?? []).map(({filter, place}) =>
      filterRemoval(filter, {reason: 'forbidden', because: `filters.must_not: ${placeText(place)}`}),
    ),
    ...(difference?.surplus ?? []).map(({filter, place}) =>
      filterRemoval(filter, {reason: 'only', because: `filters.only: ${placeText(place)}`}),
    ),
  ];
  const named = new Set([...(difference?.pairs ?? []).map(({actual}) => actual.id), ...removals.map(({details}) => details.id)]);
  const isDropped = ({id}: FilterState) => !named.has(id) && owned.filters.some((one) => one.id === id);
  const changes: FilterChange[] = [
    ...removals,
    ...liveFilters(filters, now)
      .filter(isDropped)
      .map((filter) => filterRemoval(filter, {reason: 'no_longer_named', because: givenUp})),
    ...updates.filter(canBeSent),
    ...(difference?.missing ?? []).map((wanted) =>
      filterAddition(wanted, {reason: 'must', because: `filters.must: ${placeText(wanted.place)}`}),
    ),
  ];
  return {
    changes: orderedFilterChanges(changes),
    unsendable: new Set(updates.filter((update) => !canBeSent(update)).map(({subject}) => subject)),
  };
}

/** Push can be turned off as a whole, which also turns off every single setting and forgets the device. */
function pushChange(
  rules: readonly PushRule[] | undefined,
  state: State,
): {readonly changes: readonly PushChange[]; readonly mends: ReadonlySet<string>} {
  const settings = valueOf(state.push);
  const off = rules?.find(({setting, wanted}) => setting === 'notify_enabled' && !wanted);
  const breaksNothing = rules?.every(({wanted}) => !wanted) === true;
  if (off === undefined || settings?.['notify_enabled'] !== true || !breaksNothing) return {changes: [], mends: new Set()};
  const change: PushChange = {
    action: 'update',
    kind: 'push',
    subject: off.setting,
    details: {notify_enabled: false},
    reason: 'must',
    because: `push.${off.setting}: ${placeText(off.place)}`,
  };
  return {changes: [change], mends: new Set(rules?.map(({setting}) => setting))};
}
