/** What `audit` does: compares accounts with policies, prints what differs, and writes reports. */
import {hintFor} from '../errors.js';
import type {Accounts, Member} from '../accounts.js';
import {type PolicyFlags, sameFlags} from './flags.js';
import {refuseOverwrites} from './part.js';
import {noteSkippedOf} from './remarks.js';
import type {PolicyRun} from './run.js';
import {
  adviceOf,
  auditAccount,
  auditDocument,
  type AuditReport,
  auditReport,
  type Difference,
  findingWithStatus,
  isNamedByHost,
  kindsText,
  meantIn,
  policyViews,
  recordsOf,
  reportFormats,
  sectionsOfServer,
  sinceText,
  sourceFiles,
  StateFile,
  stateFileFor,
  type Target,
  unknownAccount,
  type Wanted,
  whoseText,
} from '../../policy/index.js';
import {printResult} from '../print-result.js';
import {type Printing, printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {counted} from '../../json/text.js';

type AuditFlags = PolicyFlags & {
  readonly 'fail-on'?: 'any' | 'new' | undefined;
  readonly report?: readonly string[] | undefined;
  readonly since?: string | undefined;
};

/** @throws Failure `drift` when something differs; that of what cannot be read, of several accounts `partial` */
export async function audit(names: readonly string[], run: PolicyRun<AuditFlags>): Promise<void> {
  const {flags, session} = run;
  const {parseReportFile, writeReports} = await import('../../policy/reports/write.js');
  const files = (flags.report ?? []).map((text) => parseReportFile(text, reportFormats));
  const printing = await printingOfOwn(policyViews.findings({ofSeveral: true, withStatus: true}), session);
  const isOpenAccepted = flags['fail-on'] === 'new';
  if (isOpenAccepted && flags.since === undefined) {
    throw new Failure('usage', '--fail-on new needs --since', {hint: 'name the JSON report of an earlier audit: --since FILE'});
  }
  const compared = flags.since === undefined ? undefined : await comparisonWith(flags.since, {isOpenAccepted, session});
  const outputs = files.map(({file}) => file);
  await refuseOverwrites(
    outputs,
    names.flatMap((name) => [name, stateFileFor(name, flags.state)]),
  );
  const policies = await run.readAll(names, async (mistakes) => {
    if (files.length > 0) await writeReports([], files, {mistakes, when: session.io.now()});
  });
  await refuseOverwrites(outputs, policies.flatMap(sourceFiles));
  const accounts = await run.accounts(policies, 'read');
  const audits = await auditAll(accounts, policies, run);
  const reports = compared ? audits.map(compared) : audits;
  await writeReports(reports, files);
  await printAudits(reports, {accounts, flags, printing, session});
}

/** @throws Failure of an account that is the only one */
async function auditAll(accounts: Accounts, policies: readonly Wanted[], run: PolicyRun): Promise<AuditReport[]> {
  const {flags, session} = run;
  const now = session.io.now();
  const results = await accounts.each(async (member) => {
    const target = await run.target(member, policies, false);
    const meant = await policiesFor(target, policies, flags);
    const known = meant.map(async (wanted) => ({
      wanted,
      records: await recordsOf(wanted.policy.file, flags, meantIn(wanted, target, accounts.areNamed), StateFile.readIfThere),
    }));
    return auditAccount(await Promise.all(known), target);
  });
  return accounts.members.flatMap((member, index) => {
    const result = results[index] ?? [];
    if (!(result instanceof Failure)) return result;
    if (!accounts.areNamed) throw result;
    return policies.map((wanted) => failedAudit(wanted, member, {failure: result, flags, now}));
  });
}

/** Those that are about it: not every policy is about what the accounts of a server share. */
async function policiesFor({owner, server}: Target, policies: readonly Wanted[], {state}: PolicyFlags): Promise<readonly Wanted[]> {
  if (owner !== 'server') return policies;
  const sections = await Promise.all(policies.map((wanted) => sectionsOfServer(wanted, server, state)));
  return policies.filter((_, index) => sections[index]?.length);
}

function failedAudit(
  wanted: Wanted,
  {acct: account = unknownAccount, connection: {server, inUse}}: Member,
  {failure, flags, now}: {readonly failure: Failure; readonly flags: PolicyFlags; readonly now: Date},
): AuditReport {
  const about = {server: server.origin, account, policy: wanted.policy.file};
  return auditReport(about, wanted, failure, {now, advice: adviceOf(inUse.flags, sameFlags(flags))});
}

type Compared = (report: AuditReport) => AuditReport;

/** @throws Failure `local` or `usage` when the earlier report cannot be used */
async function comparisonWith(
  file: string,
  {isOpenAccepted, session}: {readonly isOpenAccepted: boolean; readonly session: Session},
): Promise<Compared> {
  const {comparedWith, readEarlierReport} = await import('../../policy/reports/since.js');
  const earlier = await readEarlierReport(file);
  if (earlier.audits === undefined) session.note(`${file} is not there yet: nothing is known, so every difference counts as new.`);
  return (report) => {
    const {since, remarks} = comparedWith(earlier, report, isOpenAccepted);
    for (const why of remarks) session.warn(`${whoseText(report)}, ${report.policy}: ${why}`);
    return {...report, since};
  };
}

function hostOf({server}: AuditReport): string {
  return new URL(server).host;
}

/** An account that could not be read, as a row among the findings of the others. */
function failureRow(failure: Failure, {advice}: AuditReport): Record<string, string> {
  return {actual: `error: ${failure.message}`, fix: hintFor(failure, {flags: advice.account}) ?? ''};
}

/** Rows that are made when they are read. */
interface Rows {
  readonly count: number;
  made(): Iterable<object>;
}

const rowsFrom = <Item>(items: readonly Item[], toRow: (item: Item) => object): Rows => ({
  count: items.length,
  *made() {
    for (const item of items) yield toRow(item);
  },
});

/** One row a finding, with the account first where that is said. */
function rowsOf(reports: readonly AuditReport[], isNamed: boolean): Rows[] {
  return reports.flatMap((report) => {
    const {server, account, policy, failure, findings, since} = report;
    const about = isNamed ? {server, account, policy} : {};
    return [
      rowsFrom(failure ? [failure] : [], (one) => ({...about, ...failureRow(one, report)})),
      rowsFrom(findings, (one) => ({...about, ...findingWithStatus(one, report)})),
      rowsFrom(since?.resolved ?? [], (one) => ({...about, status: 'resolved', ...one, actual: 'no longer a difference', fix: ''})),
    ];
  });
}

/** The differences that cause exit status 10. */
function failing({findings, since}: AuditReport): readonly Difference[] {
  return since?.isOpenAccepted ? findings.filter((finding) => since.added.has(finding)) : findings;
}

/** How the audits end as a whole; undefined when nothing differs. */
function ending(reports: readonly AuditReport[], accounts: Accounts, flags: PolicyFlags): Failure | undefined {
  const different = reports.filter((report) => failing(report).length > 0);
  const [first] = different;
  const all = different.map(failing);
  const count = counted(
    all.reduce((sum, some) => sum + some.length, 0),
    reports.some(({since}) => since?.isOpenAccepted) ? 'new difference' : 'difference',
  );
  const failed = reports.filter(({failure}) => failure !== undefined);
  if (accounts.areNamed && failed.length > 0) {
    const names = [...new Set(failed.map(whoseText))];
    const others = failed.length === reports.length ? '' : `; ${first === undefined ? 'no differences' : count} in the others`;
    return new Failure('partial', `${names.join(', ')} could not be checked${others}`, {hint: 'the results say why'});
  }
  if (first === undefined) return undefined;
  const many = `in ${different.length} of ${reports.length} audits`;
  const where = different.length === 1 ? `between ${hostOf(first)} and ${first.policy}` : many;
  const advice = accounts.areNamed ? adviceOf(accounts.inUse.flags, sameFlags(flags)) : first.advice;
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
 * @throws Failure `drift` when something differs; `partial` when some of several accounts could not be read; with one account,
 * that of the part that cannot be read, before anything is printed
 */
async function printAudits(
  reports: readonly AuditReport[],
  {
    accounts,
    flags,
    printing,
    session,
  }: {
    readonly accounts: Accounts;
    readonly flags: PolicyFlags;
    readonly printing: Printing;
    readonly session: Session;
  },
): Promise<void> {
  const failures = reports.flatMap(({failure}) => failure ?? []);
  const failure = failures.find(({code}) => code === 'bad_answer') ?? failures[0];
  if (failure !== undefined && !accounts.areNamed) throw failure;
  const view = policyViews.findings({ofSeveral: reports.length > 1, withStatus: reports.some(({since}) => since !== undefined)});
  const rows = rowsOf(reports, reports.length > 1 || printing.fields !== undefined);
  await printResult(
    {
      document: async () => auditDocument(reports),
      rows: rows.values().flatMap((some) => some.made()),
      count: rows.reduce((sum, {count}) => sum + count, 0),
      view,
    },
    session,
    printing,
  );
  for (const same of Map.groupBy(reports, ({policy}) => policy).values())
    noteSkippedOf(
      same.map((report) => ({account: whoseText(report), owner: isNamedByHost(report) ? 'server' : 'account', skipped: report.skipped})),
      session,
    );
  for (const report of reports) if (report.since) session.note(`${whoseText(report)}: ${sinceText(report)}`);
  const end = ending(reports, accounts, flags);
  if (end !== undefined) throw end;
}
