/** What `plan` does: plans a policy for each account, and shows the plans with their digest. */
import type {Gathered} from '../account-driver.js';
import type {PolicyFlags} from './policy-flags.js';
import {readWithReports, type ReportTexts} from './report-files.js';
import type {PolicyRun} from './policy-run.js';
import {compareAccount, plan, type Plan, planOf, type PolicyWithLists, type WriteReports} from '../../policy/index.js';
import type {Result} from '../sink.js';

/** Shows plans, and writes them to reports. @param isAboutToBeApplied whether to leave out the command that applies them */
export async function showPlans(
  {all, noun, inUse}: Pick<Gathered<Plan>, 'all' | 'inUse' | 'noun'>,
  given: PolicyWithLists,
  {run, write, isAboutToBeApplied = false}: {readonly run: PolicyRun; readonly write: WriteReports; readonly isAboutToBeApplied?: boolean},
): Promise<Result> {
  const planned = all.map((one) => ({
    account: one.member.account,
    known: run.known(one.member, given.policy.file, given),
    ...('value' in one ? {plan: one.value} : {failure: one.failure}),
  }));
  const shown = await plan(planned, {given, noun, advice: run.adviceOn(inUse), terminal: run.session.out, isAboutToBeApplied, write});
  return {...shown, ...(noun === undefined && run.printing.fields === undefined && {rows: undefined})};
}

/** @throws Failure of a single account, when it cannot be read; the result ends with `drift` when something differs */
export async function planPolicy(policy: string, run: PolicyRun<PolicyFlags & {readonly report?: ReportTexts}>): Promise<Result> {
  const {policies, write} = await readWithReports(
    run.flags.report,
    [policy],
    async () => [await run.read(policy)] as const,
    run.session.io.now,
  );
  const [given] = policies;
  const accounts = await run.accounts(policies, 'read');
  const plans = await accounts.gather(async (member) => planOf(await compareAccount(given, await run.target(member, [given], true))));
  const shown = await showPlans(plans, given, {run, write});
  return {...shown, failure: plans.failure ?? shown.failure};
}
