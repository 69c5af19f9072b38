/** Plans: what apply would change and what it cannot, in JSON and in words. */
import type {Failure} from '../../client/failure.js';
import {countNoun, firstOf, withCommas} from '../../json/text.js';
import type {Terminal} from '../../print/format.js';
import {inert} from '../../print/inert.js';
import {paint} from '../../print/palette.js';
import {joinShort} from '../../print/print.js';
import {columnsOf, wrap} from '../../print/width.js';
import {remember} from '../model/canonical.js';
import {type DomainFacts, factsText, publicFacts} from '../model/domain-facts.js';
import {filterText} from '../model/filter-value.js';
import {isBlock, isFilter} from '../model/value.js';
import type {Row} from '../sections/policy-kind.js';
import {changesIn, type Comparison} from './compare.js';
import {type Guard, guardsOf} from './guards.js';
import {byHandText, differenceFailure, fixOf, reasonText, shownItem, sidesOf} from './row-text.js';
import type {Noun, Shown} from './target.js';

export interface Plan extends Comparison {
  /** In the order in which they are sent. */
  readonly changes: readonly Row[];
  readonly guards: readonly Guard[];
}

export const planOf = (comparison: Comparison, isUndo = false): Plan => ({
  ...comparison,
  changes: changesIn(comparison, isUndo),
  guards: isUndo ? [] : guardsOf(comparison),
});

export const cannotIn = ({findings}: Pick<Comparison, 'findings'>): readonly Row[] => findings.filter(({action}) => action === 'cannot');

const signs = {add: '+', remove: '-', update: '~', cannot: '!', held: '!'} as const;
const colors = {add: 'green', remove: 'red', update: 'yellow', cannot: 'yellow', held: 'yellow'} as const;

type Screen = Pick<Terminal, 'color' | 'isTerminal' | 'width'>;

/** A file: its lines are never folded. */
const paper: Screen = {color: false, isTerminal: false, width: 0};

/** One inert line, or at a narrow terminal lines for each part. A command stays on one line, so that it can be copied. */
function foldLine(parts: readonly (readonly [Parameters<typeof paint>[0], string])[], screen: Screen): string {
  // The plan of a long list is mostly read from a file or a pipe.
  if (!screen.color && !screen.isTerminal) return inert(parts.map(([, text]) => text).join('  '));
  const whole = parts.map(([style, text]) => paint(style, inert(text), screen)).join('  ');
  if (!screen.isTerminal || columnsOf(whole) <= screen.width) return whole;
  const indent = '    ';
  const linesIn = (text: string) => (text.startsWith('pixelctl ') ? [text] : wrap(text, Math.max(1, screen.width - indent.length)));
  return parts.flatMap(([style, text]) => linesIn(inert(text)).map((line) => paint(style, line, screen))).join(`\n${indent}`);
}

const publicText = remember((facts: DomainFacts) => factsText(publicFacts(facts)));

/** What a row says besides its name; empty: no more is known. */
function detailsOf(row: Row, {showsPrivate}: Shown): string {
  const {action, want, facts} = row;
  if (action === 'remove') return '';
  if (action === 'add') {
    const said = isBlock(want) ? want : facts;
    return isFilter(want) ? filterText(want) : said === undefined ? '' : showsPrivate ? factsText(said) : publicText(said);
  }
  const {wanted, actual} = sidesOf(row, showsPrivate);
  return action === 'update' ? `${actual} -> ${wanted}` : `${actual}, wanted ${wanted};`;
}

function rowLine(row: Row, shown: Shown, screen: Screen): string {
  const {action, why, byHand} = row;
  const color = colors[action];
  const details = detailsOf(row, shown);
  const what = `${signs[action]} ${shownItem(row, shown.host)}${details === '' ? '' : `: ${details}`}`;
  const reason = action === 'cannot' ? why.where : `${reasonText(row)}${byHand === undefined ? '' : `; ${byHandText(byHand)}`}`;
  const fix = action === 'cannot' ? [[color, fixOf(row, shown)] as const] : [];
  return foldLine([[color, what], ...fix, ['dim', `# ${reason}`]], screen);
}

/** The lines of one plan: what changes, then what cannot be changed. */
export function* linesOf(plan: Shown & Pick<Plan, 'changes' | 'findings'>, screen: Screen = paper): Generator<string> {
  for (const row of plan.changes) yield rowLine(row, plan, screen);
  for (const row of cannotIn(plan)) yield rowLine(row, plan, screen);
}

type Countable = Pick<Comparison, 'findings'>;

const words = {
  add: ['to add', 'added'],
  update: ['to change', 'changed'],
  remove: ['to remove', 'removed'],
  cannot: ['that pixelctl cannot change', 'left'],
} as const;

/** `2 to add, 1 to remove`; empty where there is nothing. @param isFull whether changes are named even if there are none */
function wordsOf(plans: readonly Countable[], {isDone = false, isFull = false} = {}): string {
  const counted = Object.entries(words).map(([name, [toDo, done]]) => {
    const count = plans.reduce((sum, {findings}) => sum + findings.filter(({action}) => action === name).length, 0);
    return count > 0 || (isFull && name !== 'cannot') ? [`${withCommas(count)} ${isDone ? done : toDo}`] : [];
  });
  return counted.flat().join(', ');
}

/** `2 added, 1 changed` */
export const doneText = (rows: readonly Row[]): string => wordsOf([{findings: rows}], {isDone: true});

export const countsText = (plans: readonly Countable[]): string => `${wordsOf(plans) || 'nothing to do'}${countTakenBack(plans)}`;

/** `Plan: 3 to add, 1 to change, 0 to remove.` */
export const planClosing = (plans: readonly Countable[]): string => `Plan: ${wordsOf(plans, {isFull: true})}${countTakenBack(plans)}.`;

/** `; 2 of these take back what was lifted or made weaker by hand` */
function countTakenBack(plans: readonly Countable[]): string {
  const isTaken = ({action, byHand}: Row) => action !== 'remove' && byHand !== undefined;
  const count = plans.reduce((sum, {findings}) => sum + findings.filter(isTaken).length, 0);
  if (count === 0) return '';
  return `; ${withCommas(count)} of these ${count === 1 ? 'takes' : 'take'} back what was lifted or made weaker by hand`;
}

type Heading = Countable & Pick<Comparison, 'failure' | 'label'>;

/** `3 accounts: 2 to add, 1 to remove`; a single account is not counted. */
export function summaryText(plans: readonly Heading[], noun: Noun): string {
  if (noun === undefined) return countsText(plans);
  const failed = plans.filter(({failure}) => failure !== undefined).length;
  const parts = [wordsOf(plans) || 'nothing to do', ...(failed > 0 ? [`${countNoun(failed, ...noun)} failed`] : [])];
  return `${countNoun(plans.length, ...noun)}: ${parts.join('; ')}${countTakenBack(plans)}`;
}

export const headingOf = (plan: Heading): string =>
  `${plan.label ?? ''}: ${plan.failure === undefined ? countsText([plan]) : `error: ${plan.failure.message}`}`;

/** Yields the plans of accounts in pieces, because they may be long. If there are several, each has a heading. */
export const plansText = (plans: readonly Plan[], noun: Noun, terminal: Terminal): Generator<string> =>
  joinShort(textLines(plans, noun, terminal));

function* textLines(plans: readonly Plan[], noun: Noun, terminal: Terminal): Generator<string> {
  const bold = (text: string) => (noun === undefined ? '' : `${foldLine([['bold', text]], terminal)}\n`);
  // If no account differs, the summary says so.
  for (const plan of plans.some(({findings, failure}) => findings.length > 0 || failure !== undefined) ? plans : []) {
    yield bold(headingOf(plan));
    if (plan.findings.length === 0) continue;
    yield* linesOf(plan, terminal).map((line) => `${line}\n`);
    if (noun !== undefined) yield '\n';
  }
  yield bold(summaryText(plans, noun));
}

/** The most differences that a closing line names. */
const maxNamed = 5;

/** A `drift` failure if a difference is left that no request can change; undefined: none is. @param next what to do about it */
export function leftFailure(plans: readonly Plan[], next: string): Failure | undefined {
  const different = plans.filter((plan) => cannotIn(plan).length > 0);
  const left = different.flatMap(cannotIn);
  if (left.length === 0) return undefined;
  const names = left.map(({why: {rule}, name}) => (rule.endsWith(`.${name}`) ? rule : `${rule} ${name}`));
  const labels = different.flatMap(({label}) => label ?? []).join(', ');
  const named = firstOf([...new Set(names)], maxNamed);
  const where = labels === '' ? '' : ` in ${labels}`;
  return differenceFailure([`${countNoun(left.length, 'difference')} left${where} that pixelctl cannot change: ${named}.`, next]);
}
