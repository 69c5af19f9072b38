/** Carries rows out: each is in the state before its request leaves, and what became of it afterwards. */
import {asFailure, Failure} from '../../client/failure.js';
import type {Answer} from '../../client/answer.js';
import {identifierAt} from '../../json/path.js';
import {type Comparison, failureOf, isChange, type States} from './compare.js';
import {type Prepared, type Row, keyOf, type Kind} from '../model/kind.js';
import {inPlans} from '../sections/index.js';
import type {StateFile} from '../state/file.js';
import type {Line} from '../model/state.js';
import type {Target} from './target.js';
import {areEqual} from '../model/value.js';

/** The states of a run, as they are written. */
export type StateFiles = States<StateFile>;

const filesIn = ({account, server}: StateFiles): StateFile[] => [account, server].filter((file) => file !== undefined);

/** A row that is about to be sent. */
export interface Sending {
  readonly row: Row;
  /** As the plan said it. */
  readonly planned: Row;
}

/** Rows in the order in which they are sent. */
export interface Ready {
  readonly comparison: Comparison;
  readonly sendings: readonly Sending[];
  readonly warnings: readonly string[];
}

/** Removals first: they make room where the server allows no more. */
const ranks = {remove: 0, update: 1, add: 2, cannot: 3, held: 3} as const;

/** What changes, in the order of plans. */
export function changesIn({sections}: Pick<Comparison, 'sections'>, {isUndo = false} = {}): Row[] {
  return inPlans.flatMap((section) => {
    const own = sections.find((one) => one.section === section);
    if (own === undefined) return [];
    const rows = own.rows.filter(isChange);
    return section.kind.order?.(rows, {isUndo}) ?? rows.sort((one, other) => ranks[one.action] - ranks[other.action]);
  });
}

/** Completes rows: reads what they are about to overwrite. @throws Failure of a section that could not be read, or when interrupted */
export async function prepareRows(comparison: Comparison, {isUndo = false} = {}): Promise<Ready> {
  const failure = failureOf(comparison);
  if (failure !== undefined) throw failure;
  const {target} = comparison;
  const rows = changesIn(comparison, {isUndo});
  const warnings: string[] = [];
  const known = new Map<Row, Row>();
  if (!isUndo)
    for (const {section, actual} of comparison.sections) {
      const own = rows.filter(({kind}) => kind === section.kind);
      const prepared: Prepared | undefined =
        own.length === 0 ? undefined : await section.kind.prepare?.(own, actual, target.client, target.now());
      for (const [index, row] of prepared?.rows.entries() ?? []) known.set(own[index] ?? row, row);
      if (prepared?.warning !== undefined) warnings.push(prepared.warning);
    }
  return {comparison, sendings: rows.map((planned) => ({row: known.get(planned) ?? planned, planned})), warnings};
}

/** Sends a row. @returns undefined when nothing of it was sent */
export type Send = (sending: Sending) => Promise<Answer>;

/** Follows the sending of rows. */
export interface Recorder {
  /** Called before a row is sent. @throws Failure `local`: nothing is sent */
  readonly before: (sending: Sending) => Promise<void>;
  readonly done: (sending: Sending, answer: Pick<Answer, 'exact' | 'stood'>) => Promise<void>;
  readonly failed: (sending: Sending, failure: Failure) => Promise<void>;
}

const fileOf = (files: StateFiles, {owner}: Kind): StateFile => {
  const file = files[owner];
  if (file === undefined) throw new Error(`There is no state for what is of ${owner}`);
  return file;
};

/** What a row sets, as the state says it. */
const valueToSet = ({kind, want}: Row, now: Date) => (want === null ? null : (kind.set?.(want, now) ?? want));

/** Whether a failure leaves something that running it again does: then the run did not end. */
const leaves = ({code, details: {fate}}: Failure): boolean =>
  ['auth', 'interrupted', 'local', 'rate_limited', 'terminated'].includes(code) || (code === 'unavailable' && fate !== 'unknown');

/** A time later than all that the states know. */
export function timeAfter(files: readonly (StateFile | undefined)[], now: Date): string {
  const last =
    files
      .flatMap((file) => file?.state.at ?? [])
      .sort()
      .at(-1) ?? '';
  const time = now.toISOString();
  return time > last ? time : new Date(Date.parse(last) + 1).toISOString();
}

/** What becomes of what was open and what is gone, before a run begins. */
async function settle({sections}: Comparison, files: StateFiles): Promise<void> {
  for (const {section, settled, gone} of sections) {
    const file = files[section.kind.owner];
    const lines: Line[] = [...settled, ...gone.map((key) => ({disown: key}))];
    if (file !== undefined && lines.length > 0) await file.append(lines, true);
  }
}

interface Run {
  readonly files: StateFiles;
  /** When the run began: the same in all states that it changes. */
  readonly at: string;
  /** The digest that the run expects. */
  readonly expected?: string | undefined;
  /** Sends the rows. @throws Failure when some failed, or the run was broken off */
  readonly carryOut: (sendings: readonly Sending[], recorder: Recorder) => Promise<void>;
}

/**
 * Applies rows: what was open is settled first.
 * @throws Failure as `carryOut` does, or `local` when the state cannot be written
 */
export async function applyRows({comparison, sendings}: Ready, {files, at: run, expected, carryOut}: Run): Promise<void> {
  await settle(comparison, files);
  const {target} = comparison;
  if (sendings.length === 0) return;
  const touched = filesIn(files).filter((file) => sendings.some(({row: {kind}}) => files[kind.owner] === file));
  for (const file of touched) {
    await file.rewrite();
    await file.append([expected === undefined ? {run} : {run, expected}]);
  }
  await sendRecorded(sendings, {target, files, carryOut, end: {end: true}, touched});
}

interface Recording extends Pick<Run, 'carryOut' | 'files'> {
  readonly target: Target;
  readonly touched: readonly StateFile[];
  readonly end: Line;
}

/** Sends rows, with a line before and one after each. */
export async function sendRecorded(sendings: readonly Sending[], {target, files, carryOut, end, touched}: Recording): Promise<void> {
  let [ended, isLeft] = [0, false];
  const lineAfter = async ({row: {kind}}: Sending, line: Line) => fileOf(files, kind).append([line]);
  const recorder: Recorder = {
    async before({row, planned}) {
      const {kind, name, has, id} = row;
      const set = valueToSet(row, target.now());
      const isAsPlanned = areEqual(planned.has, has) && areEqual(planned.want, set);
      const attempt = {
        key: keyOf(kind, name),
        was: has,
        set,
        ...(id !== undefined && {id}),
        ...(!isAsPlanned && {planned: [planned.has, planned.want] as const}),
      };
      await fileOf(files, kind).append([{try: attempt}], true);
    },
    async done(sending, answer) {
      ended += 1;
      const key = keyOf(sending.row.kind, sending.row.name);
      if (answer.stood === true) return lineAfter(sending, {refused: key});
      const isMade = sending.row.action === 'add' && sending.row.kind.isNumbered === true;
      const id = isMade ? identifierAt(answer.exact, ['id']) : undefined;
      await lineAfter(sending, id === undefined ? {done: key} : {done: key, id});
    },
    // Of what is of unknown fate there is no line: the next run looks.
    async failed(sending, failure) {
      ended += 1;
      isLeft ||= leaves(failure);
      if (failure.details.fate !== 'unknown') await lineAfter(sending, {refused: keyOf(sending.row.kind, sending.row.name)});
    },
  };
  try {
    await carryOut(sendings, recorder);
  } catch (error) {
    const failure = asFailure(error);
    if (ended === sendings.length && !isLeft && !leaves(failure)) for (const file of touched) await file.append([end]).catch(() => {});
    throw failure;
  }
  for (const file of touched) await file.append([end]);
}
