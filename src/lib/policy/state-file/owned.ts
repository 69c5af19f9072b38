/** What a state file says an apply made, item by item: to list it, to add to it, to take from it and to move it. */
import {compare} from '../sections/compare.js';
import type {Circumstances} from '../model/difference.js';
import {byKind, type Item, type MadeItem, type OwnedItem, type TouchedItem} from '../model/items.js';
import {itemKey, nameOfOwner, sorted, watchedIn} from './ownership.js';
import {holdingInPlans, sectionOf} from '../sections/index.js';
import type {Owner, OwnershipRecord} from './state-file.js';
import type {State} from '../model/server-state.js';
import type {Wanted} from '../lists/wanted.js';

/**
 * What is owned, with the time of the apply that made it or changed it last; undefined where that is no longer known. How it was is only
 * there where an apply did not make it.
 */
export function ownedItems({owned, applies}: OwnershipRecord): (OwnedItem & {readonly since: string | undefined})[] {
  const timesOf = (isMeant: (item: TouchedItem) => boolean) =>
    new Map(applies.flatMap(({at, items}) => items.filter(isMeant).map((item) => [itemKey(item), at] as const)));
  const [made, changed] = [timesOf(({was}) => was === null), timesOf(({was}) => was !== null)];
  return owned.map((item) => {
    const {was, ...rest} = item;
    const since = (was === undefined ? made : changed).get(itemKey(item)) ?? item.at;
    return isMade(item) ? {...rest, since} : {...item, since};
  });
}

/** Of what an apply only changed, it is known how it was before. */
const isMade = ({kind, was}: OwnedItem): boolean => was === undefined || sectionOf(kind)?.holding?.values?.isNone?.(was) === true;

/** What an apply made, and not only changed. */
export function madeItems({owned}: OwnershipRecord): OwnedItem[] {
  return owned.filter(isMade);
}

/** What the policy wants and the server has, whether it is owned or not. */
export function wantedAndThere(wanted: Wanted, state: State, circumstances: Circumstances): MadeItem[] {
  const {matchedBy} = compare(wanted, state, circumstances);
  return holdingInPlans.flatMap(({kind, holding}) =>
    holding.wantedThere(wanted, {state, matched: matchedBy.get(kind) ?? new Set()}, circumstances.now),
  );
}

/** Changes what is owned, now and as every apply that can be reverted found it: a revert would bring it back otherwise. */
function withOwned(record: OwnershipRecord, changed: (items: readonly OwnedItem[]) => readonly OwnedItem[]): OwnershipRecord {
  const lists = (owned: readonly OwnedItem[]) => sorted(changed(owned));
  return {...record, owned: lists(record.owned), applies: record.applies.map((apply) => ({...apply, owned: lists(apply.owned)}))};
}

export function withAdopted(record: OwnershipRecord, items: readonly MadeItem[]): OwnershipRecord {
  const adopted = items.map((item) => ({owner: nameOfOwner(record), ...item}));
  return withOwned(record, (owned) => [...owned, ...adopted]);
}

/** What is owned, and what is only watched. */
export function forgettable(record: OwnershipRecord): ReturnType<typeof ownedItems> {
  const owned = ownedItems(record);
  const watched = notIn(record.watched ?? [], owned);
  return [...owned, ...watched.map((item) => ({...item, since: item.at}))];
}

export function withForgotten(record: OwnershipRecord, items: readonly Item[]): OwnershipRecord {
  return {...withOwned(record, (owned) => notIn(owned, items)), watched: watchedIn(notIn(record.watched ?? [], items))};
}

/** A record of no more than these items. What can be reverted stays, but for what goes with other items. */
export function withOnly(record: OwnershipRecord, items: readonly Item[]): OwnershipRecord {
  const kept = new Set(items.map(itemKey));
  return withOwned(record, (owned) => owned.filter((item) => kept.has(itemKey(item))));
}

/** The items of a list that are not in another one. */
export function notIn<One extends Item>(items: readonly One[], others: readonly Item[]): One[] {
  const known = new Set(others.map(itemKey));
  return items.filter((item) => !known.has(itemKey(item)));
}

/** The record of another account or policy, with what is owned. Reverts belong to the account: they stay with a policy that moves. */
export function movedTo(record: OwnershipRecord, owner: Owner): OwnershipRecord {
  const isSameAccount = record.server === owner.server && record.account === owner.account;
  const theirs = (items: readonly OwnedItem[]) => items.map((item) => ({...item, owner: nameOfOwner(owner)}));
  const watched = isSameAccount ? watchedIn(theirs(record.watched ?? [])) : undefined;
  return {...record, ...owner, owned: theirs(record.owned), watched, ...(!isSameAccount && {applies: []})};
}

/**
 * What is owned on another account: what it has as well, by titles where there are ids.
 * @returns also what the other account does not have
 */
export function ownedOnOther(
  record: OwnershipRecord,
  state: State,
  now: Date,
): {readonly record: OwnershipRecord; readonly left: OwnedItem[]} {
  const left: OwnedItem[] = [];
  const moved = withOwned(record, (items) => {
    const itemsOf = byKind(items);
    return holdingInPlans.flatMap(({kind, holding: {hasIds, there, values}}) => {
      const found = there(state, now);
      const ids = new Map(hasIds ? [...(found ?? [])].map(([id, title]) => [String(title).trim(), id]) : []);
      return itemsOf(kind).flatMap((item) => {
        const id = ids.get(item.subject.trim()) ?? values?.idOf?.(found?.get(item.subject));
        if (hasIds ? id !== undefined : found?.has(item.subject)) return id === undefined ? item : {...item, id};
        left.push(item);
        return [];
      });
    });
  });
  return {record: moved, left};
}
