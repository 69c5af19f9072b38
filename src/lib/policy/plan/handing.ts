/** Hands what is owned to a policy, or to the policy or the account that replaces another one. */
import {madeItems, movedTo, notIn, ownedItems, ownedOnOther, wantedAndThere, withAdopted, withOnly} from '../state-file/owned.js';
import {nameOfOwner} from '../state-file/ownership.js';
import {aboutIn, type Records} from '../state-file/records.js';
import type {Owner, OwnershipRecord, StateFile} from '../state-file/state-file.js';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import type {Wanted} from '../lists/wanted.js';
import type {Target} from '../model/difference.js';
import type {MadeItem, OwnedItem} from '../model/items.js';
import {neededParts} from './plan.js';
import {wantedFor} from '../reading/read-wanted.js';
import {readWhole} from '../sections/read-state.js';

/** What the policy wants and the account has. @throws Failure for what cannot be read */
export async function adoptable(policy: Wanted, target: Target): Promise<readonly MadeItem[]> {
  const {advice, client, now, own, server} = target;
  const wanted = wantedFor(policy, target);
  const state = await readWhole(client, server.origin, [...neededParts(wanted.policy)], own);
  return wantedAndThere(wanted, state, {now: now(), advice});
}

/** A record that items are added to: those that it does not have yet. */
interface Adoption {
  readonly file: StateFile;
  /** With the items. */
  readonly record: OwnershipRecord;
  readonly items: readonly MadeItem[];
}

export function adoptedIn({all}: Records, chosen: readonly MadeItem[]): Adoption[] {
  return all.map(({file, record}) => {
    const items = notIn(aboutIn(record, chosen), madeItems(record));
    return {file, record: withAdopted(record, items), items};
  });
}

/** A record as it will be, and what stays behind. */
export interface Move {
  readonly record: OwnershipRecord;
  readonly left: readonly OwnedItem[];
  /** The old record with what stays; undefined when all of it moves. */
  readonly rest?: OwnershipRecord | undefined;
}

/** A record that another policy takes over. */
export function movedToPolicy(record: OwnershipRecord, policy: string): Move {
  const {server, account} = record;
  return {record: movedTo(record, {server, account, policy}), left: []};
}

/**
 * A record that another account takes over, as far as that account has what is in it.
 * @throws Failure `not_found` where it has nothing of it
 */
export async function movedToAccount(record: OwnershipRecord, owner: Owner, client: Client, now: Date): Promise<Move> {
  const moved = movedTo(record, owner);
  if (isSame(moved, {...record, policy: owner.policy})) return {record: moved, left: []};
  const needed = neededParts({file: owner.policy}, moved.owned);
  const there = ownedOnOther(moved, await readWhole(client, owner.server, needed), now);
  if (ownedItems(there.record).length === 0)
    throw new Failure('not_found', `${nameOfOwner(moved)} has nothing of what ${nameOfOwner(record)} has: nothing was moved`, {
      hint: 'apply the policy to the new account instead',
    });
  // Applies to the old account can be reverted there only.
  const isLeft = there.left.length > 0 || record.applies.length > 0;
  return {...there, rest: isLeft ? withOnly(record, there.left) : undefined};
}

const isSame = (one: Owner, other: Owner): boolean =>
  one.server === other.server && one.account === other.account && one.policy === other.policy;

/** @throws Failure `usage` when it is there already, `refused` when the new place has a record of its own */
export function refuseMove({record: moved}: Move, before: OwnershipRecord, from: StateFile, to: StateFile): void {
  if (to === from && isSame(moved, before)) throw new Failure('usage', 'It is already there: nothing was moved');
  const there = to.recordOf(moved);
  const isEmpty = there.applies.length === 0 && ownedItems(there).length === 0;
  if (isEmpty || JSON.stringify(there) === JSON.stringify(moved)) return;
  throw new Failure('refused', `${to.path} has a record of ${there.policy} for ${nameOfOwner(there)} already: nothing was moved`, {
    hint: 'name another file with --to-state',
  });
}
