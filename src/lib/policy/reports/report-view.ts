/** What reports show of audits: the first differences of each kind, in words, and how many more there are. Formats only write this down. */
import {type AuditReport, type FindingStatus, statusOf} from '../rows/audit.js';
import type {RowJson} from '../model/documents.js';
import type {Row} from '../sections/policy-kind.js';
import {byHandText, heldTexts, rowJson, shownName} from '../rows/row-text.js';
import {fullName} from '../rows/target.js';
import {sortNewFirst} from './since.js';
import {auditCountsText, maxReportText, maxSubjectLength, short, verdictText, wantedText} from './report-text.js';

/** The most rows of a kind in a report, however many audits it is about. */
const maxRows = 500;

/** A difference in words. Each text is cut to one line without control characters. */
export interface Line {
  readonly row: Row;
  readonly rule: string;
  readonly kind: string;
  /** The item as people name it. */
  readonly name: string;
  readonly wanted: string;
  readonly actual: string;
  /** `p.yml:3`, or all places that ask for it. */
  readonly where: string;
  /** The same places one by one. */
  readonly places: readonly string[];
  readonly fix: string;
  readonly status: FindingStatus | undefined;
}

/** The first of many, and how many are left out. */
export interface Some<One> {
  readonly shown: readonly One[];
  readonly rest: number;
}

export interface Group extends Some<Line> {
  readonly kind: Row['kind'];
  readonly count: number;
}

export interface View {
  readonly report: AuditReport;
  /** `ana@pix.example` */
  readonly name: string;
  /** `ana@pix.example differs from p.yml` */
  readonly title: string;
  /** `5 findings; since audit.json: 2 new` */
  readonly counts: string;
  readonly groups: readonly Group[];
  /** Why an account, or one kind of its items, could not be read. */
  readonly unread: readonly {readonly kind: string; readonly code: string; readonly why: string}[];
  /** What is left as it is, in sentences. */
  readonly held: Some<string>;
  /** Findings of an earlier report that are gone: `domain_blocks.must: bad.example`. */
  readonly resolved: Some<string>;
}

export function firstOfMany<One>(all: readonly One[], most: number): Some<One> {
  return {shown: all.slice(0, most), rest: Math.max(0, all.length - most)};
}

const plain = (text: string): string => short(text, maxReportText);

function lineOf(row: Row, report: AuditReport): Line {
  const {shown} = report;
  const json = rowJson(row, shown);
  const {rule, kind, actual, where, lists, fix = '', by_hand: byHand} = json;
  return {
    row,
    rule,
    kind,
    name: short(shownName(row, shown.host), maxSubjectLength),
    wanted: plain(wantedText(json)),
    actual: plain(byHand === undefined ? actual : `${actual}, ${byHandText(byHand)}`),
    where: plain(lists?.join(', ') ?? where),
    places: lists ?? [where],
    fix: plain(fix),
    status: statusOf(report, row),
  };
}

const goneText = ({rule, subject}: RowJson): string => plain(`${rule}: ${subject}`);

function viewOf(report: AuditReport, most: number): View {
  const {policy, findings, held, unread, failure, since, shown} = report;
  const name = short(fullName(report), maxSubjectLength);
  const byKind = Map.groupBy(sortNewFirst(findings, report), ({kind}) => kind);
  return {
    report,
    name,
    title: `${name} ${verdictText(report)} ${plain(policy)}`,
    counts: plain(auditCountsText(report)),
    groups: Array.from(byKind, ([kind, rows]) => {
      const {shown: first, rest} = firstOfMany(rows, most);
      return {kind, count: rows.length, shown: first.map((row) => lineOf(row, report)), rest};
    }),
    unread:
      unread.length > 0
        ? unread.map(({kind: {kind}, failure: {code, message}}) => ({kind, code, why: plain(message)}))
        : failure === undefined
          ? []
          : [{kind: 'account', code: failure.code, why: plain(failure.message)}],
    held: firstOfMany(heldTexts(held, shown).map(plain), most),
    resolved: firstOfMany((since?.resolved ?? []).map(goneText), most),
  };
}

/** Makes views one after another, because all at once would take much memory. @param most rows of a kind in the whole report */
export function* viewsOf(reports: readonly AuditReport[], most = maxRows): Generator<View> {
  for (const report of reports) yield viewOf(report, Math.ceil(most / reports.length));
}
