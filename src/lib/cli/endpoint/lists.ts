/** Prints the list of each account: one page, or all pages as they arrive. */
import {completeCommand} from '../account-in-use.js';
import {commandText} from '../../files/command-text.js';
import {pageParameters} from '../../api/page-parameters.js';
import {setImmediate, setTimeout as sleep} from 'node:timers/promises';
import {asFailure, Failure, type AccountFailure} from '../../client/failure.js';
import {PageFailure, unlessAborted} from '../../client/paging.js';
import {accountItem, openList, type ItemWriter} from '../../print/print.js';
import {watchListSignals, type Progress} from '../../run/index.js';
import {failureAs, type Accounts} from '../accounts.js';
import type {Typed} from '../command.js';
import type {Connection} from '../connection.js';
import {counted} from '../../json/text.js';
import type {Io} from '../io.js';
import {OpenList, firstPageOf, interruptedPage, nullsNote, type Following, type ItemsPage, type ListSource} from './pages.js';
import {answerWarnings, printAnswer, printingWithNames, writePrinted, type ListPrinting} from '../printing.js';
import type {Session} from '../session.js';

export interface ListRun extends ListPrinting, ListSource {
  /** The command, to suggest it with `--all`. */
  readonly words: readonly string[];
  readonly typed: Typed;
}

/** Flags that every suggestion adds where they are needed. */
const accountNames = new Set(['all-profiles', 'allow-http', 'cacert', 'profile', 'server']);

/** Suggests the same command with `--all`. */
function everything({words, typed: {args, flags}}: ListRun, {inUse}: Accounts): string {
  const given: Record<string, boolean | number | string | string[]> = {};
  for (const [name, value] of Object.entries(flags)) {
    if (accountNames.has(name) || name === pageParameters.size) continue;
    if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') given[name] = value;
    else if (Array.isArray(value)) given[name] = value.map(String);
  }
  const typed = Object.values(args).flatMap((value) => (value === undefined ? [] : String(value)));
  return `To list all: ${completeCommand(commandText(words.join(' '), {args: typed, flags: {...given, all: true}}), inUse)}`;
}

/**
 * Prints the list of each account. If one fails, the others are still printed.
 * @throws Failure `partial` when some accounts failed; that of the only account, with the cursor to resume from; that of a signal;
 * `usage` for what is of one account
 */
export async function printLists(accounts: Accounts, run: ListRun, session: Session, followed?: Following): Promise<void> {
  const {alone} = accounts;
  if (followed !== undefined) {
    if (alone === undefined)
      throw new Failure(
        'usage',
        `--${followed.isOnce ? 'since-file' : 'follow'} is for one account: it cannot be used with several profiles`,
      );
    const {printFollowed} = await import('./follow.js');
    return printFollowed(await run.requestOf(alone.connection), {...run, connection: alone.connection}, followed);
  }
  if (alone === undefined && run.paging?.from !== undefined)
    throw new Failure('usage', '--resume-from is the cursor of one account: it cannot be used with several profiles');
  if (alone === undefined || run.paging !== undefined) return printItems(accounts, run, session);
  const notes = await printPage(alone.connection, run, session);
  if (notes !== undefined && !session.io.isReaderGone) session.tellUnlessQuiet(`${notes} ${everything(run, accounts)}`);
}

/** Not for programs, which expect nothing on standard error. */
function tellOfOmissions(notes: readonly string[], session: Session): void {
  if (session.traits.isForPrograms || session.io.isReaderGone) return;
  for (const note of notes) session.tellUnlessQuiet(note);
}

/** One page of one account is the document that the server sent. @returns what there is to say of the list */
async function printPage(connection: Connection, run: ListRun, session: Session): Promise<string | undefined> {
  const {view, paging, rows = []} = run.endpoint;
  const {answer, count, more, nulls, note} = await firstPageOf(connection.client, connection, run);
  // An empty page that may not be the last one is not reported as an empty list.
  const printing = count === 0 ? run.printing : await printingWithNames(run, connection);
  await printAnswer(answer, rows, {connection, view, printing, isWhole: more === 'no', passesNulls: paging?.nulls !== undefined});
  run.printed?.(answer);
  tellOfOmissions([nullsNote(nulls, run.endpoint) ?? []].flat(), session);
  return note;
}

/** The pages of a list, one after the other; it ends with how it failed. */
type Pages = Pick<AsyncGenerator<ItemsPage, Failure | undefined, undefined>, 'next'>;

/** Pages that are requested before they can be printed, because those of an earlier account come first. */
const maxAhead = 8;

/** Requests pages ahead of what is asked for. */
class Ahead implements Pages {
  readonly #pages: Pages;
  #coming: readonly ReturnType<Pages['next']>[];

  constructor(pages: Pages) {
    this.#pages = pages;
    this.#coming = Array.from({length: maxAhead}, () => pages.next());
  }

  next() {
    const [next, ...coming] = [...this.#coming, this.#pages.next()];
    this.#coming = coming;
    return next;
  }
}

/** Milliseconds in which a reader such as `head` is usually gone. */
const readersMoment = 20;

/** After this many pages the reader is expected to read on. */
const firstPages = 2;

/** Prints pages, and fetches the next one meanwhile, unless the reader is gone. */
class PagePrinter {
  readonly #io: Io;
  #count = 0;

  constructor(io: Io) {
    this.#io = io;
  }

  /**
   * @param open called when there is something to print; it gives what prints a page
   * @returns how the list failed; undefined as well when the reader is gone
   */
  async print(pages: Pages, open: () => Promise<(page: ItemsPage) => Promise<void>>): Promise<Failure | undefined> {
    const io = this.#io;
    let turn = await pages.next();
    if (turn.done === true) return turn.value;
    const print = await open();
    while (turn.done !== true) {
      this.#count += 1;
      const begun = performance.now();
      const printing = this.#count <= firstPages ? print(turn.value) : undefined;
      // With an empty buffer the write shows at once whether the reader is gone. Then no further page is fetched.
      if (io.system.stdout.writableLength === 0) await printing;
      if (io.isReaderGone) return undefined;
      const coming = pages.next();
      // Lets the request go out first.
      if (printing === undefined) await setImmediate();
      await (printing ?? print(turn.value));
      if (io.isReaderGone) return undefined;
      turn = await coming;
      // A fast server could send several pages before a reader such as `head` is gone.
      if (this.#count === 1 && turn.done !== true) await sleep(Math.max(0, begun + readersMoment - performance.now()));
    }
    return turn.value;
  }
}

/** The lists of accounts, in their order. While one is printed, the next ones are fetched. */
class AccountLists implements AsyncDisposable {
  readonly #accounts: Accounts;
  readonly #source: ListSource;
  readonly #signal: AbortSignal;
  readonly #begun: {readonly list: OpenList; readonly pages: Pages}[] = [];

  constructor(accounts: Accounts, source: ListSource, signal: AbortSignal) {
    this.#accounts = accounts;
    this.#source = source;
    this.#signal = signal;
  }

  *[Symbol.iterator]() {
    const {members, concurrency} = this.#accounts;
    for (const index of members.keys()) {
      for (const member of members.slice(this.#begun.length, index + concurrency)) {
        const list = new OpenList(member, this.#source, this.#signal);
        const isNext = this.#begun.length === index;
        this.#begun.push({list, pages: isNext ? list.pages() : new Ahead(list.pages())});
      }
      const begun = this.#begun[index];
      if (begun !== undefined) yield begun;
    }
  }

  get isWhole(): boolean {
    return !this.#begun.some(({list}) => list.hasMore);
  }

  /** What there is to say of them. */
  get notes(): string[] {
    const {areNamed} = this.#accounts;
    return this.#begun.flatMap(({list: {note, member}}) => (note === undefined ? [] : areNamed ? `${member.account}: ${note}` : note));
  }

  /** What there is to say of what was left out. */
  get omissions(): string[] {
    const {areNamed} = this.#accounts;
    return this.#begun.flatMap(({list: {omissions, member}}) => omissions.map((text) => (areNamed ? `${member.account}: ${text}` : text)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#begun.map(({list}) => list[Symbol.asyncDispose]()));
  }
}

/** Pages after which a list is long, so that people are told how far it is. */
const longList = 10;

/** Tells how much of a long list is printed. */
class ListProgress implements Disposable {
  readonly #session: Session;
  #line: Progress | undefined;
  #pages = 0;
  #items = 0;
  #isOver = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Counts a page that is about to be printed, and makes room for it. At once: whoever prints looks at what waits to be written. */
  add(items: number): void {
    this.#pages += 1;
    this.#items += items;
    // In a file or a pipe there is nothing to make room for.
    if (items > 0 && this.#session.out.isTerminal) this.#line?.hide();
    if (this.#pages === longList) void this.#begin();
  }

  async #begin(): Promise<void> {
    const {progressOn} = await import('../bulk-run.js');
    const shown = await progressOn(this.#session);
    if (this.#isOver) return;
    this.#line = shown(() => ({
      done: this.#items,
      failed: 0,
      resumed: 0,
      total: undefined,
      pausedFor: undefined,
      limit: undefined,
      more: [counted(this.#pages, 'page')],
    }));
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#line?.[Symbol.dispose]();
  }
}

/** Prints the items of accounts page by page. When a page fails, the document is completed. */
async function printItems(accounts: Accounts, run: ListRun, session: Session): Promise<void> {
  const {alone, areNamed} = accounts;
  const {io} = session;
  using signals = watchListSignals(io.system);
  const signal = signals.first;
  await using lists = new AccountLists(accounts, run, signal);
  let opening: Promise<ItemWriter> | undefined;
  const opened = async () => {
    const printing = alone === undefined ? run.printing : await unlessAborted(printingWithNames(run, alone.connection), signal);
    return openList({...printing, view: run.endpoint.view, areOfAccounts: areNamed});
  };
  const warn = answerWarnings(session);
  const printer = new PagePrinter(io);
  using progress = new ListProgress(session);
  const failed: AccountFailure[] = [];
  let failure: Failure | undefined;
  for (const {list, pages} of lists) {
    const {member} = list;
    const {account, connection} = member;
    const error = await printer.print(pages, async () => {
      const writer = await (opening ??= opened());
      return async (page) => {
        const {answer, items: texts} = page;
        warn(answer, connection.server.host);
        const items = areNamed ? texts.map((item) => accountItem(account, item)) : texts;
        list.wasPrinted(page);
        progress.add(items.length);
        await io.write(writer.items(items), writer.nature);
        run.printed?.(answer);
      };
    });
    if (io.isReaderGone) return;
    if (error === undefined) continue;
    // Nothing is printed of the only list when its first page fails.
    if (!areNamed && !(error instanceof PageFailure)) throw error;
    if (areNamed && signal.aborted) {
      failure = asFailure(signal.reason);
      break;
    }
    const profile = areNamed ? connection.identity.profile?.name : undefined;
    failed.push({account, failure: failureAs(member, interruptedPage(error, connection.inUse, profile))});
  }
  failure ??= accounts.failureOf(failed);
  progress[Symbol.dispose]();
  const writer = await (opening ??= opened());
  const {stdout, notShown, warning, stderr, ...filter} = writer.end();
  await writePrinted(
    {
      stdout,
      nature: writer.nature,
      ...(notShown && {notShown}),
      ...(warning !== undefined && {warning}),
      ...(failure === undefined && filter),
      ...(failure === undefined && lists.isWhole && stderr !== undefined && {stderr}),
    },
    session,
  );
  tellOfOmissions(lists.omissions, session);
  if (failure !== undefined) throw failure;
  const {notes} = lists;
  if (notes.length > 0 && run.paging === undefined) notes.push(everything(run, accounts));
  if (!io.isReaderGone) for (const note of notes) session.tellUnlessQuiet(note);
}
