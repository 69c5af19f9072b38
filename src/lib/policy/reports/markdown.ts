/** A short page of Markdown, for the summary of a workflow step or a comment. */
import type {Mistake} from '../../client/failure.js';
import type {Difference, FindingJson, Skipped} from '../difference.js';
import {locationText} from '../location.js';
import {placeText} from '../mistakes.js';
import type {AuditReport, Unusable} from './report.js';
import {statusOf} from './since.js';
import {counted, countsText, grouped, ruleText, short, skippedTitle, verdictText, wantedText} from './text.js';
import {withCommas} from '../../json/text.js';

/** Of each rule; the summary of a step is limited to a megabyte. */
const mostRows = 50;
const longestCell = 200;

export function* markdownReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  if (unusable !== undefined) yield mistakesSection(unusable.mistakes);
  for (const [index, report] of reports.entries()) yield (index === 0 ? '' : '\n') + section(report);
}

function section(report: AuditReport): string {
  const {server, account, policy, ok, findings, skipped, since} = report;
  const {host} = new URL(server);
  const parts = [
    `## ${ok ? '✅' : '❌'} ${plain(host)} ${verdictText(report)} ${plain(policy)}`,
    `${plain(account)}: ${countsText(report)}`,
    ...grouped(findings, ({rule}) => rule).map(([rule, same]) => ruleDetails(rule, same, report)),
    ...(since === undefined || since.resolved.length === 0 ? [] : [resolvedDetails(since.resolved)]),
    ...(skipped.length === 0 ? [] : [skippedDetails(skipped)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

export function mistakesSection(mistakes: readonly Mistake[]): string {
  const rows = mistakes.slice(0, mostRows).map((one) => [placeText(one), one.message]);
  const parts = [
    `## ❌ ${counted(mistakes.length, 'mistake')} in the policy`,
    table(['Where', 'Mistake'], rows),
    ...moreText(mistakes.length - rows.length),
  ];
  return `${parts.join('\n\n')}\n`;
}

function ruleDetails(rule: string, findings: readonly Difference[], report: AuditReport): string {
  const {since} = report;
  const ordered = since
    ? [...findings.filter((one) => since.added.has(one)), ...findings.filter((one) => !since.added.has(one))]
    : findings;
  const statusCell = (one: Difference) => [statusOf(report, one)].filter((status) => status !== undefined);
  const rows = ordered
    .slice(0, mostRows)
    .map((one) => [one.subject, ...statusCell(one), wantedText(one), one.actual, locationText(one.source), one.fix]);
  return details(`<b>${plain(rule)}</b>: ${counted(findings.length, 'finding')}`, [
    ruleText(rule),
    table(['', ...(since ? ['Since'] : []), 'Wanted', 'Actual', 'Where', 'How to fix it'], rows),
    ...moreText(findings.length - rows.length),
  ]);
}

function resolvedDetails(findings: readonly FindingJson[]): string {
  const rows = findings.slice(0, mostRows).map(({rule, subject, wanted}) => [rule, subject, wanted]);
  return details(`<b>Resolved</b>: ${withCommas(findings.length)}`, [
    table(['Rule', '', 'Wanted'], rows),
    ...moreText(findings.length - rows.length),
  ]);
}

/** How many rows are left out, if any. */
function moreText(count: number): string[] {
  return count > 0 ? [`… and ${withCommas(count)} more`] : [];
}

function skippedDetails(skipped: readonly Skipped[]): string {
  const rows = skipped.slice(0, mostRows).map(({kind, subject = '', why}) => [kind, subject, why]);
  return details(`<b>${skippedTitle(skipped)}</b>: ${withCommas(skipped.length)}`, [table(['', '', 'Why'], rows)]);
}

export function details(summary: string, parts: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map((row) => line(row.map(plain)))].join('\n');
}

/** Escapes a text of at most 200 characters: it cannot become markup, a link, a mention or the end of a cell. */
export function plain(text: string): string {
  return short(text, longestCell).replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, (found) => `&#${found.charCodeAt(0)};`);
}
