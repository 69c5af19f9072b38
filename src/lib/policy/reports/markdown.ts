/** A short page of Markdown, for the summary of a workflow step or a comment. */
import type {Difference, Skipped} from '../difference.js';
import {locationText} from '../location.js';
import type {AuditReport} from './report.js';
import {counted, countsText, grouped, ruleText, short, verdictText} from './text.js';

/** Of each rule; the summary of a step is limited to a megabyte. */
const mostRows = 50;
const longestCell = 200;

export function* markdownReport(reports: readonly AuditReport[]): Generator<string> {
  for (const [index, report] of reports.entries()) yield (index === 0 ? '' : '\n') + section(report);
}

function section(report: AuditReport): string {
  const {server, account, policy, ok, findings, skipped} = report;
  const {host} = new URL(server);
  const parts = [
    `## ${ok ? '✅' : '❌'} ${plain(host)} ${verdictText(report)} ${plain(policy)}`,
    `${plain(account)}: ${countsText(report)}`,
    ...grouped(findings, ({rule}) => rule).map(([rule, same]) => ruleDetails(rule, same)),
    ...(skipped.length === 0 ? [] : [skippedDetails(skipped)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function ruleDetails(rule: string, findings: readonly Difference[]): string {
  const rows = findings
    .slice(0, mostRows)
    .map(({subject, wanted, actual, source, fix}) => [subject, wanted, actual, locationText(source), fix]);
  const rest = findings.length - rows.length;
  return details(`<b>${plain(rule)}</b>: ${counted(findings.length, 'finding')}`, [
    ruleText(rule),
    table(['', 'Wanted', 'Actual', 'Where', 'How to fix it'], rows),
    ...(rest > 0 ? [`… and ${rest.toLocaleString('en')} more`] : []),
  ]);
}

function skippedDetails(skipped: readonly Skipped[]): string {
  const rows = skipped.slice(0, mostRows).map(({kind, subject = '', why}) => [kind, subject, why]);
  return details(`<b>Not checked</b>: ${skipped.length.toLocaleString('en')}`, [table(['', '', 'Why'], rows)]);
}

function details(summary: string, parts: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map((row) => line(row.map(plain)))].join('\n');
}

/** Escapes a text: it cannot become markup, a link, a mention or the end of a cell. */
function plain(text: string): string {
  return short(text, longestCell).replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, (found) => `&#${found.charCodeAt(0)};`);
}
