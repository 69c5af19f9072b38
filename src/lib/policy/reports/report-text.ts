/** Words of reports: counts, verdicts, names of rules. */
import * as z from 'zod/mini';
import {factsOf} from '../../api/schema.js';
import type {AuditReport} from '../rows/audit.js';
import type {RowJson} from '../model/documents.js';
import {factsText} from '../model/domain-facts.js';
import {leftoverRule} from '../rows/rows.js';
import {kindOf} from '../sections/index.js';
import {fullName, isNamedByHost} from '../rows/target.js';
import {countNoun, shorten, withCommas} from '../../json/text.js';
import {nounFor} from '../../operations/handle.js';
import {inert} from '../../print/inert.js';
import type {Row} from '../sections/policy-kind.js';

/** The result of an audit, to put between the names of a server and a policy. */
export function verdictText({ok, findings}: AuditReport): string {
  if (ok) return 'agrees with';
  return findings.length > 0 ? 'differs from' : 'could not be checked against';
}

/** What all audits come to, in a sentence: `All 10 accounts differ from the policy`. */
export function verdictOfAll(reports: readonly AuditReport[]): string {
  const policy = new Set(reports.map((report) => report.policy)).size > 1 ? 'the policies' : 'the policy';
  const accounts = [...Map.groupBy(reports, ({server, account}) => JSON.stringify([server, account])).values()];
  const different = accounts.filter((of) => of.some(({findings}) => findings.length > 0));
  const agreeing = accounts.filter((of) => of.every(({ok}) => ok));
  const unseen = accounts.filter((of) => of.some(({failure}) => failure !== undefined));
  const [only = []] = accounts;
  const [first] = only;
  if (first === undefined) return 'Nothing was compared';
  if (accounts.length === 1) {
    const name = short(fullName(first), maxNameLength);
    if (agreeing.length === 1) return `${name} agrees with ${policy}`;
    const rest = unseen.length > 0 ? ' could not be checked completely' : '';
    if (different.length === 0) return `${name}${rest}`;
    return `${name} differs from ${policy}${rest === '' ? '' : `, and${rest}`}`;
  }
  const [, noun] = nounFor(accounts.map((of) => ({owner: of.every(isNamedByHost) ? 'server' : 'account'})));
  const share = (count: number, what: string, one: string, several: string): string => {
    if (count === accounts.length) return `${count === 2 ? 'Both' : `All ${withCommas(count)}`} ${noun} ${several} ${what}`;
    return `${withCommas(count)} of ${withCommas(accounts.length)} ${noun} ${count === 1 ? one : several} ${what}`;
  };
  if (agreeing.length === accounts.length) return share(agreeing.length, `with ${policy}`, 'agrees', 'agree');
  if (different.length === 0) return share(unseen.length, 'not be checked completely', 'could', 'could');
  const verdict = share(different.length, `from ${policy}`, 'differs', 'differ');
  return unseen.length > 0 ? `${verdict}, and ${withCommas(unseen.length)} could not be checked completely` : verdict;
}

/** Characters of the name of an account in a sentence. */
const maxNameLength = 200;

/** In one line: `5 findings; since audit.json: 2 new`. */
export function auditCountsText(report: AuditReport): string {
  const {findings, since} = report;
  const count = findings.length === 0 ? 'no findings' : `${countNoun(findings.length, 'finding')}${byHandCount(findings)}`;
  return `${count}${since ? `; ${sinceText(report)}` : ''}`;
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

/** How many differences are people's doing; empty where none is. */
function byHandCount(rows: Iterable<Row>): string {
  const count = Array.from(rows).filter(({byHand}) => byHand !== undefined).length;
  return count === 0 ? '' : ` (${withCommas(count)} by hand)`;
}

/** What is wanted, with what the policy and its lists say about it. */
export function wantedText({wanted, details}: Pick<RowJson, 'details' | 'wanted'>): string {
  const said = details === undefined ? '' : factsText(details);
  return said === '' ? wanted : `${wanted} (${said})`;
}

/** A rule in a sentence. */
export function ruleText(rule: string): string {
  const [section = '', name = ''] = rule.split('.');
  if (rule === leftoverRule) return 'The policy manages these, and no longer names them.';
  const schema = kindOf(section)?.policy.schema();
  const field = schema instanceof z.ZodMiniObject ? schema.shape[name] : undefined;
  const {about} = (field && factsOf(field)) ?? {};
  return about === undefined ? 'The policy asks for this.' : `${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`;
}

/** Characters of a subject, and of other texts, in reports that show them whole otherwise. */
export const maxSubjectLength = 500;
export const maxReportText = 2000;

/** One inert line of at most this length. */
export function short(text: string, longest: number): string {
  return shorten(inert(text), longest);
}
