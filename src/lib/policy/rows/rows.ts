/** Compares what a policy wants with what a server has, and makes rows. No other module compares them. */
import type {Owned} from '../model/policy-state.js';
import {areEqual} from '../model/canonical.js';
import {statusText, factsText, publicFacts} from '../model/domain-facts.js';
import {endTolerance} from '../model/time.js';
import {isOverBy} from '../model/filter-value.js';
import {isAsSet, isBlock, isLess, isMilder, isThere, toFilter, textOf, type Value} from '../model/value.js';
import {
  type Actual,
  type ByHand,
  type Desired,
  type Item,
  keyOf,
  type Kind,
  type Row,
  toRow,
  type Want,
  type Why,
} from '../sections/policy-kind.js';

export interface Known {
  readonly owned: ReadonlyMap<string, Owned>;
  /** Keys of writes with an unknown outcome, whose items are neither as before nor as the write set them. */
  readonly doubtful: ReadonlySet<string>;
}

/** Stands in place of a rule if apply made an item and the policy no longer names it. */
export const leftoverRule = 'no_longer_named';

const abandoned: Why = {rule: leftoverRule, where: 'managed by this policy, which no longer names it'};
const putBack: Why = {rule: leftoverRule, where: 'an earlier apply of this policy changed it, and the policy no longer names it'};

/** Rows of missing items, by all that is wanted: accounts that lack the same item share its row, because there may be very many. */
const missing = new WeakMap<Desired['want'], Map<string, Row>>();

/** One side of a difference in words: for a block, its severity, comments and flags. */
export function sideText(kind: Kind, value: Value, other: Value, showsPrivate = false): string {
  if (!isBlock(value)) return textOf(kind, value, other);
  const said = factsText({...(showsPrivate ? value : publicFacts(value)), severity: undefined});
  return [statusText(value), ...(said === '' ? [] : [said])].join(', ');
}

interface Doing {
  readonly how: 'lifted' | 'same' | 'stricter' | 'weaker';
  readonly byHand: ByHand;
}

/** What happened to an item since apply set it; undefined: nothing. A filter that has ended does not count as lifted. */
function doingOf(kind: Kind, {set, at: since}: Owned, has: Value | null, now: Date): Doing | undefined {
  if (!isThere(has)) {
    const isOver = isOverBy(toFilter(set), now.getTime() + endTolerance * 1000);
    return isOver ? undefined : {how: 'lifted', byHand: {set: textOf(kind, set), found: null, since}};
  }
  if (isAsSet(has, set)) return undefined;
  const byHand = {set: textOf(kind, set, has), found: textOf(kind, has, set), since};
  if (isLess(has, set)) return {how: 'weaker', byHand};
  return {how: isLess(set, has) ? 'stricter' : 'same', byHand};
}

const stricterText = ({set, found}: Pick<ByHand, 'found' | 'set'>): string => `made stricter by hand (${set} → ${found})`;

/** All differences between a server and what is wanted, and items that stay although something else is wanted. */
export function rowsOf(kind: Kind, desired: Desired, actual: Actual, known: Known, now: Date): Row[] {
  const rows: Row[] = [...(desired.cannot ?? [])];
  const {items} = actual;
  const shared = missing.get(desired.want) ?? new Map<string, Row>();
  missing.set(desired.want, shared);
  const about = {kind, desired, known, now, shared};
  // Very many items may be missing: nothing more is looked up for them.
  const isPlain = known.owned.size + known.doubtful.size === 0 && desired.fit === undefined;
  for (const [name, want] of desired.want) {
    const item = items.get(name);
    const isMissing = isPlain && item === undefined && desired.hold?.(name, want, null) === undefined;
    const row = isMissing ? rowOfMissing(kind, name, want, want.value, shared) : wantedRow(want, {...about, name, item});
    if (row !== undefined) rows.push(row);
  }
  for (const [name, item] of items) {
    const row = desired.want.has(name) || !isThere(item.value) ? undefined : unwantedRow(item.value, {...about, name, item});
    if (row !== undefined) rows.push(row);
  }
  for (const [name, held] of desired.spared)
    if (held.how !== 'kept' && !isThere(items.get(name)?.value))
      rows.push(toRow(kind, name, undefined, {action: 'held', ...held, isAsked: false}));
  return withinLimit(rows, desired, actual);
}

interface About {
  readonly kind: Kind;
  readonly name: string;
  readonly desired: Desired;
  readonly item: Item | undefined;
  readonly known: Known;
  readonly now: Date;
  readonly shared: Map<string, Row>;
}

const isAnother = (item: Item | undefined, {id}: Owned): boolean =>
  item?.id !== undefined && id !== undefined && item.id !== id && isThere(item.value);

/** What the state says of an item; undefined: apply never set it. It may be another item of the same name by now. */
// No keys are made if nothing is owned: with very many items that would take long.
const ownedOf = ({kind, name, known: {owned}}: About): Owned | undefined => (owned.size === 0 ? undefined : owned.get(keyOf(kind, name)));

function wantedRow(want: Want, about: About): Row | undefined {
  const {kind, name, desired, item, known, now} = about;
  const has = item?.value ?? null;
  const found = ownedOf(about);
  const owned = found && isAnother(item, found) ? undefined : found;
  const doing = owned && doingOf(kind, owned, has, now);
  const fit = desired.fit?.(want, has, owned) ?? want.value;
  const {facts} = want;
  const row = (action: Row['action'], more: Partial<Row> = {}) =>
    toRow(kind, name, item, {action, want: action === 'held' ? has : fit, why: want.why, isAsked: true, ...(facts && {facts}), ...more});
  const keep = (says: string, byHand?: ByHand) => row('held', {says, how: 'kept', ...(byHand && {byHand})});
  const keepStricter = ({byHand}: Doing) => keep(stricterText(byHand), byHand);
  if (isThere(has) && areEqual(has, fit)) {
    // Nothing changes here, but people are told of an item that somebody made stricter than wanted.
    if (doing?.how === 'stricter' && isLess(want.value, has)) return keepStricter(doing);
    if (doing?.how === 'same') return keep('comment changed by hand');
    if (owned !== undefined || !isMilder(want.value, has)) return undefined;
    return keep(`it is ${sideText(kind, has, has)}, which is stricter than wanted, and no apply of this policy made the block`);
  }
  if (known.doubtful.size > 0 && known.doubtful.has(keyOf(kind, name)))
    return keep('an interrupted apply sent a change of it, and it was changed by hand since');
  if (found !== owned) return keep('somebody removed it and made it again since an apply of this policy made it');
  const hold = desired.hold?.(name, want, has);
  if (!isThere(has)) {
    if (hold !== undefined) return row(hold.texts === undefined ? 'held' : 'cannot', hold);
    if (has !== null || doing !== undefined) return row('add', doing && {byHand: doing.byHand});
    return rowOfMissing(kind, name, want, fit, about.shared);
  }
  const takes = isLess(fit, has);
  // A hold stops only changes that make an item stricter.
  if (!takes && hold !== undefined && isLess(has, fit)) return row('held', hold);
  if (doing?.how === 'stricter' && (takes || !isLess(has, fit))) return keepStricter(doing);
  if (takes && owned === undefined && desired.only === undefined && desired.takesNothing === true)
    return keep('without a state, apply takes nothing away');
  return row('update', doing?.how === 'weaker' ? {byHand: doing.byHand} : {});
}

/** Without a change by hand, the row is the same for every account. */
function rowOfMissing(kind: Kind, name: string, {why, facts}: Want, want: Value, shared: Map<string, Row>): Row {
  const same = shared.get(name);
  if (same !== undefined && areEqual(same.want, want)) return same;
  const made: Row = {kind, name, has: null, action: 'add', want, why, isAsked: true, facts};
  shared.set(name, made);
  return made;
}

function unwantedRow(has: Value, about: About): Row | undefined {
  const {kind, name, item, desired, now} = about;
  const row = (action: Row['action'], more: Partial<Row> = {}) =>
    toRow(kind, name, item, {action, want: null, why: abandoned, isAsked: false, ...more});
  const never = desired.never.get(name);
  if (never !== undefined) return row('remove', {why: never, isAsked: true});
  if (desired.only !== undefined) return row('remove', {why: desired.only});
  const owned = ownedOf(about);
  if (owned === undefined || isAnother(item, owned)) {
    const spared = desired.spared.get(name);
    return spared?.how === 'kept' ? row('held', {want: has, ...spared}) : undefined;
  }
  const doing = doingOf(kind, owned, has, now);
  if (doing?.how === 'stricter') return row('held', {want: has, says: stricterText(doing.byHand), how: 'kept', byHand: doing.byHand});
  const {was} = owned;
  if (isThere(was) && isAsSet(has, was)) return undefined;
  const byHand = doing?.how === 'weaker' ? {byHand: doing.byHand} : {};
  return isThere(was) ? row('update', {want: was, why: putBack, ...byHand}) : row('remove', {want: was, ...byHand});
}

/** Holds back additions over the policy's limit. Existing items count, except those that are removed. */
function withinLimit(rows: Row[], {limit}: Desired, {items}: Actual): Row[] {
  if (limit === undefined) return rows;
  const present = items.values().reduce((sum, {value}) => sum + Number(isThere(value)), 0);
  const removed = rows.reduce((sum, {action}) => sum + Number(action === 'remove'), 0);
  let room = Math.max(0, limit.most - present + removed);
  const says = `the policy allows ${limit.most} blocked domains (${limit.why.where})`;
  // Rows of wanted items are sorted by rank, so those with the highest rank fit.
  return rows.map((row) => {
    if (row.action !== 'add' || (room -= 1) >= 0) return row;
    return {...row, action: 'held', want: null, says, how: 'limit', why: limit.why};
  });
}

/** Owned items that are gone and no longer wanted. If somebody makes one again, it is theirs. */
export function findGone(kind: Kind, {want}: Pick<Desired, 'want'>, {items}: Actual, {owned}: Pick<Known, 'owned'>): string[] {
  const prefix = keyOf(kind, '');
  return [...owned].flatMap(([key, one]) => {
    const name = key.slice(prefix.length);
    if (!key.startsWith(prefix) || want.has(name)) return [];
    const item = items.get(name);
    const has = item?.value ?? null;
    return !isThere(has) || isAnother(item, one) || isAsSet(has, one.was) ? key : [];
  });
}
