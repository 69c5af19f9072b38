/** What `plan` does: plans a policy for each account, and shows the plans with their digest. */
import type {Gathered} from '../account-driver.js';
import type {PolicyFlags} from './policy-flags.js';
import {ReportFiles, type ReportTexts} from './report-files.js';
import type {PolicyRun} from './policy-run.js';
import {
  auditOf,
  compareAccount,
  failedAudit,
  type Plan,
  planOf,
  planResult,
  type PolicyWithLists,
  sourceFiles,
} from '../../policy/index.js';
import type {Result} from '../sink.js';

/** Reads a policy, and checks where reports go. @param texts the values of `--report` @throws Failure `usage` for a report that would overwrite what is read */
export async function readWithReports(
  policy: string,
  texts: ReportTexts,
  run: PolicyRun,
  read: () => Promise<PolicyWithLists> = () => run.read(policy),
): Promise<{readonly given: PolicyWithLists; readonly files: ReportFiles}> {
  const files = new ReportFiles(texts);
  await files.refuseOverwrites([policy]);
  const given = await files.reading(read, policy, run.session.io.now);
  await files.refuseOverwrites(sourceFiles(given));
  return {given, files};
}

/** Shows plans, and writes them to reports. @param isAboutToBeApplied whether to leave out the command that applies them */
export async function showPlans(
  files: ReportFiles,
  plans: Pick<Gathered<Plan>, 'all' | 'inUse' | 'noun'>,
  given: PolicyWithLists,
  {run, policy, isAboutToBeApplied = false}: {readonly run: PolicyRun; readonly policy: string; readonly isAboutToBeApplied?: boolean},
): Promise<Result> {
  const {noun, inUse} = plans;
  const all = plans.all.map((one) => {
    const known = run.known(one.member, policy, given);
    return {
      account: one.member.account,
      known,
      ...('value' in one ? {plan: one.value} : {failure: one.failure}),
    };
  });
  const shown = planResult(all, {policy, noun, advice: run.adviceOn(inUse), terminal: run.session.out});
  const audits = () => all.map((one) => ('failure' in one ? failedAudit(one.known, given, one.failure) : auditOf(one.plan.comparison)));
  await files.write(audits, {
    json: async () => (await import('../../policy/reports/formats/json.js')).jsonLines(await shown.document()),
    markdown: async () =>
      (await import('../../policy/reports/formats/plan-markdown.js')).planMarkdown({
        policy,
        plans: all,
        noun,
        commands: isAboutToBeApplied ? [] : shown.exactly,
      }),
  });
  return {...shown, ...(noun === undefined && run.printing.fields === undefined && {rows: undefined})};
}

/** @throws Failure of a single account, when it cannot be read; the result ends with `drift` when something differs */
export async function plan(policy: string, run: PolicyRun<PolicyFlags & {readonly report?: ReportTexts}>): Promise<Result> {
  const {given, files} = await readWithReports(policy, run.flags.report, run);
  const accounts = await run.accounts([given], 'read');
  const plans = await accounts.gather(async (member) => planOf(await compareAccount(given, await run.target(member, [given], true))));
  const shown = await showPlans(files, plans, given, {run, policy});
  return {...shown, failure: plans.failure ?? shown.failure};
}
