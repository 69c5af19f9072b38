/** Words of reports: counts, verdicts, names of rules. */
import * as z from 'zod/mini';
import {factsOf} from '../../api/schema.js';
import {type AuditReport, byHandCount, sinceText} from '../rows/audit.js';
import type {RowJson} from '../model/documents.js';
import {factsText} from '../model/domain-facts.js';
import {leftoverRule} from '../rows/rows.js';
import {kindOf} from '../sections/index.js';
import {fullName} from '../rows/target.js';
import {countNoun, shorten, withCommas} from '../../json/text.js';
import {inert} from '../../print/inert.js';

/** The result of an audit, to put between the names of a server and a policy. */
export function verdictText({ok, findings}: AuditReport): string {
  if (ok) return 'agrees with';
  return findings.length > 0 ? 'differs from' : 'could not be checked against';
}

/** The result of all audits: `ana@pix.example differs from p.yml`, or `10 audits: 7 with differences, 1 not checked completely`. */
export function verdictOfAll(reports: readonly AuditReport[]): string {
  const [first, ...others] = reports;
  if (first === undefined) return 'Nothing was compared';
  if (others.length === 0) return `${short(fullName(first), maxNameLength)} ${verdictText(first)} ${short(first.policy, maxNameLength)}`;
  const different = reports.filter(({findings}) => findings.length > 0).length;
  const unread = reports.filter(({failure}) => failure !== undefined).length;
  const counts = [
    ...(different > 0 ? [`${withCommas(different)} with differences`] : []),
    ...(unread > 0 ? [`${withCommas(unread)} not checked completely`] : []),
  ];
  return `${countNoun(reports.length, 'audit')}: ${counts.join(', ') || 'no differences'}`;
}

/** The most characters of a name in a sentence. */
const maxNameLength = 200;

/** `5 findings; since audit.json: 2 new` */
export function auditCountsText(report: AuditReport): string {
  const {findings, since} = report;
  const count = findings.length === 0 ? 'no findings' : `${countNoun(findings.length, 'finding')}${byHandCount(findings)}`;
  return `${count}${since ? `; ${sinceText(report)}` : ''}`;
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

/** The most characters of a subject, and of any other text, in a report. */
export const maxSubjectLength = 500;
export const maxReportText = 2000;

/** One inert line of at most this length. */
export function short(text: string, longest: number): string {
  return shorten(inert(text), longest);
}
