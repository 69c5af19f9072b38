/** The plans of several accounts as text for people: what is the same for several of them is shown once. */
import {paint} from '../print/palette.js';
import {inert} from '../print/inert.js';
import {countsOf, type PlanLine, PlanLines, type PlanParts} from './plan-text.js';
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

/** Accounts by their indexes. Equal ones are one object: very many lines have the same. */
class AccountSet {
  readonly indexes: readonly number[];
  readonly #larger = new Map<number, AccountSet>();

  constructor(indexes: readonly number[]) {
    this.indexes = indexes;
  }

  /** @param index not below any that is in it */
  with(index: number): AccountSet {
    if (this.indexes.at(-1) === index) return this;
    const larger = this.#larger.get(index) ?? new AccountSet([...this.indexes, index]);
    this.#larger.set(index, larger);
    return larger;
  }
}

/** The lines by the accounts that have them, in the order of their first ones. */
function groupsOf(plans: readonly (readonly PlanLine[])[]): Group[] {
  const none = new AccountSet([]);
  const owners = new Map<PlanLine, AccountSet>();
  for (const [index, lines] of plans.entries()) for (const line of lines) owners.set(line, (owners.get(line) ?? none).with(index));
  const groups = new Map<AccountSet, Group>();
  for (const [line, accounts] of owners) {
    const group = groups.get(accounts) ?? {accounts: accounts.indexes, lines: []};
    groups.set(accounts, group);
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

/**
 * Which of several accounts something is about, in the shorter way: `in all 10 accounts`.
 * @param indexes of the names, ascending
 */
export function whoText(indexes: readonly number[], names: readonly string[]): string {
  if (indexes.length === names.length) return names.length === 2 ? 'in both accounts' : `in all ${names.length} accounts`;
  const chosen = new Set(indexes);
  const listed = (isIn: boolean) => names.filter((_, index) => chosen.has(index) === isIn).join(', ');
  if (indexes.length === 1) return `in ${listed(true)}`;
  const count = `in ${indexes.length} of ${names.length} accounts`;
  return indexes.length * 2 > names.length ? `${count}, not in ${listed(false)}` : `${count}, ${listed(true)}`;
}

/** The end of a heading. @param above how many of the lines of an account are shown above */
function countsFor(lines: readonly PlanLine[], above: readonly PlanLine[]): string {
  const counts = countsOf(lines);
  if (counts === '') return 'nothing to do';
  if (above.length === 0) return counts;
  return above.length === lines.length ? `${counts}; see above` : `${counts}; ${above.length.toLocaleString('en')} of these above`;
}

function* linesIn(plans: readonly AccountPlan[]): Generator<Pick<PlanLine, 'action'>> {
  for (const {plan} of plans) {
    yield* plan?.changes ?? [];
    yield* (plan?.cannot ?? []).map(() => ({action: 'cannot' as const}));
  }
}

/** `2 to add, 1 to remove`: what the plans of all accounts come to; empty when there is nothing to do. */
export function totalText(plans: readonly AccountPlan[]): string {
  return countsOf(linesIn(plans));
}

/** The same in a line of its own, with the accounts that need nothing and those that failed. */
export function summaryText(plans: readonly AccountPlan[]): string {
  const done = plans.flatMap(({plan}) => plan ?? []);
  const idle = done.filter(({changes, cannot = []}) => changes.length + cannot.length === 0).length;
  const failed = plans.length - done.length;
  const total = totalText(plans);
  const parts = [
    total || 'nothing to do',
    ...(idle > 0 && total !== '' ? [`${counted(idle, 'account has', 'accounts have')} nothing to do`] : []),
    ...(failed > 0 ? [`${counted(failed, 'account')} could not be read`] : []),
  ];
  return `${counted(plans.length, 'account')}: ${parts.join('; ')}`;
}

/** Lines that are printed at once. */
const batchSize = 1000;

function* textOf(lines: readonly PlanLine[]): Generator<string> {
  for (let at = 0; at < lines.length; at += batchSize)
    yield lines
      .slice(at, at + batchSize)
      .map(({text}) => `${text}\n`)
      .join('');
}

/** A part of the plans that holds for one account, or for several. */
export interface PlanSection {
  readonly heading: string;
  readonly lines: readonly PlanLine[];
}

/** What is the same for several accounts once, and then what is left of each. */
export function* planSections(plans: readonly AccountPlan[], isColored: boolean): Generator<PlanSection> {
  const planLines = new PlanLines(isColored);
  const seen = plans.flatMap(({account, plan}) => (plan === undefined ? [] : [{account, lines: planLines.of(plan)}]));
  const names = seen.map(({account}) => account);
  const groups = groupsOf(seen.map(({lines}) => lines));
  const shared = groups
    .filter((group) => isShownOnce(group, names.length))
    .sort((one, other) => other.accounts.length - one.accounts.length || other.lines.length - one.lines.length);
  for (const {accounts, lines} of shared) {
    yield {heading: `${whoText(accounts, names).replace(/^i/, 'I')}: ${countsOf(lines)}`, lines};
  }
  const above = new Set(shared.flatMap(({lines}) => lines));
  const linesOf = new Map(seen.map(({account, lines}) => [account, lines]));
  for (const {account, why} of plans) {
    const lines = linesOf.get(account);
    const isAbove = (line: PlanLine) => above.has(line);
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
    yield* textOf(lines);
    hasLines = lines.length > 0;
    if (hasLines) yield '\n';
  }
  if (!hasLines) yield '\n';
  yield shown(summaryText(plans));
}
