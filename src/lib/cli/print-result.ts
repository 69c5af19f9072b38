/** Prints what commands have found or done: a document, or items as they come. */
import {setImmediate, setTimeout as sleep} from 'node:timers/promises';
import {membersOf} from '../api/schema.js';
import {asFailure, Failure, isInterruption} from '../client/failure.js';
import {countNoun} from '../json/text.js';
import {formatResult, itemsOfResult, openList, type FormattedOutput, type ItemWriter} from '../print/print.js';
import type {Session} from './session.js';
import {
  noteNotShown,
  printingOf,
  sayNotes,
  settingOf,
  wantsAnswer,
  wantsSentence,
  writePrinted,
  type Finishing,
  type Items,
  type ItemsEnding,
  type Printing,
  type Result,
} from './sink.js';
import {showProgress, type ProgressState} from './status-line.js';

/**
 * Prints what a command has found or done, and says what there is to say.
 * @throws Failure as the result says; `local` where it cannot be printed, or a jq filter failed on it
 */
export async function printResult(result: Result, session: Session, printing?: Printing): Promise<void> {
  const setting = printing ?? (await printingOf(session));
  try {
    await (result.items === undefined ? printDocument(result, setting, session) : printItems(result.items, result, setting, session));
  } catch (error) {
    if (result.carriedOut === undefined) throw error;
    throw asFailure(error).saying('; the request was carried out', {body: result.carriedOut, hint: 'do not repeat it'});
  }
}

async function printDocument(result: Result, printing: Printing, session: Session): Promise<void> {
  const {done, notes, failure, isWhole = true} = result;
  if (done !== undefined && wantsSentence(printing)) session.note(done);
  else {
    const names = wantsAnswer(printing) ? undefined : await result.names?.();
    const formatted = await formatResult(result, {...printing, ...settingOf(result), names});
    if (formatted !== undefined) await writeOutput(formatted, session, isWhole);
  }
  if (!session.io.isReaderGone) {
    sayNotes(notes, printing, session);
    await result.notePrinted?.();
    const [first] = result.next === undefined ? [] : await itemsOfResult(result);
    tellNext(first, result, printing, session);
  }
  if (failure !== undefined) throw failure;
}

/** @throws Failure as {@link writePrinted} does */
async function writeOutput({nature, pieces}: FormattedOutput, session: Session, isWhole: boolean): Promise<void> {
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) {
    await session.io.write(piece.value, nature);
    if (session.io.isReaderGone) return;
  }
  const {stderr, ...ending} = piece.value;
  await writePrinted({...ending, ...(stderr !== undefined && isWhole && {stderr}), stdout: '', nature}, session);
}

/** @throws Failure as {@link printResult} does; that of the items in place of them where they end with one before anything is printed */
async function printItems(items: Items, result: Result, printing: Printing, session: Session): Promise<void> {
  const printer = new ItemsPrinter(items, result, printing, session);
  await (result.finishing === undefined ? printer.printList() : printer.printResults(result.finishing));
}

/** Milliseconds in which a reader such as `head` is usually gone. */
const readersMoment = 20;

/** After this many pages the reader is expected to read on. */
const firstPages = 2;

/** Pages after which a list is long, so that people are told how far it is. */
const longList = 10;

const readerGone = new Failure('local', 'Standard output was closed');

class ItemsPrinter {
  readonly #items: Items;
  readonly #result: Result;
  readonly #printing: Printing;
  readonly #session: Session;
  #opening: Promise<ItemWriter> | undefined;
  #pages = 0;
  #count = 0;
  #first: unknown;
  /** How the items ended; undefined while they have not. */
  #ending: ItemsEnding | undefined;
  /** What was thrown in place of further items. */
  #thrown: Failure | undefined;

  constructor(items: Items, result: Result, printing: Printing, session: Session) {
    this.#items = items;
    this.#result = result;
    this.#printing = printing;
    this.#session = session;
  }

  get #progressState(): ProgressState {
    const more = [countNoun(this.#pages, 'page')];
    return {done: this.#count, failed: 0, resumed: 0, total: undefined, pausedFor: undefined, limit: undefined, more};
  }

  /** Prints pages, and fetches the next one meanwhile where that is wanted, unless the reader is gone. When a page fails, the document is completed. */
  async printList(): Promise<void> {
    const {io} = this.#session;
    let shown: Disposable | undefined;
    using progress = {[Symbol.dispose]: () => shown?.[Symbol.dispose]()};
    for (let batch = await this.#next(); batch !== undefined;) {
      this.#pages += 1;
      if (this.#result.fetchesAhead && this.#pages === longList) shown = showProgress(this.#session, () => this.#progressState);
      batch = await this.#printAndFetch(batch);
      if (io.isReaderGone) return;
    }
    const {notes, failure, isStopped = false, isWhole = true} = this.#ending ?? {};
    if (this.#thrown !== undefined && this.#pages === 0) throw this.#thrown;
    if (isStopped && this.#pages === 0) return;
    const failed = this.#thrown ?? failure;
    progress[Symbol.dispose]();
    const writer = await this.#writer();
    const {stdout, notShown, warning, stderr, ...filter} = writer.end();
    await writePrinted(
      {
        stdout,
        nature: writer.nature,
        ...(notShown && {notShown}),
        ...(warning !== undefined && {warning}),
        ...(failed === undefined && filter),
        ...(failed === undefined && isWhole && stderr !== undefined && {stderr}),
      },
      this.#session,
    );
    if (io.isReaderGone) return;
    await this.#result.notePrinted?.();
    sayNotes([...(this.#result.notes ?? []), ...(notes ?? [])], this.#printing, this.#session);
    if (failed !== undefined) throw failed;
    tellNext(this.#first, this.#result, this.#printing, this.#session);
  }

  /** Prints results for as long as that is possible; a failure to print ends no run of writes. */
  async printResults(finishing: Finishing): Promise<void> {
    const {io} = this.#session;
    const {isRead, failsFast} = finishing;
    let lost: Failure | undefined;
    const attempt = async (print: () => Promise<void>): Promise<void> => {
      if (lost === undefined && !io.isReaderGone) await print().catch((error: unknown) => void (lost = asFailure(error)));
    };
    // As long as every result is a refused token, they are held back: they become one failure.
    let held: readonly unknown[] | undefined = [];
    for (let batch = await this.#next(); batch !== undefined; batch = await this.#next()) {
      const items: readonly unknown[] = [...(held ?? []), ...batch];
      held = held !== undefined && batch.every(isRefusedToken) ? items : undefined;
      if (held === undefined) await attempt(async () => this.#print(items, await this.#writer()));
      if (lost === undefined && !io.isReaderGone) continue;
      if (isRead) {
        await this.#items.return(undefined);
        break;
      }
      if (failsFast) finishing.stop(lost ?? readerGone);
    }
    const {notes, isWhole = true, failure = this.#thrown} = this.#ending ?? {};
    const isNothingPrinted = held !== undefined && lost === undefined && !io.isReaderGone;
    if (isNothingPrinted && failure !== undefined && (this.#thrown !== undefined || failure.code === 'auth')) throw failure;
    let filter: {failure?: string; failedOn?: unknown} = {};
    await attempt(async () => {
      const writer = await this.#writer();
      if (held !== undefined && held.length > 0) await this.#print(held, writer);
      const {failure: filterFailure, failedOn, stderr, ...rest} = writer.end();
      filter = {...(filterFailure !== undefined && {failure: filterFailure}), ...(failedOn !== undefined && {failedOn})};
      await writePrinted({...rest, ...(isWhole && stderr !== undefined && {stderr}), nature: writer.nature}, this.#session);
    });
    if (isRead && io.isReaderGone) return;
    if (!io.isReaderGone) sayNotes(notes, this.#printing, this.#session);
    lost ??= failsFast && !isRead && io.isReaderGone ? readerGone : undefined;
    const end = failureOfPrinting({failure, lost, filter, hasJournal: finishing.hasJournal, done: finishing.doneText()});
    if (end !== undefined) throw end;
  }

  /** The next batch; undefined where there is none. */
  async #next(): Promise<readonly unknown[] | undefined> {
    try {
      const {done, value} = await this.#items.next();
      if (done !== true) return value;
      this.#ending = value ?? {};
    } catch (error) {
      this.#thrown = asFailure(error);
    }
    return undefined;
  }

  /** @returns the next batch */
  async #printAndFetch(batch: readonly unknown[]): Promise<readonly unknown[] | undefined> {
    const {io} = this.#session;
    const writer = await this.#writer();
    if (this.#result.fetchesAhead !== true) {
      await this.#print(batch, writer);
      return io.isReaderGone ? undefined : this.#next();
    }
    const begun = performance.now();
    const printing = this.#pages <= firstPages ? this.#print(batch, writer) : undefined;
    // With an empty buffer the write shows at once whether the reader is gone. Then no further page is fetched.
    if (io.system.stdout.writableLength === 0) await printing;
    if (io.isReaderGone) return undefined;
    const coming = this.#next();
    // Lets the request go out first.
    if (printing === undefined) await setImmediate();
    await (printing ?? this.#print(batch, writer));
    if (io.isReaderGone) return undefined;
    const next = await coming;
    // A fast server could send several pages before a reader such as `head` is gone.
    if (this.#pages === 1 && next !== undefined) await sleep(Math.max(0, begun + readersMoment - performance.now()));
    return next;
  }

  /** Takes an open writer, so that the items are in the buffer of standard output as soon as it is called. */
  async #print(batch: readonly unknown[], writer: ItemWriter): Promise<void> {
    this.#count += batch.length;
    this.#first ??= batch[0];
    await this.#session.io.write(writer.items(batch), writer.nature);
    noteNotShown(writer.notShown, this.#session);
  }

  #writer(): Promise<ItemWriter> {
    return (this.#opening ??= this.#open());
  }

  async #open(): Promise<ItemWriter> {
    const names = wantsAnswer(this.#printing) ? undefined : await this.#result.names?.();
    return openList({...this.#printing, ...settingOf(this.#result), names});
  }
}

/** What else can be done with the first item. */
function tellNext(first: unknown, {next}: Result, printing: Printing, session: Session): void {
  if (first === undefined || !session.out.isTerminal || wantsAnswer(printing)) return;
  const text = next?.(first);
  if (text !== undefined) session.tellUnlessQuiet(text);
}

/** Whether a result only says that the token was refused. */
function isRefusedToken(item: unknown): boolean {
  const {ok, unknown, error} = membersOf(item);
  const {code, fate} = membersOf(error);
  return ok === false && unknown !== true && code === 'auth' && fate !== 'unknown';
}

interface End extends Pick<Finishing, 'hasJournal'> {
  /** How the sending failed. */
  readonly failure: Failure | undefined;
  /** Why some results were not printed. */
  readonly lost: Failure | undefined;
  readonly filter: {readonly failure?: string; readonly failedOn?: unknown};
  readonly done: string;
}

/** How sending and printing failed together; undefined when every result is printed. */
export function failureOfPrinting({failure, lost, filter, done, hasJournal}: End): Failure | undefined {
  const inEffect = 'requests that were carried out remain in effect';
  if (lost !== undefined && !(failure && isInterruption(failure))) {
    const hint = hasJournal ? 'run the same command with the same journal: it prints the results and sends only what remains' : inEffect;
    return lost.saying(`; ${done}`, {hint});
  }
  const {failure: filterFailure, failedOn: body} = filter;
  if (failure !== undefined) return failure.with({body});
  return filterFailure === undefined
    ? undefined
    : new Failure('local', `--jq failed on the results: ${filterFailure}; ${done}`, {body, hint: inEffect});
}
