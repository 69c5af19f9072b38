/** Sets back what the last apply of a policy changed, with what was broken off right before it, but for what somebody changed since. */
import {asFailure, type Failure} from '../../client/failure.js';
import {type Recorder, sendRecorded, type Sending, type StateFiles, timeAfter} from './apply.js';
import {type Compared, type Comparison, compareSection, failureOf, isChange} from './compare.js';
import {keyOf, type Row, type Why} from '../model/kind.js';
import {isAs, stricterText} from './rows.js';
import {sections} from '../sections/index.js';
import type {StateFile} from '../state/file.js';
import type {Taken} from '../model/state.js';
import {aboutOf, type Target} from './target.js';
import {isNothing, type Value} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';

/** What cannot be set back, and why. */
export interface Lost {
  readonly row: Row;
  readonly why: string;
}

export interface Undo {
  readonly comparison: Comparison;
  readonly lost: readonly Lost[];
  /** When the apply began. */
  readonly at: string;
  /** The states that it takes back: of several those whose last run is the latest. */
  readonly files: readonly StateFile[];
  /** Whether nothing that was made is there any more: then it is not over. */
  readonly isBlind: boolean;
}

const nobody: PolicyWithLists = {policy: {file: '', rules: new Map()}, domains: new Map()};
const undone: Why = {rule: 'undo', where: 'as it was before the last apply'};

/** When the last apply of states began; undefined: there is nothing to undo. */
export const lastRunOf = (files: readonly StateFile[]): string | undefined =>
  files
    .flatMap(({state: {lastRun}}) => lastRun ?? [])
    .sort()
    .at(-1);

/**
 * What is to be set back. What was open is settled first.
 * @param file the policy, as it was named
 * @throws Failure when a part that it needs cannot be read
 */
export async function undoOf(file: string, files: StateFiles, target: Target): Promise<Undo | undefined> {
  const all = [files.account, files.server].filter((one) => one !== undefined);
  const at = lastRunOf(all);
  if (at === undefined) return undefined;
  const meant = all.filter(({state}) => state.lastRun === at);
  const compared: Compared[] = [];
  const unread: {section: Compared['section']; failure: Failure}[] = [];
  for (const section of sections) {
    const state = files[section.kind.owner];
    const prefix = keyOf(section.kind, '');
    if (state === undefined || !meant.includes(state)) continue;
    const isTouched = [...state.state.takeBack(), ...state.state.open.values()].some(({key}) => key.startsWith(prefix));
    if (!isTouched) continue;
    try {
      const actual = await target.read(section.kind);
      const open = await compareSection(section, actual, {
        given: {...nobody, only: []},
        target,
        states: {account: files.account?.state, server: files.server?.state},
      });
      if (open.settled.length > 0) await state.append(open.settled, true);
      compared.push({...open, rows: state.state.takeBack().flatMap((taken) => rowOf(taken, open, target.now()) ?? [])});
    } catch (error) {
      unread.push({section, failure: asFailure(error)});
    }
  }
  const comparison: Comparison = {
    about: aboutOf(target, file),
    target,
    given: {...nobody, policy: {...nobody.policy, file}},
    sections: compared,
    unread,
  };
  const failure = failureOf(comparison);
  if (failure !== undefined) throw failure;
  return {comparison, lost: findLost(comparison), at, files: meant, isBlind: isBlindTo(compared, meant)};
}

/** A row that sets one item back; held where somebody changed it since. */
function rowOf({key, was, set}: Taken, {section: {kind}, actual}: Compared, now: Date): Row | undefined {
  const prefix = keyOf(kind, '');
  if (!key.startsWith(prefix)) return undefined;
  const name = key.slice(prefix.length);
  const item = actual.items.get(name);
  const has: Value | null = item?.value ?? null;
  if (isAs(kind, has, was)) return undefined;
  const row = (action: Row['action'], more: Partial<Row> = {}): Row => ({
    kind,
    name,
    action,
    has,
    want: was,
    why: undone,
    isAsked: true,
    ...(item?.id !== undefined && {id: item.id}),
    ...(item?.raw !== undefined && {raw: item.raw}),
    ...more,
  });
  if (!isAs(kind, has, set)) return row('held', {want: has, says: `${changedText(kind, has, set)}, and it stays so`});
  if (was !== null && was !== true && 'expires' in was && was.expires !== undefined && Date.parse(was.expires) <= now.getTime())
    return row('held', {want: has, says: 'not restored, because the time to expire has passed'});
  if (isNothing(has)) return row('add');
  return isNothing(was) ? row('remove') : row('update');
}

function changedText(kind: Row['kind'], has: Value | null, set: Value | null): string {
  if (has === null || isNothing(has)) return 'lifted by hand';
  if (set === null || isNothing(set)) return 'made again by hand';
  const byHand = {set: kind.text(set, has), found: kind.text(has, set), since: ''};
  return kind.isLess(set, has) && !kind.isLess(has, set) ? stricterText(byHand) : `changed by hand (${byHand.set} → ${byHand.found})`;
}

function findLost({sections: all}: Comparison): Lost[] {
  return all.flatMap(({rows, actual}) =>
    rows.flatMap((row) => {
      const why = row.action === 'held' ? row.says : row.kind.lost?.(row, actual);
      return why === undefined ? [] : [{row, why}];
    }),
  );
}

/** Whether something was made, and nothing of it is there: a server may suddenly show nothing. */
function isBlindTo(compared: readonly Compared[], files: readonly StateFile[]): boolean {
  const made = files.flatMap(({state}) => state.takeBack()).filter(({set, was}) => set !== null && !isNothing(set) && isNothing(was));
  if (made.length === 0 || compared.some(({rows}) => rows.some(isChange))) return false;
  return compared.every(({actual}) => actual.items.size === 0);
}

/** Carries an undo out. @throws Failure as `carryOut` does, or `local` when the state cannot be written */
export async function undoRows(
  {comparison, files: meant, isBlind}: Undo,
  sendings: readonly Sending[],
  files: StateFiles,
  carryOut: (sendings: readonly Sending[], recorder: Recorder) => Promise<void>,
): Promise<void> {
  const {target} = comparison;
  if (isBlind) return;
  const undo = timeAfter(meant, target.now());
  for (const file of meant) await file.append([{undo}], true);
  // It is over only where nothing failed: then this throws.
  await sendRecorded(sendings, {target, files, touched: [], end: {undone: true}, carryOut});
  for (const file of meant) await file.append([{undone: true}], true);
}
