/** What reports show of audits: the first differences of each kind, in words, and how many more there are. Formats only write this down. */
import * as z from 'zod/mini';
import {factsOf} from '../../api/schema.js';
import type {Mistake} from '../../client/failure.js';
import {countNoun, shorten, withCommas} from '../../json/text.js';
import {inert} from '../../print/inert.js';
import {factsText} from '../model/domain-facts.js';
import type {RowJson} from '../model/documents.js';
import {type AuditReport, byHandCount, type FindingStatus, isClean, sinceText, statusOf} from '../rows/audit.js';
import {byHandText, heldTexts, rowJson, shownName} from '../rows/row-text.js';
import {leftoverRule} from '../rows/rows.js';
import {fullName} from '../rows/target.js';
import {kindOf} from '../sections/index.js';
import type {Kind, Row} from '../sections/policy-kind.js';
import {placeText} from '../source/mistakes.js';

/** The mistakes of policies that cannot be used: then there is no audit. */
export interface Unusable {
  readonly mistakes: readonly Mistake[];
  readonly when: Date;
}

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

/** Why an account, or one kind of its items, could not be read; or a mistake in a policy. */
export interface Problem {
  /** What could not be read, or the file with the mistake. */
  readonly of: string;
  /** `Not checked`, or where the mistake is: `p.yml:2:38`. */
  readonly what: string;
  readonly code: string;
  readonly why: string;
  readonly mistake?: Mistake;
}

/** Sentences about what is left as it is, or about findings of an earlier report that are gone: `domain_blocks.must: bad.example`. */
export interface Sentences extends Some<string> {
  readonly about: 'held' | 'resolved';
  readonly title: string;
}

/** What a report shows of one audit, or of the mistakes that prevented all of them. */
export interface View {
  /** Undefined for mistakes. */
  readonly audit: AuditReport | undefined;
  readonly when: Date;
  readonly ok: boolean;
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
export function reportOf(audits: Unusable | readonly AuditReport[], most: number): Report {
  const views = 'mistakes' in audits ? [viewOfMistakes(audits)] : audits.map((audit) => viewOf(audit, Math.ceil(most / audits.length)));
  const [only] = views;
  if (only !== undefined && views.length === 1) return {verdict: only.title, views};
  const different = views.filter(({groups}) => groups.length > 0).length;
  const unread = views.filter(({audit}) => audit?.failure !== undefined).length;
  const counts = [
    ...(different > 0 ? [`${withCommas(different)} with differences`] : []),
    ...(unread > 0 ? [`${withCommas(unread)} not checked completely`] : []),
  ];
  return {verdict: `${countNoun(views.length, 'audit')}: ${counts.join(', ') || 'no differences'}`, views};
}

function viewOfMistakes({mistakes, when}: Unusable): View {
  const title = `${countNoun(mistakes.length, 'mistake')} in the policy`;
  const problems = mistakes.map((mistake): Problem => {
    return {of: mistake.file, what: placeText(mistake), code: 'usage', why: plain(mistake.message), mistake};
  });
  return {audit: undefined, when, ok: false, name: 'policies', title, counts: 'Nothing was compared.', groups: [], problems, lists: []};
}

function viewOf(audit: AuditReport, most: number): View {
  const {policy, findings, unread, failure, since, when} = audit;
  const ok = isClean(audit);
  const name = short(fullName(audit), maxSubjectLength);
  const failed = unread.length === 0 && failure !== undefined ? [{kind: {kind: 'account'}, failure}] : unread;
  const verdict = ok ? 'agrees with' : findings.length > 0 ? 'differs from' : 'could not be checked against';
  const sentences = (about: Sentences['about'], title: string, texts: readonly string[]): Sentences[] =>
    texts.length === 0 ? [] : [{about, title, ...firstOf(texts.map(plain), Math.min(most, maxSentences))}];
  return {
    audit,
    when,
    ok,
    name,
    title: `${name} ${verdict} ${plain(policy)}`,
    counts: plain(auditCountsText(audit)),
    groups: groupsOf(audit, most),
    problems: failed.map(({kind: {kind}, failure: {code, message}}) => ({of: kind, what: 'Not checked', code, why: plain(message)})),
    lists: [
      ...sentences('held', 'Left as it is', heldTexts(audit)),
      ...sentences(
        'resolved',
        'Resolved',
        (since?.resolved ?? []).map(({rule, subject}) => `${rule}: ${subject}`),
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
  const groups = new Map<Kind, {count: number; readonly added: Row[]; readonly others: Row[]}>();
  for (const row of audit.findings) {
    const group = groups.get(row.kind) ?? {count: 0, added: [], others: []};
    if (group.count === 0) groups.set(row.kind, group);
    group.count += 1;
    const rows = audit.since?.added.has(row) === true ? group.added : group.others;
    if (rows.length < most) rows.push(row);
  }
  return Array.from(groups, ([kind, {count, added, others}]) => {
    const shown = [...added, ...others].slice(0, most).map((row) => lineOf(row, audit));
    return {kind, count, shown, rest: count - shown.length};
  });
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
  const schema = kindOf(section)?.policy.schema();
  const field = schema instanceof z.ZodMiniObject ? schema.shape[name] : undefined;
  const {about} = (field && factsOf(field)) ?? {};
  return about === undefined ? 'The policy asks for this.' : `${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`;
}
