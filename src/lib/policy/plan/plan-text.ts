/** Plans as text for people, in the form of a diff. What is the same for several accounts is shown once. */
import {paint} from '../../print/palette.js';
import {byHandText} from '../model/by-hand.js';
import type {Change} from '../model/change.js';
import type {FindingJson} from '../model/documents.js';
import type {Beyond} from './limits.js';
import type {Terminal} from '../../print/format.js';
import {inert} from '../../print/inert.js';
import {columnsOf, wrap} from '../../print/width.js';
import {changingOf, itemName, sectionOf, shownItem} from '../sections/index.js';
import {counted, withCommas} from '../../json/text.js';
import {type Named, nounFor} from '../../operations/handle.js';

const signs = {add: '+', remove: '-', update: '~'} as const;
const colors = {add: 'green', remove: 'red', update: 'yellow'} as const;

type Color = (typeof colors)[Change['action']];

/** The name of a change among results, for programs: `add domain block bad.example`. */
export function changeName({action, kind, subject}: Change): string {
  return `${action} ${itemName(kind)} ${subject}`;
}

/** The name of a change for people: `add account block @ana`. */
export function shownChange(change: Change): string {
  return `${change.action} ${shownItem(change)}`;
}

interface Shown {
  readonly isBeyond: boolean;
  /** Whether private comments are shown. */
  readonly showsPrivate: boolean | undefined;
}

/** Where a plan is shown. */
type Screen = Pick<Terminal, 'color' | 'width'>;

/** A file, or what is no terminal: the lines are as long as they are. */
const paper: Screen = {color: false, width: Number.POSITIVE_INFINITY};

const screenOf = ({isTerminal, color, width}: Terminal): Screen => ({color, width: isTerminal ? width : paper.width});

/** Before what goes on in another line. */
const hang = '    ';

/** In lines of the width of the screen. What begins with a command stays whole, so that it can be copied. */
function folded(text: string, width: number): string[] {
  if (text.startsWith('pixelctl ')) return [text];
  return wrap(text, Math.max(1, width - hang.length));
}

/**
 * A line of a plan, or several where it does not fit into one.
 * @param parts what changes, in parts that need not share a line
 * @param why the end of the line
 */
function lineText(parts: readonly string[], why: string, color: Color, screen: Screen): string {
  const [what, note] = [parts.map((part) => inert(part)), inert(`# ${why}`)];
  const whole = what.join(' ');
  const isWide = columnsOf(`${whole}  ${note}`) > screen.width;
  if (!isWide) return `${paint(color, whole, screen)}  ${paint('dim', note, screen)}`;
  const lines = [
    ...what.flatMap((part) => folded(part, screen.width)).map((line) => paint(color, line, screen)),
    ...folded(note, screen.width).map((line) => paint('dim', line, screen)),
  ];
  return lines.join(`\n${hang}`);
}

function changeLine(change: Change, {isBeyond, showsPrivate = false}: Shown, screen: Screen): string {
  const {action, kind, because, by_hand} = change;
  const details = changingOf(kind).text(change, showsPrivate);
  const what = `${signs[action]} ${shownItem(change)}${details === '' ? '' : `: ${details}`}${isBeyond ? ' (may not fit)' : ''}`;
  const why = by_hand === undefined ? because : `${because}; ${byHandText(by_hand)}`;
  return lineText([what], why, colors[action], screen);
}

/** What of plans is counted. Those of many accounts are long: they are never put together. */
type Countable = {
  readonly changes: readonly Pick<Change, 'action' | 'by_hand'>[];
  readonly cannot?: readonly Left[] | undefined;
};

/**
 * `2 to add, 1 to remove, 1 that pixelctl cannot change`.
 * @param left why something is left, where the reason is another one
 */
export function countsText(plans: readonly Countable[], left?: string): string {
  return `${wordsOf(countedLines(linesIn(plans)), left) || 'nothing to do'}${takenBack(plans)}`;
}

/** A difference that no request can change. */
type Left = Pick<FindingJson, 'kind'>;

/** What could not be read may be read next time. */
function lineOf({kind}: Left): Pick<PlanLine, 'action'> {
  return {action: kind === 'unchecked' ? kind : 'cannot'};
}

type Counts = Record<PlanLine['action'], number>;

function countedLines(lines: Iterable<Pick<PlanLine, 'action'>>): Counts {
  const counts = {add: 0, remove: 0, update: 0, cannot: 0, unchecked: 0};
  for (const {action} of lines) counts[action] += 1;
  return counts;
}

function wordsOf(counts: Partial<Counts>, left = 'that pixelctl cannot change'): string {
  const words = {
    add: 'to add',
    remove: 'to remove',
    update: 'to change',
    cannot: left,
    unchecked: 'that cannot be checked',
  } as const;
  return (['add', 'update', 'remove', 'cannot', 'unchecked'] as const)
    .flatMap((action) => (counts[action] ? `${withCommas(counts[action])} ${words[action]}` : []))
    .join(', ');
}

/** How many lines of a plan do what: `2 to add, 1 to remove`. Empty when there are none. */
export function lineCounts(lines: Iterable<Pick<PlanLine, 'action'>>): string {
  return wordsOf(countedLines(lines));
}

/** `Plan: 3 to add, 1 to change, 0 to remove.` */
export function planClosing(plans: readonly Countable[]): string {
  const {add, update, remove, cannot, unchecked} = countedLines(linesIn(plans));
  const left = wordsOf({cannot, unchecked});
  const always = [`${withCommas(add)} to add`, `${withCommas(update)} to change`, `${withCommas(remove)} to remove`];
  return `Plan: ${[...always, ...(left === '' ? [] : [left])].join(', ')}${takenBack(plans)}.`;
}

/** `; 2 of these take back what was lifted or made weaker by hand` */
function takenBack(plans: readonly Countable[]): string {
  const isTaken = ({action, by_hand}: Countable['changes'][number]) => action !== 'remove' && by_hand !== undefined;
  const count = plans.reduce((sum, {changes}) => sum + changes.filter(isTaken).length, 0);
  if (count === 0) return '';
  return `; ${withCommas(count)} of these ${count === 1 ? 'takes' : 'take'} back what was lifted or made weaker by hand`;
}

interface PlanParts {
  readonly changes: readonly Change[];
  readonly cannot?: readonly FindingJson[] | undefined;
  readonly beyond?: readonly Beyond[] | undefined;
  readonly showsPrivate?: boolean | undefined;
}

/** A line of a plan, for people. */
export interface PlanLine {
  readonly action: Change['action'] | 'cannot' | 'unchecked';
  readonly text: string;
}

function outsideOf(beyond: readonly Beyond[] = []): (change: Change) => boolean {
  const outside = new Map<string, ReadonlySet<string>>(beyond.map(({kind, subjects}) => [kind, new Set(subjects)]));
  return ({action, kind, subject}) => action === 'add' && outside.get(kind)?.has(subject) === true;
}

/** The lines of one plan: what changes, then what cannot be changed. */
function* linesOf({changes, cannot = [], beyond, showsPrivate}: PlanParts, screen: Screen): Generator<Pick<PlanLine, 'text'>> {
  const isBeyond = outsideOf(beyond);
  for (const change of changes) yield {text: changeLine(change, {isBeyond: isBeyond(change), showsPrivate}, screen)};
  for (const one of cannot) yield {text: leftLine(one, screen)};
}

/** Makes the lines of plans. A line that several plans have is one object, because the plans of many accounts are in memory. */
export class PlanLines {
  readonly #screen: Screen;
  readonly #byText = new Map<string, PlanLine>();
  /** The lines of changes that accounts share; with those that may not fit apart. */
  readonly #fitting = new Map<Change, PlanLine>();
  readonly #beyond = new Map<Change, PlanLine>();

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** What changes, then what cannot be changed. */
  of({changes, cannot = [], beyond, showsPrivate}: PlanParts): PlanLine[] {
    const isBeyond = outsideOf(beyond);
    return [
      ...changes.map((change) => this.#ofChange(change, {isBeyond: isBeyond(change), showsPrivate})),
      ...cannot.map((one) => this.#once(lineOf(one).action, leftLine(one, this.#screen))),
    ];
  }

  #ofChange(change: Change, how: Shown): PlanLine {
    const lines = how.isBeyond ? this.#beyond : this.#fitting;
    const line = lines.get(change) ?? this.#once(change.action, changeLine(change, how, this.#screen));
    lines.set(change, line);
    return line;
  }

  #once(action: PlanLine['action'], text: string): PlanLine {
    const line = this.#byText.get(text) ?? {action, text};
    this.#byText.set(text, line);
    return line;
  }
}

function leftLine(left: FindingJson, screen: Screen): string {
  const {source, fix} = left;
  return lineText([`! ${leftText(left)};`, fix], source, 'yellow', screen);
}

function leftText(left: FindingJson): string {
  const {rule, kind, subject, wanted, actual} = left;
  const section = sectionOf(kind);
  if (section === undefined) return `${rule.replace(/\..*/, '')} ${subject}: ${actual}, wanted ${wanted}`;
  return `${shownItem(left)}: ${actual}, wanted ${wanted}`;
}

export interface AccountPlan extends Named {
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
export class AccountSet {
  readonly indexes: readonly number[];
  readonly #larger = new Map<number, AccountSet>();

  constructor(indexes: readonly number[] = []) {
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
  const none = new AccountSet();
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
 * @param indexes of those that are meant, ascending
 */
export function whoText(indexes: readonly number[], all: readonly Named[]): string {
  const [, several] = nounFor(all);
  const names = all.map(({account}) => account);
  if (indexes.length === names.length) return names.length === 2 ? `in both ${several}` : `in all ${names.length} ${several}`;
  const chosen = new Set(indexes);
  const listed = (isIn: boolean) => names.filter((_, index) => chosen.has(index) === isIn).join(', ');
  if (indexes.length === 1) return `in ${listed(true)}`;
  const count = `in ${indexes.length} of ${names.length} ${several}`;
  return indexes.length * 2 > names.length ? `${count}, not in ${listed(false)}` : `${count}, ${listed(true)}`;
}

/** The end of a heading. @param above how many of the lines of an account are shown above */
function countsFor(lines: readonly PlanLine[], above: readonly PlanLine[]): string {
  const counts = lineCounts(lines);
  if (counts === '') return 'nothing to do';
  if (above.length === 0) return counts;
  return above.length === lines.length ? `${counts}; see above` : `${counts}; ${withCommas(above.length)} of these above`;
}

function* linesIn(plans: readonly Countable[]): Generator<Pick<PlanLine, 'action'>> {
  for (const {changes, cannot = []} of plans) {
    yield* changes;
    yield* cannot.map(lineOf);
  }
}

/** `2 to add, 1 to remove`: what the plans of all accounts come to; empty when there is nothing to do. */
export function totalText(plans: readonly AccountPlan[]): string {
  return lineCounts(linesIn(plans.flatMap(({plan}) => plan ?? [])));
}

/** A line about the plans of all accounts: what they come to, how many need nothing, and how many failed. */
export function summaryText(plans: readonly AccountPlan[]): string {
  const done = plans.flatMap(({plan}) => plan ?? []);
  const idle = done.filter(({changes, cannot = []}) => changes.length + cannot.length === 0).length;
  const failed = plans.length - done.length;
  const total = totalText(plans);
  const [one, several] = nounFor(plans);
  const parts = [
    total || 'nothing to do',
    ...(idle > 0 && total !== '' ? [`${counted(idle, `${one} has`, `${several} have`)} nothing to do`] : []),
    ...(failed > 0 ? [`${counted(failed, one, several)} failed`] : []),
  ];
  return `${counted(plans.length, one, several)}: ${parts.join('; ')}${takenBack(done)}`;
}

/** Lines that are printed at once. */
const batchSize = 1000;

function* textOf(lines: Iterable<Pick<PlanLine, 'text'>>): Generator<string> {
  let batch: string[] = [];
  for (const {text} of lines) {
    batch.push(`${text}\n`);
    if (batch.length < batchSize) continue;
    yield batch.join('');
    batch = [];
  }
  if (batch.length > 0) yield batch.join('');
}

/** A part of the plans that holds for one account, or for several. */
export interface PlanSection {
  readonly heading: string;
  readonly lines: readonly PlanLine[];
}

/** What is the same for several accounts once, and then what is left of each. */
export function* planSections(plans: readonly AccountPlan[], screen: Screen = paper): Generator<PlanSection> {
  const planLines = new PlanLines(screen);
  const seen = plans.flatMap(({plan, ...named}) => (plan === undefined ? [] : [{...named, lines: planLines.of(plan)}]));
  const groups = groupsOf(seen.map(({lines}) => lines));
  const shared = groups
    .filter((group) => isShownOnce(group, seen.length))
    .sort((one, other) => other.accounts.length - one.accounts.length || other.lines.length - one.lines.length);
  for (const {accounts, lines} of shared) {
    yield {heading: `${whoText(accounts, seen).replace(/^i/, 'I')}: ${lineCounts(lines)}`, lines};
  }
  const above = new Set(shared.flatMap(({lines}) => lines));
  const byAccount = new Map(seen.map(({account, lines}) => [account, lines]));
  const idle = seen.flatMap(({lines}, index) => (lines.length === 0 ? [index] : []));
  if (idle.length > 1) yield {heading: `${whoText(idle, seen).replace(/^i/, 'I')}: nothing to do`, lines: []};
  for (const {account, why} of plans) {
    const lines = byAccount.get(account);
    if (lines?.length === 0 && idle.length > 1) continue;
    const isAbove = (line: PlanLine) => above.has(line);
    yield lines === undefined
      ? {heading: `${account}: error: ${why ?? 'it could not be read'}`, lines: []}
      : {heading: `${account}: ${countsFor(lines, lines.filter(isAbove))}`, lines: lines.filter((line) => !isAbove(line))};
  }
}

/**
 * The plans of accounts, in pieces, because they may be long. Named ones are sections with a heading, and a summary at the end; the
 * plan of one account without its name is nothing but its lines.
 */
export function* plansText(
  plans: readonly AccountPlan[],
  {areNamed, terminal}: {readonly areNamed: boolean; readonly terminal: Terminal},
): Generator<string> {
  const screen = screenOf(terminal);
  if (!areNamed) {
    for (const {plan} of plans) if (plan !== undefined) yield* textOf(linesOf(plan, screen));
    return;
  }
  const shown = (heading: string) => {
    const lines = folded(inert(heading), screen.width).map((line) => paint('bold', line, screen));
    return `${lines.join(`\n${hang}`)}\n`;
  };
  let hasLines = true;
  const isIdle = plans.every(({plan}) => plan !== undefined && plan.changes.length + (plan.cannot ?? []).length === 0);
  // The summary says it.
  if (isIdle) return yield shown(summaryText(plans));
  for (const {heading, lines} of planSections(plans, screen)) {
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
