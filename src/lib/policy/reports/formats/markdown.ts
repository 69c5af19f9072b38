/** A page of Markdown, for the summary of a workflow step or a comment. */
import {andMore, countNoun, withCommas} from '../../../json/text.js';
import {isClean} from '../../rows/audit.js';
import {type Group, type Report, type Sentences, short, type View} from '../report.js';

const maxCellLength = 200;

export const markdown = ({views}: Report): string => views.map(viewText).join('\n');

function viewText({title, counts, audit, groups, problems, lists}: View): string {
  const parts = [
    `## ${isClean(audit) ? '✅' : '❌'} ${plainMarkdown(title)}`,
    plainMarkdown(counts),
    ...problems.map(({why}) => `**Not checked**: ${plainMarkdown(why)}`),
    ...groups.map((group) => groupText(group, audit.since !== undefined)),
    ...lists.map(listText),
  ];
  return `${parts.join('\n\n')}\n`;
}

function groupText({kind, count, shown, rest}: Group, hasStatus: boolean): string {
  const since = (text: string | undefined) => (hasStatus ? [text ?? ''] : []);
  const rows = shown.map(({json: {rule}, name, status, wanted, actual, where, fix}) =>
    [name, ...since(status), wanted, actual, rule, where, fix].map(plainMarkdown),
  );
  const header = ['', ...since('Since'), 'Wanted', 'Actual', 'Rule', 'Where', 'How to fix it'];
  const table = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return details(`<b>${countNoun(count, kind.item)}</b>`, [table, ...moreText(rest)]);
}

function listText({title, shown, rest}: Sentences): string {
  const items = shown.map((text) => `- ${plainMarkdown(text)}`).join('\n');
  return details(`<b>${title}</b>: ${withCommas(shown.length + rest)}`, [items, ...moreText(rest)]);
}

const moreText = (rest: number): string[] => (rest > 0 ? [`… ${andMore(rest)}`] : []);

export function details(summary: string, parts: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

/** Escapes a text of at most 200 characters: it cannot become markup, a link, a mention or the end of a cell. */
export function plainMarkdown(text: string): string {
  return short(text, maxCellLength).replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, (found) => `&#${found.charCodeAt(0)};`);
}
