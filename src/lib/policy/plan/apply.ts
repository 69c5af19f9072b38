/** Applies a policy or a plan file: the changes that are left to make, and what the state file records of them. */
import {Failure} from '../../client/failure.js';
import type {Change} from '../model/change.js';
import type {FindingJson} from '../model/documents.js';
import {type About, adviceOf, findingJson, type Skipped, type Target} from '../model/difference.js';
import {withoutUnasked} from './by-hand.js';
import {blindness} from '../sections/blindness.js';
import {type PlanLimits, limitsOn, presentIn} from './limits.js';
import {beginApply, finishApply, reopened, withoutGone, withPlan, withUnrecorded} from '../state-file/ownership.js';
import {ownedIn} from '../reading/part.js';
import {type KeptPlan, leftToDo} from './plan-file.js';
import {partsChanged, refuseUnfit} from './plan-fit.js';
import {refuseFollowed} from '../lists/protection.js';
import {type Guard, guardOf} from './guard.js';
import {makePlan, neededParts, type Plan} from './plan.js';
import {readState, readWhole} from '../sections/read-state.js';
import {wantedFor, withFollowed} from '../reading/read-wanted.js';
import {withFollows} from '../sections/admin-domain-blocks.js';
import {cutOff, inPlans, sections} from '../sections/index.js';
import {byKind} from '../model/items.js';
import type {PreparedChanges} from '../section/section.js';
import type {SectionKey} from '../model/section-types.js';
import {RecordDraft} from '../state-file/draft.js';
import {Recording} from '../state-file/recording.js';
import {aboutIn, type Records} from '../state-file/records.js';
import {lastApply, type OwnershipRecord} from '../state-file/state-file.js';
import type {State} from '../model/server-state.js';
import {undoneParts} from './undo.js';
import type {PlanPart, Wanted} from '../lists/wanted.js';

export interface Planned {
  readonly about: About;
  readonly plan: Plan;
  readonly state: State;
  readonly parts: ReadonlySet<SectionKey>;
  /** With what an apply made before it was killed. */
  readonly records: Records;
}

/** What earlier applies of a policy to an account left in the state file. */
export interface Remembered {
  /** The parts of the account to read: those of the policy, and those of what was made. */
  readonly parts: ReadonlySet<SectionKey>;
  /** The records, with what an apply made before it was killed, and without what is gone. */
  readonly recordsIn: (state: State, now: Date) => Records;
}

export function remembered(wanted: Wanted, records: Records): Remembered {
  const begun = records.all.flatMap(({record}) => lastApply(record) ?? []).filter(({isFinished}) => !isFinished);
  const needed = neededParts(wanted.policy, ownedIn(records.owned, wanted.part?.only));
  const parts = begun.reduce((some, apply) => some.union(undoneParts(apply)), needed);
  return {parts, recordsIn: (state, now) => reconciled(records, state, now)};
}

const reconciled = (records: Records, state: State, now: Date): Records =>
  records.changed((record) => withoutGone(withUnrecorded(record, state, now), state, now));

/**
 * Reads what the policy needs, and compares.
 * @throws Failure for what cannot be read: a plan of a part would be wrong
 */
export async function planFor(policy: Wanted, kept: Records, target: Target): Promise<Planned> {
  const {client, server, account, own, advice, now: clock} = target;
  const asked = await withFollowed(wantedFor(policy, target), target.followed);
  const about = {server: server.origin, account, policy: asked.policy.file};
  const {parts, recordsIn} = remembered(asked, kept);
  const state = await readState(client, server.origin, parts, own);
  const wanted = await withFollows(asked, state, target.measures);
  const now = clock();
  const records = recordsIn(state, now);
  const planned = makePlan(wanted, state, records.owned, {now, advice, watched: records.watched});
  const failure = blindness(planned.skipped, server.host);
  if (failure !== undefined) throw failure;
  const plan = {...planned, ...(await limitsOn(client, planned.changes, state, now))};
  return {about, plan, state, parts, records: records.changed((record) => withoutUnasked(record, wanted, state, now))};
}

/** What to report about changes, beside the changes themselves. */
export interface Remarks extends PlanLimits {
  readonly cannot?: readonly FindingJson[];
  readonly skipped?: readonly Skipped[];
  /** Whether private comments are in texts. */
  readonly showsPrivate?: boolean | undefined;
  /** What the changes are limited to. */
  readonly part?: PlanPart | undefined;
}

/** A plan that can be carried out. */
export interface Ready {
  readonly changes: readonly Change[];
  /** What could not be read, and what follows from it. */
  readonly warnings: readonly string[];
  readonly guard: Guard;
  readonly remarks: Remarks;
  readonly records: Records;
  readonly state: State;
  /** Of the plan file that it comes from. */
  readonly digest?: string;
}

/** The changes of all sections as they are sent, with what could not be read for that. */
async function prepared(
  changes: readonly Change[],
  state: State,
  {client, now}: Target,
): Promise<{readonly changes: readonly Change[]; readonly warnings: readonly string[]}> {
  const changesOf = byKind(changes);
  const all: PreparedChanges[] = [];
  for (const {kind, changing} of inPlans) {
    const own = changesOf(kind);
    if (changing?.prepared !== undefined && own.length > 0) all.push(await changing.prepared(own, state, client, now()));
  }
  const known = new Map(all.flatMap((one) => [...one.changes]));
  return {changes: changes.map((change) => known.get(change) ?? change), warnings: all.flatMap(({warning}) => warning ?? [])};
}

/** @throws Failure when it is not for this account, or what it needs cannot be read */
export async function readyFromPolicy(wanted: Wanted, kept: Records, target: Target): Promise<Ready> {
  const {plan, records, state} = await planFor(wanted, kept, target);
  const {guard, skipped, limits, beyond, part, showsPrivate} = plan;
  return {
    ...(await prepared(plan.changes, state, target)),
    guard,
    remarks: {cannot: plan.cannot.map((one) => findingJson(one)), skipped, limits, beyond, part, showsPrivate},
    records,
    state,
  };
}

/** @throws Failure when it is not for this account, the server has changed since, or what it needs cannot be read */
export async function readyFromPlan(kept: KeptPlan, before: Records, target: Target): Promise<Ready> {
  const {client, server, account, own, now: clock} = target;
  // Nothing in a plan depends on what it cannot change, which not every server has.
  const changeable = new Set(sections.flatMap(({key, changing}) => (changing === undefined ? [] : key)));
  const parts = changeable.intersection(new Set(kept.parts)).union(partsChanged(kept.changes));
  const state = await readWhole(client, server.origin, parts, own);
  const now = clock();
  const records = reconciled(before, state, now);
  const changes = leftToDo(kept, records, state);
  refuseUnfit(changes, state, {account, policy: kept.policy, now});
  const {digest, guard} = kept;
  // What could not be read then was missing when the plan was made.
  const unprotected = guard.unprotected ?? (await unprotectedNow(kept, changes, target));
  return {
    ...(await prepared(changes, state, target)),
    guard: {...guardOf(changes, presentIn(state, now), true), ...(unprotected !== undefined && {unprotected})},
    remarks: {
      cannot: kept.cannot,
      part: kept.part,
      showsPrivate: kept.showsPrivate,
      ...(await limitsOn(client, changes, state, now)),
    },
    records: records.changed((record) => (lastApply(record)?.plan === digest ? reopened(record) : record)),
    state,
    digest,
  };
}

/** Why it is unknown whether those that are followed are protected from the plan. @throws Failure `refused` where they are not */
async function unprotectedNow(
  {policy, protect_followed: rule}: KeptPlan,
  changes: readonly Change[],
  {followed}: Target,
): Promise<string | undefined> {
  const domains = cutOff(changes);
  if (rule === undefined || domains.length === 0) return undefined;
  return refuseFollowed(rule, domains, {
    followed: await followed?.(),
    hint: `make a new plan: ${adviceOf().onPolicy('plan', policy)}`,
  });
}

/** Follows changes while they are carried out. */
export interface Witness {
  /** Called before each change is sent; when this fails, nothing more is sent. */
  sending?(change: Change): Promise<void>;
  /** Called for each change that was made, with the id of the filter that it made; when this fails, nothing more is sent. */
  made(change: Change, createdId: string | undefined): Promise<void>;
  /** Called instead for each change that somebody else had made by then. */
  stood?(change: Change): Promise<void>;
  /** Called for each change that was not made, or whose outcome is unknown. */
  failed?(change: Change, failure: Failure): void;
}

/** Whether running it again does the rest: then both runs are one apply. */
function canContinue(error: unknown): boolean {
  return error instanceof Failure && ['interrupted', 'local', 'rate_limited', 'terminated'].includes(error.code);
}

/**
 * Records how everything was before the first request, and what was made after each.
 * @param carryOut sends the changes
 * @throws Failure as `carryOut` does
 */
export async function applyChanges(
  {changes, digest, records, state}: Ready,
  {at, carryOut}: {readonly at: Date; readonly carryOut: (changes: readonly Change[], witness: Witness) => Promise<void>},
): Promise<void> {
  const isTouched = (record: OwnershipRecord) => aboutIn(record, changes).length > 0;
  const begun = records.only(isTouched).changed((record) => {
    const begun = beginApply(record, aboutIn(record, changes), state, at);
    return digest === undefined ? begun : withPlan(begun, digest);
  });
  const others = records.only((record) => !isTouched(record));
  await others.write();
  let isUnsure = false;
  const made: Change[] = [];
  const refused: Change[] = [];
  const nextOf = new Map(changes.map((change, index) => [change, changes[index + 1]]));
  const recording = await Recording.begin(begun, changes[0]);
  try {
    await carryOut(changes, {
      sending: (change) => recording.sending(change),
      async made(change, createdId) {
        made.push(change);
        await recording.made(change, createdId, nextOf.get(change));
      },
      stood: (change) => recording.stood(change, nextOf.get(change)),
      failed(change, failure) {
        // The next run checks whether the change was made.
        if (failure.details.fate === 'unknown') isUnsure = true;
        else refused.push(change);
      },
    });
  } catch (error) {
    // The next apply continues one that did not end. One that ended without a change is not recorded at all.
    const isContinued = canContinue(error) || isUnsure;
    const ended = (draft: RecordDraft): OwnershipRecord => {
      draft.refused(aboutIn(draft.owner, refused));
      if (isContinued) return draft.record;
      if (aboutIn(draft.owner, made).length > 0) return finishApply(draft.record);
      // What an earlier run may have made is known by now: the server refused it.
      const open = new RecordDraft(records.of(draft.owner));
      if (lastApply(open.record)?.isFinished === false) open.refused(aboutIn(draft.owner, refused));
      return open.record;
    };
    // The run has failed for another reason; what cannot be written now is in the log.
    await recording.end(ended).catch(() => {});
    throw error;
  }
  await recording.end(({record}) => finishApply(record));
  await others.changed(finishApply).write();
}
