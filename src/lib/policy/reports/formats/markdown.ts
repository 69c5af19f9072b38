/** A page of Markdown, for the summary of a workflow step or a comment. */
import type {AuditReport, Unusable} from '../../rows/audit.js';
import {placeText} from '../../source/mistakes.js';
import {short} from '../report-text.js';
import {firstOfMany, type Group, type Some, type View, viewsOf} from '../report-view.js';
import {andMore, countNoun, withCommas} from '../../../json/text.js';

const maxCellLength = 200;
const maxMistakes = 500;

export function* markdown(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  if (unusable !== undefined) yield mistakesText(unusable);
  let before = '';
  for (const view of viewsOf(reports)) {
    yield before + viewText(view);
    before = '\n';
  }
}

function viewText({title, counts, report, groups, unread, held, resolved}: View): string {
  const parts = [
    `## ${report.ok ? '✅' : '❌'} ${plainMarkdown(title)}`,
    plainMarkdown(counts),
    ...unread.map(({why}) => `**Not checked**: ${plainMarkdown(why)}`),
    ...groups.map((group) => groupText(group, report)),
    ...listText('Left as it is', held),
    ...listText('Resolved', resolved),
  ];
  return `${parts.join('\n\n')}\n`;
}

function groupText({kind, count, shown, rest}: Group, {since}: AuditReport): string {
  const header = ['', ...(since ? ['Since'] : []), 'Wanted', 'Actual', 'Rule', 'Where', 'How to fix it'];
  const rows = shown.map(({name, status, wanted, actual, rule, where, fix}) => [
    name,
    ...(status === undefined ? [] : [status]),
    wanted,
    actual,
    rule,
    where,
    fix,
  ]);
  return details(`<b>${plainMarkdown(kind.words.title)}</b>: ${withCommas(count)}`, tableText(header, {shown: rows, rest}));
}

function listText(title: string, {shown, rest}: Some<string>): string[] {
  if (shown.length === 0) return [];
  const items = shown.map((text) => `- ${plainMarkdown(text)}`).join('\n');
  return [details(`<b>${title}</b>: ${withCommas(shown.length + rest)}`, [items, ...moreText(rest)])];
}

function mistakesText({mistakes}: Unusable): string {
  const rows = mistakes.map((mistake) => [placeText(mistake), mistake.message]);
  const title = `## ❌ ${countNoun(mistakes.length, 'mistake')} in the policy`;
  return `${[title, ...tableText(['Where', 'Mistake'], firstOfMany(rows, maxMistakes))].join('\n\n')}\n`;
}

function tableText(header: readonly string[], {shown, rest}: Some<readonly string[]>): string[] {
  const lines = [header, header.map(() => '---'), ...shown.map((cells) => cells.map(plainMarkdown))];
  return [lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'), ...moreText(rest)];
}

const moreText = (rest: number): string[] => (rest > 0 ? [`… ${andMore(rest)}`] : []);

export function details(summary: string, parts: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

/** Escapes a text of at most 200 characters: it cannot become markup, a link, a mention or the end of a cell. */
export function plainMarkdown(text: string): string {
  return short(text, maxCellLength).replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, (found) => `&#${found.charCodeAt(0)};`);
}
