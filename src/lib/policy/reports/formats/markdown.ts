/** A short page of Markdown, for the summary of a workflow step or a comment. */
import {shownSubject} from '../../sections/index.js';
import type {Mistake} from '../../../client/failure.js';
import type {FindingJson} from '../../model/documents.js';
import {actualText, type Difference, placesOf, type Skipped, whereText} from '../../model/difference.js';
import {placeText} from '../../source/mistakes.js';
import type {ReportFormat} from '../format.js';
import type {AuditReport, Unusable} from '../report.js';
import {type AnyRows, fitted, Rows} from '../rows.js';
import {byRule, statusOf} from '../since.js';
import {auditCountsText, ruleText, short, skippedTitle, verdictText, wantedText} from '../text.js';
import {andMore, counted, withCommas} from '../../../json/text.js';

/** Of each rule. */
const maxRows = 50;
const maxCellLength = 200;

/** Bytes: the summary of a step is limited to a megabyte, and one that is larger is not shown at all. */
const largest = 900_000;

export const markdown: ReportFormat = {
  render: markdownReport,
};

function markdownReport(reports: readonly AuditReport[], unusable?: Unusable): Iterable<string> {
  const mistakes = tableOf(unusable?.mistakes ?? [], ({file, line, column, message}) => [placeText({file, line, column}), message]);
  const sections = reports.map((report) => new Section(report));
  function* render(): Generator<string> {
    if (unusable !== undefined) yield mistakesText(mistakes);
    for (const [index, section] of sections.entries()) yield (index === 0 ? '' : '\n') + section.text();
  }
  return fitted(render, [mistakes, ...sections.flatMap(({tables}) => tables)], {bytes: largest});
}

/** A table of the first items, as many as fit. */
function tableOf<Item>(items: readonly Item[], cellsOf: (item: Item) => readonly string[]): Rows<Item> {
  return new Rows(items, (item) => [line(cellsOf(item).map(plainMarkdown))], maxRows);
}

/** What a report on one audit says. */
class Section {
  readonly #report: AuditReport;
  readonly #rules: readonly {readonly rule: string; readonly rows: Rows<Difference>}[];
  readonly #resolved: Rows<FindingJson>;
  readonly #skipped: Rows<Skipped>;

  constructor(report: AuditReport) {
    const {findings, since, skipped} = report;
    const statusCell = (one: Difference) => [statusOf(report, one)].filter((status) => status !== undefined);
    const cells = (one: Difference) => [
      shownSubject(one),
      ...statusCell(one),
      wantedText(one),
      actualText(one),
      whereText(placesOf(one)),
      one.fix,
    ];
    this.#report = report;
    // In the order of the policy.
    const rules = new Set(findings.map(({rule}) => rule));
    this.#rules = Array.from(rules, (rule) => ({rule, rows: tableOf(byRule(report).get(rule) ?? [], cells)}));
    this.#resolved = tableOf(since?.resolved ?? [], (one) => [one.rule, shownSubject(one), one.wanted]);
    this.#skipped = tableOf(skipped, ({kind, subject, why}) => [kind, subject === undefined ? '' : shownSubject({kind, subject}), why]);
  }

  get tables(): readonly AnyRows[] {
    return [...this.#rules.map(({rows}) => rows), this.#resolved, this.#skipped];
  }

  text(): string {
    const {server, account, policy, ok, since} = this.#report;
    const {host} = new URL(server);
    const header = ['', ...(since ? ['Since'] : []), 'Wanted', 'Actual', 'Where', 'How to fix it'];
    const parts = [
      `## ${ok ? '✅' : '❌'} ${plainMarkdown(host)} ${verdictText(this.#report)} ${plainMarkdown(policy)}`,
      `${plainMarkdown(account)}: ${auditCountsText(this.#report)}`,
      ...this.#rules.flatMap(({rule, rows}) =>
        folded(`<b>${plainMarkdown(rule)}</b>: ${counted(rows.items.length, 'finding')}`, header, rows, ruleText(rule)),
      ),
      ...folded(`<b>Resolved</b>: ${withCommas(this.#resolved.items.length)}`, ['Rule', '', 'Wanted'], this.#resolved),
      ...folded(`<b>${skippedTitle(this.#skipped.items)}</b>: ${withCommas(this.#skipped.items.length)}`, ['', '', 'Why'], this.#skipped),
    ];
    return `${parts.join('\n\n')}\n`;
  }
}

function mistakesText(mistakes: Rows<Mistake>): string {
  const title = `## ❌ ${counted(mistakes.items.length, 'mistake')} in the policy`;
  return `${[title, ...tableText(['Where', 'Mistake'], mistakes)].join('\n\n')}\n`;
}

/** Nothing for an empty table. */
function folded<Item>(summary: string, header: readonly string[], rows: Rows<Item>, introduction?: string): string[] {
  if (rows.items.length === 0) return [];
  return [details(summary, [...(introduction === undefined ? [] : [introduction]), ...tableText(header, rows)])];
}

/** The rows that are shown, and how many are not. */
function tableText<Item>(header: readonly string[], rows: Rows<Item>): string[] {
  const table = [line(header), line(header.map(() => '---')), ...rows.texts()].join('\n');
  return [...(rows.shown.length > 0 ? [table] : []), ...(rows.rest > 0 ? [`… ${andMore(rows.rest)}`] : [])];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function details(summary: string, parts: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

/** Escapes a text of at most 200 characters: it cannot become markup, a link, a mention or the end of a cell. */
export function plainMarkdown(text: string): string {
  return short(text, maxCellLength).replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, (found) => `&#${found.charCodeAt(0)};`);
}
