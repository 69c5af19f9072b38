import {Args, Flags} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {hintFor} from '../lib/cli/errors.js';
import {type Accounts, type Member, openAccounts} from '../lib/cli/accounts.js';
import {accountsFlags, repeatable} from '../lib/cli/flags.js';
import {listFlags} from '../lib/cli/policy/list-access.js';
import {filesOf, refuseOverwrites} from '../lib/cli/policy/part.js';
import {
  checkAccounts,
  protectionFlags,
  noteSkippedOf,
  type PolicyFlags,
  privateFlags,
  readPolicyAndLists,
  sameFlags,
  targetOf,
} from '../lib/cli/policy/policy.js';
import {type Printing, printingOfOwn, printResult} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {meantBy, sectionsOfServer, withServers} from '../lib/cli/policy/servers.js';
import {recordsOf, stateFlags} from '../lib/cli/policy/state-files.js';
import {Failure, type Mistake} from '../lib/client/failure.js';
import {auditAccount} from '../lib/policy/audit.js';
import {adviceOf, type Difference, isNamedByHost, type Target, unknownAccount, whoseText} from '../lib/policy/model/difference.js';
import {auditDocument, type AuditReport, auditReport, findingWithStatus, reportFormats} from '../lib/policy/reports/report.js';
import {kindsText, sinceText} from '../lib/policy/reports/text.js';
import type {ReportFile} from '../lib/policy/reports/write.js';
import {stateFileFor} from '../lib/policy/state-file/paths.js';
import {StateFile} from '../lib/policy/state-file/state-file.js';
import {asksServer} from '../lib/policy/reading/part.js';
import {wantedFor} from '../lib/policy/reading/read-wanted.js';
import {findingsView} from '../lib/policy/views.js';
import {pathsOf, sections} from '../lib/policy/sections/index.js';
import type {Wanted} from '../lib/policy/lists/wanted.js';
import {textsOf} from '../lib/print/print.js';
import {counted} from '../lib/json/text.js';

export default class Audit extends PixelctlCommand {
  static override summary = 'Check accounts against policies';
  static override description = `Shows where an account differs from its policy: the rule, the wanted and the actual value, the line in the policy, and how to fix it. Items that an earlier apply made and the policy no longer names are shown too, because plan would remove them. Changes nothing. The exit status is 0 when nothing differs and 10 when something does. What cannot be read is an error, and never counts as empty. What somebody lifted or made weaker by hand since an apply says so. With several accounts all are shown, with an error for those that cannot be read (11).

With --json: {"server", "account", "policy", "ok", "findings": [{"rule", "kind", "subject", "wanted", "actual", "source", "fix", "details", "by_hand": {"set", "found", "since"}}], "skipped": [{"kind", "subject", "why", "code", "rule", "source"}], "lists": [{"list", "format", "entries", "obfuscated", "wildcards", "below_min_severity", "invalid", "skipped": [{"source", "why"}], "same_as", "allows", "stale": {"fetched_at", "why"}, "warning"}], "error": {"code", "message"}}, with details of a domain, or the comments on an account, where a list or the policy has some (explain shows them), lists where the policy names some (invalid counts the rows that on_mistake leaves out, and skipped has the first 100 mistakes in them; "allows": true for those of must_not, "protects": true for those of protect, stale where the last good copy is used, warning where a list is odd as a whole, as one that does not match its own checksum), the rule and source that hold back a block, "held_back": [{"kind", "subject", "why": "policy_limit"}] for what is beyond the limit of the policy, and an error where the account could not be read; several audits are a list.

With --since FILE, an earlier JSON report, each finding has a "status", new or open, and the audit has "since", "resolved" and "unread": the earlier findings that are gone, and those that could not be checked this time. With --fail-on new, only new findings cause exit status 10.

Reports are also written when a policy has mistakes: they show each mistake and its line.

Reads what the policy has rules for: GET ${pathsOf(sections)}, and the name of the account. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, at most once a day. It needs a token with the scope read; for what a whole server blocks, that of an admin.`;
  static override usage = '<%= command.id %> POLICY... [flags]';
  static override args = {POLICY: Args.string({description: 'policies, YAML or JSON', required: true, multiple: true, ignoreStdin: true})};
  static override flags = {
    report: repeatable('also write a report: junit, sarif, markdown, github, json, html or thresholds', 'FORMAT=FILE'),
    since: Flags.string({
      description: 'compare with this earlier JSON report: say what is new, still open and resolved',
      helpValue: 'FILE',
    }),
    'fail-on': Flags.option({options: ['any', 'new'] as const})({
      description: 'which differences cause exit status 10: any (default), or with --since only new ones',
      helpValue: 'WHICH',
    }),
    ...stateFlags,
    ...listFlags,
    ...protectionFlags,
    ...privateFlags,
    ...accountsFlags,
  };
  static knownValues = {report: reportFormats};
  static override examples = [
    {description: 'Show what differs', command: '<%= config.bin %> audit moderation.yml'},
    {
      description: 'List the subjects of all differences with jq',
      command: "<%= config.bin %> audit moderation.yml --json | jq -r '.findings[].subject'",
    },
    {
      description: 'Fail only on what is new since the last report',
      command: '<%= config.bin %> audit moderation.yml --since last.json --fail-on new --report json=next.json',
    },
    {
      description: 'Write reports for CI',
      command: '<%= config.bin %> audit moderation.yml --report junit=audit.xml --report markdown=summary.md',
    },
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(Audit);
    const {parseReportFile, writeReports} = await import('../lib/policy/reports/write.js');
    const files = (flags.report ?? []).map((text) => parseReportFile(text, reportFormats));
    const printing = await printingOfOwn(findingsView({ofSeveral: true, withStatus: true}), session);
    const isOpenAccepted = flags['fail-on'] === 'new';
    if (isOpenAccepted && flags.since === undefined) {
      throw new Failure('usage', '--fail-on new needs --since', {hint: 'name the JSON report of an earlier audit: --since FILE'});
    }
    const compared = flags.since === undefined ? undefined : await comparisonWith(flags.since, {isOpenAccepted, session});
    const outputs = files.map(({file}) => file);
    await refuseOverwrites(
      outputs,
      args.POLICY.flatMap((name) => [name, stateFileFor(name, flags.state)]),
    );
    const policies = await readPolicies(args.POLICY, files, {flags, session});
    await refuseOverwrites(outputs, policies.flatMap(filesOf));
    await using opened = await openAccounts(flags, session);
    await checkAccounts(policies, opened, session);
    const accounts = await withServers(opened, meantBy(policies, flags.state), session);
    const audits = await auditAll(accounts, policies, flags, session.io.now());
    const reports = compared ? audits.map(compared) : audits;
    await writeReports(reports, files);
    await printAudits(reports, {accounts, flags, printing, session});
  }
}

/** @throws Failure of an account that is the only one */
async function auditAll(accounts: Accounts, policies: readonly Wanted[], flags: PolicyFlags, now: Date): Promise<AuditReport[]> {
  const isOfSeveral = accounts.areNamed;
  const results = await accounts.each(async ({connection, owner}) => {
    const target = await targetOf(connection, flags, policies, {needsName: false, owner});
    const meant = await policiesFor(target, policies, flags);
    const known = meant.map(async (wanted) => {
      const server = asksServer(wantedFor(wanted, target).policy, wanted.part);
      return {wanted, records: await recordsOf(wanted.policy.file, flags, {target, isOfSeveral, server}, StateFile.readIfThere)};
    });
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
  {acct: account = unknownAccount, connection: {server, suggest}}: Member,
  {failure, flags, now}: {readonly failure: Failure; readonly flags: PolicyFlags; readonly now: Date},
): AuditReport {
  const about = {server: server.origin, account, policy: wanted.policy.file};
  return auditReport(about, wanted, failure, {now, advice: adviceOf(suggest, sameFlags(flags))});
}

/** Reads all policies. When some cannot be read, the reports say why. @throws Failure of the first, with what is wrong with the others */
async function readPolicies(
  names: readonly string[],
  files: readonly ReportFile[],
  {flags, session}: {readonly flags: PolicyFlags; readonly session: Session},
): Promise<Wanted[]> {
  const policies: Wanted[] = [];
  const failures: Failure[] = [];
  const mistakes: Mistake[] = [];
  for (const file of new Set(names)) {
    try {
      const text = file === '-' ? await session.io.readStandardInput() : undefined;
      policies.push(await readPolicyAndLists(file, flags, session, {text}));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
      mistakes.push(...(error.details.mistakes ?? [{file, line: 1, message: error.message}]));
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return policies;
  if (files.length > 0) {
    const {writeReports} = await import('../lib/policy/reports/write.js');
    await writeReports([], files, {mistakes, when: session.io.now()});
  }
  if (others.length === 0) throw first;
  throw new Failure(first.code, failures.map(({message}) => message).join('; '), first.details);
}

type Compared = (report: AuditReport) => AuditReport;

/** @throws Failure `local` or `usage` when the earlier report cannot be used */
async function comparisonWith(
  file: string,
  {isOpenAccepted, session}: {readonly isOpenAccepted: boolean; readonly session: Session},
): Promise<Compared> {
  const {comparedWith, readEarlierReport} = await import('../lib/policy/reports/since.js');
  const earlier = await readEarlierReport(file);
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
  return {actual: `error: ${failure.message}`, fix: hintFor(failure, advice.suggest) ?? ''};
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
  const advice = accounts.areNamed ? adviceOf(accounts.suggest, sameFlags(flags)) : first.advice;
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
  const view = findingsView({ofSeveral: reports.length > 1, withStatus: reports.some(({since}) => since !== undefined)});
  const rows = rowsOf(reports, reports.length > 1 || printing.fields !== undefined);
  await printResult(
    {
      document: async () => auditDocument(reports),
      rows: textsOf(
        rows.values().flatMap((some) => some.made()),
        (row) => row,
      ),
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
