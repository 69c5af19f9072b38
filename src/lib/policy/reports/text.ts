/** Words of reports: counts, verdicts, names of rules. */
import {type Difference, fullName, isNamedByHost, type Kind, leftoverRule, type Skipped, unknownAccount} from '../model/difference.js';
import {factsText} from '../model/domain-facts.js';
import type {AuditReport} from './report.js';
import {sectionOf, sections} from '../sections/index.js';
import type {Words} from '../section/section.js';
import {counted, shortened, withCommas} from '../../json/text.js';
import {nounFor} from '../../operations/handle.js';
import {inert} from '../../print/inert.js';

const unchecked = {counted: ['rule that cannot be checked', 'rules that cannot be checked'], title: 'Cannot be checked here'} as const;

const wordsOf = (kind: Kind): Pick<Words, 'counted' | 'title'> => sectionOf(kind)?.words ?? unchecked;

/** `2 domain blocks, 1 filter`, in the order of their first ones. */
export function kindsText(differences: Iterable<{readonly kind: Kind}>): string {
  const counts = new Map<Kind, number>();
  for (const {kind} of differences) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Array.from(counts, ([kind, count]) => counted(count, ...wordsOf(kind).counted)).join(', ');
}

/** The result of an audit, to put between the names of a server and a policy. */
export function verdictText({ok, findings}: AuditReport): string {
  if (ok) return 'agrees with';
  return findings.length > 0 ? 'differs from' : 'could not be checked against';
}

/** The name of an account for people: `ana@pix.example`, and the server alone where nobody knows the name. */
export function auditedName({server, account}: Pick<AuditReport, 'account' | 'server'>): string {
  return account === unknownAccount ? new URL(server).host : fullName({server, account});
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
  const both = unseen.length > 0;
  if (accounts.length === 1) {
    const name = short(auditedName(first), maxNameLength);
    if (agreeing.length === 1) return `${name} agrees with ${policy}`;
    const rest = both ? ' could not be checked completely' : '';
    if (different.length === 0) return `${name}${rest}`;
    return `${name} differs from ${policy}${both ? `, and${rest}` : ''}`;
  }
  const [, noun] = nounFor(accounts.map((of) => ({owner: of.every(isNamedByHost) ? 'server' : 'account'})));
  const share = (count: number, what: string, one: string, several: string): string => {
    if (count === accounts.length) return `${count === 2 ? 'Both' : `All ${withCommas(count)}`} ${noun} ${several} ${what}`;
    return `${withCommas(count)} of ${withCommas(accounts.length)} ${noun} ${count === 1 ? one : several} ${what}`;
  };
  if (agreeing.length === accounts.length) return share(agreeing.length, `with ${policy}`, 'agrees', 'agree');
  const checked = 'could not be checked completely';
  if (different.length === 0) return `${share(unseen.length, 'not be checked completely', 'could', 'could')}`;
  const verdict = share(different.length, `from ${policy}`, 'differs', 'differ');
  return both ? `${verdict}, and ${withCommas(unseen.length)} ${checked}` : verdict;
}

/** Characters of the name of an account in a sentence. */
const maxNameLength = 200;

interface AuditCounts {
  readonly findings: number;
  readonly held: number;
  readonly unchecked: number;
}

export function auditCounts({findings, rules}: AuditReport): AuditCounts {
  return {
    findings: findings.length,
    held: rules.filter(({outcome}) => outcome === 'held').length,
    unchecked: rules.filter(({outcome}) => outcome === 'unchecked').length,
  };
}

/** In one line: `5 findings, 12 rules hold, 1 rule was not checked`. */
export function auditCountsText(report: AuditReport): string {
  const {findings, held, unchecked} = auditCounts(report);
  const parts = [
    findings === 0 ? 'no findings' : `${counted(findings, 'finding')}${byHandCount(report.findings)}`,
    counted(held, 'rule holds', 'rules hold'),
    ...(unchecked === 0 ? [] : [counted(unchecked, 'rule was', 'rules were') + ' not checked']),
  ];
  return `${parts.join(', ')}${report.since ? `; ${sinceText(report)}` : ''}`;
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
function byHandCount(differences: Iterable<Difference>): string {
  const count = Array.from(differences).filter(({byHand}) => byHand !== undefined).length;
  return count === 0 ? '' : ` (${withCommas(count)} by hand)`;
}

/** What is wanted, with what the policy and its lists say about it. */
export function wantedText({wanted, details}: Pick<Difference, 'details' | 'wanted'>): string {
  const said = details === undefined ? '' : factsText(details);
  return said === '' ? wanted : `${wanted} (${said})`;
}

export const titleOf = (kind: Kind): string => wordsOf(kind).title;

const otherRules: Readonly<Record<string, string>> = {
  policy: 'The policy must be complete and without mistakes.',
  [leftoverRule]: 'The policy manages these, and no longer names them, or their `until` date has passed.',
};

/** A rule in a sentence. */
export function ruleText(rule: string): string {
  const [section, name = ''] = rule.split('.');
  const sentences = sections.find(({key}) => key === section)?.words.rules;
  return sentences?.[name] ?? sentences?.[''] ?? otherRules[rule] ?? 'The policy asks for this.';
}

/** The title of what an audit did not compare, and of what it notes. */
export function skippedTitle(skipped: readonly Skipped[]): string {
  const hows = new Set(skipped.map(({heldBy}) => (heldBy === undefined || heldBy.how === 'unknown' ? '' : (heldBy.how ?? 'held'))));
  const isEnding = hows.delete('ending');
  const isUnchecked = hows.delete('') || (hows.size === 0 && !isEnding);
  const words = [...(isUnchecked ? ['not checked'] : []), ...(hows.size > 0 ? ['held back'] : []), ...(isEnding ? ['ending soon'] : [])];
  const title = words.join(' or ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Characters of a subject, and of other texts, in reports that show them whole otherwise. */
export const maxSubjectLength = 500;
export const maxReportText = 2000;

/** One inert line of at most this length. */
export function short(text: string, longest: number): string {
  return shortened(inert(text), longest);
}

/** Names what an audit is about: the host, or `ana@host` where the reports are about several accounts of a server. */
export function subjectNames(reports: readonly AuditReport[]): (report: AuditReport) => string {
  const accounts = new Map<string, string>();
  const areSeveral = reports.some(({server, account}) => {
    const other = accounts.get(server);
    accounts.set(server, account);
    return other !== undefined && other !== account;
  });
  return (report) => (areSeveral ? fullName(report) : new URL(report.server).host);
}
