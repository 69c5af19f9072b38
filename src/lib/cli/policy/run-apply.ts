/** Applies a policy to accounts: shows the plan, asks, makes the changes, and says what is left. */
import type {Gathered} from '../account-driver.js';
import type {GivenFlags} from '../flags.js';
import {changeAccounts, type changeFlags, requireConsent} from './changes.js';
import type {PolicyFlags} from './policy-flags.js';
import {
  type ApplyChanges,
  checkExpected,
  leftFailure,
  prepareApply,
  type PolicyWithLists,
  refuseFollowed,
  refuseGuarded,
  refuseNoDigest,
} from '../../policy/index.js';
import type {PolicyRun} from './policy-run.js';
import {readWithReports, showPlans} from './run-plan.js';
import type {ReportTexts} from './report-files.js';
import type {Result} from '../sink.js';
import type {Failure} from '../../client/failure.js';

export type GuardedFlags = GivenFlags<typeof changeFlags> & PolicyFlags;
type ApplyFlags = GuardedFlags & {readonly expect?: string | undefined; readonly report?: ReportTexts};

/** @param name the policy @throws Failure as {@link applyPolicy} does */
export async function apply(name: string, run: PolicyRun<ApplyFlags>): Promise<Result> {
  const {flags, session} = run;
  const {expect} = flags;
  if (expect !== undefined) refuseNoDigest(expect);
  const text = await session.io.read(name, `the policy ${name}`);
  if (expect === undefined) requireConsent(session);
  const {given, files} = await readWithReports(name, flags.report, run, () => run.read(name, {text}));
  const what = `${given.only ? 'this part of ' : ''}${given.policy.file}`;
  return applyPolicy(given, run, {
    what: `Apply ${name}`,
    done: {said: 'Applied', ...(!run.isNameless(name) && {undo: name})},
    nothing: (host) => `Nothing to do: no differences between ${host} and ${what}.`,
    report: async (jobs) =>
      flags.report === undefined ? undefined : void (await showPlans(files, jobs, given, {run, policy: name, isAboutToBeApplied: true})),
    expected: expect,
  });
}

interface Around extends Pick<Parameters<typeof changeAccounts>[0], 'done' | 'what'> {
  /** What to say if nothing differs. */
  readonly nothing: (host: string) => string;
  /** Writes the changes to reports before they are made. */
  readonly report?: ((jobs: Gathered<ApplyChanges>) => Promise<void>) | undefined;
  /** The digest of a plan that somebody has read. */
  readonly expected?: string | undefined;
  /** A difference that is left even if all changes succeed. */
  readonly beyond?: Failure | undefined;
  /** What to do if differences are left; undefined: run plan. */
  readonly remedy?: string | undefined;
}

/**
 * Applies a policy to the accounts that the flags name.
 * @throws Failure as {@link changeAccounts} does; the result ends with `drift` when differences are left
 */
export async function applyPolicy(given: PolicyWithLists, run: PolicyRun<GuardedFlags>, around: Around): Promise<Result> {
  const {flags, session} = run;
  const {what, done, nothing, report, expected, beyond, remedy} = around;
  const only = given.only?.join();
  return changeAccounts(
    {
      given,
      what,
      done,
      expected,
      advisesPolicy: remedy === undefined,
      async prepare(member) {
        const target = await run.target(member, [given], true);
        const states = session.dryRun ? await run.states(given, target) : await run.stateFiles(given, target);
        return prepareApply(given, target, states, nothing(target.server.host));
      },
      async check(jobs) {
        const {found, failed, inUse} = jobs;
        await report?.(jobs);
        if (expected !== undefined) {
          // Somebody has agreed to the plan, so it is refused only if followed accounts could not be read.
          for (const {value} of found) refuseGuarded({removals: 0, unprotected: value.plan.guard.unprotected}, {});
          const [first] = failed;
          if (first !== undefined) throw first.failure.saying(': an account could not be read, so nothing was sent');
          const all = found.map(({value}) => value.plan.comparison);
          const ended = checkExpected(expected, all, run.adviceOn(inUse).onPolicy('plan', given.policy.file, {only}));
          return ended === 'done' ? 'This plan is already applied.' : undefined;
        }
        const allowed = {removals: flags['allow-removals'], additions: flags['allow-additions']};
        if (!session.dryRun) for (const {member, value} of found) refuseGuarded(value.plan.guard, allowed, member.label);
        return undefined;
      },
      async confirm(jobs) {
        for (const {member, value} of jobs) await refuseFollowed(value.plan.comparison, member.label);
      },
      left: ({found, noun, inUse}) => {
        const plans = found.map(({member, value}) => ({account: member.account, plan: value.plan}));
        const plan = run.adviceOn(inUse).onPolicy('plan', given.policy.file, {only});
        const next = remedy === undefined ? `To see how to fix it: ${plan}` : `To fix it: ${remedy}`;
        return [leftFailure(plans, {isNamed: noun !== undefined, next}), beyond].filter((one) => one !== undefined);
      },
    },
    run,
  );
}
