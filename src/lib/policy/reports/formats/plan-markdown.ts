/** A plan as Markdown, for a comment on a pull request. */
import {andMore, shorten, withCommas} from '../../../json/text.js';
import {guardText} from '../../rows/guards.js';
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
  const {policy = '', given: {only = []} = {}} = plans[0] ?? {};
  const head = [`## Plan for ${plainMarkdown(policy)}`, plainMarkdown(summaryText(plans, noun))];
  if (only.length > 0) head.push(`Only: ${plainMarkdown(only.join(', '))}`);
  const tail = commands.flatMap((line) => ['To apply exactly this plan:', fence('sh', [line])]);
  let left = maxCharacters - [...head, ...tail].join('\n\n').length;
  const parts: string[] = [];
  for (const [index, plan] of plans.entries()) {
    const about = [...(noun === undefined ? [] : [`### ${plainMarkdown(headingOf(plan))}`]), ...remarks(plan)];
    // Each gets an equal share of what is left, so that a long one does not push the others out.
    const text = [...about, ...linesIn(plan, Math.floor(left / (plans.length - index)) - about.join('\n\n').length - around)].join('\n\n');
    if (text.length + around > left) {
      parts.push(`… ${andMore(plans.length - index)} accounts, which do not fit here`);
      break;
    }
    parts.push(text);
    left -= text.length + 2;
  }
  return `${[...head, ...parts, ...tail].filter((text) => text !== '').join('\n\n')}\n`;
}

/** Which flags apply needs, what it refuses, and what is left as it is. */
function remarks(plan: Plan): string[] {
  const all = [...plan.guards.map(guardText), ...heldTexts(plan)];
  const lines = all.slice(0, maxRemarks).map((remark) => `- ${plainMarkdown(remark)}`);
  if (all.length > lines.length) lines.push(`- … ${andMore(all.length - lines.length)} remarks`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function linesIn(plan: Plan, maxLength: number): string[] {
  let left = maxLength;
  const all = Array.from(linesOf(plan), (line) => shorten(line, maxLineLength));
  const lines = all.filter((line) => (left -= line.length + 2) >= 0);
  return [
    ...(lines.length > 0 ? [fence('diff', lines.slice(0, maxOpen))] : []),
    ...(lines.length > maxOpen ? [details(`${withCommas(lines.length - maxOpen)} more`, [fence('diff', lines.slice(maxOpen))])] : []),
    ...(lines.length === all.length ? [] : [`… ${andMore(all.length - lines.length)}, which do not fit here`]),
  ];
}

/** Each line of a plan begins with a sign, so no line can end the block. */
const fence = (language: string, lines: readonly string[]): string => [`\`\`\`${language}`, ...lines, '```'].join('\n');
