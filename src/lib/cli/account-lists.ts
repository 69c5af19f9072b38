/** Prints the same list of several accounts: each item with the name of its account. */
import type {Endpoint} from '../api/endpoint.js';
import {asFailure, Failure, type AccountFailure} from '../client/failure.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {firstPage, pagesOf, unlessAborted} from '../client/paging.js';
import type {Request} from '../client/request.js';
import type {SuggestedFlags} from '../client/suggest.js';
import {itemsOf} from '../json/slices.js';
import {keepMemoryFlat} from '../files/memory.js';
import {accountItem, openList} from '../print/print.js';
import {watchListSignals} from '../run/signals.js';
import {failureAs, type Accounts, type Member} from './accounts.js';
import {interruptedPage, isPaged, isPart, moreText, type PagingChoice} from './pages.js';
import {mismatchWarnings, writePrinted, type Printing} from './printing.js';
import type {Session} from './session.js';

/** Pages that are fetched before they can be printed, because those of an earlier account come first. */
const fetchedAhead = 8;

/** Reads a few values ahead of what is asked for. */
class Ahead<Value> {
  readonly #values: AsyncGenerator<Value, void, undefined>;
  readonly #coming: Promise<IteratorResult<Value, void>>[] = [];

  constructor(values: AsyncGenerator<Value, void, undefined>, isFirst: boolean) {
    this.#values = values;
    for (let count = isFirst ? 1 : fetchedAhead; count > 0; count -= 1) this.#request();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Value, void, undefined> {
    for (let coming = this.#coming.shift(); coming !== undefined; coming = this.#coming.shift()) {
      const {done, value} = await coming;
      if (done === true) return;
      this.#request();
      yield value;
    }
  }

  #request(): void {
    const next = this.#values.next();
    next.catch(() => {});
    this.#coming.push(next);
  }
}

interface ListRun {
  readonly request: Request;
  readonly endpoint: Endpoint;
  /** Undefined: the first page of each account. */
  readonly paging: PagingChoice | undefined;
  readonly printing: Printing;
  /** The command, to suggest it with `--all`. */
  readonly words: readonly string[];
  readonly typed: {readonly args: readonly string[]; readonly flags: SuggestedFlags};
}

/** Prints the lists of several accounts, in the order of the accounts. */
class AccountLists {
  readonly #accounts: Accounts;
  readonly #session: Session;
  readonly #run: ListRun;
  readonly #signal: AbortSignal;
  readonly #warn: ReturnType<typeof mismatchWarnings>;
  /** What is said of accounts that have more pages. */
  readonly #more = new Map<string, string>();

  constructor(accounts: Accounts, session: Session, run: ListRun, signal: AbortSignal) {
    this.#accounts = accounts;
    this.#session = session;
    this.#run = run;
    this.#signal = signal;
    this.#warn = mismatchWarnings(session);
  }

  get more(): readonly string[] {
    return this.#accounts.members.flatMap(({account}) => this.#more.get(account) ?? []);
  }

  /** The items of one account, page by page. @throws Failure of a page */
  async *#itemsOf({account, connection, unusable}: Member): AsyncGenerator<readonly string[], void, undefined> {
    if (unusable !== undefined) throw unusable;
    const {request, endpoint, paging} = this.#run;
    const {rows = []} = endpoint;
    const schema = endpoint.output();
    await using client: Client = connection.newClient({signal: this.#signal});
    const warn = (answer: Answer) => this.#warn(answer, client.host);
    const signal = this.#signal;
    if (!isPaged(endpoint)) {
      const answer = await unlessAborted(client.send(request, schema), signal);
      warn(answer);
      return yield itemsOf(answer.text, rows).texts;
    }
    const list = {request, schema, paging: endpoint.paging, rows};
    if (paging === undefined) {
      const page = await unlessAborted(firstPage(client, list), signal);
      warn(page.answer);
      if (page.more !== 'no') this.#more.set(account, `${account}: ${moreText(page)}`);
      return yield itemsOf(page.answer.text, rows).texts;
    }
    for await (const {answer, items} of pagesOf(client, {...list, most: paging.most, signal})) {
      warn(answer);
      yield items;
    }
  }

  /**
   * @param print called for each page
   * @returns the accounts that failed
   */
  async print(print: (account: string, items: readonly string[]) => Promise<void>): Promise<AccountFailure[]> {
    const {members, concurrency} = this.#accounts;
    const failed: AccountFailure[] = [];
    const begun: Ahead<readonly string[]>[] = [];
    for (const [index, member] of members.entries()) {
      // The next ones are fetched while this one is printed.
      while (begun.length < Math.min(members.length, index + concurrency)) {
        const next = members[begun.length];
        if (next !== undefined) begun.push(new Ahead(this.#itemsOf(next), begun.length === index));
      }
      try {
        for await (const items of begun[index] ?? []) {
          await print(member.account, items);
          if (this.#session.io.isReaderGone) return failed;
        }
      } catch (error) {
        if (this.#signal.aborted) throw this.#signal.reason;
        const {profile} = member.connection.identity;
        const failure = interruptedPage(asFailure(error), member.connection.suggest, profile?.name);
        failed.push({account: member.account, failure: failureAs(member, failure)});
      }
    }
    return failed;
  }
}

/**
 * Prints the list of each account. One that fails hides no other.
 * @throws Failure `partial` when some accounts failed; that of a signal
 */
export async function printLists(accounts: Accounts, session: Session, run: ListRun): Promise<void> {
  const {printing, endpoint, request, paging, words, typed} = run;
  if (paging?.from !== undefined)
    throw new Failure('usage', '--resume-from is the cursor of one account: it cannot be used with several profiles');
  keepMemoryFlat(Number.POSITIVE_INFINITY);
  using signals = watchListSignals(session.io.system);
  const list = new AccountLists(accounts, session, run, signals.first);
  const writer = await openList({...printing, view: endpoint.view, areOfAccounts: true});
  let failed: readonly AccountFailure[] = [];
  let interruption: unknown;
  try {
    failed = await list.print(async (account, items) => {
      await session.io.write(writer.items(items.map((item) => accountItem(account, item))), writer.nature);
    });
  } catch (error) {
    if (!signals.first.aborted) throw error;
    interruption = error;
  }
  if (session.io.isReaderGone) return;
  const {stderr, ...ending} = writer.end();
  const isWhole = failed.length === 0 && interruption === undefined && list.more.length === 0;
  await writePrinted({...ending, ...(stderr !== undefined && isWhole && {stderr}), nature: writer.nature}, session);
  if (interruption !== undefined) throw interruption;
  const failure = accounts.failureOf(failed);
  if (failure !== undefined) throw failure;
  if (list.more.length > 0 && !isPart(request, endpoint) && !session.io.isReaderGone) {
    const {args, flags} = typed;
    const everything = accounts.suggest(words, {args, flags: {...flags, all: true}});
    for (const line of [...list.more, `To list all: ${everything}`]) session.tellUnlessQuiet(line);
  }
}
