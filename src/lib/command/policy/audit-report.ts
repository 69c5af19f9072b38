/** Audits on standard output, and how they end. */
import {Failure} from '../../client/failure.js';
import {findingJson} from '../../policy/finding.js';
import {auditDocument, type AuditReport} from '../../policy/reports/report.js';
import {formatAnswer} from '../../output/print.js';
import {writeOutput, type Printing} from '../printing/printing.js';
import type {Session} from '../session.js';
import {blindness} from './planning.js';

function hostOf({server}: AuditReport): string {
  return new URL(server).host;
}

/** One row a finding; with the server before it where there are several. */
function rowsOf(reports: readonly AuditReport[]): Record<string, string>[] {
  return reports.flatMap(({server, account, policy, findings}) =>
    findings.map((finding) => ({...(reports.length > 1 && {server, account, policy}), ...findingJson(finding)})),
  );
}

/**
 * @throws Failure `drift` when something differs; that of a part that cannot be looked at, before anything is printed
 */
export async function printAudits(
  reports: readonly AuditReport[],
  {printing, session}: {readonly printing: Printing; readonly session: Session},
): Promise<void> {
  const failures = reports.flatMap((report) => blindness(report.skipped, hostOf(report)) ?? []);
  const failure = failures.find(({code}) => code === 'bad_answer') ?? failures[0];
  if (failure !== undefined) throw failure;
  const isDocument = session.format === 'json' || printing.jq !== undefined;
  const isOne = reports.length === 1;
  const document = isDocument ? auditDocument(reports) : rowsOf(reports);
  const rows = isDocument && isOne ? ['findings'] : [];
  const view = isOne ? 'findings' : 'findingsOfServers';
  await writeOutput(await formatAnswer(JSON.stringify(document), {...printing, view, rows}), session);
  for (const {skipped} of reports)
    for (const {kind, subject, why} of skipped) session.note(`left out: ${kind.replace('_', ' ')} ${subject ?? ''}: ${why}`);
  const different = reports.filter(({findings}) => findings.length > 0);
  const [first] = different;
  if (first === undefined) return;
  const count = different.reduce((sum, {findings}) => sum + findings.length, 0);
  const where = different.length === 1 ? `${hostOf(first)} is not as ${first.policy} wants it` : `${different.length} of ${reports.length} audits differ`;
  throw new Failure('drift', `${where}: ${count} ${count === 1 ? 'finding' : 'findings'}`, {
    hint: `what would mend it: pixelctl plan ${first.policy}`,
  });
}
