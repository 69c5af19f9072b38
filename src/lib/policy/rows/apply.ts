/** Carries rows out: each is in the state before its request leaves, and what became of it afterwards. Applies, undos and restores do. */
import type {Answer} from '../../client/answer.js';
import {asFailure, type Failure} from '../../client/failure.js';
import {identifierAt} from '../../json/path.js';
import {areEqual} from '../model/canonical.js';
import {endingFrom} from '../model/filter-value.js';
import type {Line} from '../model/policy-state.js';
import {isFilter, type Value} from '../model/value.js';
import {filters} from '../sections/filter-section.js';
import {keyOf, type Row} from '../sections/policy-kind.js';
import type {StateFile} from '../state/file.js';
import {type Comparison, failureOf, isChange, type States} from './compare.js';

export const filesIn = ({account, server}: States): StateFile[] => [account, server].filter((file) => file !== undefined);

/** Removals first: they make room where the server allows no more. */
const ranks = {remove: 0, update: 1, add: 2, cannot: 3, held: 3} as const;

/** What changes, in the order of plans: what only has a name comes first. */
export function changesIn({kinds}: Pick<Comparison, 'kinds'>, isUndo = false): Row[] {
  const filtersLast = kinds.toSorted((one, other) => Number(one.kind === filters) - Number(other.kind === filters));
  return filtersLast.flatMap(({kind: {send}, rows}) => {
    const changes = rows.filter(isChange);
    return send.order?.(changes, isUndo) ?? changes.sort((one, other) => ranks[one.action] - ranks[other.action]);
  });
}

/** What rows do to follows, in sentences. */
export const followTexts = ({kinds, target: {server}}: Comparison): string[] => [
  ...new Set(kinds.flatMap(({kind, rows, actual}) => rows.flatMap((row) => kind.follows?.(row, actual, server.host)?.says ?? []))),
];

/** Rows in the order in which they are sent, with what they are about to overwrite. */
export interface Ready {
  readonly comparison: Comparison;
  readonly rows: readonly Row[];
  readonly warnings: readonly string[];
  /** What they do to follows. */
  readonly ends: readonly string[];
}

/** Completes rows. @throws Failure of a kind that could not be read, or when interrupted */
export async function prepareRows(comparison: Comparison): Promise<Ready> {
  const failure = failureOf(comparison);
  if (failure !== undefined) throw failure;
  const {client, now} = comparison.target;
  const rows = changesIn(comparison);
  const warnings: string[] = [];
  const completed = new Map<Row, Row>();
  for (const {kind, actual} of comparison.kinds) {
    const own = rows.filter((row) => row.kind === kind);
    const prepared = own.length === 0 ? undefined : await kind.send.prepare?.(own, actual, client, now());
    for (const [index, row] of own.entries())
      completed.set(row, {...row, ...prepared?.rows[index], ...(prepared && {planned: [row.has, row.want] as const})});
    if (prepared?.warning !== undefined) warnings.push(prepared.warning);
  }
  return {comparison, rows: rows.map((row) => completed.get(row) ?? row), warnings, ends: followTexts(comparison)};
}

/** Follows the sending of rows. */
export interface Recorder {
  /** Called before a row is sent. @throws Failure `local`: nothing is sent */
  readonly before: (row: Row) => Promise<void>;
  readonly noteDone: (row: Row, answer: Pick<Answer, 'exact' | 'stood'>) => Promise<void>;
  readonly noteFailure: (row: Row, failure: Failure) => Promise<void>;
}

/** Sends rows. @throws Failure when some failed, or the run was broken off */
export type CarryOut = (rows: readonly Row[], recorder: Recorder) => Promise<void>;

/** What is set: an end that counts from the moment of sending is a time by then. */
const valueToSet = (want: Value | null, now: Date): Value | null => (isFilter(want) ? endingFrom(want, now) : want);

/** Whether a failure leaves something that running it again does: then the run did not end. */
const isUnfinished = ({code, details: {fate}}: Failure): boolean =>
  ['auth', 'interrupted', 'local', 'rate_limited', 'terminated'].includes(code) || (code === 'unavailable' && fate !== 'unknown');

/** A time later than all that the states know. */
export function timeAfter(files: readonly (StateFile | undefined)[], now: Date): string {
  const times = files.flatMap((file) => file?.state.at ?? []);
  const last = times.sort().at(-1) ?? '';
  const time = now.toISOString();
  return time > last ? time : new Date(Date.parse(last) + 1).toISOString();
}

interface Run {
  readonly files: States;
  /** When the run began: the same in all states that it changes. */
  readonly at: string;
  /** The digest that the run expects. */
  readonly expected?: string | undefined;
  readonly carryOut: CarryOut;
}

/**
 * Applies rows: what was open is settled first, and what is gone is given up.
 * @throws Failure as `carryOut` does, or `local` when the state cannot be written
 */
export async function applyRows({comparison, rows}: Ready, {files, at: run, expected, carryOut}: Run): Promise<void> {
  for (const {kind, settled, gone} of comparison.kinds) await files[kind.owner]?.append([...settled, ...gone], true);
  if (rows.length === 0) return;
  const touched = filesIn(files).filter((file) => rows.some(({kind}) => files[kind.owner] === file));
  for (const file of touched) {
    await file.rewrite();
    await file.append([expected === undefined ? {run} : {run, expected}]);
  }
  await sendRecorded(rows, {now: comparison.target.now, files, carryOut, end: {end: true}, touched});
}

interface Recording extends Pick<Run, 'carryOut' | 'files'> {
  readonly now: () => Date;
  /** The states that say how it ended, and what they say. */
  readonly touched: readonly StateFile[];
  readonly end: Line;
}

/** Sends rows, with a line before and one after each. */
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
      // What can be updated is numbered.
      const id = action === 'add' && kind.send.update !== undefined ? identifierAt(answer.exact, ['id']) : undefined;
      await append(row, answer.stood === true ? {refused: key} : id === undefined ? {done: key} : {done: key, id});
    },
    // Of what is of unknown fate there is no line: the next run looks.
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
    // An undo is over only where nothing failed.
    if (!('undone' in end) && ended === rows.length && !isLeft && !isUnfinished(failure))
      for (const file of touched) await file.append([end]).catch(() => {});
    throw failure;
  }
  for (const file of touched) await file.append([end], 'undone' in end);
}
