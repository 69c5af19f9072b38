/** A plan as Markdown, for a comment on a pull request. */
import {andMore, shorten, withCommas} from '../../../json/text.js';
import {guardTexts} from '../../rows/guards.js';
import {type AccountPlan, headingOf, linesOf, type Plan, summaryText} from '../../rows/plan.js';
import {heldTexts} from '../../rows/row-text.js';
import {details, plainMarkdown} from './markdown.js';

/** The most characters of a comment: forges accept 65,536. */
const maxCharacters = 60_000;
/** How many lines of a plan are not folded. */
const maxOpen = 20;
const maxLineLength = 400;
const maxRemarks = 10;

interface MarkdownPlan {
  readonly policy: string;
  readonly plans: readonly AccountPlan<Plan>[];
  /** What to call several accounts or servers, each of which has a heading; undefined: there is one. */
  readonly noun: readonly [one: string, several: string] | undefined;
  /** Commands that apply exactly these plans. */
  readonly commands: readonly string[];
}

/** Writes plans into one comment; what does not fit is counted. */
export function planMarkdown({policy, plans, noun, commands}: MarkdownPlan): string {
  const done = plans.flatMap(({plan}) => plan ?? []);
  const only = done[0]?.comparison.given.only;
  const head = [
    `## Plan for ${plainMarkdown(policy)}`,
    plainMarkdown(summaryText(plans, noun)),
    ...(only === undefined ? [] : [`Only: ${plainMarkdown(only.join(', '))}`]),
    ...(noun === undefined ? done.flatMap(remarks) : []),
  ];
  const tail = commands.map((line) => ['To apply exactly this plan:', fenceLines('sh', [line])].join('\n\n'));
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
  return `${[...head, ...parts.filter((text) => text !== ''), ...more, ...tail].join('\n\n')}\n`;
}

/** Which flags apply needs, what it refuses, and what is left as it is. */
function remarks(plan: Plan): string[] {
  const all = [...guardTexts(plan.guard), ...heldTexts(plan.held, plan.shown)];
  if (all.length === 0) return [];
  const shown = all.slice(0, maxRemarks).map((remark) => `- ${plainMarkdown(shorten(remark, maxLineLength))}`);
  return [[...shown, ...(all.length > shown.length ? [`- … ${andMore(all.length - shown.length)} remarks`] : [])].join('\n')];
}

/** How many characters are set aside for headings, fences, folding and counts. */
const around = 200;

function planText(one: MarkdownPlan['plans'][number], hasHeading: boolean, most: number): string {
  const head = hasHeading ? [`### ${plainMarkdown(headingOf(one))}`, ...(one.plan === undefined ? [] : remarks(one.plan))] : [];
  const texts: string[] = [];
  let [size, rest] = [head.join('\n\n').length + around, 0];
  for (const line of one.plan === undefined ? [] : linesOf(one.plan)) {
    const text = shorten(line, maxLineLength);
    if (rest === 0 && size + text.length + 1 <= most) {
      size += text.length + 1;
      texts.push(text);
    } else rest += 1;
  }
  const [open, folded] = [texts.slice(0, maxOpen), texts.slice(maxOpen)];
  return [
    ...head,
    ...(open.length > 0 ? [fenceLines('diff', open)] : []),
    ...(folded.length > 0 ? [details(`${withCommas(folded.length)} more`, [fenceLines('diff', folded)])] : []),
    ...(rest > 0 ? [`… ${andMore(rest)}, which do not fit here`] : []),
  ].join('\n\n');
}

/** Each line of a plan begins with a sign, so no line can end the block. */
function fenceLines(language: string, lines: readonly string[]): string {
  return [`\`\`\`${language}`, ...lines, '```'].join('\n');
}
