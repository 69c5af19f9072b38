/** Applies a policy to accounts: shows the plan, asks, makes the changes, and says what is left. */
import {hintFor} from '../errors.js';
import type {Accounts, Member, PerAccount} from '../accounts.js';
import type {GivenFlags} from '../flags.js';
import {carryOut, changeAccounts, type AccountChanges, type changeFlags, requireConsent} from './changes.js';
import {commentsFor, type PolicyFlags, refuseOverwrites, sameFlags} from './flags.js';
import {
  adviceOf,
  applyRows,
  checkExpected,
  compareAccount,
  fullName,
  type Guard,
  heldTexts,
  type Plan,
  planOf,
  type PolicyWithLists,
  prepareRows,
  refuseFollowed,
  refuseGuarded,
  refuseNoDigest,
  settledStates,
  sourceFiles,
  type Stated,
  type StateFiles,
  timeAfter,
  undoCommand,
} from '../../policy/index.js';
import type {PolicyRun} from './run.js';
import {nounFor} from '../../operations/handle.js';
import {PlanReports} from './plan-reports.js';
import {type Printing, printingOfOwn} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {counted, firstOf} from '../../json/text.js';
import {resultsView} from '../../run/index.js';

/** Differences that the closing line names. */
const maxNamed = 5;

export type GuardedFlags = GivenFlags<typeof changeFlags> & PolicyFlags;
type ApplyFlags = GuardedFlags & {readonly expect?: string | undefined; readonly report?: readonly string[] | undefined};

/** @param name of a policy @throws Failure as {@link applyPolicy} */
export async function apply(name: string, run: PolicyRun<ApplyFlags>): Promise<void> {
  const {flags, session} = run;
  const {expect} = flags;
  if (expect !== undefined) refuseNoDigest(expect);
  const printing = await printingOfOwn(resultsView, session);
  const text = await session.io.read(name, `the policy ${name}`);
  if (expect === undefined) requireConsent(session);
  const reports = new PlanReports(flags.report ?? [], name);
  await refuseOverwrites(reports.files, [name]);
  const given = await reports.reading(() => run.read(name, {text, comments: commentsFor(flags)}), session.io.now);
  await refuseOverwrites(reports.files, sourceFiles(given));
  const what = `${given.only ? 'this part of ' : ''}${given.policy.file}`;
  await applyPolicy(given, run, {
    question: `Apply ${name} to`,
    ownQuestion: `Apply ${name} as`,
    name: what,
    nothing: (host) => `Nothing to do: no differences between ${host} and ${what}.`,
    printing,
    reports,
    expected: expect,
  });
}

interface Around {
  /** Begins the question about several accounts: `Apply p.yml to`. */
  readonly question: string;
  /** Begins the question about one account: `Apply p.yml as`. */
  readonly ownQuestion: string;
  /** What is applied, for people. */
  readonly name: string;
  /** Said where nothing differs. */
  readonly nothing: (host: string) => string;
  readonly printing: Printing;
  /** Say what is about to be changed. */
  readonly reports?: PlanReports | undefined;
  /** The digest of a plan that somebody has read. */
  readonly expected?: string | undefined;
  /** Why there is a difference whatever becomes of it. */
  readonly beyond?: Failure | undefined;
  /** What helps where something is left, which is not to run plan. */
  readonly remedy?: string | undefined;
}

interface ApplyJob extends AccountChanges, Stated {
  /** Undefined in a dry run. */
  readonly files: StateFiles | undefined;
  readonly guard: Guard;
  readonly plan: Plan;
}

/**
 * Applies it to the accounts that the flags name.
 * @throws Failure as {@link changeAccounts}; `drift` when differences are left
 */
export async function applyPolicy(given: PolicyWithLists, run: PolicyRun<GuardedFlags>, around: Around): Promise<void> {
  const {flags, session} = run;
  const {question, printing, reports, expected, beyond} = around;
  const accounts = await run.accounts([given], 'write');
  let prepared: readonly PerAccount<ApplyJob>[] = [];
  let isDone = false;
  let at: string | undefined;
  const runAt = () =>
    (at ??= timeAfter(
      prepared.flatMap(({value: {files}}) => [files?.account, files?.server]),
      session.io.now(),
    ));
  const ended = await changeAccounts(
    {
      question,
      isAgreed: expected !== undefined,
      prepare: (member) => jobOf(member, given, run, around, runAt),
      async planned(all, failed) {
        prepared = all;
        await reports?.write(
          accounts.members.flatMap((member) => {
            const own = all.find((one) => one.member === member)?.value;
            const why = failed.find(({account}) => account === member.account)?.failure.message;
            return own === undefined && why === undefined
              ? []
              : [{account: own === undefined ? member.account : fullName(own.comparison.about), plan: own?.plan, why}];
          }),
          {noun: accounts.areNamed ? nounFor(accounts.members) : undefined, commands: []},
        );
      },
      async confirmed(all) {
        for (const {member, value} of all) await refuseFollowed(value.comparison, accounts.areNamed ? member.account : undefined);
      },
      check(all, failed) {
        if (expected !== undefined) {
          // Somebody has read the plan; what it depends on could not be read.
          for (const {value} of all) refuseGuarded({removals: 0, unprotected: value.guard.unprotected}, {});
          const [first] = failed;
          if (first !== undefined) throw first.failure.saying(': an account could not be read, so nothing was sent');
          isDone =
            checkExpected(
              expected,
              all.map(({value}) => value),
              adviceOf(accounts.inUse.flags, sameFlags(flags)).onPolicy('plan', given.policy.file, given.only && {only: given.only.join()}),
            ) === 'done';
          return;
        }
        if (session.dryRun) return;
        const allowed = {removals: flags['allow-removals'], additions: flags['allow-additions']};
        for (const {member, value} of all) refuseGuarded(value.guard, allowed, accounts.areNamed ? member.account : undefined);
      },
    },
    accounts,
    {flags, printing, session},
  ).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'drift') return error;
      throw error;
    },
  );
  if (isDone) session.note(`This plan is already applied.`);
  const left = leftovers(prepared, accounts, flags, around);
  const differences = [ended, left, beyond].filter((one) => one !== undefined);
  if (differences.length > 0) throw differences.reduce((one, other) => both(one, other, accounts));
  const isBusy = prepared.some(({value}) => value.sendings.length > 0);
  if (isBusy && !session.dryRun && !run.isNameless(given.policy.file))
    session.note(
      `To take it back: ${undoCommand(around.remedy === undefined ? given.policy.file : around.name, accounts.inUse.flags, flags.state)}`,
    );
}

async function jobOf(
  member: Member,
  given: PolicyWithLists,
  run: PolicyRun<GuardedFlags>,
  {ownQuestion, nothing, expected, remedy}: Around,
  runAt: () => string,
): Promise<ApplyJob> {
  const {dryRun} = run.session;
  const target = await run.target(member, [given], true);
  const {host} = target.server;
  const files = dryRun ? undefined : await run.stateFiles(given, target);
  const states = files === undefined ? await run.states(given, target) : {account: files.account?.state, server: files.server?.state};
  const comparison = await compareAccount(given, target, states);
  const plan = planOf(comparison);
  const ready = await prepareRows(comparison);
  return {
    comparison,
    files,
    states: settledStates(comparison, states),
    plan,
    guard: plan.guard,
    sendings: ready.sendings,
    lines: plan,
    host,
    notes: heldTexts(plan.held, plan.shown),
    warnings: ready.warnings,
    ends: comparison.sections.flatMap(
      ({section: {kind}, rows, actual}) => kind.warning?.(rows, {host, own: target.own, now: target.now()}, actual) ?? [],
    ),
    question: ownQuestion,
    nothing: plan.cannot.length > 0 ? undefined : nothing(host),
    async carryOut(send) {
      if (files === undefined) return;
      const advisesPolicy = remedy === undefined;
      await applyRows(ready, {
        files,
        at: runAt(),
        expected,
        carryOut: (all, recorder) => carryOut(all, send, {recorder, host, advisesPolicy}),
      });
    },
  };
}

/** How it ends where there are differences of several kinds: limits hold something back, and something else cannot be changed. */
function both(held: Failure, left: Failure, {inUse}: Accounts): Failure {
  const all = [held, left].map((failure) => ({failure, hint: hintFor(failure, inUse)}));
  const hints = all.flatMap(({hint}) => hint ?? []);
  return new Failure('drift', held.messageWith(`; ${left.message}`), {
    hint: hints.join('; '),
    closing: all.flatMap(({failure, hint}) => failure.closingWith(hint) ?? []),
  });
}

/** `drift` when there is what no request of the API can change: it is a difference that stays. */
function leftovers(
  jobs: readonly PerAccount<ApplyJob>[],
  accounts: Accounts,
  flags: PolicyFlags,
  {name, remedy}: Around,
): Failure | undefined {
  const different = jobs.filter(({value: {plan}}) => plan.cannot.length > 0);
  const left = different.flatMap(({value: {plan}}) => plan.cannot);
  const [first] = different;
  if (first === undefined) return undefined;
  const {comparison, host} = first.value;
  const names = left.map(({why: {rule}, name: subject}) => (rule.endsWith(`.${subject}`) ? rule : `${rule} ${subject}`));
  const named = firstOf([...new Set(names)], maxNamed);
  const {file} = comparison.given.policy;
  const advice = accounts.areNamed ? adviceOf(accounts.inUse.flags, sameFlags(flags)) : comparison.target.advice;
  const where = accounts.areNamed ? ` in ${different.map(({member}) => member.account).join(', ')}` : '';
  const what = `in ${left.length} that pixelctl cannot change`;
  const message = accounts.areNamed
    ? `${different.map(({member}) => member.account).join(', ')} still ${different.length === 1 ? 'differs' : 'differ'} from ${name} ${what}`
    : `${host} still differs from ${name} ${what}: ${named}`;
  const plan = advice.onPolicy('plan', file, comparison.given.only && {only: comparison.given.only.join()});
  return new Failure('drift', message, {
    hint: remedy ?? `see how to fix it: ${plan}`,
    closing: [
      `${counted(left.length, 'difference')} left${where} that pixelctl cannot change: ${named}.`,
      remedy === undefined ? `To see how to fix it: ${plan}` : `To fix it: ${remedy}`,
    ],
  });
}
