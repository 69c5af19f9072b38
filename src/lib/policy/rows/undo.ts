/** Sets back what the last apply of a policy changed, with interrupted ones right before it, except what somebody has changed since. */
import {asFailure, type Failure} from '../../client/failure.js';
import {isOverBy} from '../model/filter-value.js';
import type {Taken} from '../model/policy-state.js';
import {isAsSet, isFilter, isLess, isThere, type Value} from '../model/value.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import {keyOf, type Kind, type Row, toRow, type Why} from '../sections/policy-kind.js';
import {noFollows} from '../sections/names.js';
import {type Changes, sendRecorded} from './apply.js';
import {changesIn, type Compared, type Comparison, compareKind, failureOf, filesIn, followTexts, type States} from './compare.js';
import {listNames, shownName} from './row-text.js';
import {stricterText, textOf} from './rows.js';
import {aboutOf, type Target} from './target.js';

interface Undone {
  /** The policy, or the folder of the backup, as the user named it. */
  readonly name: string;
  /** The policy as its states name it. */
  readonly file: string;
  readonly verb: 'apply' | 'restore';
}

/**
 * Finds what to set back, after it settled open writes. Of several states only those of the latest run are set back.
 * @throws Failure when a part that it needs cannot be read
 */
export async function prepareUndo({name, file, verb}: Undone, files: States, target: Target): Promise<Changes> {
  const {server, advice} = target;
  const all = filesIn(files);
  const at = all
    .flatMap(({state: {lastRun}}) => lastRun ?? [])
    .sort()
    .at(-1);
  const meant = all.filter(({state: {lastRun}}) => at !== undefined && lastRun === at);
  const why: Why = {rule: 'undo', where: `as it was before the last ${verb}`};
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
      compared.push({...open, rows: own.state.takeBack().flatMap((taken) => rowOf(taken, open, why, target.now()) ?? [])});
    } catch (error) {
      unread.push({kind, failure: asFailure(error)});
    }
  }
  const comparison: Comparison = {about: aboutOf(target, file), target, given, states: files, kinds: compared, unread};
  const failure = failureOf(comparison);
  if (failure !== undefined) throw failure;
  const rows = changesIn(comparison, true);
  const taken = meant.flatMap(({state}) => state.takeBack());
  const made = taken.some(({set, was}) => isThere(set) && !isThere(was));
  // If the server shows no item at all, it may be broken: then the undo does not count as done.
  const isBlind = made && rows.length === 0 && compared.every(({actual}) => actual.items.size === 0);
  const held = compared.flatMap((one) => one.rows.filter(({action}) => action === 'held')).length;
  // If nothing at all can be set back, the undo does not count as done either.
  const isVain = isBlind || (held > 0 && held === taken.length);
  const {host} = server;
  const reasons = Map.groupBy(
    compared.flatMap((one) => lostIn(one, host)),
    ({why: reason}) => reason,
  );
  return {
    rows,
    plan: {changes: rows, cannot: [], shown: {host, advice, policy: file}},
    states: files,
    notes: [],
    warnings: Array.from(reasons, ([reason, some]) => `${listNames(some.map(({row}) => shownName(row, host)))}: ${reason}`),
    ends: followTexts(comparison),
    nothing:
      at === undefined
        ? `Nothing to undo: no ${verb} of ${name} is left to take back.`
        : isBlind
          ? `Nothing was undone: ${host} shows nothing of what the ${verb} of ${at} made.`
          : held > 0
            ? `Nothing was undone: everything that the ${verb} of ${at} changed has been changed again, or has expired.`
            : `Nothing to undo: what the ${verb} of ${at} changed is already as it was.`,
    async send(carryOut, {at: undo}) {
      if (at === undefined || isVain) return;
      for (const state of meant) await state.append([{undo}], true);
      await sendRecorded(rows, {now: target.now, files, touched: meant, end: {undone: true}, carryOut});
    },
  };
}

/** A row that sets one item back, or leaves it as it is if somebody has changed it since. */
function rowOf({key, was, set}: Taken, {kind, actual}: Compared, why: Why, now: Date): Row | undefined {
  const prefix = keyOf(kind, '');
  if (!key.startsWith(prefix)) return undefined;
  const name = key.slice(prefix.length);
  const item = actual.items.get(name);
  const has = item?.value ?? null;
  if (isAsSet(has, was)) return undefined;
  const row = (action: Row['action'], more: Partial<Row> = {}) => toRow(kind, name, item, {action, want: was, why, isAsked: true, ...more});
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
    // The change that is undone had ended follows.
    const made = kind.follows?.({...row, action: opposites[action], has: want, want: has}, actual, host);
    if (made?.isEnd === true) return {row, why: noFollows};
    return action === 'add' && isFilter(want) ? {row, why: 'restored with a new id'} : [];
  });
}
