/** What `dm export` and `backup` share: folders and accounts, progress, results, and checks. */
import {type AccountInUse} from '../account-in-use.js';
import {basename, join} from 'node:path';
import {
  accountFolders,
  type ArchiveOwner,
  type ArchiveSource,
  type ExportProgress,
  type FolderKind,
  noProgress,
  ownerOf,
  refuseOwned,
} from '../../archive/index.js';
import {membersOf} from '../../api/schema.js';
import {asFailure, Failure} from '../../client/failure.js';
import {closeTree} from '../../files/closed-tree.js';
import type {ListView} from '../../api/view.js';
import {countNoun} from '../../json/text.js';
import {accountItem} from '../../print/print.js';
import {watchListSignals} from '../../run/index.js';
import {type Member, openAccounts} from '../account-driver.js';
import type {CommandRun, ParsedValues} from '../command.js';
import type {AccountsFlags} from '../flags.js';
import {showProgress} from '../status-line.js';
import type {Connection} from '../connection.js';
import {reportOf} from '../errors.js';
import {type Items, type Result, warnOfAnswer} from '../sink.js';
import type {Session} from '../session.js';

/** @throws Failure `not_found` where the server does not say whose token it is */
export async function archiveOwner({connection}: Member): Promise<ArchiveOwner> {
  const {server} = connection;
  const account = await connection.ownAccount();
  if (account !== undefined) return {server: server.origin, account};
  throw new Failure('not_found', `${server.host} did not return the account of this token: nothing was exported`, {
    hint: 'the folder of an archive belongs to one account, which must be known',
  });
}

export function sourceOf({client, session}: Connection, signal: AbortSignal): ArchiveSource {
  return {
    client,
    signal,
    observe: (answer) => warnOfAnswer(answer, client.host, session),
    noteMoved: (inbox, readings) =>
      session.warn(`${client.host}: the list of conversations (${inbox}) changed in each of ${readings} readings: some may be missing`),
  };
}

/** The fields of a result as it is printed. */
export const reportedFields = (result: object): string[] => Object.keys(result).map((name) => (name === 'failure' ? 'error' : name));

export function reportedJson({failure, ...facts}: {readonly failure: Failure | undefined}, inUse: AccountInUse) {
  return {...facts, error: failure === undefined ? null : reportOf(failure, inUse)};
}

/** The error of a result, for a column of notes; undefined where it has none. */
export function errorNote(row: unknown): string | undefined {
  const {error} = membersOf(row);
  return error === null || error === undefined ? undefined : `error: ${String(membersOf(error)['message'])}`;
}

/** What a run gives to the work on one account. */
export interface AccountRun {
  readonly member: Member;
  /** The folder of the account: in a run over several accounts, each has its own. */
  readonly folder: string;
  readonly progress: ExportProgress;
  /** Aborted by the first interruption. */
  readonly signal: AbortSignal;
  /** The profile that reads what the accounts of the server share. */
  readonly admin: Member | undefined;
}

interface ArchivePlace {
  readonly to: string;
  readonly kind: FolderKind;
  readonly view: ListView;
}

interface ArchiveWork extends ArchivePlace {
  /** Checks each account before any of them is worked on. @throws Failure */
  readonly check?: (connection: Connection) => Promise<void>;
  /** Yields what is printed. @returns a failure when some of the work failed */
  readonly work: (run: AccountRun) => AsyncGenerator<object, Failure | undefined, undefined>;
  /** The lines at the end of a run. @param hasFailed whether some of the work failed */
  readonly closing: (hasFailed: boolean) => readonly string[];
}

/**
 * Works on the archives of accounts side by side.
 * @throws Failure `usage` for the folder of one account in a run over several accounts
 */
export async function runOnArchives(
  {flags, session, opened}: Pick<CommandRun<ParsedValues, AccountsFlags>, 'flags' | 'opened' | 'session'>,
  {to, kind, view, check, work, closing}: ArchiveWork,
): Promise<Result> {
  const signal = opened.use(watchListSignals(session.io.system)).first;
  const accounts = opened.use(await openAccounts(flags, session, signal));
  const {members, areSeveral} = accounts;
  for (const {connection} of members) await check?.(connection);
  if (areSeveral) await refuseOwned(to, kind);
  opened.use(closeTree(to));
  const states: ExportProgress[] = [];
  async function* workOn(member: Member): Items {
    const {label} = member;
    const folder = label === undefined ? to : join(to, encodeURIComponent(label).replaceAll('%40', '@'));
    const progress = noProgress();
    states.push(progress);
    const made = work({member, folder, progress, signal, admin: accounts.adminOf(member, 'read')});
    let next = await made.next();
    for (; next.done !== true; next = await made.next()) yield [next.value];
    return {failure: next.value};
  }
  const interruption = () => (signal.aborted ? asFailure(signal.reason) : undefined);
  const items = accounts.items(workOn, {interruption});
  const readProgress = () => {
    const sum = (name: keyof ExportProgress) => states.reduce((all, state) => all + (state[name] ?? Number.NaN), 0);
    const [total, files] = [states.length < members.length ? Number.NaN : sum('total'), sum('files')];
    return {
      done: sum('done'),
      failed: sum('failed'),
      total: Number.isNaN(total) ? undefined : total,
      pausedFor: members.map(({connection}) => connection.client.pace.pausedFor).findLast((pause) => pause !== undefined),
      more: [countNoun(sum('messages'), 'message'), ...(files > 0 ? [countNoun(files, 'file')] : [])],
    };
  };
  async function* showItems(): Items {
    using _progress = showProgress(session, readProgress);
    const {failure} = (yield* items) ?? {};
    // The closing lines say if there is nothing, so no other line has to.
    return {failure, isWhole: false, notes: closing(failure !== undefined)};
  }
  const doneText = () => `${countNoun(readProgress().done, 'conversation')} done`;
  const finishing = {isRead: false, failsFast: false, hasJournal: false, doneText, stop: () => {}};
  return {items: showItems(), view, areOfAccounts: areSeveral, finishing};
}

/**
 * Checks a folder, or those of several accounts in it, without a server.
 * @param verify checks the folder of one account
 */
export async function verifyFolders(
  {to, kind, view}: ArchivePlace,
  verify: (folder: string) => AsyncIterable<{readonly failure: Failure | undefined}>,
  session: Session,
): Promise<Result> {
  const folders = await accountFolders(to, kind);
  const areOfAccounts = folders[0] !== to;
  const items: object[] = [];
  const failures: Failure[] = [];
  for (const folder of folders) {
    using _tree = closeTree(folder);
    await ownerOf(folder, kind).catch((error: unknown) => failures.push(asFailure(error)));
    for await (const result of verify(folder)) {
      const item = reportedJson(result, session.inUse);
      items.push(areOfAccounts ? accountItem(decodeURIComponent(basename(folder)), item) : item);
      if (result.failure !== undefined) failures.push(result.failure);
    }
  }
  const [first, ...others] = failures;
  const failure = others.length === 0 ? first : first?.saying(`; ${others.length} more ${others.length === 1 ? 'is' : 'are'} damaged`);
  return {
    document: items,
    at: [],
    view,
    areOfAccounts,
    failure,
    notes: first === undefined ? [`Nothing is damaged: ${countNoun(items.length, 'folder')}.`] : [],
  };
}
