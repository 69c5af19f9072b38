/** Sends the changes of an account one after another. The state gets a line before each request, and one about its outcome. */
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import {identifierAt} from '../../json/path.js';
import {countNoun, enumerate} from '../../json/text.js';
import {perform, requestsFor, resolveInput, type Via} from '../../operations/operation.js';
import {areEqual} from '../model/canonical.js';
import {endingFrom} from '../model/filter-value.js';
import type {Line} from '../model/policy-state.js';
import {isFilter} from '../model/value.js';
import {keyOf, type Kind, type Row} from '../sections/policy-kind.js';
import type {StateFile} from '../state/file.js';
import type {Plan} from './plan.js';
import {rowNames} from './row-text.js';
import type {States} from './states.js';
import type {Target} from './target.js';

export interface Changes extends Plan {
  readonly target: Target;
  /** In the order in which they are sent, with what they are about to overwrite. */
  readonly rows: readonly Row[];
  /** Why items are left as they are, for people. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  readonly states: States;
  /** What to say when there is nothing to do; undefined: nothing is said. */
  readonly nothing: string | undefined;
  /** Writes to the states what has to be there before the first request. @returns the states that get a line at the end */
  readonly begin: (run: Run) => Promise<readonly StateFile[]>;
  /** The line of a run to its end. */
  readonly end: Line;
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
  const {kind, action} = row;
  const operation = action === 'add' || action === 'remove' ? kind.send[action] : kind.send.update;
  if (operation === undefined) throw new Error(`Nothing ${action}s a ${kind.kind}`);
  return {operation, input: await resolveInput(operation, kind.send.input(row, {now: now(), host: server.host}), via)};
}

/** Sends the request of a row. @param begin writes to the state what is about to be sent */
async function sendRow(row: Row, target: Target, via: Via, begin: () => Promise<void>): Promise<Answer> {
  const {operation, input} = await requestOf(row, target, via);
  await begin();
  return perform(operation, input, via);
}

export async function requestsOf({rows, target}: Changes, via: Via): Promise<Request[]> {
  const requests = [];
  for (const row of rows) {
    const {operation, input} = await requestOf(row, target, via);
    requests.push(...requestsFor(operation, input));
  }
  return requests;
}

/** An hourly quota stops all filter changes that are left. */
function explainQuota(failure: Failure, {kind}: Row): Failure {
  if (failure.code !== 'rate_limited' || failure.details.reason !== 'hourly_quota' || kind.kind !== 'filter') return failure;
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    reason: 'wait_too_long',
    hint: 'servers accept 20 new filters and 40 updates an hour, and some never reset the count: the next run does the rest',
  });
}

export class Sending {
  readonly done: Row[] = [];
  readonly #changes: Changes;
  /** The states that get a line at the end. */
  readonly #touched: readonly StateFile[];
  /** Why a state cannot be written: then nothing more is sent. */
  #broken: Failure | undefined;
  #ended = 0;
  #isLeft = false;
  /** Kinds whose limit the server has reached: one addition is tried, and the others are held back. */
  readonly #full = new Map<Kind, {readonly failure: Failure; held: number}>();

  constructor(changes: Changes, touched: readonly StateFile[]) {
    this.#changes = changes;
    this.#touched = touched;
  }

  get steps() {
    const {rows, target} = this.#changes;
    return rows.values().map((row) => ({target: rowNames(row, target.server.host).name, request: row, repeat: 'harmless'}) as const);
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
      answer = await this.#withinLimit(row, () => make(row, this.#changes.target, via, begin));
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
    const {end, rows} = this.#changes;
    const held = this.#heldBack();
    const ended = this.#broken ?? (failure && held ? failure.saying(`; ${held.message}`) : (failure ?? held));
    // An undo ends only if nothing failed.
    const isEnd = !('undone' in end) && this.#ended === rows.length && !this.#isLeft;
    if (ended === undefined) for (const file of this.#touched) await file.append([end], 'undone' in end);
    else if (isEnd && !isUnfinished(ended)) for (const file of this.#touched) await file.append([end]).catch(() => {});
    return ended;
  }

  async #append(row: Row, line: Line, isFlushed = false): Promise<void> {
    const file = this.#changes.states[row.kind.owner];
    if (file === undefined) throw new Error(`There is no state for what is of ${row.kind.owner}`);
    await file.append([line], isFlushed).catch((error: unknown) => void (this.#broken = asFailure(error)));
  }

  /** The line before a request. An end such as `90d` becomes a time, because it counts from now. */
  #attemptAt({kind, name, has, want, id, planned}: Row): Line {
    const set = isFilter(want) ? endingFrom(want, this.#changes.target.now()) : want;
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

function lineOfDone({action, kind, name}: Row, answer: Pick<Answer, 'exact' | 'stood'>): Line {
  const key = keyOf(kind, name);
  if (answer.stood === true) return {refused: key};
  // Only items that can be updated have ids.
  const id = action === 'add' && kind.send.update !== undefined ? identifierAt(answer.exact, ['id']) : undefined;
  return id === undefined ? {done: key} : {done: key, id};
}
