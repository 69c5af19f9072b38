import {Args, Flags} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {connect, Connection} from '../lib/cli/connection.js';
import {hintFor} from '../lib/cli/errors.js';
import type {Fleet} from '../lib/cli/fleet.js';
import {accountsFlags, areSeveral} from '../lib/cli/flags.js';
import {listFlags, noteSkipped, type PolicyFlags, readPolicyAndLists, refuseOtherServers, targetIfKnown} from '../lib/cli/policy.js';
import {type Printing, printingOf, writeOutput} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {Failure} from '../lib/client/failure.js';
import {findingJson} from '../lib/policy/difference.js';
import type {Wanted} from '../lib/policy/policy-file.js';
import {auditAccount, auditDocument, type AuditReport} from '../lib/policy/reports/report.js';
import {counted} from '../lib/policy/reports/text.js';
import {findingsOfServersView, findingsView} from '../lib/policy/views.js';
import {formatAnswer} from '../lib/print/print.js';

export default class Audit extends PixelctlCommand {
  static override summary = 'Check accounts against policies';
  static override description = `Shows where an account differs from its policy: the rule, the wanted and the actual value, the line in the policy, and how to fix it. Changes nothing. The exit status is 0 when nothing differs and 10 when something does. What cannot be read is an error, and never counts as empty. With several accounts all are shown, with an error for those that cannot be read (11).

With --json: {"server", "account", "policy", "ok", "findings": [{"rule", "kind", "subject", "wanted", "actual", "source", "fix"}], "skipped": [{"kind", "subject", "why", "code"}], "lists": [{"list", "format", "entries", "obfuscated", "wildcards", "below_min_severity", "skipped": [{"source", "why"}]}], "error": {"code", "message"}}, with lists where the policy names some and an error where the account could not be read; several audits are a list.

Reads what the policy has rules for: GET /api/v1/domain_blocks, /api/v2/filters, /api/v1/blocks, /api/v1/mutes, /api/v1.1/push/state and /api/v2.1/config, and the name of the account. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> POLICY... [flags]';
  static override args = {POLICY: Args.string({description: 'policies, YAML or JSON', required: true, multiple: true, ignoreStdin: true})};
  static override flags = {
    report: Flags.string({
      description: 'also write a report: junit, sarif, markdown, github, json or html',
      helpValue: 'FORMAT=FILE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...listFlags,
    ...accountsFlags,
  };
  static override examples = [
    {description: 'Show what differs', command: '<%= config.bin %> audit moderation.yml'},
    {
      description: 'List the subjects of all differences with jq',
      command: "<%= config.bin %> audit moderation.yml --json | jq -r '.findings[].subject'",
    },
    {
      description: 'Write reports for CI',
      command: '<%= config.bin %> audit moderation.yml --report junit=audit.xml --report markdown=summary.md',
    },
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(Audit);
    const {parseReportFile, writeReports} = await import('../lib/policy/reports/write.js');
    const files = (flags.report ?? []).map(parseReportFile);
    const printing = await printingOf(session);
    const policies: Wanted[] = [];
    for (const file of args.POLICY) policies.push(await readPolicyAndLists(file, flags, session));
    const isFleet = areSeveral(flags);
    await using accounts = isFleet ? await (await import('../lib/cli/fleet.js')).openFleet(flags, session) : await connect(session);
    const reports = await auditAll(accounts, policies, flags);
    await writeReports(reports, files);
    await printAudits(reports, {printing, session, isFleet});
  }
}

/** @throws Failure `usage` before any request when a policy is not for one of the accounts */
async function auditAll(accounts: Connection | Fleet, policies: readonly Wanted[], flags: PolicyFlags): Promise<AuditReport[]> {
  const auditOne = async (connection: Connection) => auditAccount(policies, await targetIfKnown(connection, flags, policies));
  if (accounts instanceof Connection) return auditOne(accounts);
  refuseOtherServers(policies, accounts.members);
  const results = await accounts.each(({connection}) => auditOne(connection));
  return results.flatMap((result) => {
    if (result instanceof Failure) throw result;
    return result;
  });
}

function hostOf({server}: AuditReport): string {
  return new URL(server).host;
}

/** An account that could not be read, as a row among the findings of the others. */
function failureRow(failure: Failure, {advice}: AuditReport): Record<string, string> {
  return {actual: `error: ${failure.message}`, fix: hintFor(failure, advice.suggest) ?? ''};
}

/** One row a finding, with the account first where there are several. */
function rowsOf(reports: readonly AuditReport[]): object[] {
  if (reports.length === 1) return reports.flatMap(({findings}) => findings.map(findingJson));
  return reports.flatMap((report) => {
    const {server, account, policy, failure, findings} = report;
    const rows = [...(failure ? [failureRow(failure, report)] : []), ...findings.map(findingJson)];
    return rows.map((row) => ({server, account, policy, ...row}));
  });
}

/** How the audits end as a whole; undefined when nothing differs. */
function ending(reports: readonly AuditReport[], isFleet: boolean): Failure | undefined {
  const different = reports.filter(({findings}) => findings.length > 0);
  const [first] = different;
  const count = counted(
    different.reduce((sum, {findings}) => sum + findings.length, 0),
    'difference',
  );
  const failed = reports.filter(({failure}) => failure !== undefined);
  if (isFleet && failed.length > 0) {
    const names = [...new Set(failed.map((report) => `${report.account} on ${hostOf(report)}`))];
    const others = failed.length === reports.length ? '' : `; ${first === undefined ? 'no differences' : count} in the others`;
    return new Failure('partial', `${names.join(', ')} could not be checked${others}`, {hint: 'the results say why'});
  }
  if (first === undefined) return undefined;
  const where =
    different.length === 1 ? `between ${hostOf(first)} and ${first.policy}` : `in ${different.length} of ${reports.length} audits`;
  return new Failure('drift', `${count} ${where}`, {
    hint: `to see what would change: ${first.advice.onPolicy('plan', first.policy)}`,
  });
}

/**
 * @param isFleet whether there are several accounts: one that cannot be read hides no other
 * @throws Failure `drift` when something differs; `partial` when some of several accounts could not be read; with one account,
 * that of the part that cannot be read, before anything is printed
 */
async function printAudits(
  reports: readonly AuditReport[],
  {printing, session, isFleet}: {readonly printing: Printing; readonly session: Session; readonly isFleet: boolean},
): Promise<void> {
  const failures = reports.flatMap(({failure}) => failure ?? []);
  const failure = failures.find(({code}) => code === 'bad_answer') ?? failures[0];
  if (failure !== undefined && !isFleet) throw failure;
  const isDocument = session.format === 'json' || printing.jq !== undefined;
  const isOne = reports.length === 1;
  const document = isDocument ? auditDocument(reports) : rowsOf(reports);
  const rows = isDocument && isOne ? ['findings'] : [];
  const view = isOne ? findingsView : findingsOfServersView;
  await writeOutput(await formatAnswer(JSON.stringify(document), {...printing, view, rows}), session);
  for (const {skipped} of reports) noteSkipped(skipped, session);
  const end = ending(reports, isFleet);
  if (end !== undefined) throw end;
}
