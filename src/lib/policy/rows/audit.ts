/** Audits: in what accounts differ from policies; as documents, and for reports. */
import type {AuditHead, ListJson, RowJson} from '../model/documents.js';
import {Failure, type Mistake} from '../../client/failure.js';
import {LongDocument, withItems} from '../../print/print.js';
import {type Comparison, failureOf, rowsIn} from './compare.js';
import type {Row} from '../sections/policy-kind.js';
import {heldBackJson, viewSettings} from './plan.js';
import {type PolicyWithLists, summariesIn} from '../reading/read-policy.js';
import {heldJson, rowJson, type Shown} from './row-text.js';
import type {About} from './target.js';

export type FindingStatus = 'new' | 'open' | 'resolved';

/** An audit compared with an earlier one of the same account and policy. */
export interface Since {
  /** The earlier report. */
  readonly file: string;
  /** The findings that the earlier report does not have; all others are still open. */
  readonly added: ReadonlySet<Row>;
  readonly resolved: readonly RowJson[];
  /** Findings of the earlier report about what could not be read this time. */
  readonly unread: readonly RowJson[];
  /** Whether only what is new fails the run. */
  readonly isOpenAccepted: boolean;
}

/** One account of one server compared with one policy. */
export interface AuditReport extends About {
  readonly findings: readonly Row[];
  /** What is left as it is. */
  readonly held: readonly Row[];
  /** Sections that could not be read. */
  readonly unread: Comparison['unread'];
  /** Whether nothing differs and all could be read. */
  readonly ok: boolean;
  /** Why the account, or a part of it, could not be read. */
  readonly failure: Failure | undefined;
  readonly lists: readonly ListJson[];
  readonly shown: Shown;
  readonly when: Date;
  /** Set when it was compared with an earlier report. */
  readonly since?: Since | undefined;
}

/** Policies that cannot be used: then there is no audit. */
export interface Unusable {
  readonly mistakes: readonly Mistake[];
  readonly when: Date;
}

export function auditOf(comparison: Comparison): AuditReport {
  const {about, given, unread, target} = comparison;
  const rows = rowsIn(comparison);
  const failure = failureOf(comparison);
  const findings = rows.filter(({action}) => action !== 'held');
  return {
    ...about,
    findings,
    held: rows.filter(({action}) => action === 'held'),
    unread,
    ok: findings.length === 0 && failure === undefined,
    failure,
    lists: summariesIn(given.domains),
    shown: viewSettings(comparison),
    when: target.now(),
  };
}

/** Of an account that could not be read at all. */
export function failedAudit(about: About, given: PolicyWithLists, failure: Failure, shown: Shown, when: Date): AuditReport {
  return {...about, findings: [], held: [], unread: [], ok: false, failure, lists: summariesIn(given.domains), shown, when};
}

/** Undefined for a report that was not compared with an earlier one. */
export function statusOf({since}: Pick<AuditReport, 'since'>, finding: Row): 'new' | 'open' | undefined {
  return since && (since.added.has(finding) ? 'new' : 'open');
}

/** A finding with what it is since an earlier report. */
export function findingJson(finding: Row, report: Pick<AuditReport, 'shown' | 'since'>): RowJson & {readonly status?: 'new' | 'open'} {
  const status = statusOf(report, finding);
  return {...(status && {status}), ...rowJson(finding, report.shown)};
}

/** One audit in JSON, with no findings yet. */
function headOf(report: AuditReport): AuditHead & {readonly findings: readonly []} {
  const {server, account, policy, ok, failure, held, unread, since, lists, shown} = report;
  return {
    server,
    account,
    policy,
    ok,
    findings: [],
    skipped: [
      ...held.filter(({how}) => how !== 'limit').map((row) => heldJson(row, shown)),
      ...unread.map(({kind: {kind}, failure: {message: why, code}}) => ({kind, why, code})),
    ],
    ...heldBackJson(held, shown),
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
