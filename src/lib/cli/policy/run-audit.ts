/** What `audit` does: compares accounts with policies, says what differs, and writes reports. */
import type {Gathered, Member} from '../account-driver.js';
import {hintFor} from '../errors.js';
import type {PolicyFlags} from './policy-flags.js';
import {ReportFiles} from './report-files.js';
import type {PolicyRun} from './policy-run.js';
import {
  aboutOf,
  auditDocument,
  auditOf,
  type AuditReport,
  compareAccount,
  failedAudit,
  findingJson,
  heldTexts,
  kindsText,
  policyViews,
  type PolicyWithLists,
  reportFormats,
  type Row,
  sectionsMeant,
  sinceText,
  sourceFiles,
  whoseText,
} from '../../policy/index.js';
import type {Result} from '../sink.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {countNoun, withCommas} from '../../json/text.js';

type AuditFlags = PolicyFlags & {
  readonly 'fail-on'?: 'any' | 'new' | undefined;
  readonly report?: readonly string[] | undefined;
  readonly since?: string | undefined;
};

/** @throws Failure for what cannot be read; the result ends with `drift` when something differs */
export async function audit(names: readonly string[], run: PolicyRun<AuditFlags>): Promise<Result> {
  const {flags, session} = run;
  const files = new ReportFiles(flags.report, reportFormats);
  const isOpenAccepted = flags['fail-on'] === 'new';
  if (isOpenAccepted && flags.since === undefined) {
    throw new Failure('usage', '--fail-on new needs --since', {hint: 'name the JSON report of an earlier audit: --since FILE'});
  }
  const compared = flags.since === undefined ? undefined : await comparisonWith(flags.since, {isOpenAccepted, session});
  await files.refuseOverwrites(names);
  const policies = await files.reading(() => run.readAll(names), names[0] ?? '', session.io.now);
  await files.refuseOverwrites(policies.flatMap(sourceFiles));
  const accounts = await run.accounts(policies, 'read');
  const audits = await accounts.gather((member) => auditMember(member, policies, run));
  const all = audits.all.flatMap((one) =>
    'value' in one ? one.value : policies.map((given) => describeUnread(given, one.member, one.failure, run)),
  );
  const reports = compared ? all.map(compared) : all;
  await files.writeAudits(reports);
  return resultOf(reports, audits, run);
}

/** A failure of one policy is in its report. */
async function auditMember(member: Member, policies: readonly PolicyWithLists[], run: PolicyRun): Promise<AuditReport[]> {
  const target = await run.target(member, policies, false);
  const reports: AuditReport[] = [];
  for (const given of policies) {
    // Not every policy is about what the accounts of a server share.
    const {owner} = target;
    if (policies.length > 1 && owner === 'server' && (await sectionsMeant(given, owner, target.server.host, run.flags.state)).length === 0)
      continue;
    const {states} = await run.statesOrNone(given, target);
    reports.push(auditOf(await compareAccount(given, target, states)));
  }
  return reports;
}

function describeUnread(
  given: PolicyWithLists,
  {acct, owner, connection: {server, inUse}}: Member,
  failure: Failure,
  run: PolicyRun,
): AuditReport {
  const {file} = given.policy;
  const shown = {host: server.host, advice: run.adviceOn(inUse), policy: file, showsPrivate: given.showsPrivate};
  return failedAudit(aboutOf({server, account: acct, owner}, file), given, failure, shown, run.session.io.now());
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

/** An account that could not be read, as a row among the findings of the others. */
const failureRow = (failure: Failure, {shown}: AuditReport): Record<string, string> => ({
  actual: `error: ${failure.message}`,
  fix: hintFor(failure, {flags: shown.advice.account}) ?? '',
});

/** One row a finding, with the account first where that is said. Made when they are read. */
function* rowsOf(reports: readonly AuditReport[], isNamed: boolean): Generator<object> {
  for (const report of reports) {
    const {server, account, policy, failure, findings, since} = report;
    const about = isNamed ? {server, account, policy} : {};
    if (failure !== undefined) yield {...about, ...failureRow(failure, report)};
    for (const one of findings) yield {...about, ...findingJson(one, report)};
    for (const one of since?.resolved ?? []) yield {...about, status: 'resolved', ...one, actual: 'no longer a difference', fix: ''};
  }
}

/** The differences that cause exit status 10. */
function failing({findings, since}: AuditReport): readonly Row[] {
  return since?.isOpenAccepted ? findings.filter((finding) => since.added.has(finding)) : findings;
}

/** How the audits end as a whole; undefined when nothing differs. */
function ending(reports: readonly AuditReport[], {noun, inUse}: Gathered<unknown>, run: PolicyRun): Failure | undefined {
  const different = reports.filter((report) => failing(report).length > 0);
  const [first] = different;
  const all = different.map(failing);
  const count = countNoun(
    all.reduce((sum, some) => sum + some.length, 0),
    reports.some(({since}) => since?.isOpenAccepted) ? 'new difference' : 'difference',
  );
  const unread = reports.filter(({failure}) => failure !== undefined);
  if (noun !== undefined && unread.length > 0) {
    const names = [...new Set(unread.map(whoseText))];
    const others = unread.length === reports.length ? '' : `; ${first === undefined ? 'no differences' : count} in the others`;
    return new Failure('partial', `${names.join(', ')} could not be checked${others}`, {hint: 'the results say why'});
  }
  if (first === undefined) return undefined;
  const many = `in ${withCommas(different.length)} of ${countNoun(reports.length, 'audit')}`;
  const where = different.length === 1 ? `between ${first.shown.host} and ${first.policy}` : many;
  const advice = noun === undefined ? first.shown.advice : run.adviceOn(inUse);
  const plans = [...new Set(different.map(({policy}) => policy))].map((policy) => advice.onPolicy('plan', policy));
  return new Failure('drift', `${count} ${where}`, {
    hint: `to see what would change: ${plans.join('; ')}`,
    closing: [
      `${count}${reports.length === 1 ? '' : ` ${many}`}: ${kindsText(all.flat())}.`,
      ...(plans.length === 1
        ? [`To see what would change: ${plans.join('')}`]
        : ['To see what would change:', ...plans.map((plan) => `  ${plan}`)]),
    ],
  });
}

/**
 * Among several accounts one that cannot be read does not stop the others.
 * @throws Failure of the part of a single account that cannot be read
 */
function resultOf(reports: readonly AuditReport[], audits: Gathered<unknown>, run: PolicyRun): Result {
  const {printing, session} = run;
  const failures = reports.flatMap(({failure}) => failure ?? []);
  const failure = failures.find(({code}) => code === 'bad_answer') ?? failures[0];
  if (failure !== undefined && audits.noun === undefined) throw failure;
  const ofSeveral = reports.length > 1;
  const held = session.traits.hasNotes ? reports : [];
  return {
    document: async () => auditDocument(reports),
    rows: rowsOf(reports, ofSeveral || printing.fields !== undefined),
    view: policyViews.findings({ofSeveral, withStatus: reports.some(({since}) => since !== undefined)}),
    notes: [
      ...held.flatMap((report) => heldTexts(report.held, report.shown).map((text) => (ofSeveral ? `${whoseText(report)}: ${text}` : text))),
      ...reports.flatMap((report) => (report.since ? `${whoseText(report)}: ${sinceText(report)}` : [])),
    ],
    failure: ending(reports, audits, run),
  };
}
