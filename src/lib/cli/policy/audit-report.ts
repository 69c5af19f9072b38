/** Audits on standard output, and how they end. */
import {hintFor} from '../errors.js';
import {noteSkipped} from './showing.js';
import {type Printing, writeOutput} from '../printing.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {findingJson} from '../../policy/difference.js';
import {auditDocument, type AuditReport} from '../../policy/reports/report.js';
import {counted} from '../../policy/reports/text.js';
import {findingsOfServersView, findingsView} from '../../policy/views.js';
import {formatAnswer} from '../../print/print.js';

function hostOf({server}: AuditReport): string {
  return new URL(server).host;
}

/** What could not be looked at, among the findings of the others. */
function failureRow(failure: Failure, {advice}: AuditReport): Record<string, string> {
  return {actual: `error: ${failure.message}`, fix: hintFor(failure, advice.suggest) ?? ''};
}

/** One row a finding; with the server before it where there are several. */
function rowsOf(reports: readonly AuditReport[]): object[] {
  if (reports.length === 1) return reports.flatMap(({findings}) => findings.map(findingJson));
  return reports.flatMap((report) => {
    const {server, account, policy, failure, findings} = report;
    const rows = [...(failure ? [failureRow(failure, report)] : []), ...findings.map(findingJson)];
    return rows.map((row) => ({server, account, policy, ...row}));
  });
}

/** How the audits end as a whole; undefined when all agree. */
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
 * @param isFleet whether there are several accounts: one that cannot be looked at hides no other
 * @throws Failure `drift` when something differs; `partial` when some of several accounts could not be looked at; with one
 * account, that of the part that cannot be looked at, before anything is printed
 */
export async function printAudits(
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
