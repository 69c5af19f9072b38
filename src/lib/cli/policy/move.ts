/** What `state move` does: gives the record of a policy to the policy, or the account, that replaces it. */
import {itemsView, printItems, recordsFor, type RecordFlags} from './state.js';
import {StateFiles} from './state-files.js';
import {warnOfAccounts} from './remarks.js';
import {accountOf, connect, sessionAs} from '../connection.js';
import {printingOfOwn} from '../printing.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {counted} from '../../json/text.js';
import type {OwnedItem} from '../../policy/model/items.js';
import {neededParts} from '../../policy/plan/plan.js';
import {shownSubject} from '../../policy/sections/index.js';
import {readWhole} from '../../policy/sections/read-state.js';
import {movedTo, ownedItems, ownedOnOther, withOnly} from '../../policy/state-file/owned.js';
import {nameOfOwner} from '../../policy/state-file/ownership.js';
import {nameInState, stateFileFor} from '../../policy/state-file/paths.js';
import type {Owner, OwnershipRecord} from '../../policy/state-file/state-file.js';

/** A record as it will be, and what stays behind. */
interface Move {
  readonly record: OwnershipRecord;
  readonly left: readonly OwnedItem[];
  /** The old record with what stays; undefined when all of it moves. */
  readonly rest?: OwnershipRecord | undefined;
}

type MoveFlags = RecordFlags & {
  readonly 'dry-run': boolean;
  readonly policy: string;
  readonly 'to-policy'?: string | undefined;
  readonly 'to-profile'?: string | undefined;
  readonly 'to-state'?: string | undefined;
};

/** @throws Failure `usage` when nothing would move, `refused` when the new place has a record of its own, `local` for a file that cannot be used */
export async function moveState(flags: MoveFlags, session: Session): Promise<void> {
  const {'to-policy': toPolicy = flags.policy, 'to-profile': toProfile} = flags;
  if (flags['to-policy'] === undefined && toProfile === undefined)
    throw new Failure('usage', 'Nothing to move to', {hint: 'name a policy with --to-policy, or a profile with --to-profile'});
  await printingOfOwn(itemsView, session);
  const [first, ...shared] = await recordsFor(flags, session);
  if (toProfile !== undefined && first.record.account === undefined)
    throw new Failure('usage', `All accounts of ${nameOfOwner(first.record)} share what this record has: it stays with the server`);
  using files = new StateFiles(flags['dry-run']);
  const isDryRun = flags['dry-run'];
  const moves = [];
  // What the accounts of a server share stays there, whichever of them goes on.
  for (const {path, record: named} of toProfile === undefined ? [first, ...shared] : [first]) {
    const to = flags['to-state'] ?? (flags['to-policy'] === undefined ? path : stateFileFor(toPolicy, undefined));
    const [source, target] = [await files.open(path), await files.open(to)];
    const record = source.recordOf(named);
    const owner = {server: record.server, account: record.account, policy: nameInState(toPolicy, to)};
    const move: Move =
      toProfile === undefined ? {record: movedTo(record, owner), left: []} : await moveToProfile(toProfile, record, owner, session);
    if (to === path && isSame(move.record, record)) throw new Failure('usage', 'It is there already: nothing was moved');
    refuseOther(target.recordOf(move.record), move.record, to);
    moves.push({move, record, source, target});
  }
  for (const {move, record, source, target} of isDryRun ? [] : moves) {
    // Killed between the two, both files have it: the next run removes it from the old one.
    await target.write(move.record);
    if (move.rest === undefined) await source.remove(record);
    else await source.write(move.rest);
  }
  await show(
    moves.map(({move, record, target: {path}}) => ({...move, before: record, path})),
    isDryRun,
    session,
  );
}

const isSame = (one: Owner, other: Owner): boolean =>
  one.server === other.server && one.account === other.account && one.policy === other.policy;

async function moveToProfile(profile: string, record: OwnershipRecord, {policy}: Owner, session: Session): Promise<Move> {
  await using connection = await connect(sessionAs(profile, session));
  const account = await accountOf(connection);
  if (account === undefined) throw new Failure('bad_answer', `${connection.server.host} does not name the account of ${profile}`);
  const {origin} = connection.server;
  const moved = movedTo(record, {server: origin, account, policy});
  if (isSame(moved, {...record, policy})) return {record: moved, left: []};
  const needed = neededParts({file: policy}, moved.owned);
  const there = ownedOnOther(moved, await readWhole(connection.client, origin, needed), session.io.now());
  if (ownedItems(there.record).length === 0)
    throw new Failure('not_found', `${nameOfOwner(moved)} has nothing of what ${nameOfOwner(record)} has: nothing was moved`, {
      hint: 'apply the policy to the new account instead',
    });
  // Applies to the old account can be reverted there only.
  const isLeft = there.left.length > 0 || record.applies.length > 0;
  return {...there, rest: isLeft ? withOnly(record, there.left) : undefined};
}

/** @throws Failure `refused` when the new place has a record of its own */
function refuseOther(there: OwnershipRecord, moved: OwnershipRecord, path: string): void {
  const isEmpty = there.applies.length === 0 && ownedItems(there).length === 0;
  if (isEmpty || JSON.stringify(there) === JSON.stringify(moved)) return;
  throw new Failure('refused', `${path} has a record of ${there.policy} for ${nameOfOwner(there)} already: nothing was moved`, {
    hint: 'name another file with --to-state',
  });
}

async function show(
  moves: readonly (Move & {readonly before: OwnershipRecord; readonly path: string})[],
  isDryRun: boolean,
  session: Session,
): Promise<void> {
  await printItems(
    moves.flatMap(({path, record}) => ownedItems(record).map((item) => ({item, found: {path, record}}))),
    session,
  );
  for (const {record, left, before, path} of moves) {
    const why = `left with ${nameOfOwner(before)}, because ${nameOfOwner(record)} has nothing like it`;
    warnOfAccounts([{account: '', remarks: left.map((item) => ({subject: shownSubject(item), why}))}], session);
    const count = counted(ownedItems(record).length, 'item');
    const where = `to ${record.policy} of ${nameOfOwner(record)} in ${path}`;
    session.note(isDryRun ? `Nothing was written: ${count} to move ${where}.` : `Moved ${count} ${where}.`);
  }
}
