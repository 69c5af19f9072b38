/** What a state file says an apply made, item by item: to list it, to add to it, to take from it and to move it. */
import {accountParts} from './change.js';
import {type Circumstances, compare} from './compare.js';
import {compareText} from './location.js';
import type {OwnershipRecord, Owner, SavedApply} from './state-file.js';
import {knownHandle, liveFilters, type State, valueOf} from './state.js';
import type {Wanted} from './wanted.js';

/** A domain, an account or a filter that goes when the policy no longer names it. */
export interface OwnedItem {
  readonly kind: 'block' | 'domain_block' | 'filter' | 'mute';
  /** A domain, a handle or a title. */
  readonly subject: string;
  /** Of a filter. */
  readonly id?: string | undefined;
}

type OwnedLists = OwnershipRecord['owned'];

function itemsOf({domainBlocks, blocks, mutes, filters}: OwnedLists): OwnedItem[] {
  return [
    ...domainBlocks.map((subject) => ({kind: 'domain_block', subject}) as const),
    ...blocks.map((subject) => ({kind: 'block', subject}) as const),
    ...mutes.map((subject) => ({kind: 'mute', subject}) as const),
    ...filters.map(({id, title}) => ({kind: 'filter', subject: title, id}) as const),
  ];
}

const keyOf = ({kind, subject, id}: OwnedItem): string => JSON.stringify([kind, kind === 'filter' ? id : subject]);

function listsOf(items: Iterable<OwnedItem>): OwnedLists {
  const all = [...items];
  const names = (kind: OwnedItem['kind']) => [...new Set(all.flatMap((one) => (one.kind === kind ? one.subject : [])))].sort(compareText);
  const filters = all.flatMap(({kind, subject, id}) => (kind === 'filter' && id !== undefined ? {id, title: subject} : []));
  return {
    domainBlocks: names('domain_block'),
    blocks: names('block'),
    mutes: names('mute'),
    filters: filters.sort((one, other) => compareText(one.id, other.id)),
  };
}

/** What is owned, with the time of the apply that made it; undefined where that is no longer known. */
export function ownedItems({owned, applies}: OwnershipRecord): (OwnedItem & {readonly since: string | undefined})[] {
  const since = new Map(applies.flatMap((apply) => madeBy(apply).map((item) => [keyOf(item), apply.at] as const)));
  return itemsOf(owned).map((item) => ({...item, since: since.get(keyOf(item))}));
}

function madeBy({domainBlocks, blocks, mutes, filters}: SavedApply): OwnedItem[] {
  const accounts = (kind: 'block' | 'mute', saved: SavedApply['blocks']) =>
    saved.flatMap(({account, wasThere}) => (wasThere ? [] : {kind, subject: account}));
  return [
    ...domainBlocks.flatMap(({domain, wasBlocked}) => (wasBlocked ? [] : {kind: 'domain_block' as const, subject: domain})),
    ...accounts('block', blocks),
    ...accounts('mute', mutes),
    ...filters.flatMap(({id, title, was}) => (id === null || was !== null ? [] : {kind: 'filter' as const, subject: title, id})),
  ];
}

/** What the policy wants and the server has, whether it is owned or not. */
export function wantedAndThere(wanted: Wanted, state: State, circumstances: Circumstances): OwnedItem[] {
  const {policy, domains} = wanted;
  const blocked = valueOf(state.domainBlocks);
  const {matched} = compare(wanted, state, circumstances);
  const accounts = (kind: 'block' | 'mute') => {
    const there = valueOf(state[accountParts[kind]]);
    const handles = policy[accountParts[kind]]?.must.map(({value}) => knownHandle(there, value, state.host)) ?? [];
    return handles.filter((handle) => there?.has(handle)).map((subject) => ({kind, subject}));
  };
  return [
    ...[...(domains?.wanted.keys() ?? [])]
      .filter((domain) => blocked?.has(domain))
      .map((subject) => ({kind: 'domain_block', subject}) as const),
    ...accounts('block'),
    ...accounts('mute'),
    ...liveFilters(valueOf(state.filters) ?? [], circumstances.now)
      .filter(({id}) => matched.has(id))
      .map(({id, title}) => ({kind: 'filter', subject: title, id}) as const),
  ];
}

/** Changes what is owned, now and as every apply that can be reverted found it: a revert would bring it back otherwise. */
function withOwned(record: OwnershipRecord, changed: (items: readonly OwnedItem[]) => readonly OwnedItem[]): OwnershipRecord {
  const lists = (owned: OwnedLists) => listsOf(changed(itemsOf(owned)));
  return {
    ...record,
    owned: lists(record.owned),
    applies: record.applies.map((apply) => ({...apply, owned: lists(apply.owned)})),
  };
}

export function withAdopted(record: OwnershipRecord, items: readonly OwnedItem[]): OwnershipRecord {
  return withOwned(record, (owned) => [...new Map([...owned, ...items].map((item) => [keyOf(item), item])).values()]);
}

export function withForgotten(record: OwnershipRecord, items: readonly OwnedItem[]): OwnershipRecord {
  const forgotten = new Set(items.map(keyOf));
  return withOwned(record, (owned) => owned.filter((item) => !forgotten.has(keyOf(item))));
}

/** A record of no more than these items. What can be reverted stays, but for what goes with other items. */
export function withOnly(record: OwnershipRecord, items: readonly OwnedItem[]): OwnershipRecord {
  const kept = new Set(items.map(keyOf));
  return withOwned(record, (owned) => owned.filter((item) => kept.has(keyOf(item))));
}

/** The items of a list that are not in another one. */
export function notIn(items: readonly OwnedItem[], others: readonly OwnedItem[]): OwnedItem[] {
  const known = new Set(others.map(keyOf));
  return items.filter((item) => !known.has(keyOf(item)));
}

/** The record of another account or policy, with what is owned. Reverts belong to the account: they stay with a policy that moves. */
export function movedTo(record: OwnershipRecord, owner: Owner): OwnershipRecord {
  const isSameAccount = record.server === owner.server && record.account === owner.account;
  return {...record, ...owner, applies: isSameAccount ? record.applies : []};
}

/**
 * What is owned on another account: the domains and accounts that it has as well, and its filters of the same titles.
 * @returns also what the other account does not have
 */
export function ownedOnOther(
  record: OwnershipRecord,
  state: State,
  now: Date,
): {readonly record: OwnershipRecord; readonly left: OwnedItem[]} {
  const titles = new Map(liveFilters(valueOf(state.filters) ?? [], now).map(({id, title}) => [title.trim(), id]));
  const sets = {domain_block: valueOf(state.domainBlocks), block: valueOf(state.blocks), mute: valueOf(state.mutes)};
  const left: OwnedItem[] = [];
  const moved = withOwned(record, (items) =>
    items.flatMap((item) => {
      if (item.kind !== 'filter') {
        if (sets[item.kind]?.has(item.subject)) return item;
        left.push(item);
        return [];
      }
      const id = titles.get(item.subject.trim());
      if (id !== undefined) return {...item, id};
      left.push(item);
      return [];
    }),
  );
  return {record: moved, left};
}
