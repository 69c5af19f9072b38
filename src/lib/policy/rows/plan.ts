/** Plans: what apply would change and what it cannot, in JSON and in words. */
import type {Failure} from '../../client/failure.js';
import {countNoun, firstOf, withCommas} from '../../json/text.js';
import type {Terminal} from '../../print/format.js';
import {inert} from '../../print/inert.js';
import {paint} from '../../print/palette.js';
import {LongDocument, withItems} from '../../print/print.js';
import {columnsOf, wrap} from '../../print/width.js';
import type {PlanHead} from '../model/documents.js';
import {summariesIn} from '../reading/read-policy.js';
import type {Row} from '../sections/policy-kind.js';
import {changesIn, type Comparison, failureOf, rowsIn} from './compare.js';
import {planDigest} from './digest.js';
import {flagsToAllow, type Guard, guardOf, guardTexts, isGuarded} from './guards.js';
import {
  byHandText,
  differenceFailure,
  fixOf,
  heldJson,
  heldTexts,
  reasonText,
  rowJson,
  shownItem,
  type Shown,
  sidesOf,
  subjectOf,
} from './row-text.js';
import type {About, Advice} from './target.js';
import {policyViews} from './views.js';

export interface Plan {
  readonly comparison: Comparison;
  /** In the order in which they are sent. */
  readonly changes: readonly Row[];
  readonly cannot: readonly Row[];
  readonly held: readonly Row[];
  readonly guard: Guard;
  readonly shown: Shown;
}

export function viewSettings({target, given, about}: Comparison): Shown {
  return {host: target.server.host, advice: target.advice, policy: about.policy, showsPrivate: given.showsPrivate};
}

/** @throws Failure of a section that could not be read: a plan of a part would be wrong */
export function planOf(comparison: Comparison, isUndo = false): Plan {
  const failure = failureOf(comparison);
  if (failure !== undefined) throw failure;
  const rows = rowsIn(comparison);
  return {
    comparison,
    changes: changesIn(comparison, isUndo),
    cannot: rows.filter(({action}) => action === 'cannot'),
    held: rows.filter(({action}) => action === 'held'),
    guard: isUndo ? {removals: 0} : guardOf(comparison),
    shown: viewSettings(comparison),
  };
}

export function heldBackJson(held: readonly Row[], {host}: Shown): Pick<PlanHead, 'held_back'> {
  const all = held.filter(({how}) => how === 'limit').map((row) => ({kind: row.kind.kind, subject: subjectOf(row, host)}));
  return all.length === 0 ? {} : {held_back: all};
}

/** What `plan --json` prints of one account. @param digest the digest of the whole run */
function planDocument({comparison, changes, cannot, held, guard, shown}: Plan, digest: string | undefined): LongDocument {
  const {about, given} = comparison;
  const lists = summariesIn(given.domains);
  const document: PlanHead & {readonly changes: readonly []} = {
    ...about,
    ...(given.only && {only: given.only}),
    ...(digest !== undefined && {digest}),
    changes: [],
    cannot: cannot.map((row) => rowJson(row, shown)),
    skipped: held.filter(({how}) => how !== 'limit').map((row) => heldJson(row, shown)),
    ...heldBackJson(held, shown),
    ...(lists.length > 0 && {lists: [...lists]}),
    ...(isGuarded(guard) && {guard}),
  };
  return withItems(document, {list: 'changes', items: changes.values().map((row) => rowJson(row, shown))});
}

const signs = {add: '+', remove: '-', update: '~', cannot: '!', held: '!'} as const;
const colors = {add: 'green', remove: 'red', update: 'yellow', cannot: 'yellow', held: 'yellow'} as const;

type Screen = Pick<Terminal, 'color' | 'width'>;

/** A file or a pipe: lines are never folded. */
const paper: Screen = {color: false, width: Number.POSITIVE_INFINITY};

const screenOf = ({isTerminal, color, width}: Terminal): Screen => ({color, width: isTerminal ? width : paper.width});

/** The indent of a line that continues the one before. */
const hang = '    ';

/** Folds a text to the width of the screen. A command stays on one line, so that it can be copied. */
function foldLine(text: string, width: number): string[] {
  if (text.startsWith('pixelctl ')) return [text];
  return wrap(text, Math.max(1, width - hang.length));
}

/**
 * A line of a plan, or several where it does not fit into one.
 * @param parts what changes, in parts that need not share a line
 * @param why the reason, at the end
 */
function lineText(parts: readonly string[], why: string, color: (typeof colors)[keyof typeof colors], screen: Screen): string {
  const [what, note] = [parts.map((part) => inert(part)), inert(`# ${why}`)];
  const whole = what.join(' ');
  const isWide = screen.width !== Number.POSITIVE_INFINITY && columnsOf(`${whole}  ${note}`) > screen.width;
  if (!isWide) return `${paint(color, whole, screen)}  ${paint('dim', note, screen)}`;
  const lines = [
    ...what.flatMap((part) => foldLine(part, screen.width)).map((line) => paint(color, line, screen)),
    ...foldLine(note, screen.width).map((line) => paint('dim', line, screen)),
  ];
  return lines.join(`\n${hang}`);
}

export type Lines = Pick<Plan, 'cannot' | 'changes' | 'shown'>;

function rowLine(row: Row, {shown}: Lines, screen: Screen): string {
  const {action, kind, why, byHand} = row;
  const item = `${signs[action]} ${shownItem(row, shown.host)}`;
  if (action === 'cannot') {
    const {wanted, actual} = sidesOf(row);
    return lineText([`${item}: ${actual}, wanted ${wanted};`, fixOf(row, shown)], why.where, 'yellow', screen);
  }
  const details = kind.details?.(row, shown.showsPrivate === true) ?? '';
  const what = `${item}${details === '' ? '' : `: ${details}`}`;
  return lineText([what], byHand === undefined ? reasonText(row) : `${reasonText(row)}; ${byHandText(byHand)}`, colors[action], screen);
}

/** The lines of one plan: what changes, then what cannot be changed. */
export function* linesOf(plan: Lines, screen: Screen = paper): Generator<string> {
  for (const row of plan.changes) yield rowLine(row, plan, screen);
  for (const row of plan.cannot) yield rowLine(row, plan, screen);
}

export type Countable = Pick<Plan, 'cannot' | 'changes'>;

function countsOf(plans: readonly Countable[]): Record<'add' | 'cannot' | 'remove' | 'unchecked' | 'update', number> {
  const counts = {add: 0, update: 0, remove: 0, cannot: 0, unchecked: 0};
  for (const {changes, cannot} of plans) {
    for (const {action} of changes) if (action !== 'held') counts[action] += 1;
    for (const {how} of cannot) counts[how === 'unknown' ? 'unchecked' : 'cannot'] += 1;
  }
  return counts;
}

const countWords = {
  add: 'to add',
  update: 'to change',
  remove: 'to remove',
  cannot: 'that pixelctl cannot change',
  unchecked: 'that cannot be checked',
} as const;

/** `2 to add, 1 to remove, 1 that pixelctl cannot change`; empty where there is nothing. */
function wordsOf(counts: Partial<ReturnType<typeof countsOf>>): string {
  const names = ['add', 'update', 'remove', 'cannot', 'unchecked'] as const;
  return names.flatMap((name) => (counts[name] ? `${withCommas(counts[name])} ${countWords[name]}` : [])).join(', ');
}

/** `2 added, 1 changed` */
export function doneText(rows: readonly Row[]): string {
  const {add, update, remove} = countsOf([{changes: rows, cannot: []}]);
  const counts = [
    [add, 'added'],
    [update, 'changed'],
    [remove, 'removed'],
  ] as const;
  return counts.flatMap(([count, word]) => (count > 0 ? `${withCommas(count)} ${word}` : [])).join(', ');
}

export const countsText = (plans: readonly Countable[]): string => `${wordsOf(countsOf(plans)) || 'nothing to do'}${countTakenBack(plans)}`;

/** `Plan: 3 to add, 1 to change, 0 to remove.` */
export function planClosing(plans: readonly Countable[]): string {
  const {add, update, remove, cannot, unchecked} = countsOf(plans);
  const left = wordsOf({cannot, unchecked});
  const always = [`${withCommas(add)} to add`, `${withCommas(update)} to change`, `${withCommas(remove)} to remove`];
  return `Plan: ${[...always, ...(left === '' ? [] : [left])].join(', ')}${countTakenBack(plans)}.`;
}

/** `; 2 of these take back what was lifted or made weaker by hand` */
function countTakenBack(plans: readonly Countable[]): string {
  const isTaken = ({action, byHand}: Row) => action !== 'remove' && byHand !== undefined;
  const count = plans.reduce((sum, {changes}) => sum + changes.filter(isTaken).length, 0);
  if (count === 0) return '';
  return `; ${withCommas(count)} of these ${count === 1 ? 'takes' : 'take'} back what was lifted or made weaker by hand`;
}

/** The plan of an account, or why there is none. */
export interface AccountPlan<One extends Lines = Lines> {
  readonly account: string;
  readonly plan?: One | undefined;
  readonly failure?: Failure | undefined;
}

/** What to call several accounts: `['account', 'accounts']`; undefined: there is one. */
type Noun = readonly [one: string, several: string] | undefined;

/** `3 accounts: 2 to add, 1 to remove`; a single account is not counted. */
export function summaryText(plans: readonly AccountPlan[], noun: Noun): string {
  const done = plans.flatMap(({plan}) => plan ?? []);
  if (noun === undefined) return countsText(done);
  const failed = plans.length - done.length;
  const total = wordsOf(countsOf(done));
  const parts = [total || 'nothing to do', ...(failed > 0 ? [`${withCommas(failed)} ${failed === 1 ? noun[0] : noun[1]} failed`] : [])];
  return `${withCommas(plans.length)} ${plans.length === 1 ? noun[0] : noun[1]}: ${parts.join('; ')}${countTakenBack(done)}`;
}

export const headingOf = ({account, plan, failure}: AccountPlan): string =>
  `${account}: ${plan === undefined ? `error: ${failure?.message ?? ''}` : countsText([plan])}`;

/** How many lines are printed at once. */
const batchSize = 1000;

function* inBatches(lines: Iterable<string>): Generator<string> {
  let batch: string[] = [];
  for (const line of lines) {
    batch.push(`${line}\n`);
    if (batch.length < batchSize) continue;
    yield batch.join('');
    batch = [];
  }
  if (batch.length > 0) yield batch.join('');
}

/** Yields the plans of accounts in pieces, because they may be long. If there are several, each has a heading. */
export function* plansText(
  plans: readonly AccountPlan[],
  {noun, terminal}: {readonly noun: Noun; readonly terminal: Terminal},
): Generator<string> {
  const screen = screenOf(terminal);
  if (noun === undefined) {
    for (const {plan} of plans) if (plan !== undefined) yield* inBatches(linesOf(plan, screen));
    return;
  }
  const bold = (text: string) =>
    `${foldLine(inert(text), screen.width)
      .map((line) => paint('bold', line, screen))
      .join(`\n${hang}`)}\n`;
  const isIdle = ({plan}: AccountPlan) => plan !== undefined && !isDifferent(plan);
  // If no account differs, the summary says so.
  if (!plans.every(isIdle))
    for (const one of plans) {
      yield bold(headingOf(one));
      if (one.plan === undefined || isIdle(one)) continue;
      yield* inBatches(linesOf(one.plan, screen));
      yield '\n';
    }
  yield bold(summaryText(plans, noun));
}

const isDifferent = ({changes, cannot}: Lines): boolean => changes.length + cannot.length > 0;

export interface PlannedAccount extends AccountPlan<Plan> {
  readonly known: About;
}

interface PlanRun {
  readonly policy: string;
  readonly noun: Noun;
  /** Suggests commands on all accounts of the run. */
  readonly advice: Advice;
  readonly terminal: Terminal;
}

/** What is printed of plans, and the commands that apply exactly these. */
export function planResult(all: readonly PlannedAccount[], {policy, noun, advice, terminal}: PlanRun) {
  const plans = all.flatMap(({plan}) => plan ?? []);
  const digest = all.every(({plan}) => plan?.comparison.isWhole === true) ? planDigest(plans.map(({comparison}) => comparison)) : undefined;
  const [only] = noun === undefined ? plans : [];
  const documentOf = ({known: {server, account, policy: name}, plan, failure}: PlannedAccount): object =>
    plan === undefined
      ? {server, account, policy: name, error: {code: failure?.code, message: failure?.message}}
      : planDocument(plan, digest);
  const said = (account: string, text: string) => (noun === undefined ? text : `${account}: ${text}`);
  const notes = all.flatMap(({account, plan}) => [
    ...(plan === undefined ? [] : heldTexts(plan.held, plan.shown)).map((text) => said(account, text)),
    ...(plan === undefined ? [] : guardTexts(plan.guard)).map((text) => ({text: said(account, text), to: 'warning'}) as const),
  ]);
  const different = plans.filter(isDifferent);
  const exactly =
    digest === undefined || different.length === 0 ? [] : [advice.onPolicy('apply', policy, {expect: digest, only: onlyOf(plans)})];
  return {
    exactly,
    document: async () => (only === undefined ? new LongDocument('[', all.map(documentOf), ']') : planDocument(only, digest)),
    rows: rowsOf(plans),
    text: plansText(all, {noun, terminal}),
    view: policyViews.changes(noun !== undefined),
    notes: [...notes, ...(only !== undefined && !isDifferent(only) ? ['Nothing to do.'] : [])],
    failure: differenceFailure(different.length === 0 ? [] : closingOf(different, {policy, advice, exactly})),
  };
}

const onlyOf = ([first]: readonly Plan[]): string | undefined => first?.comparison.given.only?.join();

function* rowsOf(plans: readonly Plan[]): Generator<object> {
  for (const {changes, comparison, shown} of plans) for (const row of changes) yield {...comparison.about, ...rowJson(row, shown)};
}

/** The closing lines: what the plans change, and the commands that apply them. */
function closingOf(
  plans: readonly Plan[],
  {policy, advice, exactly}: Pick<PlanRun, 'advice' | 'policy'> & {readonly exactly: readonly string[]},
): string[] {
  const guards = plans.map(({guard}) => guard);
  const command = advice.onPolicy('apply', policy, {only: onlyOf(plans), ...flagsToAllow(guards)});
  const next = guards.some(({unprotected}) => unprotected !== undefined)
    ? ['Run plan again when the server responds: apply refuses this plan; --only applies other parts of it']
    : plans.every(({changes}) => changes.length === 0)
      ? ['See the lines that begin with !']
      : [`To apply it: ${command}`, ...exactly.map((line) => `To apply exactly this plan: ${line}`)];
  return [planClosing(plans), ...next];
}

/** The most differences that a closing line names. */
const maxNamed = 5;

/** A `drift` failure if a difference is left that no request can change; undefined: none is. @param next what to do about it */
export function leftFailure(
  plans: readonly {readonly account: string; readonly plan: Plan}[],
  {isNamed, next}: {readonly isNamed: boolean; readonly next: string},
): Failure | undefined {
  const different = plans.filter(({plan}) => plan.cannot.length > 0);
  const left = different.flatMap(({plan}) => plan.cannot);
  if (left.length === 0) return undefined;
  const names = left.map(({why: {rule}, name}) => (rule.endsWith(`.${name}`) ? rule : `${rule} ${name}`));
  const where = isNamed ? ` in ${different.map(({account}) => account).join(', ')}` : '';
  const named = firstOf([...new Set(names)], maxNamed);
  return differenceFailure([`${countNoun(left.length, 'difference')} left${where} that pixelctl cannot change: ${named}.`, next]);
}
