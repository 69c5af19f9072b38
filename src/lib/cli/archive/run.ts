/** What the commands about archives share: which folder, which account, progress, and results as they come. */
import {type AccountInUse} from '../account-in-use.js';
import {join} from 'node:path';
import {type ArchiveOwner, type ArchiveSource, type ExportProgress, type FolderKind, noProgress, refuseOwned} from '../../archive/index.js';
import {membersOf} from '../../api/schema.js';
import {asFailure, Failure} from '../../client/failure.js';
import {maxReadings} from '../../client/reading-again.js';
import {closeTree} from '../../files/closed-tree.js';
import type {ListView} from '../../api/view.js';
import {countNoun} from '../../json/text.js';
import {watchListSignals} from '../../run/index.js';
import {type Member, openAccounts} from '../accounts.js';
import type {Opened} from '../command.js';
import type {AccountsFlags} from '../flags.js';
import {showProgress} from '../status-line.js';
import type {Connection} from '../connection.js';
import {reportOf} from '../errors.js';
import {answerWarnings, type Items, type Result} from '../sink.js';
import type {Session} from '../session.js';

/** Whose archive it is. @throws Failure where the server does not say whose token it is */
export async function archiveOwner({connection}: Member): Promise<ArchiveOwner> {
  const {server} = connection;
  const account = await connection.ownAccount();
  if (account !== undefined) return {server: server.origin, account};
  throw new Failure('not_found', `${server.host} did not return the account of this token: nothing was exported`, {
    hint: 'the folder of an archive belongs to one account, which must be known',
  });
}

/** What an archive reads from. It has time: it waits as long as the server asks, unless --max-wait says otherwise. */
export function sourceOf(connection: Connection, signal: AbortSignal): ArchiveSource & AsyncDisposable {
  const {session} = connection;
  const client = connection.newClient({signal, maxWait: session.maxWait ?? Number.POSITIVE_INFINITY});
  const warn = answerWarnings(session);
  return {
    client,
    signal,
    observe: (answer) => warn(answer, client.host),
    noteMoved: (inbox) =>
      session.warn(`${client.host}: the list of conversations (${inbox}) changed in each of ${maxReadings} readings: some may be missing`),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** What became of a part of the work, as the commands print it. */
export type Reported<Result> = Omit<Result, 'failure'> & {readonly error: object | null};

/** @returns it as JSON */
export function reportedJson({failure, ...facts}: {readonly failure: Failure | undefined}, inUse: AccountInUse) {
  return {...facts, error: failure === undefined ? null : reportOf(failure, inUse)};
}

/** The error of a result, for a column of notes; undefined where it has none. */
export function errorNote(row: unknown): string | undefined {
  const {error} = membersOf(row);
  return error === null || error === undefined ? undefined : `error: ${String(membersOf(error)['message'])}`;
}

/** What an account's part of the run is given. */
export interface AccountRun {
  readonly member: Member;
  /** The folder of the account: several have one each. */
  readonly folder: string;
  readonly progress: ExportProgress;
  /** The first interruption. */
  readonly signal: AbortSignal;
  /** Prints a result. */
  readonly print: (item: object) => Promise<void>;
  /** The profile that reads what the accounts of the server share. */
  readonly admin: Member | undefined;
}

/** What the commands about archives are run with. */
export interface Around {
  readonly flags: AccountsFlags;
  readonly session: Session;
  readonly opened: Opened;
}

interface ArchiveRun extends Around {
  /** Where it is, and what. */
  readonly to: string;
  readonly kind: FolderKind;
  readonly view: ListView;
  /** Checks each account before any of them is worked on. @throws Failure */
  readonly check?: (connection: Connection) => Promise<void>;
  /** @returns how it failed, when some of it did */
  readonly work: (run: AccountRun) => Promise<Failure | undefined>;
  /** What there is to say in the end. */
  readonly closing: () => readonly string[];
}

/**
 * Works on the archives of accounts side by side.
 * @throws Failure `usage` for a folder of one account where there are several
 */
export async function runOnArchives({flags, session, opened, to, kind, view, check, work, closing}: ArchiveRun): Promise<Result> {
  const accounts = opened.use(await openAccounts(flags, session));
  const {members, areSeveral} = accounts;
  for (const {connection} of members) await check?.(connection);
  if (areSeveral) await refuseOwned(to, kind);
  opened.use(closeTree(to));
  const signal = opened.use(watchListSignals(session.io.system)).first;
  const states = new Map(members.map((member) => [member, noProgress()]));
  const items = accounts.items(
    async (member, handOn) => {
      const {label} = member;
      const failure = await work({
        member,
        folder: label === undefined ? to : join(to, encodeURIComponent(label).replaceAll('%40', '@')),
        progress: states.get(member) ?? noProgress(),
        signal,
        print: (item) => handOn([item]),
        admin: accounts.adminOf(member, 'read'),
      });
      return {failure};
    },
    {finishes: true, interruption: () => (signal.aborted ? asFailure(signal.reason) : undefined)},
  );
  async function* showItems(): Items {
    const beginProgress = await showProgress(session);
    using _progress = beginProgress(() => progressOf([...states.values()], members));
    const {failure} = (yield* items) ?? {};
    // The closing lines say what there is.
    return {failure, isWhole: false, notes: closing()};
  }
  const countDone = () =>
    countNoun(
      [...states.values()].reduce((sum, state) => sum + state.done, 0),
      'conversation',
    );
  return {
    items: showItems(),
    view,
    areOfAccounts: areSeveral,
    finishing: {isRead: false, failsFast: false, hasJournal: false, done: () => `${countDone()} done`, stop: () => {}},
  };
}

function progressOf(states: readonly ExportProgress[], members: readonly Member[]) {
  const sum = (part: (state: ExportProgress) => number) => states.reduce((all, state) => all + part(state), 0);
  const paces = members.map(({connection}) => connection.client.pace);
  const [messages, files] = [sum((state) => state.messages), sum((state) => state.files)];
  const totals = states.map(({total}) => total);
  return {
    done: sum(({done, part}) => done + part),
    failed: sum(({failed}) => failed),
    resumed: 0,
    total: totals.every((total) => total !== undefined) ? totals.reduce((all, total) => all + total, 0) : undefined,
    pausedFor: paces.findLast(({pausedFor}) => pausedFor !== undefined)?.pausedFor,
    limit: undefined,
    more: [countNoun(messages, 'message'), ...(files > 0 ? [countNoun(files, 'file')] : [])],
  };
}
