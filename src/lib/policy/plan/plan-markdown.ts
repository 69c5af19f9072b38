/** A plan as Markdown, for a comment on a pull request. */
import {type AccountPlan, type PlanLine, planSections, type PlanSection, summaryText} from './plan-text.js';
import {partText} from '../reading/part.js';
import type {PlanPart} from '../lists/wanted.js';
import {details, plainMarkdown} from '../reports/formats/markdown.js';
import {reportFormats} from '../reports/formats/index.js';
import {andMore, shortened, withCommas} from '../../json/text.js';

/** Characters: forges accept comments of 65,536. */
const maxCharacters = 60_000;
/** Lines of a section that are not folded. */
const maxOpen = 20;
const maxLineLength = 400;
const maxRemarks = 10;

export const planReportFormats = {markdown: reportFormats.markdown};

interface MarkdownPlan {
  readonly policy: string;
  readonly plans: readonly AccountPlan[];
  readonly part?: PlanPart | undefined;
  /** What to know beside the changes. */
  readonly remarks: readonly string[];
  /** What is held back, left to people or ends soon. */
  readonly skipped?: readonly string[];
}

/** What does not fit is counted. */
export function planMarkdown({policy, plans, part, remarks, skipped = []}: MarkdownPlan): string {
  const all = [...planSections(plans)];
  const title = plans.length === 1 ? (all[0]?.heading ?? '') : summaryText(plans);
  const head = [
    `## Plan for ${plainMarkdown(policy)}`,
    plainMarkdown(title),
    ...(part ? [`Only a part: ${plainMarkdown(partText(part))}`] : []),
    ...remarkLines(remarks),
    ...remarkLines(skipped),
  ];
  let left = maxCharacters - head.join('\n\n').length - around;
  let needed = 0;
  // What all have in common comes first, and then the accounts.
  const sections = all.filter(({heading}) => (needed += plainMarkdown(heading).length + around) <= left);
  const rest = all.length - sections.length;
  const parts = sections.map((section, index) => {
    // Each section gets an equal share of what is left, so that a long one does not push the others out.
    const text = sectionText(section, plans.length > 1, Math.floor(left / (sections.length - index)));
    left -= text.length + 2;
    return text;
  });
  const more = rest > 0 ? [`… ${andMore(rest)} accounts, which do not fit here`] : [];
  return `${[...head, ...parts.filter((text) => text !== ''), ...more].join('\n\n')}\n`;
}

function remarkLines(remarks: readonly string[]): string[] {
  const shown = remarks.slice(0, maxRemarks).map((remark) => `- ${plainMarkdown(shortened(remark, maxLineLength))}`);
  return remarks.length > shown.length ? [...shown, `- … ${andMore(remarks.length - shown.length)} remarks`] : shown;
}

/** Characters of what is around the lines: heading, fences, folding and counts. */
const around = 200;

function sectionText({heading, lines}: PlanSection, hasHeading: boolean, most: number): string {
  const texts = lines.map(({text}: PlanLine) => shortened(text, maxLineLength));
  let [shown, size] = [0, plainMarkdown(heading).length + around];
  for (const text of texts) {
    size += text.length + 1;
    if (size > most) break;
    shown += 1;
  }
  const open = texts.slice(0, Math.min(shown, maxOpen));
  const folded = texts.slice(open.length, shown);
  const rest = texts.length - shown;
  return [
    ...(hasHeading ? [`### ${plainMarkdown(heading)}`] : []),
    ...(open.length > 0 ? [diff(open)] : []),
    ...(folded.length > 0 ? [details(`${withCommas(folded.length)} more`, [diff(folded)])] : []),
    ...(rest > 0 ? [`… ${andMore(rest)}, which do not fit here`] : []),
  ].join('\n\n');
}

/** Each line begins with a sign, so that none can end the block. */
function diff(lines: readonly string[]): string {
  return ['```diff', ...lines, '```'].join('\n');
}
