/** The plan of a policy: what would change, what cannot, and what to know about it. */
import type {PlanHead} from '../model/documents.js';
import {type Change, changeJson} from '../model/change.js';
import {compare} from '../sections/compare.js';
import {
  type About,
  type Circumstances,
  type Difference,
  findingJson,
  heldBackJson,
  type Skipped,
  skippedJson,
} from '../model/difference.js';
import {byKind, type Item, type MadeItem} from '../model/items.js';
import {type Guard, guardJson, guardOf, isGuarded} from './guard.js';
import {withPeople} from './by-hand.js';
import {keptBlocks, leftovers, unreadOwned} from './leftovers.js';
import {type PlanLimits, type Present, presentIn} from './limits.js';
import {listJson, type ListSummary} from '../lists/merge.js';
import {type LongDocument, withItems} from '../../print/print.js';
import {withinCap} from '../sections/domains/cap.js';
import {compareLocations} from '../source/location.js';
import {type FollowedRule, followedRuleOf, uncheckedProtection} from '../lists/protection.js';
import {ownedIn} from '../reading/part.js';
import type {Policy} from '../model/policy.js';
import {fingerprint} from '../sections/read-state.js';
import {inPlans, sections} from '../sections/index.js';
import type {SectionKey} from '../model/section-types.js';
import {type State, valueOf} from '../model/server-state.js';
import {type PlanPart, summariesIn, type Wanted} from '../lists/wanted.js';

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
  /** What the guard says once the plan is in a file. */
  readonly guardInFile: () => Guard;
  /** Of the state that it was made from. */
  readonly fingerprint: () => string;
  /** What it is limited to. */
  readonly part?: PlanPart | undefined;
  /** Whether private comments are shown. */
  readonly showsPrivate: boolean;
  /** When it was read who is followed, where the policy protects them. */
  readonly followedAt?: Date | undefined;
  /** For an apply that checks it again. */
  readonly followedRule?: FollowedRule | undefined;
}

export interface Plan extends PlannedChanges, PlanLimits {}

/** The sections of the state to read for a policy, and for what an earlier apply made. */
export function neededParts(policy: Policy, owned: readonly Item[] = []): ReadonlySet<SectionKey> {
  const made = new Set(owned.map(({kind}) => kind));
  return new Set(sections.flatMap((section) => (section.asks(policy) || made.has(section.kind) ? section.key : [])));
}

/** @throws Failure `usage` when filters have the same title and no id */
export function makePlan(wanted: Wanted, state: State, kept: readonly MadeItem[], circumstances: Circumstances): PlannedChanges {
  const about = withPeople(wanted, state, {...circumstances, owned: kept});
  const {now} = about;
  const {part} = wanted;
  const followed = valueOf(wanted.followed);
  const domains = [...wanted.domains.values()];
  const compared = comparedWith(wanted, state, about);
  const {differences, matchedBy} = compared;
  const present = presentIn(state, now);
  const asking = () => differences.flatMap(({change}) => change ?? []);
  const past = {state, owned: ownedIn(kept, part?.only), matchedBy};
  const behind = wanted.onlyAdds ? {left: [], skipped: []} : leftovers(wanted, asking, past, about);
  const {left} = behind;
  const skipped = [...compared.skipped, ...behind.skipped, ...keptBlocks(wanted, state, past.owned)];
  const {differences: fitting, held} = withinCap(differences, wanted, state, left);
  // Several differences can share a change.
  const asked = new Set<Change>();
  const unchangeable: Difference[] = [];
  for (const one of fitting) {
    const {change} = one;
    if (change === undefined) unchangeable.push(one);
    else asked.add(change);
  }
  for (const {change} of left) asked.add(change);
  const changes = inOrder(asked, wanted, state, present);
  const guard = (isFromFile: boolean) => ({...guardOf(changes, present, isFromFile), ...unprotectedIn(skipped, wanted)});
  return {
    changes,
    cannot: [...domains.flatMap(({protection}) => uncheckedProtection(protection, wanted, skipped)), ...unchangeable].sort((one, other) =>
      compareLocations(one.source, other.source),
    ),
    skipped: [...skipped, ...held, ...unreadOwned(skipped, state)],
    lists: summariesIn(wanted.domains),
    guard: guard(false),
    guardInFile: () => guard(true),
    // Only a plan that is kept needs it.
    fingerprint: () => fingerprint(state),
    ...(part && {part}),
    showsPrivate: wanted.showsPrivate === true,
    ...(followed && {followedAt: followed.readAt}),
    followedRule: domains.map(({protection}) => followedRuleOf(protection)).find((rule) => rule !== undefined),
  };
}

function comparedWith(wanted: Wanted, state: State, circumstances: Circumstances): ReturnType<typeof compare> {
  const compared = compare(wanted, state, circumstances);
  return wanted.onlyAdds ? {...compared, differences: compared.differences.map(leftAlone)} : compared;
}

/** A difference that stays, unless something is missing. An apply might change other things: what ids mean depends on the server. */
function leftAlone(difference: Difference): Difference {
  if (difference.change?.action === 'add') return difference;
  const {rule, kind, subject, wanted, actual, source, details} = difference;
  return {rule, kind, subject, wanted, actual, source, fix: 'a restore does not change it', details};
}

/** The order of a plan: the most important first, and additions before removals where there is room. */
function inOrder(changes: Iterable<Change>, wanted: Wanted, {host}: State, present: Present): Change[] {
  const changesOf = byKind(changes);
  return inPlans.flatMap(({kind, changing, holding: own}) => {
    const room = own?.limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, own.limit.older - (present.get(kind) ?? 0));
    return changing?.inOrder(changesOf(kind), {wanted, host, room}) ?? [];
  });
}

/** What `plan --json` prints of one account. */
export function planDocument(
  {server, account, policy}: About,
  {changes, cannot, skipped, lists, limits, beyond, guard, part, showsPrivate, followedAt}: Plan,
): LongDocument {
  const document: PlanHead & {readonly changes: readonly []} = {
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
    ...(isGuarded(guard) && {guard: guardJson(guard)}),
  };
  return withItems(document, {
    list: 'changes',
    items: changes.values().map((change) => changeJson(change, showsPrivate)),
  });
}

function unprotectedIn(skipped: readonly Skipped[], wanted: Wanted): Pick<Guard, 'unprotected'> {
  const unprotected = [...wanted.domains.values()].map(({protection}) => protection.unknown(wanted)).find((why) => why !== undefined);
  return unprotected !== undefined && skipped.some(({heldBy}) => heldBy?.how === 'unknown') ? {unprotected} : {};
}
