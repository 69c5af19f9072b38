/** What an audit of an account found, in JSON and in words. */
import type {Failure} from '../../client/failure.js';
import {withCommas} from '../../json/text.js';
import {LongDocument, withItems} from '../../print/print.js';
import type {AuditHead, ListJson, RowJson} from '../model/documents.js';
import {type PolicyWithLists, summariesIn} from '../reading/read-policy.js';
import type {Row} from '../sections/policy-kind.js';
import {type Comparison, failureOf, rowsIn} from './compare.js';
import {rowJson, type Shown, shownIn, skippedJson} from './row-text.js';
import type {About} from './target.js';

export type FindingStatus = 'new' | 'open';

/** An audit compared with an earlier one of the same account and policy. */
export interface Since {
  /** The file of the earlier report. */
  readonly file: string;
  /** The findings that the earlier report does not have; all others are still open. */
  readonly added: ReadonlySet<Row>;
  readonly resolved: readonly RowJson[];
  /** Findings of the earlier report about what could not be read this time. */
  readonly unread: readonly RowJson[];
  /** Whether only new findings fail the run. */
  readonly isOpenAccepted: boolean;
}

/** An earlier report, which `reports/since.ts` reads. */
export interface Earlier {
  readonly notes: readonly string[];
  readonly compare: (audit: AuditReport) => {readonly since: Since; readonly remarks: readonly string[]};
}

/** What is known of an account before it is read. */
export interface KnownAccount extends About {
  readonly shown: Shown;
  readonly when: Date;
}

/** An account that could not be read. */
export interface UnreadAccount {
  readonly known: KnownAccount;
  readonly given: PolicyWithLists;
  readonly failure: Failure | undefined;
}

export interface AuditReport extends KnownAccount {
  readonly findings: readonly Row[];
  /** Items that are left as they are, with the reasons. */
  readonly held: readonly Row[];
  /** Sections that could not be read. */
  readonly unread: Comparison['unread'];
  /** Whether nothing differs and everything could be read. */
  readonly ok: boolean;
  /** Why the account, or a part of it, could not be read. */
  readonly failure: Failure | undefined;
  readonly lists: readonly ListJson[];
  readonly since?: Since | undefined;
}

export function auditOf(one: Comparison | UnreadAccount): AuditReport {
  const lists = summariesIn(one.given.domains);
  if ('known' in one) return {...one.known, findings: [], held: [], unread: [], ok: false, failure: one.failure, lists};
  const all = rowsIn(one);
  const findings = all.filter(({action}) => action !== 'held');
  const failure = failureOf(one);
  return {
    ...one.about,
    findings,
    held: all.filter(({action}) => action === 'held'),
    unread: one.unread,
    ok: findings.length === 0 && failure === undefined,
    failure,
    lists,
    shown: shownIn(one),
    when: one.target.now(),
  };
}

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
  const status = statusOf(report, finding);
  return {...(status && {status}), ...rowJson(finding, report.shown)};
}

/** An audit in JSON without its findings, which are printed one by one. */
function headOf(report: AuditReport): AuditHead & {readonly findings: readonly []} {
  const {server, account, policy, ok, failure, held, unread, since, lists, shown} = report;
  return {
    server,
    account,
    policy,
    ok,
    findings: [],
    ...skippedJson(held, shown, unread),
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
