/** What reports show of audits: the first differences of each kind, in words, and how many more there are. Formats only write this down. */
import {andMore, countNoun, shorten, withCommas} from '../../json/text.js';
import {inert} from '../../print/inert.js';
import {factsText} from '../model/domain-facts.js';
import type {RowJson} from '../model/documents.js';
import {type AuditReport, byHandCount, type FindingStatus, isClean, sinceText, statusOf} from '../rows/audit.js';
import {byHandText, heldTexts, rowJson} from '../rows/row-text.js';
import {fullName} from '../rows/target.js';
import {kindName, type Row, shownName} from '../sections/policy-kind.js';

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

/** The first differences of a kind; or sentences about what is left as it is, or about findings of an earlier report that are gone. */
export interface Part {
  /** `domain_block`, `held` or `resolved` */
  readonly about: string;
  /** `5 domain blocks`, `Left as it is: 5` */
  readonly title: string;
  readonly lines: readonly Line[];
  readonly texts: readonly string[];
  /** `and 1,200 more`; empty: these are all. */
  readonly more: string;
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
  readonly parts: readonly Part[];
  /** Why the account, or kinds of its items, could not be read. */
  readonly problems: readonly {readonly of: string; readonly code: string; readonly why: string}[];
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
export const viewsOf = (audits: readonly AuditReport[], most: number): View[] =>
  audits.map((audit) => viewOf(audit, Math.ceil(most / audits.length)));

function viewOf(audit: AuditReport, most: number): View {
  const {policy, findings, unread, failure, since} = audit;
  const name = short(fullName(audit), maxSubjectLength);
  const verdict = isClean(audit) ? 'agrees with' : findings.length > 0 ? 'differs from' : 'could not be checked against';
  const failed =
    unread.length === 0 && failure !== undefined
      ? [{of: 'account', failure}]
      : unread.map(({kind, failure: why}) => ({of: kindName(kind), failure: why}));
  const sentences = (about: string, title: string, texts: readonly string[] = []): Part[] => {
    const shown = texts.slice(0, Math.min(most, maxSentences)).map(plain);
    const more = moreText(texts, shown);
    return texts.length === 0 ? [] : [{about, title: `${title}: ${withCommas(texts.length)}`, lines: [], texts: shown, more}];
  };
  return {
    audit,
    name,
    title: `${name} ${verdict} ${plain(policy)}`,
    counts: plain(auditCountsText(audit)),
    parts: [
      ...differencesOf(audit, most),
      ...sentences('held', 'Left as it is', heldTexts(audit)),
      ...sentences(
        'resolved',
        'Resolved',
        since?.resolved.map(({rule, subject}) => `${rule}: ${subject}`),
      ),
    ],
    problems: failed.map(({of, failure: {code, message}}) => ({of, code, why: plain(message)})),
  };
}

const moreText = (all: readonly unknown[], shown: readonly unknown[]): string =>
  all.length > shown.length ? andMore(all.length - shown.length) : '';

/** The first differences of each kind, new ones before all others. Only these are put into words, because there may be very many. */
function differencesOf(audit: AuditReport, most: number): Part[] {
  const {findings, since} = audit;
  const sorted = since === undefined ? findings : [...since.added, ...findings.filter((row) => !since.added.has(row))];
  return Array.from(
    Map.groupBy(sorted, ({kind}) => kind),
    ([kind, rows]) => {
      const lines = rows.slice(0, most).map((row) => lineOf(row, audit));
      return {about: kindName(kind), title: countNoun(rows.length, kind.item), lines, texts: [], more: moreText(rows, lines)};
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
