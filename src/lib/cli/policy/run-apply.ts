/** Applies a policy to accounts: shows the plan, asks, makes the changes, and says what is left. */
import type {AccountInUse} from '../account-in-use.js';
import {hintFor} from '../errors.js';
import type {Gathered, Member, PerAccount} from '../account-driver.js';
import type {GivenFlags} from '../flags.js';
import {carryOut, changeAccounts, type AccountChanges, type changeFlags, requireConsent} from './changes.js';
import type {PolicyFlags} from './policy-flags.js';
import {
  applyRows,
  checkExpected,
  compareAccount,
  doneText,
  heldTexts,
  type Plan,
  planOf,
  type PolicyWithLists,
  prepareRows,
  refuseFollowed,
  refuseGuarded,
  refuseNoDigest,
  type States,
  timeAfter,
  undoCommand,
} from '../../policy/index.js';
import type {PolicyRun} from './policy-run.js';
import {readWithReports, reportPlans} from './run-plan.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {countNoun, firstOf, withCommas} from '../../json/text.js';

/** Differences that the closing line names. */
const maxNamed = 5;

export type GuardedFlags = GivenFlags<typeof changeFlags> & PolicyFlags;
type ApplyFlags = GuardedFlags & {readonly expect?: string | undefined; readonly report?: readonly string[] | undefined};

/** @param name of a policy @throws Failure as {@link applyPolicy} */
export async function apply(name: string, run: PolicyRun<ApplyFlags>): Promise<Result> {
  const {flags, session} = run;
  const {expect} = flags;
  if (expect !== undefined) refuseNoDigest(expect);
  const text = await session.io.read(name, `the policy ${name}`);
  if (expect === undefined) requireConsent(session);
  const {given, files} = await readWithReports(name, flags.report, run, () => run.read(name, {text}));
  const what = `${given.only ? 'this part of ' : ''}${given.policy.file}`;
  return applyPolicy(given, run, {
    question: `Apply ${name} to`,
    ownQuestion: `Apply ${name} as`,
    name: what,
    nothing: (host) => `Nothing to do: no differences between ${host} and ${what}.`,
    report: (jobs) => reportPlans(files, jobs, name),
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
  /** Writes what is about to be changed. */
  readonly report?: ((jobs: Gathered<ApplyJob>) => Promise<void>) | undefined;
  /** The digest of a plan that somebody has read. */
  readonly expected?: string | undefined;
  /** Why there is a difference whatever becomes of it. */
  readonly beyond?: Failure | undefined;
  /** What helps where something is left, which is not to run plan. */
  readonly remedy?: string | undefined;
}

interface ApplyJob extends AccountChanges {
  readonly states: States;
  readonly plan: Plan;
}

/**
 * Applies it to the accounts that the flags name.
 * @throws Failure as {@link changeAccounts}; the result ends with `drift` when differences are left
 */
export async function applyPolicy(given: PolicyWithLists, run: PolicyRun<GuardedFlags>, around: Around): Promise<Result> {
  const {flags, session} = run;
  const {question, report, expected, beyond} = around;
  const {file} = given.policy;
  let prepared: readonly PerAccount<ApplyJob>[] = [];
  let isDone = false;
  let at: string | undefined;
  const runAt = () =>
    (at ??= timeAfter(
      prepared.flatMap(({value: {states}}) => [states.account, states.server]),
      session.io.now(),
    ));
  return changeAccounts(
    {
      given,
      question,
      isAgreed: expected !== undefined,
      prepare: (member) => jobOf(member, given, run, around, runAt),
      async check(jobs) {
        const {found, failed, inUse} = jobs;
        prepared = found;
        await report?.(jobs);
        if (expected !== undefined) {
          // Somebody has read the plan; what it depends on could not be read.
          for (const {value} of found) refuseGuarded({removals: 0, unprotected: value.plan.guard.unprotected}, {});
          const [first] = failed;
          if (first !== undefined) throw first.failure.saying(': an account could not be read, so nothing was sent');
          const ended = checkExpected(
            expected,
            found.map(({value}) => value.plan.comparison),
            run.adviceOn(inUse).onPolicy('plan', file, given.only && {only: given.only.join()}),
          );
          isDone = ended === 'done';
        } else if (!session.dryRun) {
          const allowed = {removals: flags['allow-removals'], additions: flags['allow-additions']};
          for (const {member, value} of found) refuseGuarded(value.plan.guard, allowed, member.label);
        }
      },
      async confirm(jobs) {
        for (const {member, value} of jobs) await refuseFollowed(value.plan.comparison, member.label);
      },
      conclude(ended, jobs) {
        if (ended !== undefined && ended.code !== 'drift') return {failure: ended};
        const notes = isDone ? ['This plan is already applied.'] : [];
        const differences = [ended, leftovers(jobs, run, around), beyond].filter((one) => one !== undefined);
        if (differences.length > 0) return {notes, failure: differences.reduce((one, other) => both(one, other, jobs.inUse))};
        const isBusy = jobs.found.some(({value}) => value.rows.length > 0);
        if (!isBusy || session.dryRun || run.isNameless(file)) return {notes};
        const name = around.remedy === undefined ? file : around.name;
        const done = doneText(jobs.found.flatMap(({value: {rows}}) => rows));
        const verb = around.remedy === undefined ? 'Applied' : 'Restored';
        return {notes: [...notes, `${verb}: ${done}. To revert: ${undoCommand(name, jobs.inUse.flags, flags.state)}`]};
      },
    },
    run,
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
  const states = dryRun ? await run.states(given, target) : await run.stateFiles(given, target);
  const plan = planOf(await compareAccount(given, target, states));
  const ready = await prepareRows(plan.comparison);
  return {
    states,
    plan,
    rows: ready.rows,
    lines: plan,
    host,
    notes: heldTexts(plan.held, plan.shown),
    warnings: ready.warnings,
    ends: ready.ends,
    question: ownQuestion,
    nothing: plan.cannot.length > 0 ? undefined : nothing(host),
    async carryOut(send) {
      const advisesPolicy = remedy === undefined;
      await applyRows(ready, {
        files: states,
        at: runAt(),
        expected,
        carryOut: (all, recorder) => carryOut(all, send, {recorder, host, advisesPolicy}),
      });
    },
  };
}

/** How it ends where there are differences of several kinds: limits hold something back, and something else cannot be changed. */
function both(held: Failure, left: Failure, inUse: AccountInUse): Failure {
  const all = [held, left].map((failure) => ({failure, hint: hintFor(failure, inUse)}));
  const hints = all.flatMap(({hint}) => hint ?? []);
  return new Failure('drift', held.messageWith(`; ${left.message}`), {
    hint: hints.join('; '),
    closing: all.flatMap(({failure, hint}) => failure.closingWith(hint) ?? []),
  });
}

/** `drift` when there is what no request of the API can change: it is a difference that stays. */
function leftovers({found, noun, inUse}: Gathered<ApplyJob>, run: PolicyRun, {name, remedy}: Around): Failure | undefined {
  const different = found.filter(({value: {plan}}) => plan.cannot.length > 0);
  const left = different.flatMap(({value: {plan}}) => plan.cannot);
  const [first] = different;
  if (first === undefined) return undefined;
  const {
    plan: {comparison},
    host,
  } = first.value;
  const names = left.map(({why: {rule}, name: subject}) => (rule.endsWith(`.${subject}`) ? rule : `${rule} ${subject}`));
  const named = firstOf([...new Set(names)], maxNamed);
  const {file} = comparison.given.policy;
  const advice = noun === undefined ? comparison.target.advice : run.adviceOn(inUse);
  const who = different.map(({member}) => member.account).join(', ');
  const what = `in ${withCommas(left.length)} that pixelctl cannot change`;
  const message =
    noun === undefined
      ? `${host} still differs from ${name} ${what}: ${named}`
      : `${who} still ${different.length === 1 ? 'differs' : 'differ'} from ${name} ${what}`;
  const plan = advice.onPolicy('plan', file, comparison.given.only && {only: comparison.given.only.join()});
  return new Failure('drift', message, {
    hint: remedy ?? `see how to fix it: ${plan}`,
    closing: [
      `${countNoun(left.length, 'difference')} left${noun === undefined ? '' : ` in ${who}`} that pixelctl cannot change: ${named}.`,
      remedy === undefined ? `To see how to fix it: ${plan}` : `To fix it: ${remedy}`,
    ],
  });
}
