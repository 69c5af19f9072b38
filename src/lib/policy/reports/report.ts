/** What reports show of audits: the first differences of each kind, in words, and how many more there are. Formats only write this down. */
import * as z from 'zod/mini';
import {factsOf} from '../../api/schema.js';
import {countNoun, shorten, withCommas} from '../../json/text.js';
import {inert} from '../../print/inert.js';
import {factsText} from '../model/domain-facts.js';
import type {RowJson} from '../model/documents.js';
import {type AuditReport, byHandCount, type FindingStatus, isClean, sinceText, statusOf} from '../rows/audit.js';
import {byHandText, heldTexts, rowJson} from '../rows/row-text.js';
import {leftoverRule} from '../rows/rows.js';
import {fullName} from '../rows/target.js';
import {kindOf} from '../sections/index.js';
import {type Kind, type Row, shownName} from '../sections/policy-kind.js';

/** A difference in words. Each text is cut to one line without control characters. */
export interface Line {
  readonly json: RowJson;
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
  readonly kind: Kind;
  readonly count: number;
}

/** Why an account, or one kind of its items, could not be read. */
interface Problem {
  readonly of: string;
  readonly code: string;
  readonly why: string;
}

/** Sentences about what is left as it is, or about findings of an earlier report that are gone: `domain_blocks.must: bad.example`. */
export interface Sentences extends Some<string> {
  readonly about: 'held' | 'resolved';
  readonly title: string;
}

/** What a report shows of one audit. */
export interface View {
  readonly audit: AuditReport;
  /** `ana@pix.example` */
  readonly name: string;
  /** `ana@pix.example differs from p.yml` */
  readonly title: string;
  /** `5 findings; since audit.json: 2 new` */
  readonly counts: string;
  readonly groups: readonly Group[];
  readonly problems: readonly Problem[];
  readonly lists: readonly Sentences[];
}

export interface Report {
  /** The only title, or what all audits come to: `10 audits: 7 with differences, 1 not checked completely`. */
  readonly verdict: string;
  readonly views: readonly View[];
}

/** The most characters of a subject, and of any other text. */
const maxSubjectLength = 500;
const maxTextLength = 2000;

/** The most sentences of a kind in a report about one audit. */
const maxSentences = 500;

/** One inert line of at most this length. */
export const short = (text: string, longest: number): string => shorten(inert(text), longest);

const plain = (text: string): string => short(text, maxTextLength);

/** @param most rows of a kind in the whole report, however many audits it is about */
export function reportOf(audits: readonly AuditReport[], most: number): Report {
  const views = audits.map((audit) => viewOf(audit, Math.ceil(most / audits.length)));
  const [only] = views;
  if (only !== undefined && views.length === 1) return {verdict: only.title, views};
  const different = views.filter(({groups}) => groups.length > 0).length;
  const unread = views.filter(({audit}) => audit.failure !== undefined).length;
  const counts = [
    ...(different > 0 ? [`${withCommas(different)} with differences`] : []),
    ...(unread > 0 ? [`${withCommas(unread)} not checked completely`] : []),
  ];
  return {verdict: `${countNoun(views.length, 'audit')}: ${counts.join(', ') || 'no differences'}`, views};
}

function viewOf(audit: AuditReport, most: number): View {
  const {policy, findings, unread, failure, since} = audit;
  const ok = isClean(audit);
  const name = short(fullName(audit), maxSubjectLength);
  const failed = unread.length === 0 && failure !== undefined ? [{kind: {kind: 'account'}, failure}] : unread;
  const verdict = ok ? 'agrees with' : findings.length > 0 ? 'differs from' : 'could not be checked against';
  const sentences = (about: Sentences['about'], title: string, texts: readonly string[] = []): Sentences[] =>
    texts.length === 0 ? [] : [{about, title, ...firstOf(texts.map(plain), Math.min(most, maxSentences))}];
  return {
    audit,
    name,
    title: `${name} ${verdict} ${plain(policy)}`,
    counts: plain(auditCountsText(audit)),
    groups: groupsOf(audit, most),
    problems: failed.map(({kind: {kind}, failure: {code, message}}) => ({of: kind, code, why: plain(message)})),
    lists: [
      ...sentences('held', 'Left as it is', heldTexts(audit)),
      ...sentences(
        'resolved',
        'Resolved',
        since?.resolved.map(({rule, subject}) => `${rule}: ${subject}`),
      ),
    ],
  };
}

const firstOf = <One>(all: readonly One[], most: number): Some<One> => ({
  shown: all.slice(0, most),
  rest: Math.max(0, all.length - most),
});

/** The first differences of each kind, new ones before all others. Only these are put into words, because there may be very many. */
function groupsOf(audit: AuditReport, most: number): Group[] {
  const isNew = (row: Row) => audit.since?.added.has(row) === true;
  return Array.from(
    Map.groupBy(audit.findings, ({kind}) => kind),
    ([kind, rows]) => {
      const sorted = audit.since === undefined ? rows : [...rows.filter(isNew), ...rows.filter((row) => !isNew(row))];
      const {shown, rest} = firstOf(sorted, most);
      return {kind, count: rows.length, shown: shown.map((row) => lineOf(row, audit)), rest};
    },
  );
}

function lineOf(row: Row, audit: AuditReport): Line {
  const json = rowJson(row, audit);
  const {actual, where, lists, fix = '', by_hand: byHand} = json;
  return {
    json,
    name: short(shownName(row, audit.host), maxSubjectLength),
    wanted: plain(wantedText(json)),
    actual: plain(byHand === undefined ? actual : `${actual}, ${byHandText(byHand)}`),
    where: plain(lists?.join(', ') ?? where),
    places: lists ?? [where],
    fix: plain(fix),
    status: statusOf(audit, row),
  };
}

/** `5 findings; since audit.json: 2 new` */
export function auditCountsText(audit: AuditReport): string {
  const {findings, since} = audit;
  const count = findings.length === 0 ? 'no findings' : `${countNoun(findings.length, 'finding')}${byHandCount(findings)}`;
  return `${count}${since ? `; ${sinceText(audit)}` : ''}`;
}

/** What is wanted, with what the policy and its lists say about it. */
export function wantedText({wanted, details}: Pick<RowJson, 'details' | 'wanted'>): string {
  const said = details === undefined ? '' : factsText(details);
  return said === '' ? wanted : `${wanted} (${said})`;
}

export function ruleText(rule: string): string {
  const [section = '', name = ''] = rule.split('.');
  if (rule === leftoverRule) return 'The policy manages these, and no longer names them.';
  const schema = kindOf(section)?.schema();
  const field = schema instanceof z.ZodMiniObject ? schema.shape[name] : undefined;
  const {about} = (field && factsOf(field)) ?? {};
  return about === undefined ? 'The policy asks for this.' : `${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`;
}
