/** What `state move` does: gives the record of a policy to the policy, or the account, that replaces it. */
import {itemsView, printItems, recordsFor, type RecordFlags} from './state.js';
import {
  type Move,
  movedToAccount,
  movedToPolicy,
  nameInState,
  nameOfOwner,
  ownedItems,
  type OwnershipRecord,
  refuseMove,
  shownSubject,
  stateFileFor,
  StateFiles,
} from '../../policy/index.js';
import {warnOfAccounts} from './remarks.js';
import {accountOf, connect, sessionAs} from '../connection.js';
import {printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import {counted} from '../../json/text.js';

type MoveFlags = RecordFlags & {
  readonly 'dry-run': boolean;
  readonly 'to-policy'?: string | undefined;
  readonly 'to-profile'?: string | undefined;
  readonly 'to-state'?: string | undefined;
};

/** @throws Failure `usage` when nothing would move, `refused` when the new place has a record of its own, `local` for a file that cannot be used */
export async function moveState(policy: string, flags: MoveFlags, session: Session): Promise<void> {
  const {'to-policy': toPolicy = policy, 'to-profile': toProfile} = flags;
  if (flags['to-policy'] === undefined && toProfile === undefined)
    throw new Failure('usage', 'Nothing to move to', {hint: 'name a policy with --to-policy, or a profile with --to-profile'});
  await printingOfOwn(itemsView, session);
  const [first, ...shared] = await recordsFor({...flags, policy}, session);
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
    const name = nameInState(toPolicy, to);
    const move = toProfile === undefined ? movedToPolicy(record, name) : await movedToProfile(toProfile, record, name, session);
    refuseMove(move, record, source, target);
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

async function movedToProfile(profile: string, record: OwnershipRecord, policy: string, session: Session): Promise<Move> {
  await using connection = await connect(sessionAs(profile, session));
  const {client, server} = connection;
  const account = await accountOf(connection);
  if (account === undefined) throw new Failure('bad_answer', `${server.host} does not name the account of ${profile}`);
  return await movedToAccount(record, {server: server.origin, account, policy}, client, session.io.now());
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
