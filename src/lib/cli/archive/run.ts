/** What the commands about archives share: which folder, which account, progress, and results as they come. */
import {hintFor} from '../errors.js';
import {type AccountInUse} from '../account-in-use.js';
import {join} from 'node:path';
import {type ArchiveOwner, type ArchiveSource, type ExportProgress, type FolderKind, noProgress, refuseOwned} from '../../archive/index.js';
import {membersOf} from '../../api/schema.js';
import {type AccountFailure, asFailure, Failure} from '../../client/failure.js';
import {maxReadings} from '../../client/reading-again.js';
import {closeTree} from '../../files/closed-tree.js';
import type {ListView} from '../../api/view.js';
import {counted} from '../../json/text.js';
import {accountItem, openList, type ItemWriter} from '../../print/print.js';
import {watchListSignals} from '../../run/index.js';
import {failureAs, type Accounts, type Member} from '../accounts.js';
import {showProgress} from '../status-line.js';
import type {Connection} from '../connection.js';
import {reportOf} from '../errors.js';
import {answerWarnings, writePrinted, type Printing} from '../sink.js';
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

export interface Around {
  readonly accounts: Accounts;
  readonly session: Session;
  readonly printing: Printing;
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

/** Several accounts have a folder each. */
export function folderOf(to: string, member: Member, {areNamed}: Accounts): string {
  return areNamed ? join(to, encodeURIComponent(member.account).replaceAll('%40', '@')) : to;
}

/** Results of accounts that work side by side, printed in the order of the accounts, each as soon as those before it are. */
class ResultsInOrder {
  readonly #lines: {readonly waiting: object[]; isOver: boolean}[];
  readonly #print: (items: readonly object[]) => Promise<void>;
  #printing: Promise<void> = Promise.resolve();

  constructor(accounts: number, print: (items: readonly object[]) => Promise<void>) {
    this.#lines = Array.from({length: accounts}, () => ({waiting: [], isOver: false}));
    this.#print = print;
  }

  add(index: number, item: object): Promise<void> {
    this.#lines[index]?.waiting.push(item);
    return this.#flush();
  }

  over(index: number): Promise<void> {
    const line = this.#lines[index];
    if (line !== undefined) line.isOver = true;
    return this.#flush();
  }

  #flush(): Promise<void> {
    for (const {waiting, isOver} of this.#lines) {
      const items = waiting.splice(0);
      if (items.length > 0) this.#printing = this.#printing.then(() => this.#print(items));
      if (!isOver) break;
    }
    return this.#printing;
  }
}

/** What an account's part of the run is given. */
export interface AccountRun {
  readonly member: Member;
  /** The folder of the account. */
  readonly folder: string;
  readonly progress: ExportProgress;
  /** The first interruption. */
  readonly signal: AbortSignal;
  /** Prints a result. */
  readonly print: (item: object) => Promise<void>;
}

interface ArchiveRun extends Around {
  /** Where it is, and what. */
  readonly to: string;
  readonly kind: FolderKind;
  readonly view: ListView;
  /** @returns how it failed, when some of it did */
  readonly work: (run: AccountRun) => Promise<Failure | undefined>;
  /** What there is to say in the end. */
  readonly closing: () => readonly string[];
}

/**
 * Works on the archives of accounts side by side, and prints what comes.
 * @throws Failure `usage` for a folder of one account where there are several; that of the only account; `partial` when some of several failed; that of a signal
 */
export async function runOnArchives({accounts, session, printing, to, kind, view, work, closing}: ArchiveRun): Promise<void> {
  const {members, areNamed} = accounts;
  if (areNamed) await refuseOwned(to, kind);
  using _tree = closeTree(to);
  const {io} = session;
  using signals = watchListSignals(io.system);
  const signal = signals.first;
  const states = members.map(noProgress);
  const writer: ItemWriter = await openList({...printing, view, areOfAccounts: areNamed});
  const beginProgress = await showProgress(session);
  let failures: readonly (Failure | undefined)[];
  let hasPrinted = false;
  {
    using _progress = beginProgress(() => progressOf(states, members));
    const results = new ResultsInOrder(members.length, async (items) => {
      hasPrinted = true;
      await io.write(writer.items(items), writer.nature);
    });
    failures = await accounts.each(async (member) => {
      const index = members.indexOf(member);
      const named = (item: object) => (areNamed ? accountItem(member.account, item) : item);
      const state = states[index];
      try {
        return (
          state &&
          (await work({
            member,
            folder: folderOf(to, member, accounts),
            progress: state,
            signal,
            print: (item) => results.add(index, named(item)),
          }))
        );
      } catch (error) {
        return asFailure(error);
      } finally {
        await results.over(index);
      }
    });
    // Those that could not be worked on have nothing to wait for either.
    for (const index of members.keys()) await results.over(index);
  }
  const [first] = failures;
  const [member] = members;
  // What failed before there was a result is how the run failed.
  if (!hasPrinted && !areNamed && first !== undefined && member !== undefined && first.code !== 'partial' && first.code !== 'drift')
    throw first;
  const {stderr: _, ...ending} = writer.end();
  await writePrinted({...ending, nature: writer.nature}, session);
  for (const line of closing()) session.note(line);
  if (signal.aborted) throw asFailure(signal.reason);
  const failed = members.flatMap((member, index): AccountFailure[] => {
    const failure = failures[index];
    return failure === undefined ? [] : [{account: member.account, failure: areNamed ? failureAs(member, failure) : failure}];
  });
  const failure = differencesIn(failed, accounts) ?? accounts.failureOf(failed);
  if (failure !== undefined) throw failure;
}

/** Differences are a result, unless something failed as well. */
function differencesIn(failed: readonly AccountFailure[], {areNamed, inUse}: Accounts): Failure | undefined {
  if (!areNamed || failed.length === 0 || failed.some(({failure}) => failure.code !== 'drift')) return undefined;
  const hints = new Set(failed.flatMap(({failure}) => hintFor(failure, inUse) ?? []));
  const message = failed.map(({account, failure}) => `${account}: ${failure.message}`).join('; ');
  return new Failure('drift', message, {hint: hints.size === 0 ? undefined : [...hints].join('; ')});
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
    more: [counted(messages, 'message'), ...(files > 0 ? [counted(files, 'file')] : [])],
  };
}
