/** Applies a policy, or restores a backup; and what these have in common with an undo: what stops it, how it is sent, and what is left. */
import type {Answer} from '../../client/answer.js';
import {type AccountFailure, asFailure, Failure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import {commandText} from '../../files/command-text.js';
import {identifierAt} from '../../json/path.js';
import {countNoun, enumerate} from '../../json/text.js';
import {perform, requestsFor, resolveInput, type Via} from '../../operations/operation.js';
import type {Terminal} from '../../print/format.js';
import {areEqual} from '../model/canonical.js';
import {endingFrom} from '../model/filter-value.js';
import type {Line} from '../model/policy-state.js';
import {isFilter} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {planReport} from '../reports/plans.js';
import {keyOf, type Kind, type Row} from '../sections/policy-kind.js';
import type {StateFile} from '../state/file.js';
import {comparisonOf, compareWhole, endingFollows} from './compare.js';
import {checkExpected} from './digest.js';
import {type Allowed, refuseFollowed, refuseGuarded} from './guards.js';
import {cannotIn, doneText, leftFailure, type Plan, planOf, plansText, summaryText} from './plan.js';
import {heldTexts, resultName} from './row-text.js';
import {filesIn, openStates, type States, timeAfter} from './states.js';
import {type Advice, type Known, type Noun, suggest, type Target} from './target.js';

interface Setting {
  /** The policy, which says what accounts and servers are meant. */
  readonly given: PolicyWithLists;
  /** What the question is about: `Apply p.yml`. */
  readonly what: string;
  readonly done: string;
  /** What `undo` takes to revert it; undefined: it cannot be reverted. */
  readonly undo?: string | undefined;
  /** The digest of the plan that somebody has read and agreed to: nobody is asked. */
  readonly expected?: string | undefined;
  readonly allowed?: Allowed | undefined;
  /** A difference that is left even if all changes succeed. */
  readonly beyond?: Failure | undefined;
  /** What to do about differences that are left; undefined: read the plan. */
  readonly remedy?: string | undefined;
}

/** A change of accounts: an apply, an undo or a restore. */
export class Change {
  constructor(
    readonly setting: Setting,
    readonly changesOf: (target: Target, states: States) => Promise<Changes>,
  ) {}

  /** @param isWriting whether states are locked and will be written @throws Failure of a part that could not be read, or of a state that cannot be used */
  async prepare(target: Target, isWriting: boolean): Promise<Sending> {
    return new Sending(await this.changesOf(target, await openStates(this.setting.given, target, isWriting)));
  }

  planUnread(target: Known, failure: Failure): Plan {
    return planOf(comparisonOf(target, this.setting.given, {failure}));
  }

  report(format: string, plans: readonly Plan[], noun: Noun) {
    return planReport(format, plans, noun);
  }

  /** The plans, unless nothing differs. Of a dry run, which prints the requests, only what no request can change. */
  plansText(plans: readonly Plan[], noun: Noun, {terminal, isDryRun}: {terminal: Terminal; isDryRun: boolean}): Iterable<string> {
    const shown = isDryRun ? plans.map((plan) => ({...plan, changes: [], findings: cannotIn(plan)})) : plans;
    return shown.some(({findings}) => findings.length > 0) ? plansText(shown, noun, terminal) : [];
  }

  /**
   * Checks all changes before anything is sent.
   * @param isRefusing whether guards are asked: a dry run shows what they would refuse
   * @returns what to say if there is nothing to do
   * @throws Failure `refused`: nothing is sent to any account
   */
  check(all: readonly Changes[], failed: readonly AccountFailure[], advice: Advice, isRefusing: boolean): string | undefined {
    const {expected, allowed = {}} = this.setting;
    if (expected === undefined) {
      if (isRefusing) for (const {guards, label} of all) refuseGuarded(guards, allowed, label);
      return undefined;
    }
    // Somebody has agreed to the plan, so no guard is asked.
    const [first] = failed;
    if (first !== undefined) throw first.failure.saying(': an account could not be read, so nothing was sent');
    return checkExpected(expected, all, this.#planCommand(advice)) ? 'This plan is already applied.' : undefined;
  }

  /** Checks again what may have changed while somebody was asked. @throws Failure: nothing is sent */
  async confirm(all: readonly Changes[], now: Date): Promise<Run> {
    for (const one of all) await refuseFollowed(one, one.target.readFollowedAccounts);
    return {at: timeAfter(all.map(({states}) => states).flatMap(filesIn), now), expected: this.setting.expected};
  }

  /** The question before changes are sent, with what they do to follows. @param actor the account, if there is only one */
  question(busy: readonly Changes[], noun: Noun, actor: string): string {
    const endsFollows = busy.some(({kinds}) => kinds.some(({rows, actual}) => endingFollows(rows, actual).length > 0));
    const whom = noun === undefined ? `as ${actor}:` : `to ${busy.map(({label}) => label).join(', ')}.`;
    return [
      `${this.setting.what} ${whom} ${summaryText(busy, noun)}?`,
      ...(endsFollows ? ['Blocking ends follows in both directions permanently.'] : []),
    ].join(' ');
  }

  /** What was carried out, and the command that takes it back. @param state the value of `--state` */
  doneTexts(rows: readonly Row[], {account}: Advice, state: string | undefined): string[] {
    const {done, undo} = this.setting;
    const revert = undo === undefined ? '' : ` To revert: ${commandText('undo', {args: [undo], flags: {state, ...account}})}`;
    return rows.length === 0 ? [] : [`${done}: ${doneText(rows)}.${revert}`];
  }

  /** The differences that are left whatever was sent. */
  left(all: readonly Changes[], advice: Advice): readonly Failure[] {
    const {remedy, beyond} = this.setting;
    const next = remedy === undefined ? `To see how to fix it: ${this.#planCommand(advice)}` : `To fix it: ${remedy}`;
    return [leftFailure(all, next), beyond].filter((one) => one !== undefined);
  }

  #planCommand(advice: Advice): string {
    const {policy, only} = this.setting.given;
    return suggest({advice, policy: policy.file}, 'plan', {only: only?.join()});
  }
}

/** @param nothing what to say if nothing differs from the account; gets its server */
export const apply = (setting: Setting, nothing: (host: string) => string): Change =>
  new Change(setting, (target, states) => prepareApply(setting.given, target, states, nothing(target.server.host)));

/** @throws Failure of a kind that could not be read, or when interrupted */
export async function prepareApply(given: PolicyWithLists, target: Target, states: States, nothing = ''): Promise<Changes> {
  const plan = planOf(await compareWhole(given, target, states));
  const rows: Row[] = [];
  const warnings: string[] = [];
  for (const [kind, own] of Map.groupBy(plan.changes, (row) => row.kind)) {
    const actual = plan.kinds.find((one) => one.kind === kind)?.actual;
    const prepared = actual && (await kind.prepare?.(own, actual, target.client));
    for (const [index, row] of own.entries()) rows.push(prepared ? {...row, ...prepared.rows[index], planned: [row.has, row.want]} : row);
    if (prepared?.warning !== undefined) warnings.push(prepared.warning);
  }
  // Servers look up few accounts a day: those that an earlier run did not find are tried last.
  const isLast = ({kind, name}: Row) => {
    const keys = states[kind.owner]?.state.notFound;
    return keys !== undefined && keys.size > 0 && keys.has(keyOf(kind, name));
  };
  return {
    ...plan,
    target,
    states,
    rows: [...rows.filter((row) => !isLast(row)), ...rows.filter(isLast)],
    notes: heldTexts(plan),
    warnings,
    nothing: cannotIn(plan).length > 0 ? undefined : nothing,
    // Where nothing is left of a run that was broken off, this one ends it.
    touched: filesIn(states).filter((file) => !file.state.isEnded || rows.some(({kind}) => states[kind.owner] === file)),
    isUndo: false,
  };
}

/** What is to be sent to one account. */
export interface Changes extends Plan {
  readonly target: Target;
  readonly states: States;
  /** In the order in which they are sent, with what they are about to overwrite. */
  readonly rows: readonly Row[];
  /** Why items are left as they are, for people. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** What to say when there is nothing to do; undefined: nothing is said. */
  readonly nothing: string | undefined;
  /** The states that get a line before the first request and at the end. */
  readonly touched: readonly StateFile[];
  readonly isUndo: boolean;
}

export interface Run {
  /** When the run began: the same in all states that it changes. */
  readonly at: string;
  readonly expected?: string | undefined;
}

/** Whether the same run again would do the rest: then this one does not count as ended. */
const isUnfinished = ({code, details: {fate}}: Failure): boolean =>
  ['auth', 'interrupted', 'local', 'rate_limited', 'terminated'].includes(code) || (code === 'unavailable' && fate !== 'unknown');

const failUnsent = ({code, message}: Failure): Failure => new Failure(code, message, {reason: 'unsent'});

/** The request of a row. @throws Failure `not_found` for an account that is not there any more */
async function requestOf(row: Row, {now, server}: Target, via: Via) {
  const {operation, input} = row.kind.send(row, {now: now(), host: server.host});
  return {operation, input: await resolveInput(operation, input, via)};
}

/** Sends the request of a row. @param begin writes to the state what is about to be sent */
async function sendRow(row: Row, target: Target, via: Via, begin: () => Promise<void>): Promise<Answer> {
  const {operation, input} = await requestOf(row, target, via);
  await begin();
  return perform(operation, input, via);
}

/** An hourly quota stops all filter changes that are left. */
function explainQuota(failure: Failure, {kind}: Row): Failure {
  if (failure.code !== 'rate_limited' || failure.details.reason !== 'hourly_quota' || kind.key !== 'filters') return failure;
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    reason: 'wait_too_long',
    hint: 'servers accept 20 new filters and 40 updates an hour, and some never reset the count: the next run does the rest',
  });
}

export class Sending {
  readonly done: Row[] = [];
  readonly changes: Changes;
  /** Why a state cannot be written: then nothing more is sent. */
  #broken: Failure | undefined;
  #ended = 0;
  #isLeft = false;
  /** Kinds whose limit the server has reached: one addition is tried, and the others are held back. */
  readonly #full = new Map<Kind, {readonly failure: Failure; held: number}>();

  constructor(changes: Changes) {
    this.changes = changes;
  }

  /** What a dry run shows. */
  async requests(via: Via): Promise<Request[]> {
    const {rows, target} = this.changes;
    const requests = [];
    for (const row of rows) {
      const {operation, input} = await requestOf(row, target, via);
      requests.push(...requestsFor(operation, input));
    }
    return requests;
  }

  /** Writes to the states what has to be there before the first request. */
  async begin({at, expected}: Run): Promise<void> {
    const {states, touched, isUndo} = this.changes;
    // What the comparison settled is written even where nothing is sent.
    if (!isUndo) for (const file of filesIn(states)) await file.append([], true);
    for (const file of touched) {
      if (!isUndo) await file.rewrite();
      await file.append([isUndo ? {undo: at} : {run: at, ...(expected !== undefined && {expected})}], isUndo);
    }
  }

  get steps() {
    const {rows, host} = this.changes;
    return rows.values().map((row) => ({target: resultName(row, host), request: row, repeat: 'harmless'}) as const);
  }

  /** @param make only tests give it @throws Failure when it was not sent, or failed */
  readonly send = async (row: Row, via: Via, make: typeof sendRow = sendRow): Promise<Answer> => {
    if (this.#broken !== undefined) throw failUnsent(this.#broken);
    let isBegun = false;
    const begin = async () => {
      await this.#append(row, this.#attemptAt(row), true);
      if (this.#broken !== undefined) throw failUnsent(this.#broken);
      isBegun = true;
    };
    let answer: Answer;
    try {
      answer = await this.#withinLimit(row, () => make(row, this.changes.target, via, begin));
    } catch (error) {
      const failure = explainQuota(asFailure(error), row);
      if (this.#broken !== undefined) throw failure;
      this.#ended += 1;
      this.#isLeft ||= isUnfinished(failure);
      // If it is unknown whether the server made the change, there is no line: the next run looks.
      const isRefused = isBegun ? failure.details.fate !== 'unknown' : failure.code === 'not_found';
      if (isRefused) await this.#append(row, {refused: keyOf(row.kind, row.name)});
      throw failure;
    }
    this.#ended += 1;
    if (answer.stood !== true) this.done.push(row);
    await this.#append(row, lineOfDone(row, answer));
    return answer;
  };

  /** @param failure how sending ended @returns how the run ends @throws Failure `local` when a state cannot be written */
  async end(failure: Failure | undefined): Promise<Failure | undefined> {
    const {isUndo, rows, touched} = this.changes;
    const held = this.#heldBack();
    const ended = this.#broken ?? (failure && held ? failure.saying(`; ${held.message}`) : (failure ?? held));
    // An undo ends only if nothing failed.
    const isEnd = !isUndo && this.#ended === rows.length && !this.#isLeft && ended !== undefined && !isUnfinished(ended);
    if (ended === undefined) for (const file of touched) await file.append([isUndo ? {undone: true} : {end: true}], isUndo);
    else if (isEnd) for (const file of touched) await file.append([{end: true}]).catch(() => {});
    return ended;
  }

  async #append(row: Row, line: Line, isFlushed = false): Promise<void> {
    const file = this.changes.states[row.kind.owner];
    if (file === undefined) throw new Error(`There is no state for what is of ${row.kind.owner}`);
    await file.append([line], isFlushed).catch((error: unknown) => void (this.#broken = asFailure(error)));
  }

  /** The line before a request. An end such as `90d` becomes a time, because it counts from now. */
  #attemptAt({kind, name, has, want, id, planned}: Row): Line {
    const set = isFilter(want) ? endingFrom(want, this.changes.target.now()) : want;
    const [had, wanted] = planned ?? [has, want];
    const isAsPlanned = areEqual(had, has) && areEqual(wanted, set);
    return {
      try: {key: keyOf(kind, name), was: has, set, ...(id !== undefined && {id}), ...(!isAsPlanned && {planned: [had, wanted]})},
    };
  }

  async #withinLimit({action, kind}: Row, send: () => Promise<Answer>): Promise<Answer> {
    if (action !== 'add') return send();
    const full = this.#full.get(kind);
    if (full !== undefined) {
      full.held += 1;
      throw new Failure('refused', 'held back: the limit of the server is reached', {heldBack: 'server_limit'});
    }
    return send().catch((error: unknown) => {
      const failure = asFailure(error);
      if (failure.details.reason !== 'server_limit') throw failure;
      // An earlier attempt may have added the item, and so have filled the list.
      const isOpen = failure.details.fate === 'unknown';
      this.#full.set(kind, {failure, held: isOpen ? 0 : 1});
      throw isOpen ? failure : failure.with({heldBack: 'server_limit'});
    });
  }

  /** Set when something was held back: then a difference is left. */
  #heldBack(): Failure | undefined {
    const back = [...this.#full].filter(([, {held}]) => held > 0);
    const [first] = back;
    if (first === undefined) return undefined;
    const counts = enumerate(back.map(([{item}, {held}]) => countNoun(held, item)));
    const were = back.reduce((sum, [, {held}]) => sum + held, 0) === 1 ? 'was' : 'were';
    return new Failure('drift', `The limit of the server is reached, and ${counts} ${were} held back: ${first[1].failure.message}`, {
      hint: 'ask its administrators to raise the limit; the next run tries one again',
    });
  }
}

function lineOfDone({action, kind, name, want}: Row, answer: Pick<Answer, 'exact' | 'stood'>): Line {
  const key = keyOf(kind, name);
  if (answer.stood === true) return {refused: key};
  // What has only a name has no id of its own: the answer shows an account.
  const id = action === 'add' && want !== true ? identifierAt(answer.exact, ['id']) : undefined;
  return id === undefined ? {done: key} : {done: key, id};
}
