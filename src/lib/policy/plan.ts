/** The plan of a policy: what would change, what cannot, and what to know about it. */
import {Failure} from '../client/failure.js';
import {accountKey} from '../operations/handles.js';
import {accountParts, type Change, changeJson, type FilterChange, type Reason} from './change.js';
import {type Circumstances, compare, tooMany} from './compare.js';
import type {FactsOf} from './domain-facts.js';
import {type About, type Difference, findingJson, heldBackJson, type Skipped, skippedJson} from './difference.js';
import {orderedFilterChanges} from './filters.js';
import {keptBlocks, leftovers, unreadOwned} from './leftovers.js';
import {hasRoom, type Limits, type Present, presentIn} from './limits.js';
import {listJson, type ListSummary, type WantedDomains} from './lists/merge.js';
import {type FlatDocument, textsOf, withItems} from '../print/print.js';
import {byImportance, withinCap} from './cap.js';
import {compareLocations, compareText} from './location.js';
import {nothingOwned, type Owned} from './ownership.js';
import {uncheckedProtection} from './protection.js';
import {Chosen, ownedIn, type PlanPart} from './part.js';
import type {Selectable} from './selection.js';
import type {Wanted} from './wanted.js';
import {fingerprint, type PartName, type State, valueOf} from './state.js';

/** A plan before it is known what of it the server may refuse. */
export interface PlannedChanges {
  /** In the order in which they are carried out. */
  readonly changes: readonly Change[];
  /** Differences that no request of the API can change; `fix` says what can. */
  readonly cannot: readonly Difference[];
  readonly skipped: readonly Skipped[];
  /** Summaries of the lists of the policy. */
  readonly lists: readonly ListSummary[];
  readonly guard: Guard;
  /** Of the state that it was made from. */
  readonly fingerprint: () => string;
  /** What it is limited to. */
  readonly part?: PlanPart | undefined;
  /** Names of the part that mean nothing here. */
  readonly unmatched?: readonly string[] | undefined;
  /** What the policy and its lists say about a domain, private comments included. */
  readonly factsOf?: FactsOf | undefined;
  /** When it was read who is followed, where the policy protects them. */
  readonly followedAt?: Date | undefined;
}

export interface Plan extends PlannedChanges, Limits {}

/** The parts of the state to read for a policy, and for what an earlier apply made. */
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

/** @throws Failure `usage` when filters have the same title and no id */
export function makePlan(wanted: Wanted, state: State, owned: Owned, circumstances: Circumstances): PlannedChanges {
  const {now} = circumstances;
  const {part} = wanted;
  const followed = wanted.domains && valueOf(wanted.followed);
  const compared = compare(wanted, state, circumstances);
  const chosen = part && new Chosen(part, state.host);
  const isMeant = chosen?.has ?? (() => true);
  const differences = chosen ? compared.differences.filter(isMeant) : compared.differences;
  const skipped = [...compared.skipped, ...keptBlocks(wanted, state, ownedIn(owned, part?.only))].filter(
    ({kind, subject}) => subject === undefined || isMeant({kind, subject}),
  );
  const {matched} = compared;
  const present = presentIn(state, now);
  // Several differences can share a change. What is not meant is asked for all the same: it is not dropped.
  const wholePolicy = [...new Set(compared.differences.flatMap(({change}) => change ?? []))];
  const past = {state, owned: ownedIn(owned, part?.only), matched};
  const left = leftovers(wanted, wholePolicy, past, circumstances).filter(({change}) => isMeant(change));
  const {differences: fitting, held} = withinCap(differences, wanted, state, left);
  const asked = [...new Set(fitting.flatMap(({change}) => change ?? []))];
  const dropped = left.map(({change}) => change);
  const changes = inOrder([...asked, ...dropped], wanted.domains, state, present);
  return {
    changes,
    cannot: [
      ...uncheckedProtection(wanted.domains?.protection, wanted, skipped),
      ...differences.filter(({change, rule}) => change === undefined && !rule.endsWith('.at_most')),
      ...countsAfter(wanted.policy, changes, state, circumstances).filter(isMeant),
    ].sort((one, other) => compareLocations(one.source, other.source)),
    skipped: [...skipped, ...held, ...unreadOwned(skipped, state)],
    lists: wanted.domains?.summaries ?? [],
    guard: {...guardOf(changes, present), ...unprotectedIn(skipped, wanted)},
    // Only a plan that is kept needs it.
    fingerprint: () => fingerprint(state),
    ...(part && {part}),
    ...(wanted.domains && {factsOf: wanted.domains.factsOf}),
    ...(followed && {followedAt: followed.readAt}),
    ...(chosen && {unmatched: unmatchedIn(chosen, wanted, owned)}),
  };
}

/** The names of a part that neither the plan nor the policy nor an earlier apply has. */
function unmatchedIn(chosen: Chosen, {policy, domains}: Wanted, owned: Owned): readonly string[] {
  if (chosen.unmatched.length === 0) return [];
  for (const one of subjectsOf(policy, domains, owned)) chosen.has(one);
  return chosen.unmatched;
}

function* subjectsOf(
  {filters, blocks, mutes, push, config}: Wanted['policy'],
  domains: WantedDomains | undefined,
  owned: Owned,
): Generator<Selectable> {
  for (const subject of [...(domains?.wanted.keys() ?? []), ...(domains?.mustNot.keys() ?? []), ...owned.domainBlocks])
    yield {kind: 'domain_block', subject};
  for (const {title, id} of [...(filters?.must ?? []), ...owned.filters]) yield {kind: 'filter', subject: title, id};
  for (const {value} of filters?.mustNot ?? []) yield {kind: 'filter', subject: value};
  for (const [kind, rules, made] of [
    ['block', blocks, owned.blocks],
    ['mute', mutes, owned.mutes],
  ] as const)
    for (const subject of [...[...(rules?.must ?? []), ...(rules?.mustNot ?? [])].map(({value}) => value), ...made]) yield {kind, subject};
  for (const {setting} of push ?? []) yield {kind: 'push', subject: setting};
  for (const {path} of config ?? []) yield {kind: 'config', subject: path};
}

/** Compares `at_most` with the number of accounts once the plan is carried out. */
function countsAfter(policy: Wanted['policy'], changes: readonly Change[], state: State, {advice}: Circumstances): Difference[] {
  return (['block', 'mute'] as const).flatMap((kind) => {
    const [rules, there] = [policy[accountParts[kind]], valueOf(state[accountParts[kind]])];
    if (rules === undefined || there === undefined) return [];
    const own = changes.filter((change) => change.kind === kind);
    const added = own.filter(({action}) => action === 'add').length;
    return tooMany(kind, rules, there.size + added - (own.length - added), advice.suggest);
  });
}

/** The order of a plan: the most important first, and additions before removals where there is room. */
function inOrder(changes: readonly Change[], domains: WantedDomains | undefined, {host}: State, present: Present): Change[] {
  const additionsOf: Readonly<Record<'block' | 'domain_block' | 'mute', (one: Change, other: Change) => number>> = {
    domain_block(one, other) {
      const [left, right] = [domains?.wanted.get(one.subject), domains?.wanted.get(other.subject)];
      return left && right ? byImportance(left, right) : 0;
    },
    block: byHandle,
    mute: byHandle,
  };
  function byHandle(one: Change, other: Change): number {
    return compareText(accountKey(one.subject, host), accountKey(other.subject, host));
  }
  const sets = (['domain_block', 'block', 'mute'] as const).flatMap((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    const additions = own.filter(({action}) => action === 'add').sort(additionsOf[kind]);
    const removals = own
      .filter(({action}) => action === 'remove')
      .sort(kind === 'domain_block' ? (one, other) => compareText(one.subject, other.subject) : byHandle);
    return hasRoom(kind, present[kind], additions.length) ? [...additions, ...removals] : [...removals, ...additions];
  });
  const filters = changes.filter((change): change is FilterChange => change.kind === 'filter');
  const push = changes.filter(({kind}) => kind === 'push');
  return [...sets, ...orderedFilterChanges(filters.sort((one, other) => compareText(one.subject, other.subject))), ...push];
}

/** What `plan --json` prints of one account. @param isPublished whether private comments are left out */
export function planDocument(
  {server, account, policy}: About,
  {changes, cannot, skipped, lists, limits, beyond, guard, part, factsOf, followedAt}: Plan,
  isPublished = false,
): FlatDocument {
  const document = {
    server,
    account,
    policy,
    ...(part && {part}),
    changes: [],
    cannot: cannot.map((one) => findingJson(one)),
    skipped: skipped.filter(({limit}) => limit === undefined).map(skippedJson),
    ...heldBackJson(skipped, beyond),
    ...(lists.length > 0 && {lists: lists.map(listJson)}),
    limits,
    ...(followedAt && {followed_at: followedAt.toISOString()}),
    ...(beyond.length > 0 && {beyond_limits: beyond}),
    ...((guard.why !== undefined || guard.unprotected !== undefined) && {guard: guardJson(guard)}),
  };
  return withItems(document, {list: 'changes', items: textsOf(changes, (change) => changeJson(change, isPublished ? undefined : factsOf))});
}

/** Removals that no rule asks for by name, and additions of which it is unknown whether the policy protects them. */
export interface Guard {
  readonly removals: number;
  /** Why they need to be allowed; undefined when they do not. */
  readonly why?: string | undefined;
  /** Why it is unknown which domains to hold back, where then nothing must be applied. */
  readonly unprotected?: string | undefined;
}

const mostUnasked = 20;
const fewestThatCount = 5;
const largestShare = 0.1;
const words = {block: 'blocks', domain_block: 'domain blocks', filter: 'filters', mute: 'mutes'} as const;

/** @param present how many of each kind the server has */
export function guardOf(changes: readonly Change[], present: Readonly<Partial<Record<Change['kind'], number>>>): Guard {
  const unasked: readonly Reason[] = ['lists', 'no_longer_named', 'only'];
  const removals = changes.filter(({action, reason}) => action === 'remove' && unasked.includes(reason));
  const count = removals.length;
  const what = `it removes ${count} items that no rule names`;
  if (count > mostUnasked) return {removals: count, why: `${what} (limit ${mostUnasked})`};
  const isMost = (some: number, all: number) => some >= fewestThatCount && some > all * largestShare;
  const kinds = ['domain_block', 'filter', 'block', 'mute'] as const;
  const all = kinds.reduce((sum, kind) => sum + (present[kind] ?? 0), 0);
  if (isMost(count, all)) return {removals: count, why: `it removes ${count} of ${all} items, which no rule names (limit 10 %)`};
  // What is most of one kind must not be hidden by many of another.
  for (const kind of kinds) {
    const [some, ofKind] = [removals.filter((change) => change.kind === kind).length, present[kind] ?? 0];
    if (isMost(some, ofKind)) return {removals: count, why: `${what}, ${some} of ${ofKind} ${words[kind]} among them (limit 10 %)`};
  }
  return {removals: count};
}

function unprotectedIn(skipped: readonly Skipped[], wanted: Wanted): Pick<Guard, 'unprotected'> {
  const unprotected = wanted.domains?.protection.unknown(wanted);
  return unprotected !== undefined && skipped.some(({heldBy}) => heldBy?.how === 'unknown') ? {unprotected} : {};
}

/** In JSON, and in plan files. */
export function guardJson({removals, why, unprotected}: Guard): Guard {
  return {removals, ...(why !== undefined && {why}), ...(unprotected !== undefined && {unprotected})};
}

/** In words: what apply needs, or why it refuses. */
export function guardTexts({removals, why, unprotected}: Guard): string[] {
  return [
    ...(why === undefined ? [] : [`${why}: apply needs --allow-removals ${removals}`]),
    ...(unprotected === undefined ? [] : [`${unprotected}: apply refuses this plan`]),
  ];
}

/**
 * @param allowed how many such removals are allowed; undefined: as many as are always allowed
 * @throws Failure `usage` when there are more, `refused` without the protection that the policy asks for
 */
export function refuseGuarded({removals, why, unprotected}: Guard, allowed: number | undefined): void {
  if (unprotected !== undefined)
    throw new Failure('refused', `The plan was not applied: ${unprotected}`, {
      hint: 'run it again when the server answers, apply the rest with --only, or remove protect_followed from the policy; a saved plan has to be made again',
    });
  if (why === undefined || (allowed !== undefined && removals <= allowed)) return;
  throw new Failure('usage', `The plan was not applied: ${why}`, {hint: `if this is intended, pass --allow-removals ${removals}`});
}
