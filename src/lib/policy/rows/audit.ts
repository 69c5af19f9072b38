/** What an audit of an account found, in JSON and in words. */
import {withCommas} from '../../json/text.js';
import {LongDocument, withItems} from '../../print/print.js';
import type {AuditHead, RowJson} from '../model/documents.js';
import {summariesIn} from '../reading/read-policy.js';
import type {Row} from '../sections/policy-kind.js';
import type {Comparison} from './compare.js';
import {rowJson, skippedJson} from './row-text.js';

export type FindingStatus = 'new' | 'open';

/** An audit compared with an earlier one of the same account and policy. */
export interface Since {
  readonly file: string;
  /** The findings that the earlier report does not have; all others are still open. */
  readonly added: ReadonlySet<Row>;
  readonly resolved: readonly RowJson[];
  /** Findings of the earlier report about what could not be read this time. */
  readonly unread: readonly RowJson[];
  /** Whether only new findings fail the run. */
  readonly isOpenAccepted: boolean;
}

export interface AuditReport extends Comparison {
  readonly since?: Since | undefined;
}

/** Whether nothing differs and everything could be read. */
export const isClean = ({findings, failure}: AuditReport): boolean => findings.length === 0 && failure === undefined;

/** Undefined for a report that was not compared with an earlier one. */
export function statusOf({since}: Pick<AuditReport, 'since'>, finding: Row): FindingStatus | undefined {
  return since && (since.added.has(finding) ? 'new' : 'open');
}

/** What changed since an earlier report: `since audit.json: 2 new, 1 resolved`. Empty for a report that was not compared. */
export function sinceText({since, findings}: Pick<AuditReport, 'findings' | 'since'>): string {
  if (since === undefined) return '';
  const {file, added, resolved, unread} = since;
  const counts: readonly (readonly [number, string])[] = [
    [added.size, `new${byHandCount(added)}`],
    [findings.length - added.size, 'still open'],
    [resolved.length, 'resolved'],
    [unread.length, 'not checked'],
  ];
  const shown = counts.filter(([count]) => count > 0).map(([count, words]) => `${withCommas(count)} ${words}`);
  return `since ${file}: ${shown.join(', ') || 'nothing new'}`;
}

/** How many differences somebody made by hand: ` (2 by hand)`; empty: none. */
export function byHandCount(rows: Iterable<Row>): string {
  let count = 0;
  for (const {byHand} of rows) if (byHand !== undefined) count += 1;
  return count === 0 ? '' : ` (${withCommas(count)} by hand)`;
}

export function findingJson(finding: Row, report: AuditReport): RowJson & {readonly status?: FindingStatus} {
  const [status, json] = [statusOf(report, finding), rowJson(finding, report)];
  return status === undefined ? json : {status, ...json};
}

/** An audit in JSON without its findings, which are printed one by one. */
function headOf(report: AuditReport): AuditHead & {readonly findings: readonly []} {
  const {server, account, policy, failure, since, given} = report;
  const lists = summariesIn(given.domains);
  return {
    server,
    account,
    policy,
    ok: isClean(report),
    findings: [],
    skipped: skippedJson(report),
    ...(lists.length > 0 && {lists: [...lists]}),
    ...(since && {since: since.file, resolved: since.resolved, unread: since.unread}),
    ...(failure && {error: {code: failure.code, message: failure.message}}),
  };
}

/** What `audit --json` prints: one audit as it is, several as a list. */
export function auditDocument(reports: readonly AuditReport[]): LongDocument {
  const documents = reports.map((report) =>
    withItems(headOf(report), {list: 'findings', items: report.findings.values().map((finding) => findingJson(finding, report))}),
  );
  const [only] = documents;
  return only !== undefined && documents.length === 1 ? only : new LongDocument('[', documents, ']');
}
