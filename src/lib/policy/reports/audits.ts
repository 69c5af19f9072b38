/** Audits of accounts: what is printed of them, their reports, and how a run ends. */
import {Failure} from '../../client/failure.js';
import {andMore, countNoun, withCommas} from '../../json/text.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {auditDocument, type AuditReport, findingJson, sinceText} from '../rows/audit.js';
import {compareAccount, type Comparison, comparisonOf} from '../rows/compare.js';
import {differenceFailure, heldTexts, kindsText} from '../rows/row-text.js';
import {sectionsMeant} from '../rows/states.js';
import {type Accounts, type Advice, fullName, suggest, type Target} from '../rows/target.js';
import {policyViews} from '../rows/views.js';
import {reportText, type WriteReports} from './formats/index.js';

interface AuditRun {
  readonly since?: string | undefined;
  /** Whether only new findings fail the run. */
  readonly isOpenAccepted: boolean;
  readonly hintOf: (failure: Failure, report: AuditReport) => string | undefined;
  /** Whether the user has chosen the fields of rows: then each names its account, and all are shown. */
  readonly hasFields: boolean;
  readonly write: WriteReports;
}

/** The most rows of a table, which all accounts share: nobody reads more, and they would take longer than everything else. */
const maxTableRows = 10_000;

/**
 * Compares accounts with policies, and writes reports. An account that cannot be read does not stop the others.
 * @returns what is printed, and how the run ends
 * @throws Failure of a single account, when a part of it cannot be read; as `write` does
 */
export async function audit(policies: readonly PolicyWithLists[], accounts: Accounts, run: AuditRun) {
  const {since: file, isOpenAccepted, hasFields, write} = run;
  const earlier = file === undefined ? undefined : await (await import('./since.js')).readEarlierReport(file, isOpenAccepted);
  const {all, noun, advice} = await accounts.gather(policies, (target) => compareAll(policies, target));
  const reports = all
    .flatMap((one) => ('value' in one ? one.value : policies.map((given) => comparisonOf(one.target, given, one))))
    .map((one): AuditReport => ({...one, since: earlier?.compare(one)}));
  await write((format) => reportText(format, reports));
  const failures = reports.flatMap(({failure}) => failure ?? []);
  const failure = failures.find(({code}) => code === 'bad_answer') ?? failures[0];
  if (failure !== undefined && noun === undefined) throw failure;
  const ofSeveral = reports.length > 1;
  const rows = (most?: number) => rowsOf(reports, run, ofSeveral || hasFields, most);
  const most = Math.ceil(maxTableRows / reports.length);
  const rest = hasFields ? 0 : reports.reduce((sum, {findings}) => sum + Math.max(0, findings.length - most), 0);
  return {
    document: async () => auditDocument(reports),
    rows: rows(),
    ...(rest > 0 && {tableRows: rows(most)}),
    view: policyViews.rows({ofSeveral, withStatus: earlier !== undefined}),
    notes: [
      ...(earlier?.note === undefined ? [] : [earlier.note]),
      ...(rest > 0 ? [`${andMore(rest)}: --json and --output csv have all`] : []),
      ...reports.flatMap((report) => heldTexts(report).map((text) => (ofSeveral ? `${fullName(report)}: ${text}` : text))),
      ...reports.flatMap((report) => (report.since ? `${fullName(report)}: ${sinceText(report)}` : [])),
    ],
    failure: endingOf(reports, advice),
  };
}

async function compareAll(policies: readonly PolicyWithLists[], target: Target): Promise<Comparison[]> {
  const {owner, server, state} = target;
  const compared: Comparison[] = [];
  // A policy without sections about the server is not compared with the server.
  for (const given of policies)
    if (policies.length === 1 || owner !== 'server' || (await sectionsMeant(given, owner, server.host, state)).length > 0)
      compared.push(await compareAccount(given, target));
  return compared;
}

/** One row for each finding. Rows are made as they are read, because there may be very many. */
function* rowsOf(reports: readonly AuditReport[], {hintOf}: AuditRun, isNamed: boolean, most = Infinity): Generator<object> {
  for (const report of reports) {
    const {server, account, policy, failure, findings, since} = report;
    const about = isNamed ? {server, account, policy} : {};
    // An account that could not be read is a row among the findings of the others.
    if (failure !== undefined) yield {...about, actual: `error: ${failure.message}`, fix: hintOf(failure, report) ?? ''};
    // New ones are never left out for others.
    const first = findings.length > most && since ? [...since.added, ...findings.filter((one) => !since.added.has(one))] : findings;
    for (const one of first.values().take(most)) yield {...about, ...findingJson(one, report)};
    for (const one of since?.resolved ?? []) yield {...about, status: 'resolved', ...one, actual: 'no longer a difference', fix: ''};
  }
}

/** How the audits end as a whole; undefined when nothing differs. */
function endingOf(reports: readonly AuditReport[], advice: Advice): Failure | undefined {
  // Only new findings fail a run that accepts those that are still open.
  const isNewOnly = reports.some(({since}) => since?.isOpenAccepted);
  const failing = reports.map(({findings, since, policy}) => ({policy, rows: isNewOnly && since ? [...since.added] : findings}));
  const different = failing.filter(({rows}) => rows.length > 0);
  const total = different.reduce((sum, {rows}) => sum + rows.length, 0);
  const count = countNoun(total, isNewOnly ? 'new difference' : 'difference');
  const unread = reports.filter(({failure}) => failure !== undefined);
  if (unread.length > 0) {
    const others = unread.length === reports.length ? '' : `; ${total === 0 ? 'no differences' : count} in the others`;
    const names = [...new Set(unread.map(fullName))];
    return new Failure('partial', `${names.join(', ')} could not be checked${others}`, {hint: 'the results say why'});
  }
  if (total === 0) return undefined;
  const where = reports.length === 1 ? '' : ` in ${withCommas(different.length)} of ${countNoun(reports.length, 'audit')}`;
  const plans = [...new Set(different.map(({policy}) => policy))].map((policy) => suggest({advice, policy}, 'plan'));
  return differenceFailure([
    `${count}${where}: ${kindsText(different.map(({rows}) => rows))}.`,
    ...plans.map((plan) => `To see what would change: ${plan}`),
  ]);
}
