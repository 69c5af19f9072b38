/** Sets back what the last apply of a policy changed, with interrupted ones right before it, except what somebody has changed since. */
import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {absent} from '../../files/system-error.js';
import {firstOf} from '../../json/text.js';
import {isOverBy} from '../model/filter-value.js';
import type {Taken} from '../model/policy-state.js';
import {isAsSet, isFilter, isThere, textOf, type Value} from '../model/value.js';
import {kinds} from '../sections/index.js';
import {keyOf, type Kind, type Row, shownName, toRow, type Why} from '../sections/policy-kind.js';
import {Change, type Changes} from './change.js';
import {type Compared, compareKinds, comparisonOf, endingFollows} from './compare.js';
import {planOf} from './plan.js';
import {heldTexts, maxNamed} from './row-text.js';
import {filesIn, refuseStateless, type States, statesOf} from './states.js';
import type {Target} from './target.js';

interface Undone {
  /** The policy, or the folder of the backup, as the user named it. */
  readonly name: string;
  /** The policy as its states name it. */
  readonly file: string;
  readonly verb: 'apply' | 'restore';
}

/**
 * Takes back the last apply of a policy, or the last restore of a backup.
 * @param name a policy, or the folder of a backup @param chosen the value of `--state`
 * @throws Failure `usage` for a folder within a backup, a policy that nobody applied, or standard input without `--state`
 */
export async function undo(name: string, chosen: string | undefined): Promise<Change> {
  refuseStateless(name, chosen);
  const found = name === '-' ? undefined : await stat(name).catch(absent);
  const isBackup = found?.isDirectory() === true;
  const [, backup] = /^(.+)[\\/]lists[\\/][^\\/]+[\\/]?$/.exec(name) ?? [];
  if (isBackup && backup !== undefined)
    throw new Failure('usage', `${name} is a part of a backup: nothing was sent`, {
      hint: `\`${commandText('undo', {args: [backup]})}\` takes back its last restore`,
    });
  const file = isBackup ? join(name, 'restore') : name;
  if (found === undefined && (await statesOf(file, chosen)).length === 0)
    throw new Failure('usage', `There is no policy ${file}, and no state of it: nothing was sent`, {
      hint: 'name the policy as `pixelctl apply` was given it; where its state is elsewhere, name that with --state',
    });
  const verb = isBackup ? 'restore' : 'apply';
  const given = {policy: {file, rules: new Map()}, domains: new Map()};
  const setting = {given, what: `Undo the last ${verb} of ${name}`, done: 'Reverted'};
  return new Change(setting, (target, states) => prepareUndo({name, file, verb}, states, target));
}

/**
 * Finds what to set back, after it settled open writes. Of several states only those of the latest run are set back.
 * @throws Failure when a part that it needs cannot be read
 */
export async function prepareUndo({name, file, verb}: Undone, states: States, target: Target): Promise<Changes> {
  const {host} = target.server;
  const all = filesIn(states);
  const at = all
    .flatMap(({state: {lastRun}}) => lastRun ?? [])
    .sort()
    .at(-1);
  const meant = all.filter(({state: {lastRun}}) => at !== undefined && lastRun === at);
  const stateOf = ({owner}: Kind) => meant.find((one) => one === states[owner])?.state;
  const takenBy = (kind: Kind) => stateOf(kind)?.takeBack() ?? [];
  const given = {policy: {file, rules: new Map()}, domains: new Map(), only: []};
  const isTouched = (kind: Kind) =>
    [...takenBy(kind), ...(stateOf(kind)?.open.values() ?? [])].some(({key}) => key.startsWith(keyOf(kind, '')));
  const found = await compareKinds(kinds.filter(isTouched), given, target, states);
  if (found.failure !== undefined) throw found.failure;
  const why: Why = {rule: 'undo', where: `as it was before the last ${verb}`};
  const compared = found.kinds.map((one): Compared => {
    return {...one, rows: takenBy(one.kind).flatMap((item) => rowOf(item, one, why, target.now()) ?? [])};
  });
  const plan = planOf(comparisonOf(target, given, {states, kinds: compared}), true);
  const {changes: rows, held} = plan;
  const taken = meant.flatMap(({state}) => state.takeBack());
  const made = taken.some(({set, was}) => isThere(set) && !isThere(was));
  // If the server shows no item at all, it may be broken: then the undo does not count as done.
  const isBlind = made && rows.length === 0 && compared.every(({actual}) => actual.items.size === 0);
  // If nothing at all can be set back, the undo does not count as done either.
  const isVain = isBlind || (held.length > 0 && held.length === taken.length);
  // A row that takes a new block back is that block the other way round.
  const reversed = (row: Row): Row => ({...row, has: row.want, want: row.has});
  const ended = compared.flatMap(({rows: own, actual}) => endingFollows(own.map(reversed), actual)).map((row) => shownName(row, host));
  return {
    ...plan,
    target,
    states,
    rows,
    notes: [
      ...heldTexts(plan),
      ...(ended.length === 0 ? [] : [`${firstOf(ended, maxNamed)}: follows ended in both directions, and are not restored`]),
    ],
    warnings: [],
    nothing:
      at === undefined
        ? `Nothing to undo: ${name} has no ${verb} left to take back. Only its last one can be.`
        : isBlind
          ? `Nothing was undone: ${host} shows nothing of what the ${verb} of ${at} made.`
          : held.length > 0
            ? `Nothing was undone: everything that the ${verb} of ${at} changed has been changed again, or has expired.`
            : `Nothing to undo: what the ${verb} of ${at} changed is already as it was.`,
    touched: isVain ? [] : meant,
    isUndo: true,
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
  if (!isAsSet(has, set)) return row('held', {want: has, how: 'kept', says: `${changedText(kind, has, set)}, and it stays so`});
  if (isFilter(was) && isOverBy(was, now.getTime()))
    return row('held', {want: has, how: 'kept', says: 'not restored, because the time to expire has passed'});
  if (!isThere(has)) return row('add');
  return isThere(was) ? row('update') : row('remove');
}

function changedText(kind: Kind, has: Value | null, set: Value | null): string {
  if (!isThere(has)) return 'lifted by hand';
  if (!isThere(set)) return 'made again by hand';
  const [before, now] = [textOf(kind, set, has), textOf(kind, has, set)];
  return before === now ? 'comment changed by hand' : `changed by hand (${before} → ${now})`;
}
