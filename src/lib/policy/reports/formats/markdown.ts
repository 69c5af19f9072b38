/** A page of Markdown, for the summary of a workflow step or a comment. */
import {isClean} from '../../rows/audit.js';
import {type Line, short, type View} from '../report.js';

const maxCellLength = 200;

export const write = (views: readonly View[]): string => views.map(viewText).join('\n');

function viewText({title, counts, audit, parts, problems}: View): string {
  const all = [
    `## ${isClean(audit) ? '✅' : '❌'} ${plainMarkdown(title)}`,
    plainMarkdown(counts),
    ...problems.map(({why}) => `**Not checked**: ${plainMarkdown(why)}`),
    ...parts.map(({title: about, lines, texts, more}) => {
      const content =
        lines.length > 0 ? tableOf(lines, audit.since !== undefined) : texts.map((text) => `- ${plainMarkdown(text)}`).join('\n');
      return details(`<b>${about}</b>`, [content, ...(more === '' ? [] : [`… ${more}`])]);
    }),
  ];
  return `${all.join('\n\n')}\n`;
}

function tableOf(lines: readonly Line[], hasStatus: boolean): string {
  const since = (text = '') => (hasStatus ? [text] : []);
  const rows = lines.map(({json: {rule}, name, status, wanted, actual, where, fix}) =>
    [name, ...since(status), wanted, actual, rule, where, fix].map(plainMarkdown),
  );
  const header = ['', ...since('Since'), 'Wanted', 'Actual', 'Rule', 'Where', 'How to fix it'];
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function details(summary: string, parts: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${parts.join('\n\n')}\n\n</details>`;
}

/** Escapes a text of at most 200 characters: it cannot become markup, a link, a mention or the end of a cell. */
export function plainMarkdown(text: string): string {
  return short(text, maxCellLength).replaceAll(/[!-+:-@[-`{-~]|(?<=www)\./gi, (found) => `&#${found.charCodeAt(0)};`);
}
