/** A plan as Markdown, for a comment on a pull request. */
import {andMore, shorten, withCommas} from '../../../json/text.js';
import {guardTexts} from '../../rows/guards.js';
import {headingOf, linesOf, type Plan, summaryText} from '../../rows/plan.js';
import {heldTexts} from '../../rows/row-text.js';
import type {Noun} from '../../rows/target.js';
import {details, plainMarkdown} from './markdown.js';

/** The most characters of a comment: forges accept 65,536. */
const maxCharacters = 60_000;
/** How many characters of an account are set aside for its heading, fences, folding and counts. */
const around = 200;
/** How many lines of a plan are not folded. */
const maxOpen = 20;
const maxLineLength = 400;
const maxRemarks = 10;

/** Writes plans of a policy into one comment; what does not fit is counted. @param commands that apply exactly these plans */
export function planMarkdown(plans: readonly Plan[], noun: Noun, commands: readonly string[]): string {
  const {policy = '', given: {only} = {}} = plans[0] ?? {};
  const head = [
    `## Plan for ${plainMarkdown(policy)}`,
    plainMarkdown(summaryText(plans, noun)),
    ...(only === undefined ? [] : [`Only: ${plainMarkdown(only.join(', '))}`]),
    ...(noun === undefined ? plans.flatMap(remarks) : []),
  ];
  const tail = commands.flatMap((line) => ['To apply exactly this plan:', fence('sh', [line])]);
  let left = maxCharacters - [...head, ...tail].join('\n\n').length - around;
  let needed = 0;
  const shown = plans.filter((one) => (needed += plainMarkdown(headingOf(one)).length + around) <= left);
  const parts = shown.map((one, index) => {
    // Each gets an equal share of what is left, so that a long one does not push the others out.
    const text = planText(one, noun !== undefined, Math.floor(left / (shown.length - index)));
    left -= text.length + 2;
    return text;
  });
  const rest = plans.length - shown.length;
  const more = rest > 0 ? [`… ${andMore(rest)} accounts, which do not fit here`] : [];
  return `${[...head, ...parts, ...more, ...tail].filter((text) => text !== '').join('\n\n')}\n`;
}

/** Which flags apply needs, what it refuses, and what is left as it is. */
function remarks(plan: Plan): string[] {
  const all = [...guardTexts(plan.guard), ...heldTexts(plan)];
  const lines = all.slice(0, maxRemarks).map((remark) => `- ${plainMarkdown(remark)}`);
  if (all.length > lines.length) lines.push(`- … ${andMore(all.length - lines.length)} remarks`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

/** @param most characters */
function planText(plan: Plan, hasHeading: boolean, most: number): string {
  const head = hasHeading ? [`### ${plainMarkdown(headingOf(plan))}`, ...remarks(plan)] : [];
  let room = most - head.join('\n\n').length - around;
  const all = Array.from(linesOf(plan), (line) => shorten(line, maxLineLength));
  const lines = all.filter((line) => (room -= line.length + 2) >= 0);
  const [open, folded] = [lines.slice(0, maxOpen), lines.slice(maxOpen)];
  return [
    ...head,
    ...(open.length > 0 ? [fence('diff', open)] : []),
    ...(folded.length > 0 ? [details(`${withCommas(folded.length)} more`, [fence('diff', folded)])] : []),
    ...(lines.length === all.length ? [] : [`… ${andMore(all.length - lines.length)}, which do not fit here`]),
  ].join('\n\n');
}

/** Each line of a plan begins with a sign, so no line can end the block. */
const fence = (language: string, lines: readonly string[]): string => [`\`\`\`${language}`, ...lines, '```'].join('\n');
