/** A short page of Markdown, for the summary of a workflow step or a comment. */
import {andMore, counted, withCommas} from '../../../json/text.js';
import type {AuditReport, Unusable} from '../../rows/audit.js';
import {placeText} from '../../source/mistakes.js';
import type {ReportFormat} from '../format.js';
import {firstOnes, type Group, groupsOf, told, untoldIn} from '../rows.js';
import {statusOf} from '../../rows/audit.js';
import {auditCountsText, ruleText, short, verdictText, wantedText} from '../text.js';

const maxCellLength = 200;

export const markdown: ReportFormat = {
  render: markdownReport,
};

function* markdownReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  if (unusable !== undefined) {
    const {items, rest} = firstOnes(unusable.mistakes);
    const rows = items.map(({file, line, column, message}) => [placeText({file, line, column}), message]);
    const title = `## ❌ ${counted(unusable.mistakes.length, 'mistake')} in the policy`;
    yield `${[title, ...tableText(['Where', 'Mistake'], rows, rest)].join('\n\n')}\n`;
  }
  const groups = Map.groupBy(groupsOf(reports), ({report}) => report);
  for (const [index, report] of reports.entries()) yield (index === 0 ? '' : '\n') + sectionText(report, groups.get(report) ?? []);
}

function sectionText(report: AuditReport, groups: readonly Group[]): string {
  const {server, account, policy, ok, since} = report;
  const resolved = firstOnes(since?.resolved ?? []);
  const untold = firstOnes(untoldIn(report));
  const header = ['', ...(since ? ['Since'] : []), 'Wanted', 'Actual', 'Where', 'How to fix it'];
  const parts = [
    `## ${ok ? '✅' : '❌'} ${plainMarkdown(new URL(server).host)} ${verdictText(report)} ${plainMarkdown(policy)}`,
    `${plainMarkdown(account)}: ${auditCountsText(report)}`,
    ...groups.flatMap(({rule, count, shown, rest}) => {
      const rows = shown.map((row) => {
        const {name, actual, places, fix = '', ...one} = told(row, report);
        return [name, ...(since ? [statusOf(report, row) ?? ''] : []), wantedText(one), actual, places, fix];
      });
      return [details(`<b>${plainMarkdown(rule)}</b>: ${counted(count, 'finding')}`, [ruleText(rule), ...tableText(header, rows, rest)])];
    }),
    ...folded(
      `<b>Resolved</b>: ${withCommas(since?.resolved.length ?? 0)}`,
      ['Rule', '', 'Wanted'],
      resolved.items.map(({rule, subject, wanted}) => [rule, subject, wanted]),
      resolved.rest,
    ),
    ...folded(
      `<b>Not compared, or held back</b>: ${withCommas(untold.items.length + untold.rest)}`,
      ['', '', 'Why'],
      untold.items.map(({kind, name, why}) => [kind, name, why]),
      untold.rest,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Nothing for an empty table. */
function folded(summary: string, header: readonly string[], rows: readonly (readonly string[])[], rest: number): string[] {
  return rows.length === 0 ? [] : [details(summary, tableText(header, rows, rest))];
}

/** The rows that are shown, and how many are not. */
function tableText(header: readonly string[], rows: readonly (readonly string[])[], rest: number): string[] {
  const lines = [header, header.map(() => '---'), ...rows.map((cells) => cells.map(plainMarkdown))];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [...(rows.length > 0 ? [table] : []), ...(rest > 0 ? [`… ${andMore(rest)}`] : [])];
}

export function details(summary: string, parts: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

/** Escapes a text of at most 200 characters: it cannot become markup, a link, a mention or the end of a cell. */
export function plainMarkdown(text: string): string {
  return short(text, maxCellLength).replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, (found) => `&#${found.charCodeAt(0)};`);
}
