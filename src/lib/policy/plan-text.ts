/** A plan as text for people, in the form of a diff. */
import {paint} from '../print/palette.js';
import type {Change, FilterAddition, FilterUpdate} from './change.js';
import type {FindingJson, Kind} from './difference.js';
import {factsText} from './domain-facts.js';
import type {Beyond} from './limits.js';
import {inert} from '../print/inert.js';

const signs = {add: '+', remove: '-', update: '~'} as const;
const colors = {add: 'green', remove: 'red', update: 'yellow'} as const;
const kinds: Readonly<Record<Kind, string>> = {
  block: 'block',
  config: 'config',
  domain_block: 'domain block',
  filter: 'filter',
  mute: 'mute',
  push: 'push',
  unchecked: 'config',
};

type Color = (typeof colors)[Change['action']] | 'dim';

function painted(color: Color, text: string, isColored: boolean): string {
  return paint(color, text, {color: isColored});
}

function keywordText(keyword: string, wholeWord: boolean): string {
  return `“${keyword}”${wholeWord ? '' : ' (also inside words)'}`;
}

function additionText({context, filter_action, expires, keywords}: FilterAddition['details']): string[] {
  const all = keywords.map(({keyword, whole_word}) => keywordText(keyword, whole_word)).join(', ');
  return [
    ...(filter_action === undefined ? [] : [filter_action]),
    `in ${context.join(', ')}`,
    ...(expires === undefined ? [] : [endText(expires)]),
    all === '' ? 'no keywords' : all,
  ];
}

function endText(expires: string): string {
  return expires === 'never' ? 'never ends' : `ends ${/^\d{4}-/.test(expires) ? '' : 'in '}${expires}`;
}

function updateText({title, stored, context, filter_action, expires, add, remove, change}: FilterUpdate['details']): string[] {
  return [
    ...(title === undefined ? [] : [`called “${title}”${stored === undefined ? '' : `, was “${stored}”`}`]),
    ...(filter_action === undefined ? [] : [filter_action]),
    ...(context === undefined ? [] : [`in ${context.join(', ')}`]),
    ...(expires === undefined ? [] : [endText(expires)]),
    ...add.map(({keyword, whole_word}) => `+ ${keywordText(keyword, whole_word)}`),
    ...remove.map(({keyword}) => `- ${keywordText(keyword, true)}`),
    ...change.map(({keyword, whole_word}) => `~ ${keywordText(keyword, whole_word)}`),
  ];
}

function detailsText(change: Change): string {
  if (change.kind === 'push') return 'turn push off; the server forgets the device';
  if (change.kind === 'block' || change.kind === 'mute') return '';
  if (change.kind === 'domain_block') {
    if (change.action === 'remove') return '';
    const {covered_by: parent} = change.details;
    return [factsText(change.details), parent === undefined ? '' : `below ${parent}`].filter((part) => part !== '').join('; ');
  }
  if (change.action === 'add') return additionText(change.details).join('; ');
  return change.action === 'update' ? updateText(change.details).join('; ') : '';
}

/** The name of a change among results: `add domain block bad.example`. */
export function changeName({action, kind, subject}: Change): string {
  return `${action} ${kinds[kind]} ${subject}`;
}

function changeLine(change: Change, isBeyond: boolean, isColored: boolean): string {
  const {action, kind, subject, because} = change;
  const details = detailsText(change);
  const what = inert(
    `${signs[action]} ${kinds[kind]} ${subject}${details === '' ? '' : `: ${details}`}${isBeyond ? ' (may not fit)' : ''}`,
  );
  return `${painted(colors[action], what, isColored)}  ${painted('dim', inert(`# ${because}`), isColored)}`;
}

/** `2 to add, 1 to remove, 1 that pixelctl cannot change`. */
export function countsText(changes: readonly Pick<Change, 'action'>[], cannot: readonly unknown[] = []): string {
  return countsOf([...changes, ...cannot.map(() => ({action: 'cannot' as const}))]) || 'nothing to do';
}

/** The same of the lines of a plan; empty when there are none. */
export function countsOf(lines: Iterable<Pick<PlanLine, 'action'>>): string {
  const words = {add: 'to add', remove: 'to remove', update: 'to change', cannot: 'that pixelctl cannot change'} as const;
  const counts = {add: 0, remove: 0, update: 0, cannot: 0};
  for (const {action} of lines) counts[action] += 1;
  return (['add', 'remove', 'update', 'cannot'] as const)
    .flatMap((action) => (counts[action] === 0 ? [] : `${counts[action].toLocaleString('en')} ${words[action]}`))
    .join(', ');
}

export interface PlanParts {
  readonly changes: readonly Change[];
  readonly cannot?: readonly FindingJson[] | undefined;
  readonly beyond?: readonly Beyond[] | undefined;
}

/** A line of a plan, for people. */
export interface PlanLine {
  readonly action: Change['action'] | 'cannot';
  readonly text: string;
}

/** Makes the lines of plans. A line that several plans have is one object, because the plans of many accounts are in memory. */
export class PlanLines {
  readonly #isColored: boolean;
  readonly #byText = new Map<string, PlanLine>();
  /** The lines of changes that accounts share; with those that may not fit apart. */
  readonly #fitting = new Map<Change, PlanLine>();
  readonly #beyond = new Map<Change, PlanLine>();

  constructor(isColored: boolean) {
    this.#isColored = isColored;
  }

  /** What changes, then what cannot be changed. */
  of({changes, cannot = [], beyond = []}: PlanParts): PlanLine[] {
    const outside = new Map<Change['kind'], ReadonlySet<string>>(beyond.map(({kind, subjects}) => [kind, new Set(subjects)]));
    const isBeyond = ({action, kind, subject}: Change) => action === 'add' && outside.get(kind)?.has(subject) === true;
    return [
      ...changes.map((change) => this.#ofChange(change, isBeyond(change))),
      ...cannot.map((one) => this.#once('cannot', leftLine(one, this.#isColored))),
    ];
  }

  #ofChange(change: Change, isBeyond: boolean): PlanLine {
    const lines = isBeyond ? this.#beyond : this.#fitting;
    const line = lines.get(change) ?? this.#once(change.action, changeLine(change, isBeyond, this.#isColored));
    lines.set(change, line);
    return line;
  }

  #once(action: PlanLine['action'], text: string): PlanLine {
    const line = this.#byText.get(text) ?? {action, text};
    this.#byText.set(text, line);
    return line;
  }
}

export function planText(plan: PlanParts, isColored: boolean): string {
  return new PlanLines(isColored)
    .of(plan)
    .map(({text}) => `${text}\n`)
    .join('');
}

function leftLine({kind, subject, wanted, actual, source, fix}: FindingJson, isColored: boolean): string {
  const what = inert(`! ${kinds[kind]} ${subject}: wanted: ${wanted}; actual: ${actual}; ${fix}`);
  return `${painted('yellow', what, isColored)}  ${painted('dim', inert(`# ${source}`), isColored)}`;
}
