/** What an apply made and may therefore remove again, and how everything was before: how the record of an account changes. */
import {accountKey} from '../operations/handles.js';
import {accountParts, type Change} from './change.js';
import {compareText} from './location.js';
import type {OwnershipRecord, SavedApply} from './state-file.js';
import {knownHandle, type FilterState, liveFilters, type State, valueOf} from './state.js';

/** Applies that can be reverted, one after the other. */
const mostApplies = 10;

const once = (names: readonly string[]): string[] => [...new Set(names)].sort(compareText);

function sorted({domainBlocks, blocks, mutes, filters}: Owned): OwnershipRecord['owned'] {
  return {
    domainBlocks: once(domainBlocks),
    blocks: once(blocks),
    mutes: once(mutes),
    filters: filters.toSorted((one, other) => compareText(one.id, other.id)),
  };
}

/** The record at the start of an apply, with how everything that it touches was before. Without changes it stays the same. */
export function beginApply(before: OwnershipRecord, changes: readonly Change[], state: State, at: Date): OwnershipRecord {
  if (changes.length === 0) return before;
  const last = before.applies.at(-1);
  const saved = savedBefore(before.owned, changes, state, at);
  // An apply that was killed and is run again is one apply: what its first run found counts as before.
  if (last && !last.isFinished) return {...before, applies: [...before.applies.slice(0, -1), joined(last, saved)]};
  return {...before, applies: [...before.applies, saved].slice(-mostApplies)};
}

function savedBefore(ownedBefore: OwnershipRecord['owned'], changes: readonly Change[], state: State, at: Date): SavedApply {
  const filters = valueOf(state.filters) ?? [];
  const copy = ({id, title, context, action, expiresAt, keywords}: FilterState): SavedApply['filters'][number]['was'] => ({
    id,
    title,
    context: [...context],
    action,
    expiresAt,
    keywords: [...keywords],
  });
  const touched = new Map<string, SavedApply['filters'][number]>();
  for (const change of changes) {
    if (change.kind !== 'filter') continue;
    const id = change.action === 'add' ? null : change.details.id;
    const was = filters.find((one) => one.id === id);
    touched.set(id ?? `new ${change.subject}`, {id, title: was?.title ?? change.subject, was: was ? copy(was) : null});
  }
  return {
    at: at.toISOString(),
    isFinished: false,
    owned: ownedBefore,
    domainBlocks: changes
      .filter(({kind}) => kind === 'domain_block')
      .map(({subject, action}) => ({domain: subject, wasBlocked: action === 'remove'})),
    blocks: savedAccountsOf('block', changes, state),
    mutes: savedAccountsOf('mute', changes, state),
    filters: [...touched.values()],
    pushWasOn: changes.some(({kind}) => kind === 'push'),
  };
}

function savedAccountsOf(kind: 'block' | 'mute', changes: readonly Change[], state: State): SavedApply['blocks'] {
  const there = valueOf(state[accountParts[kind]]);
  return changes
    .filter((change) => change.kind === kind)
    .map(({subject, action}) => {
      const account = accountKey(subject, state.host);
      return {account, id: there?.get(account)?.id ?? null, wasThere: action === 'remove'};
    });
}

/** Adds what is not among the first ones yet, by key. */
function withOthers<Item>(first: readonly Item[], again: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const known = new Set(first.map(keyOf));
  return [...first, ...again.filter((one) => !known.has(keyOf(one)))];
}

function joined(first: SavedApply, again: SavedApply): SavedApply {
  return {
    ...first,
    domainBlocks: withOthers(first.domainBlocks, again.domainBlocks, ({domain}) => domain),
    blocks: withOthers(first.blocks, again.blocks, ({account}) => account),
    mutes: withOthers(first.mutes, again.mutes, ({account}) => account),
    filters: withOthers(first.filters, again.filters, ({id, title}) => id ?? `new ${title}`),
    pushWasOn: first.pushWasOn || again.pushWasOn,
  };
}

/** What is owned of a set that was read again: what an apply was to add and exists is owned, what it was to remove and is gone is not. */
function ownedNow(
  owned: readonly string[],
  touched: readonly {readonly name: string; readonly wasThere: boolean}[],
  there: ReadonlyMap<string, unknown> | undefined,
): string[] {
  if (there === undefined) return [...owned];
  const gone = new Set(touched.filter(({name, wasThere}) => wasThere && !there.has(name)).map(({name}) => name));
  const made = touched.filter(({name, wasThere}) => !wasThere && there.has(name)).map(({name}) => name);
  return [...owned.filter((name) => !gone.has(name)), ...made];
}

/**
 * Adds what an apply made and could not record, because it was killed or the fate of a request is unknown: what exists now and
 * did not before. To be called with the state that the next apply reads.
 */
export function withUnrecorded(before: OwnershipRecord, state: State, now: Date): OwnershipRecord {
  const last = before.applies.at(-1);
  if (!last || last.isFinished) return before;
  const {owned: had} = before;
  const live = valueOf(state.filters) && liveFilters(valueOf(state.filters) ?? [], now);
  const recorded = new Set(had.filters.map(({id}) => id));
  const filters = last.filters.map((saved) => {
    if (saved.id !== null) return saved;
    const candidates = (live ?? []).filter(({id, title}) => title === saved.title && !recorded.has(id));
    const [only] = candidates;
    return candidates.length === 1 && only ? {...saved, id: only.id} : saved;
  });
  const found = filters
    .filter(({id, was}) => id !== null && was === null && !recorded.has(id))
    .map(({id, title}) => ({id: id ?? '', title}));
  const there = new Set(live?.map(({id}) => id));
  const gone = new Set(live === undefined ? [] : last.filters.flatMap(({id}) => (id === null || there.has(id) ? [] : id)));
  const accounts = (part: 'blocks' | 'mutes') =>
    ownedNow(
      had[part],
      last[part].map(({account, wasThere}) => ({name: knownHandle(valueOf(state[part]), account, state.host), wasThere})),
      valueOf(state[part]),
    );
  const domains = last.domainBlocks.map(({domain, wasBlocked}) => ({name: domain, wasThere: wasBlocked}));
  return {
    ...before,
    owned: sorted({
      domainBlocks: ownedNow(had.domainBlocks, domains, valueOf(state.domainBlocks)),
      blocks: accounts('blocks'),
      mutes: accounts('mutes'),
      filters: [...had.filters.filter(({id}) => !gone.has(id)), ...found.filter(({id}) => !gone.has(id))],
    }),
    applies: [...before.applies.slice(0, -1), {...last, filters}],
  };
}

/** Drops what was made and does not exist any more: whoever makes it again owns it. Parts that were not read stay as they are. */
export function withoutGone(before: OwnershipRecord, state: State): OwnershipRecord {
  const {domainBlocks, blocks, mutes, filters} = before.owned;
  // What was made by its id is known by its handle from then on.
  const accounts = (part: 'blocks' | 'mutes', names: readonly string[]) =>
    names.map((name) => knownHandle(valueOf(state[part]), name, state.host));
  const still = (names: readonly string[], there: ReadonlyMap<string, unknown> | undefined) =>
    there === undefined ? [...names] : names.filter((name) => there.has(name));
  const ids = valueOf(state.filters) && new Set(valueOf(state.filters)?.map(({id}) => id));
  return {
    ...before,
    owned: sorted({
      domainBlocks: still(domainBlocks, valueOf(state.domainBlocks)),
      blocks: still(accounts('blocks', blocks), valueOf(state.blocks)),
      mutes: still(accounts('mutes', mutes), valueOf(state.mutes)),
      filters: filters.filter(({id}) => ids === undefined || ids.has(id)),
    }),
  };
}

function toggled(names: readonly string[], name: string, action: 'add' | 'remove'): string[] {
  const others = names.filter((one) => one !== name);
  return action === 'add' ? [...others, name] : others;
}

/** @param createdId of the filter that the change made */
export function recordDone(before: OwnershipRecord, change: Change, createdId?: string): OwnershipRecord {
  const {owned: had} = before;
  if (change.kind === 'domain_block')
    return {...before, owned: sorted({...had, domainBlocks: toggled(had.domainBlocks, change.subject, change.action)})};
  if (change.kind === 'block' || change.kind === 'mute') {
    const part = accountParts[change.kind];
    const account = accountKey(change.subject, new URL(before.server).host);
    return {...before, owned: sorted({...had, [part]: toggled(had[part], account, change.action)})};
  }
  if (change.kind === 'push' || change.action === 'update') return before;
  if (change.action === 'remove')
    return {...before, owned: sorted({...had, filters: had.filters.filter(({id}) => id !== change.details.id)})};
  if (createdId === undefined) return before;
  const owned = sorted({...had, filters: [...had.filters, {id: createdId, title: change.subject}]});
  return withLast({...before, owned}, (last) => {
    const index = last.filters.findIndex(({id, title}) => id === null && title === change.subject);
    return {...last, filters: last.filters.map((one, at) => (at === index ? {...one, id: createdId} : one))};
  });
}

/** The record once the server has refused changes: what they would have added is not owned, even if it exists later. */
export function recordRefused(before: OwnershipRecord, refused: readonly Change[]): OwnershipRecord {
  const {host} = new URL(before.server);
  const additions = refused.filter(({action}) => action === 'add');
  const subjects = (kind: Change['kind']) => additions.filter((change) => change.kind === kind).map(({subject}) => subject);
  const [domains, titles] = [new Set(subjects('domain_block')), new Set(subjects('filter'))];
  const handles = (kind: 'block' | 'mute') => new Set(subjects(kind).map((subject) => accountKey(subject, host)));
  const [blocks, mutes] = [handles('block'), handles('mute')];
  return withLast(before, (last) => ({
    ...last,
    domainBlocks: last.domainBlocks.filter(({domain}) => !domains.has(domain)),
    blocks: last.blocks.filter(({account}) => !blocks.has(account)),
    mutes: last.mutes.filter(({account}) => !mutes.has(account)),
    filters: last.filters.filter(({id, was, title}) => id !== null || was !== null || !titles.has(title)),
  }));
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
  return withLast(before, (last) => ({...last, isFinished: true}));
}

/** The record once the last apply was reverted. */
export function afterUndo(before: OwnershipRecord): OwnershipRecord {
  const last = before.applies.at(-1);
  return last ? {...before, owned: last.owned, applies: before.applies.slice(0, -1)} : before;
}

/** What earlier applies of a policy made and may therefore remove again. */
export interface Owned {
  readonly domainBlocks: readonly string[];
  /** Handles, `user@host`. */
  readonly blocks: readonly string[];
  readonly mutes: readonly string[];
  readonly filters: readonly {readonly id: string; readonly title: string}[];
}

export const nothingOwned: Owned = {domainBlocks: [], blocks: [], mutes: [], filters: []};
