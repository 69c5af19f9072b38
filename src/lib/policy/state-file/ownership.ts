/** What an apply made and may therefore remove again, and how everything was before: how the record of an account changes. */
import {handleOf} from '../../operations/handle.js';
import type {Change} from '../model/change.js';
import {byKind, type Item, type OwnedItem, type Touched, type TouchedItem} from '../model/items.js';
import {compareText} from '../source/location.js';
import {holdingInPlans, inPlans, sectionOf} from '../sections/index.js';
import type {Holding} from '../section/section.js';
import type {ItemKind} from '../model/section-types.js';
import type {Owner, OwnershipRecord, SavedApply} from './record.js';
import type {State} from '../model/server-state.js';

/** Applies that can be reverted, one after the other. */
const maxApplies = 10;

/** Whether items of a kind are told apart by their ids. */
export const areNamedById = (kind: ItemKind): boolean => sectionOf(kind)?.holding?.hasIds === true;

/** Equal for one item that is named twice, as far as it is known which one it is. */
export function itemKey({kind, subject, id}: Item): string {
  return areNamedById(kind) && id !== undefined ? `${kind}#${id}` : `${kind} ${subject}`;
}

/** Whether records are of the same account or server, under the same policy. */
export function isOf(one: Owner, {server, account, policy}: Owner): boolean {
  return one.server === server && one.account === account && one.policy === policy;
}

/** Whose the items of a record are: `ana@pix.example`, or `pix.example`. */
export function nameOfOwner({server, account}: Pick<Owner, 'account' | 'server'>): string {
  const {host} = new URL(server);
  return account === undefined ? host : handleOf(account, host);
}

const nameOf = ({kind, subject, id}: Item): string => (areNamedById(kind) && id !== undefined ? id : subject);

const ranks = new Map(holdingInPlans.map(({kind}, index) => [kind, index]));

/** The order of plans. */
function compareItems(one: OwnedItem, other: OwnedItem): number {
  return (ranks.get(one.kind) ?? 0) - (ranks.get(other.kind) ?? 0) || compareText(nameOf(one), nameOf(other));
}

/** Each once. */
export function sorted(items: Iterable<OwnedItem>): OwnedItem[] {
  return [...new Map([...items].map((one) => [itemKey(one), one])).values()].sort(compareItems);
}

/** The items that are watched, each once, in the order of plans; undefined where there is none. */
export function watchedIn(items: Iterable<OwnedItem>): OwnedItem[] | undefined {
  const all = sorted(items);
  return all.length === 0 ? undefined : all;
}

/** The record at the start of an apply, with how everything that it touches was before. Without changes it stays the same. */
export function beginApply(before: OwnershipRecord, changes: readonly Change[], state: State, at: Date): OwnershipRecord {
  if (changes.length === 0) return before;
  const last = before.applies.at(-1);
  const saved = savedBefore(before, changes, state, at);
  // An apply that was killed and is run again is one apply: what its first run found counts as before.
  if (last && !last.isFinished) return {...before, applies: [...before.applies.slice(0, -1), joined(last, saved)]};
  return {...before, applies: [...before.applies, saved].slice(-maxApplies)};
}

function savedBefore(record: OwnershipRecord, changes: readonly Change[], state: State, at: Date): SavedApply {
  const touched = new Map<string, TouchedItem>();
  const owner = nameOfOwner(record);
  for (const {kind, changing} of inPlans)
    for (const change of changes) {
      if (change.kind !== kind || changing === undefined) continue;
      const item = {owner, kind, ...changing.touched(change, state), unsent: true as const};
      touched.set(itemKey(item), item);
    }
  return {at: at.toISOString(), isFinished: false, owned: record.owned, items: [...touched.values()]};
}

function joined(first: SavedApply, again: SavedApply): SavedApply {
  const others = new Set(again.items.filter(({updated}) => updated === undefined).map(itemKey));
  const sent = sentIn(first).map(({updated, ...item}) => (updated === undefined || others.has(itemKey(item)) ? item : {...item, updated}));
  const known = new Set(sent.map(itemKey));
  return {...first, items: [...sent, ...again.items.filter((item) => !known.has(itemKey(item)))]};
}

const sentIn = ({items}: SavedApply): TouchedItem[] => items.filter(({unsent}) => unsent !== true);

/** An item as the state knows it. */
function known<One extends Item>(item: One, state: State, holding: Holding): One {
  const subject = holding.known(item.subject, state);
  return subject === item.subject ? item : {...item, subject};
}

/** Sets the id of what an apply made and could not record, where only one item can be it. */
function identified(item: TouchedItem, there: ReadonlyMap<string, unknown>, recorded: ReadonlySet<string | undefined>): TouchedItem {
  if (item.id !== undefined || item.was !== null) return item;
  const [id, ...others] = [...there].flatMap(([one, title]) => (title === item.subject && !recorded.has(one) ? one : []));
  return id === undefined || others.length > 0 ? item : {...item, id};
}

/**
 * Adds what an apply made and could not record, because it was killed or the fate of a request is unknown: what exists now and
 * did not before. To be called with the state that the next apply reads.
 */
export function withUnrecorded(before: OwnershipRecord, state: State, now: Date): OwnershipRecord {
  const last = before.applies.at(-1);
  if (!last || last.isFinished) return before;
  const {at} = last;
  const sent = sentIn(last);
  const [ownedOf, itemsOf] = [byKind(before.owned), byKind(sent)];
  const watched = new Map(before.watched?.map((item) => [itemKey(item), item]));
  const changed = holdingInPlans.map(({kind, holding, made}) => {
    const [had, touched, there] = [ownedOf(kind), itemsOf(kind), holding.there(state, now)];
    if (there === undefined) return {owned: had, items: touched};
    const nowOf = made?.now(state);
    const set = (item: Item) => (nowOf === undefined ? {} : {made: nowOf(item), at});
    const recorded = new Set(had.map(({id}) => id));
    const items = holding.hasIds ? touched.map((item) => identified(item, there, recorded)) : touched;
    const named = items.map((item) => known(item, state, holding)).filter(({id}) => !holding.hasIds || id !== undefined);
    const isThere = (item: TouchedItem) => there.has((holding.hasIds ? item.id : undefined) ?? item.subject);
    const gone = new Set(named.filter((item) => !isThere(item)).map(itemKey));
    const {values} = holding;
    const added = named
      .filter((item) => item.was === null && isThere(item))
      .map(({was: _, ...item}): OwnedItem => {
        const own = ownedAs({...item, id: item.id ?? values?.idOf?.(there.get(item.subject))});
        return {...own, ...set(own)};
      });
    const reached = new Set(named.map(itemKey));
    for (const item of had) if (gone.has(itemKey(item)) && item.made !== undefined && item.at === at) watched.set(itemKey(item), item);
    const kept = had
      .filter((item) => !gone.has(itemKey(item)))
      .map((item) => (item.made !== undefined && reached.has(itemKey(item)) ? {...item, ...set(item)} : item));
    // What earlier applies made or changed stays as it is known: the last one counts.
    return {owned: [...changedIn(named, there, last, holding.values), ...kept, ...added], items};
  });
  const owned = sorted(changed.flatMap((one) => one.owned));
  const isOwned = new Set(owned.map(itemKey));
  for (const item of unownedIn(sent, state, at)) if (!isOwned.has(itemKey(item))) watched.set(itemKey(item), item);
  const settings = sent.filter(({kind}) => sectionOf(kind)?.holding === undefined);
  return {
    ...before,
    owned,
    watched: watchedIn(watched.values()),
    applies: [...before.applies.slice(0, -1), {...last, items: [...changed.flatMap(({items}) => items), ...settings]}],
  };
}

/** What an apply changed of what goes back to nothing: settings, and what others made. */
function unownedIn(touched: Touched, state: State, at: string): OwnedItem[] {
  const touchedOf = byKind(touched);
  return inPlans.flatMap(({kind, made, holding}) => {
    const nowOf = holding?.values === undefined ? made?.now(state) : undefined;
    if (made === undefined || nowOf === undefined) return [];
    return touchedOf(kind).flatMap(({owner, subject, id, was}) => {
      const [before, found] = [was === null ? undefined : made.before(was), nowOf({kind, subject, id})];
      const isChanged = before !== undefined && found !== undefined && (made.isLess(before, found) || made.isLess(found, before));
      return isChanged ? {...ownedAs({owner, kind, subject, id}), made: found, at} : [];
    });
  });
}

/** What an apply changed: what is there, and not as it was. @param before what was owned: what has the value again that it had first is not */
function changedIn(
  touched: Touched,
  there: ReadonlyMap<string, unknown>,
  {owned: before, at}: Pick<SavedApply, 'at' | 'owned'>,
  values: Holding['values'],
): OwnedItem[] {
  if (values === undefined) return [];
  const first = new Map(before.map((item) => [itemKey(item), item.was]));
  return touched.flatMap((item) => {
    const {owner, kind, subject, was} = item;
    const found = there.get(subject);
    if (was === null || found === undefined) return [];
    const isAs = (value: unknown) => value !== undefined && values.areSame(values.of(found), value);
    if (isAs(was) || isAs(first.get(itemKey(item)))) return [];
    const known = ownedAs({owner, kind, subject, id: item.id ?? values.idOf?.(found)});
    return {...known, was, made: values.of(found), at};
  });
}

/** Only what has an id of its own keeps it: an account is owned by its handle. */
export function ownedAs({owner, kind, subject, id}: OwnedItem): OwnedItem {
  const keepsId = areNamedById(kind) || sectionOf(kind)?.holding?.values?.idOf !== undefined;
  return keepsId && id !== undefined ? {owner, kind, subject, id} : {owner, kind, subject};
}

/**
 * Drops what was made and does not exist any more: whoever makes it again owns it; and what was changed and is as it was. Both are watched
 * until they are as an apply set them. Parts that were not read stay as they are.
 */
export function withoutGone(before: OwnershipRecord, state: State, now: Date): OwnershipRecord {
  const [ownedOf, watchedOf] = [byKind(before.owned), byKind(before.watched ?? [])];
  const watched: OwnedItem[] = [];
  const owned: OwnedItem[] = [];
  for (const {kind, holding, made} of inPlans) {
    const there = holding?.there(state);
    if (holding === undefined || there === undefined) {
      owned.push(...ownedOf(kind));
      watched.push(...watchedOf(kind));
      continue;
    }
    // What was made by its id is known by its handle from then on.
    const named = (items: readonly OwnedItem[]) => items.map((item) => known(item, state, holding));
    const [had, earlier] = [named(ownedOf(kind)), named(watchedOf(kind))];
    const isKept = (item: OwnedItem) => {
      const found = there.get(nameOf(item));
      return there.has(nameOf(item)) && !isAnother(item, found, holding) && !isRestored(item, found, holding);
    };
    const kept = had.filter(isKept);
    owned.push(...kept);
    const gone = kept.length < had.length ? had.filter((item) => !isKept(item)) : [];
    const nowOf = gone.length + earlier.length === 0 ? undefined : made?.now(state);
    if (made === undefined || nowOf === undefined) continue;
    const isWatched = (item: OwnedItem) => {
      const found = nowOf(item);
      if (item.made === undefined) return false;
      return found === undefined ? made.hasEnded?.(item, now) !== true : holding.hasIds || made.isLess(item.made, found);
    };
    watched.push(...[...earlier, ...gone].filter(isWatched).map(({was: _, ...item}) => item));
  }
  return {...before, owned: sorted(owned), watched: watchedIn(watched)};
}

/** Whether somebody removed the item and made it again. */
function isAnother({id}: OwnedItem, item: unknown, {values}: Holding): boolean {
  const now = values?.idOf?.(item);
  return id !== undefined && now !== undefined && now !== id;
}

function isRestored({was}: OwnedItem, item: unknown, {values}: Holding): boolean {
  return was !== undefined && values?.areSame(values.of(item), was) === true;
}

function withLast(before: OwnershipRecord, changed: (last: SavedApply) => SavedApply): OwnershipRecord {
  const last = before.applies.at(-1);
  return last === undefined ? before : {...before, applies: [...before.applies.slice(0, -1), changed(last)]};
}

/** The record when the last apply is continued: what is done now is part of it. */
export function reopened(before: OwnershipRecord): OwnershipRecord {
  return withLast(before, (last) => ({...last, isFinished: false}));
}

/** The record with the digest of the plan file that the last apply carries out. */
export function withPlan(before: OwnershipRecord, plan: string): OwnershipRecord {
  return withLast(before, (last) => ({...last, plan}));
}

export function finishApply(before: OwnershipRecord): OwnershipRecord {
  const record = withLast(before, (last) => ({...last, isFinished: true, items: sentIn(last)}));
  const isEmpty = record.applies.at(-1)?.items.length === 0;
  return isEmpty ? {...record, applies: record.applies.slice(0, -1)} : record;
}

/** An item that an undo made again: every apply before that one knows it by the id that it had. */
export interface NewId {
  readonly kind: ItemKind;
  readonly hadId: string;
  readonly id: string;
}

/** The record with new ids, each of which may have become another one later. */
export function withNewIds(before: OwnershipRecord, all: readonly NewId[]): OwnershipRecord {
  if (all.length === 0) return before;
  const ids = new Map<string, string>();
  for (const {kind, hadId, id} of all.toReversed()) ids.set(`${kind}#${hadId}`, ids.get(`${kind}#${id}`) ?? id);
  const renamed = <One extends Item>(items: readonly One[]): One[] =>
    items.map((item) => {
      const id = ids.get(`${item.kind}#${item.id}`);
      return id === undefined ? item : {...item, id};
    });
  return {
    ...before,
    owned: sorted(renamed(before.owned)),
    watched: watchedIn(renamed(before.watched ?? [])),
    applies: before.applies.map((apply) => ({...apply, owned: sorted(renamed(apply.owned)), items: renamed(apply.items)})),
  };
}

/** The record once the last apply was reverted. */
export function afterUndo(before: OwnershipRecord): OwnershipRecord {
  const last = before.applies.at(-1);
  if (last === undefined) return before;
  const watched = watchedIn((before.watched ?? []).filter(({at}) => at !== last.at));
  return {...before, owned: last.owned, watched, applies: before.applies.slice(0, -1)};
}
