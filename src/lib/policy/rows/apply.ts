/** Sends rows for an apply, an undo or a restore. The state gets a line before each request, and one about its outcome. */
import type {Answer} from '../../client/answer.js';
import {asFailure, type Failure} from '../../client/failure.js';
import {identifierAt} from '../../json/path.js';
import {areEqual} from '../model/canonical.js';
import {endingFrom} from '../model/filter-value.js';
import type {Line} from '../model/policy-state.js';
import {isFilter, type Value} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {keyOf, type Row} from '../sections/policy-kind.js';
import type {StateFile} from '../state/file.js';
import {compareAccount, type Comparison, filesIn, followTexts, type States} from './compare.js';
import {type Lines, type Plan, planOf} from './plan.js';
import {heldTexts} from './row-text.js';
import type {Target} from './target.js';

/** Is told of each row that is sent, and writes it to the state. */
export interface Recorder {
  /** Called before a row is sent. @throws Failure `local`: the row is not sent */
  readonly before: (row: Row) => Promise<void>;
  readonly noteDone: (row: Row, answer: Pick<Answer, 'exact' | 'stood'>) => Promise<void>;
  readonly noteFailure: (row: Row, failure: Failure) => Promise<void>;
}

/** Sends rows one after another. @throws Failure when some failed, or the run was interrupted */
export type CarryOut = (rows: readonly Row[], recorder: Recorder) => Promise<void>;

/** The value that is sent: an end such as `90d` becomes a time, because it counts from now. */
const valueToSet = (want: Value | null, now: Date): Value | null => (isFilter(want) ? endingFrom(want, now) : want);

/** Whether the same run again would do the rest: then this one does not count as ended. */
const isUnfinished = ({code, details: {fate}}: Failure): boolean =>
  ['auth', 'interrupted', 'local', 'rate_limited', 'terminated'].includes(code) || (code === 'unavailable' && fate !== 'unknown');

/** Now, or the moment after the latest time in the states, so that later runs have later times. */
export function timeAfter(files: readonly (StateFile | undefined)[], now: Date): string {
  const times = files.flatMap((file) => file?.state.at ?? []);
  const last = times.sort().at(-1) ?? '';
  const time = now.toISOString();
  return time > last ? time : new Date(Date.parse(last) + 1).toISOString();
}

export interface Changes {
  /** In the order in which they are sent, with what they are about to overwrite. */
  readonly rows: readonly Row[];
  readonly plan: Lines;
  /** Why items are left as they are, for people. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** What the changes do to follows, in sentences. */
  readonly ends: readonly string[];
  readonly states: States;
  /** What to say when there is nothing to do; undefined: nothing is said. */
  readonly nothing: string | undefined;
  /** Sends the changes; without any, it only settles the states. @throws Failure as `carryOut` does, or `local` when a state cannot be written */
  readonly send: (carryOut: CarryOut, run: Run) => Promise<void>;
}

interface Run {
  /** When the run began: the same in all states that it changes. */
  readonly at: string;
  /** The value of `--expect`. */
  readonly expected?: string | undefined;
}

export interface ApplyChanges extends Changes {
  readonly plan: Plan;
}

/**
 * Plans what an apply or a restore changes in an account, and reads what it is about to overwrite.
 * @param nothing what to say if nothing differs
 * @throws Failure of a kind that could not be read, or when interrupted
 */
export async function prepareApply(given: PolicyWithLists, target: Target, states: States, nothing = ''): Promise<ApplyChanges> {
  const plan = planOf(await compareAccount(given, target, states));
  const {comparison, changes, cannot} = plan;
  const {client, now} = target;
  const warnings: string[] = [];
  const completed = new Map<Row, Row>();
  for (const {kind, actual} of comparison.kinds) {
    const own = changes.filter((row) => row.kind === kind);
    const prepared = own.length === 0 ? undefined : await kind.send.prepare?.(own, actual, client, now());
    for (const [index, row] of own.entries())
      completed.set(row, {...row, ...prepared?.rows[index], ...(prepared && {planned: [row.has, row.want] as const})});
    if (prepared?.warning !== undefined) warnings.push(prepared.warning);
  }
  const rows = changes.map((row) => completed.get(row) ?? row);
  return {
    rows,
    plan,
    states,
    notes: heldTexts(plan.held, plan.shown),
    warnings,
    ends: followTexts(comparison),
    nothing: cannot.length > 0 ? undefined : nothing,
    send: (carryOut, run) => applyRows(comparison, rows, {...run, files: states, carryOut}),
  };
}

/** Settles writes of an interrupted run, gives up owned items that are gone, and sends rows. */
async function applyRows(
  {kinds, target: {now}}: Comparison,
  rows: readonly Row[],
  {files, at: run, expected, carryOut}: Pick<Recording, 'carryOut' | 'files'> & Run,
): Promise<void> {
  for (const {kind, settled, gone} of kinds) await files[kind.owner]?.append([...settled, ...gone], true);
  if (rows.length === 0) return;
  const touched = filesIn(files).filter((file) => rows.some(({kind}) => files[kind.owner] === file));
  for (const file of touched) {
    await file.rewrite();
    await file.append([expected === undefined ? {run} : {run, expected}]);
  }
  await sendRecorded(rows, {now, files, carryOut, end: {end: true}, touched});
}

interface Recording {
  readonly files: States;
  readonly carryOut: CarryOut;
  readonly now: () => Date;
  /** The states that the rows change, and the line that each gets at the end. */
  readonly touched: readonly StateFile[];
  readonly end: Line;
}

/** Sends rows, and writes a line to the state before and after each. */
export async function sendRecorded(rows: readonly Row[], {now, files, carryOut, end, touched}: Recording): Promise<void> {
  let [ended, isLeft] = [0, false];
  const append = async ({kind}: Row, line: Line, isFlushed = false) => {
    const file = files[kind.owner];
    if (file === undefined) throw new Error(`There is no state for what is of ${kind.owner}`);
    await file.append([line], isFlushed);
  };
  const recorder: Recorder = {
    async before(row) {
      const {kind, name, has, want, id, planned} = row;
      const set = valueToSet(want, now());
      const [had, wanted] = planned ?? [has, want];
      const isAsPlanned = areEqual(had, has) && areEqual(wanted, set);
      const attempt = {
        key: keyOf(kind, name),
        was: has,
        set,
        ...(id !== undefined && {id}),
        ...(!isAsPlanned && {planned: [had, wanted] as const}),
      };
      await append(row, {try: attempt}, true);
    },
    async noteDone(row, answer) {
      ended += 1;
      const {kind, name, action} = row;
      const key = keyOf(kind, name);
      // Only items that can be updated have ids.
      const id = action === 'add' && kind.send.update !== undefined ? identifierAt(answer.exact, ['id']) : undefined;
      await append(row, answer.stood === true ? {refused: key} : id === undefined ? {done: key} : {done: key, id});
    },
    // If it is unknown whether the server made the change, there is no line: the next run looks.
    async noteFailure(row, failure) {
      ended += 1;
      isLeft ||= isUnfinished(failure);
      if (failure.details.fate !== 'unknown') await append(row, {refused: keyOf(row.kind, row.name)});
    },
  };
  try {
    await carryOut(rows, recorder);
  } catch (error) {
    const failure = asFailure(error);
    // An undo ends only if nothing failed.
    if (!('undone' in end) && ended === rows.length && !isLeft && !isUnfinished(failure))
      for (const file of touched) await file.append([end]).catch(() => {});
    throw failure;
  }
  for (const file of touched) await file.append([end], 'undone' in end);
}
