/** What `apply` does: shows the plan, asks, makes the changes, and says what is left. */
import type {GivenFlags} from '../flags.js';
import {changeAccounts, type changeFlags, requireConsent} from './changes.js';
import type {PolicyFlags} from './policy-flags.js';
import {apply} from '../../policy/index.js';
import type {PolicyRun} from './policy-run.js';
import {readWithReports, type ReportTexts} from './report-files.js';
import {showPlans} from './run-plan.js';
import type {Result} from '../sink.js';

export type GuardedFlags = GivenFlags<typeof changeFlags> & PolicyFlags;
type ApplyFlags = GuardedFlags & {readonly expect?: string | undefined; readonly report?: ReportTexts};

/** What the flags allow. */
export const allowedBy = (flags: PolicyFlags) => ({removals: flags['allow-removals'], additions: flags['allow-additions']});

/** @param name the policy @throws Failure as {@link changeAccounts} does; the result ends with `drift` when differences are left */
export async function applyPolicy(name: string, run: PolicyRun<ApplyFlags>): Promise<Result> {
  const {flags, session} = run;
  const {expect: expected} = flags;
  const text = await session.io.read(name, `the policy ${name}`);
  if (expected === undefined) requireConsent(session);
  const {policies, write} = await readWithReports(
    flags.report,
    [name],
    async () => [await run.read(name, {text})] as const,
    session.io.now,
  );
  const [given] = policies;
  const what = `${given.only ? 'this part of ' : ''}${given.policy.file}`;
  const change = apply(given, {
    what: `Apply ${name}`,
    done: 'Applied',
    undo: given.takesNothing === true ? undefined : name,
    nothing: (host) => `Nothing to do: no differences between ${host} and ${what}.`,
    expected,
    allowed: allowedBy(flags),
  });
  return changeAccounts(change, run, async ({all, ...gathered}) => {
    if (flags.report === undefined) return;
    const plans = all.map((one) => ('value' in one ? {...one, value: one.value.plan} : one));
    await showPlans({...gathered, all: plans}, given, {run, write, isAboutToBeApplied: true});
  });
}
