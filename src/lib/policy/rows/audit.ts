/** Audits: how accounts differ from policies, as JSON and for reports. */
import {Failure, type Mistake} from '../../client/failure.js';
import {countNoun, withCommas} from '../../json/text.js';
import {LongDocument, withItems} from '../../print/print.js';
import type {AuditHead, ListJson, RowJson} from '../model/documents.js';
import {type PolicyWithLists, summariesIn} from '../reading/read-policy.js';
import type {Row} from '../sections/policy-kind.js';
import {type Comparison, failureOf, rowsIn} from './compare.js';
import {heldBackJson, viewSettings} from './plan.js';
import {differenceFailure, heldJson, heldTexts, kindsText, rowJson, type Shown} from './row-text.js';
import {type About, type Advice, whoseText} from './target.js';
import {policyViews} from './views.js';

export type FindingStatus = 'new' | 'open' | 'resolved';

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

/** What is known of an account before it is read. */
export interface KnownAccount extends About {
  readonly shown: Shown;
  readonly when: Date;
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

/** The mistakes of policies that cannot be used: then there is no audit. */
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

export const failedAudit = (known: KnownAccount, given: PolicyWithLists, failure: Failure): AuditReport => ({
  ...known,
  findings: [],
  held: [],
  unread: [],
  ok: false,
  failure,
  lists: summariesIn(given.domains),
});

/** Undefined for a report that was not compared with an earlier one. */
export function statusOf({since}: Pick<AuditReport, 'since'>, finding: Row): 'new' | 'open' | undefined {
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
  const count = Array.from(rows).filter(({byHand}) => byHand !== undefined).length;
  return count === 0 ? '' : ` (${withCommas(count)} by hand)`;
}

function findingJson(finding: Row, report: AuditReport): RowJson & {readonly status?: 'new' | 'open'} {
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

interface AuditRun {
  /** What to call several accounts; undefined: there is one. */
  readonly noun: readonly [one: string, several: string] | undefined;
  /** Suggests commands on all accounts of the run. */
  readonly advice: Advice;
  readonly hintOf: (failure: Failure, report: AuditReport) => string | undefined;
  /** Whether rows name the account even if there is only one. */
  readonly isNamed: boolean;
}

/**
 * What is printed of audits, and how the run ends. An account that cannot be read does not stop the others.
 * @throws Failure of a single account, when a part of it cannot be read
 */
export function auditResult(reports: readonly AuditReport[], run: AuditRun) {
  const failures = reports.flatMap(({failure}) => failure ?? []);
  const failure = failures.find(({code}) => code === 'bad_answer') ?? failures[0];
  if (failure !== undefined && run.noun === undefined) throw failure;
  const ofSeveral = reports.length > 1;
  return {
    document: async () => auditDocument(reports),
    rows: rowsOf(reports, {...run, isNamed: ofSeveral || run.isNamed}),
    view: policyViews.findings({ofSeveral, withStatus: reports.some(({since}) => since !== undefined)}),
    notes: [
      ...reports.flatMap((report) =>
        heldTexts(report.held, report.shown).map((text) => (ofSeveral ? `${whoseText(report)}: ${text}` : text)),
      ),
      ...reports.flatMap((report) => (report.since ? `${whoseText(report)}: ${sinceText(report)}` : [])),
    ],
    failure: endingOf(reports, run),
  };
}

/** One row for each finding. Rows are made as they are read, because there may be very many. */
function* rowsOf(reports: readonly AuditReport[], {isNamed, hintOf}: AuditRun): Generator<object> {
  for (const report of reports) {
    const {server, account, policy, failure, findings, since} = report;
    const about = isNamed ? {server, account, policy} : {};
    // An account that could not be read is a row among the findings of the others.
    if (failure !== undefined) yield {...about, actual: `error: ${failure.message}`, fix: hintOf(failure, report) ?? ''};
    for (const one of findings) yield {...about, ...findingJson(one, report)};
    for (const one of since?.resolved ?? []) yield {...about, status: 'resolved', ...one, actual: 'no longer a difference', fix: ''};
  }
}

/** How the audits end as a whole; undefined when nothing differs. */
function endingOf(reports: readonly AuditReport[], {advice}: AuditRun): Failure | undefined {
  // The findings that cause exit status 10.
  const failing = ({findings, since}: AuditReport) =>
    since?.isOpenAccepted ? findings.filter((finding) => since.added.has(finding)) : findings;
  const different = reports.filter((report) => failing(report).length > 0);
  const all = different.flatMap(failing);
  const count = countNoun(all.length, reports.some(({since}) => since?.isOpenAccepted) ? 'new difference' : 'difference');
  const unread = reports.filter(({failure}) => failure !== undefined);
  if (unread.length > 0) {
    const others = unread.length === reports.length ? '' : `; ${all.length === 0 ? 'no differences' : count} in the others`;
    const names = [...new Set(unread.map(whoseText))];
    return new Failure('partial', `${names.join(', ')} could not be checked${others}`, {hint: 'the results say why'});
  }
  if (all.length === 0) return undefined;
  const where = reports.length === 1 ? '' : ` in ${withCommas(different.length)} of ${countNoun(reports.length, 'audit')}`;
  const plans = [...new Set(different.map(({policy}) => policy))].map((policy) => advice.onPolicy('plan', policy));
  return differenceFailure([`${count}${where}: ${kindsText(all)}.`, ...plans.map((plan) => `To see what would change: ${plan}`)]);
}
