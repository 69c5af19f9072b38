/** Reverts the last apply: from how everything was before it, and how it is now. */
import {shownHandle} from '../operations/handles.js';
import {accountChange, type Change, domainBlockChange, type FilterChange} from './change.js';
import {canBeSent, deltaOf, filterAddition, filterRemoval, filterUpdate, isDifferent, orderedFilterChanges, wantedLike} from './filters.js';
import type {Target} from './difference.js';
import {withUnrecorded} from './ownership.js';
import {lastApply, type OwnershipRecord, type SavedApply, type StateFile} from './state-file.js';
import {
  knownHandle,
  type AccountState,
  type FilterState,
  liveFilters,
  type Part,
  type PartName,
  readPart,
  readState,
  type State,
} from './state.js';

export interface Undo {
  readonly changes: readonly Change[];
  /** What cannot be restored, and why. */
  readonly lost: readonly {readonly subject: string; readonly why: string}[];
}

const noFollows = 'follows in both directions ended when it was blocked; they are not restored';

const grounds = {reason: 'undo', because: 'as it was before the last apply'} as const;

const partsOfApply = {domain_blocks: 'domainBlocks', blocks: 'blocks', mutes: 'mutes', filters: 'filters'} as const;

/** The parts of the state that an undo needs. */
export function undoneParts(apply: SavedApply): ReadonlySet<PartName> {
  const parts = (['domain_blocks', 'blocks', 'mutes', 'filters'] as const).filter((part) => apply[partsOfApply[part]].length > 0);
  return new Set<PartName>(parts);
}

/**
 * The undo of the last apply of a policy to an account, by what the server has now.
 * @param policy as the state file names it
 * @throws Failure when a part that it needs cannot be read
 */
export async function undoFor(
  policy: string,
  file: StateFile,
  {client, server, account, now: clock}: Target,
): Promise<Undo & {readonly record: OwnershipRecord; readonly at: string}> {
  const saved = file.recordOf({server: server.origin, account, policy});
  const begun = lastApply(saved);
  const state = await readState(client, server.origin, begun ? undoneParts(begun) : new Set());
  const now = clock();
  const record = withUnrecorded(saved, state, now);
  const last = lastApply(record);
  return {...(last ? makeUndo(last, state, now) : {changes: [], lost: []}), record, at: last?.at ?? ''};
}

/** @throws Failure when a part that it needs could not be read */
export function makeUndo(apply: SavedApply, state: State, now: Date): Undo {
  const lost: {subject: string; why: string}[] = [];
  const domains = apply.domainBlocks.length > 0 ? undoneDomains(apply, needed(state.domainBlocks), lost) : [];
  const blocks = apply.blocks.length > 0 ? undoneAccounts('block', apply.blocks, needed(state.blocks), state.host) : [];
  const mutes = apply.mutes.length > 0 ? undoneAccounts('mute', apply.mutes, needed(state.mutes), state.host) : [];
  const filters = apply.filters.length > 0 ? undoneFilters(apply, liveFilters(needed(state.filters), now), now, lost) : [];
  for (const {action, subject} of blocks) if (action === 'remove') lost.push({subject, why: noFollows});
  if (apply.pushWasOn)
    lost.push({subject: 'push', why: 'the server forgot the device when push was turned off; set push up again in the app'});
  return {changes: [...domains, ...blocks, ...mutes, ...orderedFilterChanges(filters)], lost};
}

function needed<Value>(part: Part<Value> | undefined): Value {
  if (part === undefined) throw new Error('A part of the state that an undo needs was not read');
  return readPart(part);
}

/** The changes that restore a set; removals first, because they make room. */
function undoneSet<Item>(
  items: readonly Item[],
  there: ReadonlyMap<string, unknown>,
  read: (item: Item) => {readonly name: string; readonly wasThere: boolean},
): {readonly item: Item; readonly action: 'add' | 'remove'}[] {
  const changed = items.filter((item) => there.has(read(item).name) !== read(item).wasThere);
  const [back, gone] = [changed.filter((item) => read(item).wasThere), changed.filter((item) => !read(item).wasThere)];
  return [...gone.map((item) => ({item, action: 'remove' as const})), ...back.map((item) => ({item, action: 'add' as const}))];
}

function undoneDomains({domainBlocks}: SavedApply, blocked: ReadonlyMap<string, string>, lost: {subject: string; why: string}[]): Change[] {
  return undoneSet(domainBlocks, blocked, ({domain, wasBlocked}) => ({name: domain, wasThere: wasBlocked})).map(
    ({item: {domain}, action}) => {
      if (action === 'remove') {
        lost.push({
          subject: domain,
          why: noFollows,
        });
      }
      return domainBlockChange(action, {domain, stored: blocked.get(domain)}, grounds);
    },
  );
}

function undoneAccounts(
  kind: 'block' | 'mute',
  accounts: SavedApply['blocks'],
  there: ReadonlyMap<string, AccountState>,
  host: string,
): Change[] {
  return undoneSet(
    accounts.map((one) => ({...one, account: knownHandle(there, one.account, host)})),
    there,
    ({account, wasThere}) => ({name: account, wasThere}),
  ).map(({item: {account, id}, action}) =>
    accountChange(action, {kind, subject: shownHandle(account, host), id: there.get(account)?.id ?? id}, grounds),
  );
}

function undoneFilters(
  {filters}: SavedApply,
  live: readonly FilterState[],
  now: Date,
  lost: {subject: string; why: string}[],
): FilterChange[] {
  const made = new Set(filters.filter(({was}) => was === null).flatMap(({id}) => id ?? []));
  const changes: FilterChange[] = [];
  for (const {id, title, was} of filters) {
    if (was === null) {
      const current = live.find((filter) => filter.id === id);
      if (current) changes.push(filterRemoval(current, grounds));
      else if (id === null && live.some((filter) => filter.title === title))
        lost.push({subject: title, why: 'several filters have this title, and it is unknown which one the apply made; it is kept'});
      continue;
    }
    if (was.expiresAt !== null && Date.parse(was.expiresAt) <= now.getTime()) {
      lost.push({subject: title, why: 'it would have expired by now'});
      continue;
    }
    const wanted = wantedLike(was);
    // A filter that an earlier, interrupted undo recreated has another id.
    const current = live.find((filter) => filter.id === id) ?? live.find((filter) => filter.title === was.title && !made.has(filter.id));
    if (current === undefined) {
      changes.push(filterAddition(wanted, grounds));
      lost.push({subject: title, why: 'it is restored with a new id'});
      continue;
    }
    const delta = deltaOf(wanted, current, now);
    const update = filterUpdate(wanted, current, delta, grounds);
    if (isDifferent(delta) && canBeSent(update)) changes.push(update);
  }
  return changes;
}
