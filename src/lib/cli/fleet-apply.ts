/** Applies and reverts policies on several accounts. */
import {Failure, type AccountFailure} from '../client/failure.js';
import {applyChanges, type Ready, readyFromPlan, readyFromPolicy, type Remarks} from '../policy/apply.js';
import type {Change} from '../policy/change.js';
import {type Target} from '../policy/difference.js';
import {afterUndo, finishApply} from '../policy/ownership.js';
import {type KeptPlan, keptPlanOf} from '../policy/plan-file.js';
import {planOfSeveral, summaryText} from '../policy/plan-of-several.js';
import {refuseGuarded} from '../policy/plan.js';
import {findLastApply, StateFile} from '../policy/state-file.js';
import {undoFor} from '../policy/undo.js';
import type {Wanted} from '../policy/wanted.js';
import {printPlansOfSeveral} from './dry-run.js';
import {failureAs, failureOfAccounts, type Fleet, type Member, openFleet} from './fleet.js';
import {FleetRun} from './fleet-run.js';
import {notePart, refuseUnmatched} from './policy-part.js';
import {
  carryOutBy,
  lockedAccount,
  plannedRequests,
  type PolicyFlags,
  refuseOthers,
  sameFlags,
  stateFileIn,
  targetOf,
  warningOf,
  warnOfEach,
} from './policy.js';
import {printingOf} from './printing.js';
import {allowWrites} from './prompts.js';
import type {Session} from './session.js';
import {type FleetFlags, type Of, noteRemarksOf, parted, plansForPeople} from './fleet-plan.js';

/** The changes of one account. */
interface Job {
  readonly changes: readonly Change[];
  readonly remarks: Remarks;
  /** Makes the changes, or only notes that there is nothing to do. */
  readonly carryOut: (send: Parameters<typeof carryOutBy>[1]) => Promise<void>;
}

interface Jobs {
  /** `Apply p.yml to` */
  readonly question: string;
  /** Prepares the changes of an account; with a state file that is locked, except in a dry run. */
  readonly prepare: (target: Target, stateFile: StateFiles['open']) => Promise<Job>;
  /** Checks all of them before anything is sent. @throws Failure */
  readonly check?: ((jobs: readonly Of<Job>[]) => void) | undefined;
}

/** State files, each opened once: accounts may share one. */
class StateFiles implements Disposable {
  readonly #opened = new Map<string, Promise<StateFile>>();
  readonly #stack = new DisposableStack();
  readonly #isDryRun: boolean;

  constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  /** @param lock of the account that uses it */
  async open(path: string, lock?: () => Promise<Disposable | undefined>): Promise<StateFile> {
    const opened = this.#opened.get(path) ?? this.#open(path);
    this.#opened.set(path, opened);
    const file = await opened;
    const held = this.#isDryRun ? undefined : await lock?.();
    if (held !== undefined) this.#stack.use(held);
    return file;
  }

  async #open(path: string): Promise<StateFile> {
    return this.#isDryRun ? StateFile.read(path) : this.#stack.use(await StateFile.lock(path));
  }

  [Symbol.dispose](): void {
    this.#stack.dispose();
  }
}

/**
 * Shows the changes of several accounts, asks once, and makes them: accounts side by side, the changes of each one after another.
 * @returns the differences that are left, by account
 * @throws Failure `partial` when some accounts failed; that of a signal
 */
async function changeSeveral({question, prepare, check}: Jobs, fleet: Fleet, {flags, session}: {flags: FleetFlags; session: Session}) {
  const {members} = fleet;
  const printing = await printingOf(session);
  using files = new StateFiles(session.dryRun);
  const results = await fleet.each(async ({connection}) =>
    prepare(await targetOf(connection, flags), (path, lock) => files.open(path, lock)),
  );
  const {found, failed} = parted(members, results);
  const remarks = found.map(({member, value}) => ({member, value: value.remarks}));
  if (failed.length === 0) refuseUnmatched(found.map(({value}) => value.remarks));
  const isShown = session.format === 'table' ? !session.flags.quiet : !session.assumeYes;
  const all = found.flatMap(({value}) => value.changes);
  const plans = plansForPeople(
    members,
    found.map(({member, value: {changes, remarks: own}}) => ({member, value: {changes: session.dryRun ? [] : changes, ...own}})),
    failed,
  );
  if (isShown && !session.dryRun) for (const text of planOfSeveral(plans, session.io.err.color)) session.io.tell(text);
  if (session.format === 'table') notePart(remarks[0]?.value.part, session);
  noteRemarksOf(remarks, session);
  if (session.dryRun) {
    const requests = await fleet.each(async (member) => {
      const job = found.find((one) => one.member === member);
      return {
        account: member.account,
        server: member.connection.server,
        requests: await plannedRequests(job?.value.changes ?? [], member.connection),
      };
    });
    const planned = parted(members, requests);
    await printPlansOfSeveral(
      planned.found.map(({value}) => value),
      session,
    );
    const failure = failureOfAccounts([...failed, ...planned.failed], members.length, fleet.suggest);
    if (failure !== undefined) throw failure;
    return remarks;
  }
  check?.(found);
  const busy = found.filter(({value}) => value.changes.length > 0);
  if (busy.length > 0) {
    const names = busy.map(({member}) => member.account).join(', ');
    const counts = summaryText(plans.filter(({plan}) => (plan?.changes.length ?? 0) > 0));
    await allowWrites(
      busy.map(({member}) => member.connection),
      `${question} ${names}. ${counts}?${warningOf(all)}`,
      session,
    );
  } else if (failed.length === 0 && remarks.every(({value}) => (value.cannot ?? []).length === 0)) session.note('Nothing to do.');
  await using run = await FleetRun.open(
    busy.map(({member}) => member),
    {session, flags, printing, total: all.length},
  );
  const outcomes = await carryOutAll(found, busy, run, fleet);
  const lost = await run.end();
  if (run.interruption !== undefined) throw run.interruption;
  if (lost !== undefined) throw lost;
  const failure = failureOfAccounts([...failed, ...outcomes], members.length, fleet.suggest);
  if (failure !== undefined) throw failure;
  return remarks;
}

/** @throws Failure `usage` before any request when there is no plan for one of the accounts */
async function refuseStrangers(plans: readonly KeptPlan[], members: readonly Member[], flags: PolicyFlags): Promise<void> {
  for (const {connection} of members) keptPlanOf(plans, await targetOf(connection, flags));
}

/** @returns the accounts that failed */
async function carryOutAll(found: readonly Of<Job>[], busy: readonly Of<Job>[], run: FleetRun, fleet: Fleet): Promise<AccountFailure[]> {
  using _progress = await run.progress();
  const results = await fleet.each(async (member) => {
    const job = found.find((one) => one.member === member);
    const index = busy.findIndex((one) => one.member === member);
    // After a signal nothing more is begun.
    if (job === undefined || (run.interruption !== undefined && index !== -1)) return;
    try {
      await job.value.carryOut((work) => run.send(index, member, work));
    } catch (error) {
      throw failureAs(member, error);
    } finally {
      if (index !== -1) run.over(index);
    }
  });
  return parted(fleet.members, results).failed;
}

/**
 * Applies a policy, or the plans of a file, to several accounts.
 * @throws Failure as {@link changeSeveral} does; `drift` when some of it cannot be changed
 */
export async function applySeveral(
  source: {readonly wanted: Wanted} | {readonly plans: readonly KeptPlan[]; readonly name: string},
  {flags, session}: {readonly flags: FleetFlags & {readonly 'allow-removals'?: number | undefined}; readonly session: Session},
): Promise<void> {
  await using fleet = await openFleet(flags, session);
  if ('wanted' in source) refuseOthers([source.wanted], fleet.members);
  else await refuseStrangers(source.plans, fleet.members, flags);
  const openFor = async (policy: string, target: Target, open: StateFiles['open']) => {
    const path = await stateFileIn(policy, flags, target, true);
    return open(path, () => lockedAccount(path, [policy, flags, target, true]));
  };
  const readyFor = async (target: Target, open: StateFiles['open']): Promise<{ready: Ready; file: StateFile}> => {
    if ('wanted' in source) {
      const file = await openFor(source.wanted.policy.file, target, open);
      return {ready: await readyFromPolicy(source.wanted, file, target), file};
    }
    const kept = keptPlanOf(source.plans, target);
    const file = await openFor(kept.policy, target, open);
    return {ready: await readyFromPlan(kept, file, target), file};
  };
  const guards = new Map<readonly Change[], Ready['guard']>();
  const name = 'wanted' in source ? source.wanted.policy.file : source.name;
  const left = await changeSeveral(
    {
      question: `Apply ${name} to`,
      async prepare(target, open) {
        const {ready, file} = await readyFor(target, open);
        const {changes, guard, remarks, record} = ready;
        guards.set(changes, guard);
        return {
          changes,
          remarks,
          async carryOut(send) {
            if (changes.length > 0)
              return applyChanges(ready, file, {at: target.now(), carryOut: (all, witness) => carryOutBy(all, send, witness)});
            // An apply that was killed after its last change is finished, and what is gone is no longer owned.
            await file.write(finishApply(record));
          },
        };
      },
      check(jobs) {
        for (const {member, value} of jobs) {
          const guard = guards.get(value.changes);
          const named = (text: string | undefined) => text && `${member.account}: ${text}`;
          if (guard !== undefined)
            refuseGuarded({...guard, why: named(guard.why), unprotected: named(guard.unprotected)}, flags['allow-removals']);
        }
      },
    },
    fleet,
    {flags, session},
  );
  const different = left.filter(({value}) => (value.cannot ?? []).length > 0);
  const count = different.reduce((sum, {value}) => sum + (value.cannot ?? []).length, 0);
  if (count === 0) return;
  const policy = 'wanted' in source ? name : (source.plans[0]?.policy ?? name);
  throw new Failure(
    'drift',
    `${different.map(({member}) => member.account).join(', ')} still differ from ${policy} in ${count} that pixelctl cannot change`,
    {hint: `see how to fix it: ${fleet.suggest(['plan'], {args: [policy], flags: sameFlags(flags)})}`},
  );
}

/** Reverts the last apply to each of several accounts. @throws Failure as {@link changeSeveral} does */
export async function undoSeveral(
  policy: string | undefined,
  {flags, session}: {readonly flags: FleetFlags; readonly session: Session},
): Promise<void> {
  await using fleet = await openFleet(flags, session);
  await changeSeveral(
    {
      question: 'Revert the last apply to',
      async prepare(target, open) {
        const found = await findLastApply({policy, chosen: flags.state}, target);
        const file = await open(found.path);
        const {changes, lost, record} = await undoFor(found.policy, file, target);
        warnOfEach(lost, session);
        return {
          changes,
          remarks: {limits: [], beyond: []},
          async carryOut(send) {
            if (changes.length > 0) await carryOutBy(changes, send);
            await file.write(afterUndo(record));
          },
        };
      },
    },
    fleet,
    {flags, session},
  );
}
