/** Compares what a policy wants with what a server has. Nothing else does. */
import {type Actual, type ByHand, type Desired, type Item, keyOf, type Kind, type Row, type Want, type Why} from '../model/kind.js';
import type {Owned} from '../model/state.js';
import {areEqual, isMilder, isNothing, isThere, type Value} from '../model/value.js';

/** What the state says of a kind. */
export interface Known {
  readonly owned: ReadonlyMap<string, Owned>;
  /** Keys of what was sent, and is neither as it was nor as it was set. */
  readonly doubtful: ReadonlySet<string>;
}

/** The name of the rule of what is owned and not wanted any more: no line of the policy is one. */
export const leftoverRule = 'no_longer_named';

const abandoned: Why = {rule: leftoverRule, where: 'managed by this policy, which no longer names it'};
const putBack: Why = {rule: leftoverRule, where: 'an earlier apply of this policy changed it, and the policy no longer names it'};

/** The rows of what is not there, by what wants it: accounts that lack the same share them, because there may be very many. */
const missing = new WeakMap<Want, Row>();

/** Whether an item is as it was set. */
export function isAs(kind: Kind, has: Value | null, set: Value | null): boolean {
  if (!isThere(has) || !isThere(set)) return isNothing(has) && isNothing(set);
  return areEqual(has, set) || kind.isSame?.(has, set) === true;
}

/** What somebody did to an item since an apply set it. */
interface Doing {
  readonly how: 'lifted' | 'same' | 'stricter' | 'weaker';
  readonly byHand: ByHand;
}

/** How an owned item is by now. @param now undefined: what has ended since does not matter */
function compareOwned(kind: Kind, {set, at: since, ...owned}: Owned, has: Value | null, now: Date): Doing | undefined {
  const text = (value: Value, other?: Value) => kind.text(value, other);
  if (!isThere(has)) {
    if (kind.hasEnded?.({set, at: since, ...owned}, now) === true) return undefined;
    return {how: 'lifted', byHand: {set: text(set), found: null, since}};
  }
  if (isAs(kind, has, set)) return undefined;
  const byHand = {set: text(set, has), found: text(has, set), since};
  if (kind.isLess(has, set)) return {how: 'weaker', byHand};
  return {how: kind.isLess(set, has) ? 'stricter' : 'same', byHand};
}

export const stricterText = ({set, found}: ByHand): string => `made stricter by hand (${set} → ${found})`;

/**
 * All in which a server differs from what is wanted, and what stays as it is although it is wanted otherwise.
 * @param now filters that have ended by then were not removed by hand
 */
export function rowsOf(kind: Kind, desired: Desired, actual: Actual, known: Known, now: Date): Row[] {
  const rows: Row[] = [...(desired.cannot ?? [])];
  const {items} = actual;
  for (const [name, want] of desired.want) {
    const row = wantedRow(kind, name, want, {desired, item: items.get(name), known, now});
    if (row !== undefined) rows.push(row);
  }
  for (const [name, item] of items) {
    if (desired.want.has(name)) continue;
    const row = unwantedRow(kind, name, item, {desired, known, now});
    if (row !== undefined) rows.push(row);
  }
  for (const [name, {says, why, how}] of desired.spared)
    if (how === 'void' || (how !== 'kept' && isNothing(items.get(name)?.value ?? null)))
      rows.push({kind, name, action: 'held', has: null, want: null, why, isAsked: false, says, how});
  return withinLimit(rows, desired, actual);
}

interface About {
  readonly desired: Desired;
  readonly item?: Item | undefined;
  readonly known: Known;
  readonly now: Date;
}

/** Set where the policy made the item, or changed it, and nobody made it again since. */
function findOwned(
  kind: Kind,
  name: string,
  item: Item | undefined,
  {owned}: Known,
): {readonly owned?: Owned; readonly isAnother: boolean} {
  // A key is a text, which is made for nothing where there may be very many.
  const found = owned.size === 0 ? undefined : owned.get(keyOf(kind, name));
  if (found === undefined) return {isAnother: false};
  const isAnother = item?.id !== undefined && found.id !== undefined && item.id !== found.id && !isNothing(item.value);
  return isAnother ? {isAnother} : {owned: found, isAnother};
}

function wantedRow(kind: Kind, name: string, want: Want, {desired, item, known, now}: About): Row | undefined {
  const has = item?.value ?? null;
  const {owned, isAnother} = findOwned(kind, name, item, known);
  const doing = owned && compareOwned(kind, owned, has, now);
  const fit = kind.fit(want, has, owned, desired);
  const {facts} = want;
  const row = (action: Row['action'], more: Partial<Row> = {}): Row => ({
    kind,
    name,
    action,
    has,
    want: action === 'held' ? has : fit,
    why: want.why,
    isAsked: true,
    ...(facts && {facts}),
    ...(item?.id !== undefined && {id: item.id}),
    ...(item?.raw !== undefined && {raw: item.raw}),
    ...more,
  });
  if (isThere(has) && areEqual(has, fit)) return keepRow(kind, want, has, {owned, doing, row});
  if (known.doubtful.size > 0 && known.doubtful.has(keyOf(kind, name)))
    return row('held', {says: 'an interrupted apply sent a change of it, and it was changed by hand since', how: 'kept'});
  if (isAnother) return row('held', {says: 'somebody removed it and made it again since an apply of this policy made it', how: 'kept'});
  const hold = desired.hold?.(name, want, has);
  if (!isThere(has)) {
    if (hold !== undefined) return row('held', {...hold, isAsked: true});
    // What nobody has touched is the same for every account.
    if (has === null && doing === undefined) {
      const known = missing.get(want);
      if (known?.kind === kind && known.name === name && areEqual(known.want, fit)) return known;
      const made = row('add');
      missing.set(want, made);
      return made;
    }
    return row('add', doing && {byHand: doing.byHand});
  }
  if (!kind.isLess(fit, has)) {
    // Only what is made stricter is held.
    if (hold !== undefined && kind.isLess(has, fit)) return row('held', {...hold, isAsked: true});
    if (doing?.how === 'stricter' && !kind.isLess(has, fit)) return holdByHand(row, doing);
    return row('update', doing?.how === 'weaker' ? {byHand: doing.byHand} : {});
  }
  if (doing?.how === 'stricter') return holdByHand(row, doing);
  const isGiven = kind.isGivenWhole === true && desired.takesNothing !== true;
  if (owned !== undefined || desired.only !== undefined || isGiven)
    return row('update', doing?.how === 'weaker' ? {byHand: doing.byHand} : {});
  return row('held', {
    says: desired.takesNothing ? 'without a state, apply takes nothing away' : stricterThanWanted(kind, has),
    how: 'kept',
  });
}

const stricterThanWanted = (kind: Kind, has: Value): string =>
  `it is ${kind.status?.(has, has) ?? kind.text(has)}, which is stricter than wanted, and no apply of this policy made the block`;

type Make = (action: Row['action'], more?: Partial<Row>) => Row;

const holdByHand = (row: Make, {byHand}: Doing): Row => row('held', {says: stricterText(byHand), how: 'kept', byHand});

/** What is as the policy says in the end: what somebody made stricter is told, and what others made stricter than wanted. */
function keepRow(
  kind: Kind,
  want: Want,
  has: Value,
  {owned, doing, row}: {readonly owned: Owned | undefined; readonly doing: Doing | undefined; readonly row: Make},
): Row | undefined {
  if (doing?.how === 'stricter' && kind.isLess(want.value, has)) return holdByHand(row, doing);
  if (doing?.how === 'same') return row('held', {says: 'comment changed by hand', how: 'kept'});
  if (owned === undefined && isMilder(want.value, has)) return row('held', {says: stricterThanWanted(kind, has), how: 'kept'});
  return undefined;
}

function unwantedRow(kind: Kind, name: string, item: Item, {desired, known, now}: About): Row | undefined {
  const {value: has} = item;
  const {owned} = findOwned(kind, name, item, known);
  if (isNothing(has)) return undefined;
  const row: Make = (action, more = {}) => ({
    kind,
    name,
    action,
    has,
    want: null,
    why: abandoned,
    isAsked: false,
    ...(item.id !== undefined && {id: item.id}),
    ...(item.raw !== undefined && {raw: item.raw}),
    ...more,
  });
  const never = desired.never.get(name);
  if (never !== undefined) return row('remove', {why: never, isAsked: true});
  if (desired.only !== undefined) return row('remove', {why: desired.only});
  if (owned !== undefined) {
    const doing = compareOwned(kind, owned, has, now);
    if (doing?.how === 'stricter') return holdByHand((action, more) => row(action, {want: has, ...more}), doing);
    const isBack = !isNothing(owned.was);
    if (isBack && isAs(kind, has, owned.was)) return undefined;
    const byHand = doing?.how === 'weaker' ? {byHand: doing.byHand} : {};
    return isBack ? row('update', {want: owned.was, why: putBack, ...byHand}) : row('remove', {want: owned.was, ...byHand});
  }
  const spared = desired.spared.get(name);
  return spared?.how === 'kept' ? row('held', {want: has, why: spared.why, says: spared.says, how: 'kept'}) : undefined;
}

/** Holds back what the policy leaves no room for. What exists counts, but for what is removed. */
function withinLimit(rows: readonly Row[], {limit}: Desired, {items}: Actual): Row[] {
  if (limit === undefined) return [...rows];
  const present = items.values().reduce((sum, {value}) => sum + Number(!isNothing(value)), 0);
  const removed = rows.reduce((sum, {action}) => sum + Number(action === 'remove'), 0);
  let room = Math.max(0, limit.most - present + removed);
  const says = `the policy allows ${limit.most} blocked domains (${limit.why.where})`;
  // Rows of what is wanted are in order of rank.
  return rows.map((row) => {
    if (row.action !== 'add' || (room -= 1) >= 0) return row;
    return {...row, action: 'held', want: null, says, how: 'limit', why: limit.why};
  });
}

/** What is owned, is not there any more, and is not wanted: whoever makes it again owns it. */
export function findGone(kind: Kind, {want}: Pick<Desired, 'want'>, {items}: Actual, {owned}: Pick<Known, 'owned'>): string[] {
  const prefix = keyOf(kind, '');
  return [...owned.keys()].filter((key) => {
    if (!key.startsWith(prefix)) return false;
    const name = key.slice(prefix.length);
    const item = items.get(name);
    if (want.has(name)) return false;
    const found = owned.get(key);
    const isAnother = item?.id !== undefined && found?.id !== undefined && item.id !== found.id;
    return isNothing(item?.value ?? null) || isAnother || (found?.was !== undefined && isAs(kind, item?.value ?? null, found.was));
  });
}
