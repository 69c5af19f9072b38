/** Sets back what the last apply of a policy changed, with what was broken off right before it, but for what somebody changed since. */
import {asFailure, type Failure} from '../../client/failure.js';
import {isOverBy} from '../model/filter-value.js';
import type {Taken} from '../model/policy-state.js';
import {isAsSet, isFilter, isLess, isThere, type Value} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import {keyOf, type Kind, type Row, toRow, type Why} from '../sections/policy-kind.js';
import {noFollows} from '../sections/names.js';
import type {StateFile} from '../state/file.js';
import {type CarryOut, changesIn, filesIn, followTexts, sendRecorded, timeAfter} from './apply.js';
import {type Compared, type Comparison, compareKind, failureOf, type States} from './compare.js';
import {listNames, shownName} from './row-text.js';
import {stricterText, textOf} from './rows.js';
import {aboutOf, type Target} from './target.js';

interface Undo {
  readonly comparison: Comparison;
  /** In the order in which they are sent. */
  readonly rows: readonly Row[];
  /** Items that cannot be set back: each reason, with the first names. */
  readonly lost: readonly string[];
  /** What they do to follows. */
  readonly ends: readonly string[];
  /** When the apply began. */
  readonly at: string;
  /** The states that it takes back: of several those whose last run is the latest. */
  readonly files: readonly StateFile[];
  /** Whether nothing that was made is there any more: a server may suddenly show nothing. Then it is not over. */
  readonly isBlind: boolean;
}

const undone: Why = {rule: 'undo', where: 'as it was before the last apply'};

/**
 * What is to be set back; undefined: nothing. What was open is settled first.
 * @param file the policy, as it was named
 * @throws Failure when a part that it needs cannot be read
 */
export async function undoOf(file: string, files: States, target: Target): Promise<Undo | undefined> {
  const all = filesIn(files);
  const runs = all.flatMap(({state: {lastRun}}) => lastRun ?? []);
  const at = runs.sort().at(-1);
  if (at === undefined) return undefined;
  const meant = all.filter(({state}) => state.lastRun === at);
  const given: PolicyWithLists = {policy: {file, rules: new Map()}, domains: new Map(), only: []};
  const compared: Compared[] = [];
  const unread: {kind: Kind; failure: Failure}[] = [];
  for (const kind of kinds) {
    const own = files[kind.owner];
    if (own === undefined || !meant.includes(own)) continue;
    const isTouched = [...own.state.takeBack(), ...own.state.open.values()].some(({key}) => key.startsWith(keyOf(kind, '')));
    if (!isTouched) continue;
    try {
      const open = await compareKind(kind, await target.read(kind), {given, target, states: files});
      await own.append(open.settled, true);
      compared.push({...open, rows: own.state.takeBack().flatMap((taken) => rowOf(taken, open, target.now()) ?? [])});
    } catch (error) {
      unread.push({kind, failure: asFailure(error)});
    }
  }
  const comparison: Comparison = {about: aboutOf(target, file), target, given, states: files, kinds: compared, unread};
  const failure = failureOf(comparison);
  if (failure !== undefined) throw failure;
  const rows = changesIn(comparison, true);
  const made = meant.flatMap(({state}) => state.takeBack()).some(({set, was}) => isThere(set) && !isThere(was));
  const isBlind = made && rows.length === 0 && compared.every(({actual}) => actual.items.size === 0);
  const {host} = target.server;
  const reasons = Map.groupBy(
    compared.flatMap((one) => lostIn(one, host)),
    ({why}) => why,
  );
  const lost = Array.from(reasons, ([why, some]) => `${listNames(some.map(({row}) => shownName(row, host)))}: ${why}`);
  return {comparison, rows, lost, ends: followTexts(comparison), at, files: meant, isBlind};
}

/** A row that sets one item back; held where somebody changed it since. */
function rowOf({key, was, set}: Taken, {kind, actual}: Compared, now: Date): Row | undefined {
  const prefix = keyOf(kind, '');
  if (!key.startsWith(prefix)) return undefined;
  const name = key.slice(prefix.length);
  const item = actual.items.get(name);
  const has = item?.value ?? null;
  if (isAsSet(has, was)) return undefined;
  const row = (action: Row['action'], more: Partial<Row> = {}) =>
    toRow(kind, name, item, {action, want: was, why: undone, isAsked: true, ...more});
  if (!isAsSet(has, set)) return row('held', {want: has, says: `${changedText(kind, has, set)}, and it stays so`});
  if (isFilter(was) && isOverBy(was, now.getTime()))
    return row('held', {want: has, says: 'not restored, because the time to expire has passed'});
  if (!isThere(has)) return row('add');
  return isThere(was) ? row('update') : row('remove');
}

function changedText(kind: Kind, has: Value | null, set: Value | null): string {
  if (!isThere(has)) return 'lifted by hand';
  if (!isThere(set)) return 'made again by hand';
  const byHand = {set: textOf(kind, set, has), found: textOf(kind, has, set)};
  return isLess(set, has) && !isLess(has, set) ? stricterText(byHand) : `changed by hand (${byHand.set} → ${byHand.found})`;
}

function lostIn({kind, rows, actual}: Compared, host: string): {readonly row: Row; readonly why: string}[] {
  const opposites = {add: 'remove', remove: 'add', update: 'update', cannot: 'cannot', held: 'held'} as const;
  return rows.flatMap((row) => {
    const {action, has, want, says = ''} = row;
    if (action === 'held') return {row, why: says};
    // What made it ended follows.
    const made = kind.follows?.({...row, action: opposites[action], has: want, want: has}, actual, host);
    if (made?.isEnd === true) return {row, why: noFollows};
    return action === 'add' && isFilter(want) ? {row, why: 'restored with a new id'} : [];
  });
}

/** Carries an undo out. @throws Failure as `carryOut` does, or `local` when the state cannot be written */
export async function undoRows({comparison, rows, files: touched, isBlind}: Undo, files: States, carryOut: CarryOut): Promise<void> {
  if (isBlind) return;
  const {now} = comparison.target;
  const undo = timeAfter(touched, now());
  for (const file of touched) await file.append([{undo}], true);
  await sendRecorded(rows, {now, files, touched, end: {undone: true}, carryOut});
}
