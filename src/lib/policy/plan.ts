/** From a policy and what a server has to the changes that make them agree. */
import {Failure} from '../client/failure.js';
import {handleOf, shownHandle} from '../operations/handles.js';
import {
  type AccountChange,
  accountParts,
  type Change,
  type DomainBlockChange,
  type FilterChange,
  type PushChange,
  type Reason,
} from './change.js';
import {accountDifference, type AccountKind, tooMany} from './compare-accounts.js';
import {type Circumstances, compare} from './compare.js';
import {domainDifference} from './domain-difference.js';
import {canBeSent, filterAddition, filterDifference, filterRemoval, filterUpdate, hasDepartures, orderedFilterChanges} from './filters.js';
import {type Finding, type Skipped, unread} from './finding.js';
import {hasRoom, type Limits, limitsHit, presentIn} from './limits.js';
import type {WantedDomain} from './lists/merge.js';
import {compareLocations, compareText, locationText} from './location.js';
import {nothingOwned, type Owned} from './ownership.js';
import type {Wanted} from './policy-file.js';
import type {AccountRules, PushRule} from './policy.js';
import type {SetDifference} from './set-difference.js';
import {severities} from './severity.js';
import {type FilterState, fingerprint, liveFilters, type PartName, type State, valueOf} from './state.js';

export interface Plan extends Limits {
  /** In the order in which they are carried out. */
  readonly changes: readonly Change[];
  /** Findings that no request of the API can change; `fix` says what can. */
  readonly cannot: readonly Finding[];
  readonly skipped: readonly Skipped[];
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
    blocks: blocks !== undefined || owned.blocks.length > 0,
    mutes: mutes !== undefined || owned.mutes.length > 0,
    push: push !== undefined && push.length > 0,
    config: config !== undefined && config.length > 0,
  };
  return new Set((['blocks', 'config', 'domain_blocks', 'filters', 'mutes', 'push'] as const).filter((part) => needed[part]));
}

const givenUp = 'an earlier apply of this policy made it, and the policy no longer names it';

/** @throws Failure `usage` when filters cannot be told apart */
export function makePlan(wanted: Wanted, state: State, owned: Owned, circumstances: Circumstances): Plan {
  const {now} = circumstances;
  const {findings, skipped} = compare(wanted, state, circumstances);
  const filters = filterChanges(wanted, state, owned, now);
  const push = pushChange(wanted.policy.push, state);
  const changes: Change[] = [
    ...domainChanges(wanted, state, owned),
    ...accountChanges('block', wanted.policy.blocks, state, owned, circumstances),
    ...accountChanges('mute', wanted.policy.mutes, state, owned, circumstances),
    ...filters.changes,
    ...push.changes,
  ];
  const isForOthers = ({kind, rule, subject, isAppliable}: Finding) =>
    kind === 'push' ? !push.covers.has(subject) : !isAppliable || (rule === 'filters.must' && filters.unsendable.has(subject));
  return {
    changes,
    cannot: [
      ...findings.filter((one) => isForOthers(one) && !isAboutCount(one)),
      ...countsAfter(wanted.policy, changes, state, circumstances),
    ].sort((one, other) => compareLocations(one.source, other.source)),
    skipped: [...skipped, ...unreadOwned(skipped, state)],
    ...limitsHit(changes, state, now),
    guard: guardOf(changes, presentIn(state, now)),
    fingerprint: fingerprint(state),
  };
}

const partsThatChange = {domain_block: 'domainBlocks', block: 'blocks', mute: 'mutes', filter: 'filters'} as const;

/** What was read for what an earlier apply made alone, and could not be: nothing may be concluded from that. */
function unreadOwned(skipped: readonly Skipped[], state: State): Skipped[] {
  return (['domain_block', 'block', 'mute', 'filter'] as const).flatMap((kind) => {
    const part = state[partsThatChange[kind]];
    const isTold = skipped.some((one) => one.kind === kind && one.failure !== undefined);
    return part !== undefined && 'failure' in part && !isTold ? [unread(kind, part.failure)] : [];
  });
}

function isAboutCount({rule}: Finding): boolean {
  return rule.endsWith('.at_most');
}

/** How many accounts there may be is a question of how many there are once the plan is carried out. */
function countsAfter(policy: Wanted['policy'], changes: readonly Change[], state: State, {advice}: Circumstances): Finding[] {
  return (['block', 'mute'] as const).flatMap((kind) => {
    const [rules, there] = [policy[accountParts[kind]], valueOf(state[accountParts[kind]])];
    if (rules === undefined || there === undefined) return [];
    const own = changes.filter((change) => change.kind === kind);
    const added = own.filter(({action}) => action === 'add').length;
    return tooMany(kind, rules, there.size + added - (own.length - added), advice.suggest);
  });
}

interface Removal {
  readonly name: string;
  readonly reason: Reason;
  readonly because: string;
}

/** What goes of a set: what the policy forbids, and what it no longer names although an apply of it made that. */
function removals(
  section: string,
  difference: Pick<SetDifference<unknown>, 'forbidden' | 'surplus'> | undefined,
  wanted: ReadonlySet<string>,
  owned: readonly string[],
  there: ReadonlyMap<string, unknown>,
): Removal[] {
  const asked: Removal[] = [
    ...(difference?.forbidden ?? []).map(({name, location}) => ({
      name,
      reason: 'forbidden' as const,
      because: `${section}.must_not: ${locationText(location)}`,
    })),
    ...(difference?.surplus ?? []).map(({name, location}) => ({
      name,
      reason: 'only' as const,
      because: `${section}.only: ${locationText(location)}`,
    })),
  ];
  const named = new Set([...wanted, ...asked.map(({name}) => name)]);
  const dropped = owned
    .filter((name) => there.has(name) && !named.has(name))
    .map((name) => ({name, reason: 'no_longer_named' as const, because: givenUp}));
  return [...asked, ...dropped].sort((one, other) => compareText(one.name, other.name));
}

function sourcesText({rule, sources}: WantedDomain): string {
  return `${rule}: ${sources.map(locationText).join(', ')}`;
}

/** What the author wrote by hand; then what most lists agree on, the most severe first. */
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

/** Nothing is open for a while that could stay closed, unless there may be no room. */
function inOrder<Added, Removed>(
  kind: 'block' | 'domain_block' | 'mute',
  present: number,
  additions: readonly Added[],
  gone: readonly Removed[],
): (Added | Removed)[] {
  return hasRoom(kind, present, additions.length) ? [...additions, ...gone] : [...gone, ...additions];
}

function domainChanges({domains}: Wanted, state: State, owned: Owned): DomainBlockChange[] {
  const blocked = valueOf(state.domainBlocks);
  if (blocked === undefined) return [];
  const kind = 'domain_block';
  const difference = domains && domainDifference(domains, blocked, state.host);
  const additions = (difference?.missing ?? []).toSorted(byImportance).map((one): DomainBlockChange => ({
    action: 'add',
    kind,
    subject: one.domain,
    details: one.coveredBy === undefined ? {} : {covered_by: one.coveredBy},
    reason: one.rule === 'domain_blocks.must' ? 'must' : 'lists',
    because: sourcesText(one),
  }));
  const gone = removals('domain_blocks', difference, new Set(domains?.wanted.keys()), owned.domainBlocks, blocked).map(
    ({name, reason, because}): DomainBlockChange => {
      const stored = blocked.get(name);
      const details = stored === undefined || stored === name ? {} : {stored};
      return {action: 'remove', kind, subject: name, details, reason, because};
    },
  );
  return inOrder(kind, blocked.size, additions, gone);
}

function accountChanges(
  kind: AccountKind,
  rules: AccountRules | undefined,
  state: State,
  owned: Owned,
  {account}: Circumstances,
): AccountChange[] {
  const part = accountParts[kind];
  const there = valueOf(state[part]);
  if (there === undefined) return [];
  const {host} = state;
  const difference = rules && accountDifference(rules, there, host, account);
  const additions = (difference?.missing ?? [])
    .toSorted((one, other) => compareText(one.handle, other.handle))
    .map(({handle, source}): AccountChange => ({
      action: 'add',
      kind,
      subject: shownHandle(handle, host),
      details: {},
      reason: 'must',
      because: `${part}.must: ${locationText(source)}`,
    }));
  const wanted = new Set(rules?.must.map(({value}) => handleOf(value, host)));
  const gone = removals(part, difference, wanted, owned[part], there).map(({name, reason, because}): AccountChange => {
    const id = there.get(name)?.id;
    return {action: 'remove', kind, subject: shownHandle(name, host), details: id === undefined ? {} : {id}, reason, because};
  });
  return inOrder(kind, there.size, additions, gone);
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
      filterUpdate(wanted, actual, departures, {reason: 'must', because: `filters.must: ${locationText(wanted.location)}`}),
    );
  const removals = [
    ...(difference?.forbidden ?? []).map(({filter, location}) =>
      filterRemoval(filter, {reason: 'forbidden', because: `filters.must_not: ${locationText(location)}`}),
    ),
    ...(difference?.surplus ?? []).map(({filter, location}) =>
      filterRemoval(filter, {reason: 'only', because: `filters.only: ${locationText(location)}`}),
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
      filterAddition(wanted, {reason: 'must', because: `filters.must: ${locationText(wanted.location)}`}),
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
): {readonly changes: readonly PushChange[]; readonly covers: ReadonlySet<string>} {
  const settings = valueOf(state.push);
  const off = rules?.find(({setting, wanted}) => setting === 'notify_enabled' && !wanted);
  const breaksNothing = rules?.every(({wanted}) => !wanted) === true;
  if (off === undefined || settings?.['notify_enabled'] !== true || !breaksNothing) return {changes: [], covers: new Set()};
  const change: PushChange = {
    action: 'update',
    kind: 'push',
    subject: off.setting,
    details: {notify_enabled: false},
    reason: 'must',
    because: `push.${off.setting}: ${locationText(off.location)}`,
  };
  return {changes: [change], covers: new Set(rules?.map(({setting}) => setting))};
}

/** Removals that nobody asked for by name. */
export interface Guard {
  readonly removals: number;
  /** Why they need to be allowed; undefined when they do not. */
  readonly why?: string | undefined;
}

const mostUnasked = 20;
const fewestThatCount = 5;
const largestShare = 0.1;
const words = {block: 'blocks', domain_block: 'domain blocks', filter: 'filters', mute: 'mutes'} as const;

/** @param present how many of each kind the server has */
function guardOf(changes: readonly Change[], present: Readonly<Partial<Record<Change['kind'], number>>>): Guard {
  const removals = changes.filter(({action, reason}) => action === 'remove' && (reason === 'only' || reason === 'no_longer_named'));
  if (removals.length > mostUnasked)
    return {removals: removals.length, why: `it removes ${removals.length} that no rule names, which is more than ${mostUnasked}`};
  for (const kind of ['domain_block', 'filter', 'block', 'mute'] as const) {
    const some = removals.filter((change) => change.kind === kind).length;
    const all = present[kind] ?? 0;
    if (some >= fewestThatCount && some > all * largestShare) {
      return {removals: removals.length, why: `it removes ${some} of ${all} ${words[kind]} that no rule names, which is more than 10 %`};
    }
  }
  return {removals: removals.length};
}

/**
 * @param allowed how many such removals are allowed; undefined: as many as need no leave
 * @throws Failure `usage` when there are more
 */
export function refuseRemovals({removals, why}: Guard, allowed: number | undefined): void {
  if (why === undefined || (allowed !== undefined && removals <= allowed)) return;
  throw new Failure('usage', `The plan is not carried out: ${why}`, {hint: `if that is meant, allow it with --allow-removals ${removals}`});
}
