/** The plans of several accounts as text for people: what is the same for several of them is shown once. */
import {paint} from '../print/palette.js';
import {inert} from '../print/inert.js';
import {countsOf, type PlanLine, planLines, type PlanParts} from './plan-text.js';
import {counted} from './reports/text.js';

export interface AccountPlan {
  /** `ana@pix.example` */
  readonly account: string;
  /** Undefined when the account could not be read. */
  readonly plan: PlanParts | undefined;
  /** Why it could not be read. */
  readonly why?: string | undefined;
}

interface Group {
  /** Indexes of the accounts. */
  readonly accounts: readonly number[];
  readonly lines: PlanLine[];
}

/** The lines by the accounts that have them, in the order of their first ones. */
function groupsOf(plans: readonly (readonly PlanLine[])[]): Group[] {
  const byText = new Map<string, {readonly line: PlanLine; readonly accounts: number[]}>();
  for (const [index, lines] of plans.entries()) {
    for (const line of lines) {
      const known = byText.get(line.text);
      if (known === undefined) byText.set(line.text, {line, accounts: [index]});
      else if (known.accounts.at(-1) !== index) known.accounts.push(index);
    }
  }
  const groups = new Map<string, Group>();
  for (const {line, accounts} of byText.values()) {
    const key = accounts.join();
    const group = groups.get(key) ?? {accounts, lines: []};
    groups.set(key, group);
    group.lines.push(line);
  }
  return [...groups.values()];
}

/** Lines that a heading of its own costs: the heading, and a blank line. */
const costOfHeading = 2;

/** Whether a group is shown once: what all accounts have, and what makes the plan shorter. */
function isShownOnce({accounts, lines}: Group, total: number): boolean {
  return accounts.length > 1 && (accounts.length === total || lines.length * (accounts.length - 1) > costOfHeading);
}

/** Which accounts a group is about, in the shorter way. */
function whoText(indexes: readonly number[], names: readonly string[]): string {
  if (indexes.length === names.length) return names.length === 2 ? 'In both accounts' : `In all ${names.length} accounts`;
  const chosen = new Set(indexes);
  const listed = (isIn: boolean) => names.filter((_, index) => chosen.has(index) === isIn).join(', ');
  const count = `In ${indexes.length} of ${names.length} accounts`;
  return indexes.length * 2 > names.length ? `${count}, not in ${listed(false)}` : `${count}, ${listed(true)}`;
}

/** The end of a heading. @param above how many of the lines of an account are shown above */
function countsFor(lines: readonly PlanLine[], above: readonly PlanLine[]): string {
  const counts = countsOf(lines);
  if (counts === '') return 'nothing to do';
  if (above.length === 0) return counts;
  return above.length === lines.length ? `${counts}; see above` : `${counts}; ${above.length.toLocaleString('en')} of these above`;
}

/** In one line: what the plans of all accounts come to. */
export function summaryText(plans: readonly AccountPlan[]): string {
  const done = plans.flatMap(({plan}) => plan ?? []);
  const actions = done.flatMap(({changes, cannot = []}) => [...changes, ...cannot.map(() => ({action: 'cannot' as const}))]);
  const idle = done.filter(({changes, cannot = []}) => changes.length + cannot.length === 0).length;
  const failed = plans.length - done.length;
  const parts = [
    countsOf(actions) || 'nothing to do',
    ...(idle > 0 && actions.length > 0 ? [`${counted(idle, 'account has', 'accounts have')} nothing to do`] : []),
    ...(failed > 0 ? [`${counted(failed, 'account')} could not be read`] : []),
  ];
  return `${counted(plans.length, 'account')}: ${parts.join('; ')}`;
}

/** A part of the plans that holds for one account, or for several. */
export interface PlanSection {
  readonly heading: string;
  readonly lines: readonly PlanLine[];
}

/** What is the same for several accounts once, and then what is left of each. */
export function* planSections(plans: readonly AccountPlan[], isColored: boolean): Generator<PlanSection> {
  const seen = plans.flatMap(({account, plan}) => (plan === undefined ? [] : [{account, lines: planLines(plan, isColored)}]));
  const names = seen.map(({account}) => account);
  const groups = groupsOf(seen.map(({lines}) => lines));
  const shared = groups
    .filter((group) => isShownOnce(group, names.length))
    .sort((one, other) => other.accounts.length - one.accounts.length || other.lines.length - one.lines.length);
  for (const {accounts, lines} of shared) {
    yield {heading: `${whoText(accounts, names)}: ${countsOf(lines)}`, lines};
  }
  const above = new Set(shared.flatMap(({lines}) => lines.map(({text}) => text)));
  const linesOf = new Map(seen.map(({account, lines}) => [account, lines]));
  for (const {account, why} of plans) {
    const lines = linesOf.get(account);
    const isAbove = ({text}: PlanLine) => above.has(text);
    yield lines === undefined
      ? {heading: `${account}: error: ${why ?? 'it could not be read'}`, lines: []}
      : {heading: `${account}: ${countsFor(lines, lines.filter(isAbove))}`, lines: lines.filter((line) => !isAbove(line))};
  }
}

/** The sections, each with a heading, and a summary at the end; in pieces, because it may be long. */
export function* planOfSeveral(plans: readonly AccountPlan[], isColored: boolean): Generator<string> {
  const shown = (heading: string) => `${paint('bold', inert(heading), {color: isColored})}\n`;
  let hasLines = true;
  for (const {heading, lines} of planSections(plans, isColored)) {
    // Accounts without lines of their own make a list.
    if (lines.length > 0 && !hasLines) yield '\n';
    yield shown(heading);
    for (const {text} of lines) yield `${text}\n`;
    hasLines = lines.length > 0;
    if (hasLines) yield '\n';
  }
  if (!hasLines) yield '\n';
  yield shown(summaryText(plans));
}
