/** What `audit` does: compares accounts with policies, says what differs, and writes reports. */
import type {Member} from '../account-driver.js';
import {hintFor} from '../errors.js';
import type {PolicyFlags} from './policy-flags.js';
import {ReportFiles, type ReportTexts} from './report-files.js';
import type {PolicyRun} from './policy-run.js';
import {
  auditOf,
  type AuditReport,
  auditResult,
  compareAccount,
  failedAudit,
  type PolicyWithLists,
  sectionsMeant,
  sourceFiles,
  whoseText,
} from '../../policy/index.js';
import type {Result} from '../sink.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';

type AuditFlags = PolicyFlags & {
  readonly 'fail-on'?: 'any' | 'new' | undefined;
  readonly report?: ReportTexts;
  readonly since?: string | undefined;
};

/** @throws Failure when something cannot be read; the result ends with `drift` when something differs */
export async function audit(names: readonly string[], run: PolicyRun<AuditFlags>): Promise<Result> {
  const {flags, session, printing} = run;
  const files = new ReportFiles(flags.report);
  const isOpenAccepted = flags['fail-on'] === 'new';
  if (isOpenAccepted && flags.since === undefined)
    throw new Failure('usage', '--fail-on new needs --since', {hint: 'name the JSON report of an earlier audit: --since FILE'});
  const compared = flags.since === undefined ? undefined : await comparisonWith(flags.since, {isOpenAccepted, session});
  await files.refuseOverwrites(names);
  const policies = await files.reading(() => run.readAll(names), names[0] ?? '', session.io.now);
  await files.refuseOverwrites(policies.flatMap(sourceFiles));
  const accounts = await run.accounts(policies, 'read');
  const audits = await accounts.gather((member) => auditMember(member, policies, run));
  const all = audits.all.flatMap((one) =>
    'value' in one ? one.value : policies.map((given) => failedAudit(run.known(one.member, given.policy.file, given), given, one.failure)),
  );
  const reports = compared ? all.map(compared) : all;
  await files.write(() => reports);
  return auditResult(reports, {
    noun: audits.noun,
    advice: run.adviceOn(audits.inUse),
    hintOf: (failure, {shown}) => hintFor(failure, {flags: shown.advice.account}),
    isNamed: printing.fields !== undefined,
  });
}

/** Audits one account with each policy. What cannot be read is said in the report. */
async function auditMember(member: Member, policies: readonly PolicyWithLists[], run: PolicyRun): Promise<AuditReport[]> {
  const target = await run.target(member, policies, false);
  const reports: AuditReport[] = [];
  for (const given of policies) {
    // A policy without sections about the server has no audit of the server.
    const {owner} = target;
    if (policies.length > 1 && owner === 'server' && (await sectionsMeant(given, owner, target.server.host, run.flags.state)).length === 0)
      continue;
    reports.push(auditOf(await compareAccount(given, target)));
  }
  return reports;
}

/** @throws Failure `local` or `usage` when the earlier report cannot be used */
async function comparisonWith(
  file: string,
  {isOpenAccepted, session}: {readonly isOpenAccepted: boolean; readonly session: Session},
): Promise<(report: AuditReport) => AuditReport> {
  const {compareWithEarlier, readEarlierReport} = await import('../../policy/reports/since.js');
  const earlier = await readEarlierReport(file);
  if (earlier.audits === undefined) session.note(`${file} is not there yet: nothing is known, so every difference counts as new.`);
  return (report) => {
    const {since, remarks} = compareWithEarlier(earlier, report, isOpenAccepted);
    for (const why of remarks) session.warn(`${whoseText(report)}, ${report.policy}: ${why}`);
    return {...report, since};
  };
}
