/** `--follow` and `--since-file`: prints each new item of a list once. */
import {commandText} from '../../files/command-text.js';
import type {Endpoint} from '../../api/endpoint.js';
import {pageParameters} from '../../api/page-parameters.js';
import type {Answer} from '../../client/answer.js';
import {cannotRead, Failure, localFailure} from '../../client/failure.js';
import {unlessAborted} from '../../client/paging.js';
import type {Request} from '../../client/request.js';
import {sleepOn, systemClock} from '../../client/retry.js';
import {absent} from '../../files/system-error.js';
import {readGivenText} from '../../files/text.js';
import {maxNumbered, watch, type Batch} from '../../client/watch.js';
import {writeWhole} from '../../files/whole-file.js';
import {openList, type ItemWriter} from '../../print/print.js';
import {watchListSignals} from '../../run/index.js';
import {exitStatuses} from '../errors.js';
import {maxTimer} from '../flags.js';
import type {Connection} from '../connection.js';
import type {Following} from './pages.js';
import {answerWarnings, noteNotShown, printingWithNames, writePrinted, type ListPrinting} from '../printing.js';
import type {Session} from '../session.js';

/** Seconds. The back-off after errors does not grow beyond this. */
const maxInterval = 900;

/** The pages that are requested without a pause when there is much to catch up with, and milliseconds before each further one. */
const quickPages = 10;
const pagePause = 250;

/** Milliseconds until the next request, with jitter, so that clients that began together do not stay together. */
export function untilNext(interval: number, failures: number, random = Math.random()): number {
  const backedOff = Math.max(interval, Math.min(interval * 2 ** failures, maxInterval));
  return Math.min(backedOff * 1000 * (0.9 + 0.2 * random), maxTimer);
}

/**
 * @returns the id in the file; undefined where there is no file yet
 * @throws Failure `local` when the file cannot be read, or does not contain an id
 */
async function readSince(path: string): Promise<string | undefined> {
  const text = await readGivenText(path, 'file').catch(absent).catch(cannotRead(path));
  const id = /^(\d{1,40})\n?$/.exec(text ?? '')?.[1];
  if (text === undefined || id !== undefined) return id;
  throw new Failure('local', `${path} does not contain the id of an item: nothing was sent`, {
    hint: 'write the id of your last item into it, or remove it to start with new items',
  });
}

/**
 * Prints batches. An item is recorded after it was printed, so that none is lost whenever the run ends; where the output ends, after its end,
 * because a document without its end cannot be read.
 */
class BatchPrinter {
  readonly #open: () => Promise<ItemWriter>;
  readonly #warn: (answer: Answer) => void;
  readonly #following: Following;
  readonly #session: Session;
  #writer: ItemWriter | undefined;
  #count = 0;
  #last: string | undefined;
  #recorded: string | undefined;

  constructor(open: () => Promise<ItemWriter>, warn: (answer: Answer) => void, following: Following, session: Session) {
    this.#open = open;
    this.#warn = warn;
    this.#following = following;
    this.#session = session;
  }

  get hasBegun(): boolean {
    return this.#last !== undefined;
  }

  /** @returns whether to go on */
  async print({items, since, answers}: Batch): Promise<boolean> {
    const {most, isOnce} = this.#following;
    answers.forEach(this.#warn);
    const shown = items.slice(0, most - this.#count);
    this.#count += shown.length;
    const writer = (this.#writer ??= await this.#open());
    const {io} = this.#session;
    await io.write(writer.items(shown.map(({text}) => text)), writer.nature);
    noteNotShown(writer.notShown, this.#session);
    if (io.isReaderGone) return false;
    const cut = shown.length < items.length ? shown.at(-1) : undefined;
    this.#last = cut?.id ?? since;
    if (!isOnce || this.#count === 0) await this.#record();
    return this.#count < most;
  }

  async #record(): Promise<void> {
    const {sinceFile} = this.#following;
    const last = this.#last;
    if (sinceFile === undefined || last === this.#recorded) return;
    await writeWhole(sinceFile, `${last}\n`).catch((error: unknown) => {
      throw localFailure(`Cannot write ${sinceFile}`, error);
    });
    this.#recorded = last;
  }

  async end(): Promise<void> {
    const writer = this.#writer;
    // A signal came before the first answer: nothing was printed, and there is nothing to end.
    if (writer === undefined) return;
    const {stderr: _, ...rest} = writer.end();
    await writePrinted({...rest, nature: writer.nature}, this.#session);
    if (!this.#session.io.isReaderGone) await this.#record();
  }
}

interface FollowedList extends ListPrinting {
  readonly endpoint: Endpoint;
  /** The command, to suggest it with `--all`. */
  readonly words: readonly string[];
  readonly connection: Connection;
}

/**
 * Prints new items: those that are there, or all until a signal, until the reader is gone, or until there are enough.
 * @throws Failure for errors that trying again does not help against
 */
export async function printFollowed(first: Request, followed: FollowedList, chosen: Following): Promise<void> {
  const {endpoint, connection} = followed;
  const {session} = connection;
  const lowest = first.query.find(([name]) => name === pageParameters.from)?.[1];
  const request = {...first, query: first.query.filter(([name]) => name !== pageParameters.from)};
  const since = (chosen.sinceFile === undefined ? undefined : await readSince(chosen.sinceFile)) ?? lowest;
  using signals = watchListSignals(session.io.system);
  const signal = signals.first;
  const pause = (milliseconds: number) => sleepOn(session.io.system.clock ?? systemClock, milliseconds, signal);
  // Waits as long as the server asks, unless --max-wait says otherwise.
  await using client = connection.newClient({signal, maxWait: session.maxWait ?? Number.POSITIVE_INFINITY});
  const open = async () => {
    const printing = await unlessAborted(printingWithNames(followed, connection), signal);
    return openList({...printing, view: endpoint.view, isEndless: !chosen.isOnce});
  };
  const warn = answerWarnings(session);
  const printer = new BatchPrinter(open, (answer) => warn(answer, client.host), chosen, session);
  try {
    const options = {
      since,
      strict: session.isStrict,
      isOnce: chosen.isOnce,
      betweenPages: async (pages: number) => (pages >= quickPages ? pause(pagePause) : undefined),
      async pause(failures: number, failure: Failure | undefined) {
        const milliseconds = untilNext(chosen.interval, failures);
        if (failure !== undefined) session.warn(failure.messageWith(`; trying again in ${Math.round(milliseconds / 1000)} s`));
        await pause(milliseconds);
      },
    };
    let isWaiting = false;
    for await (const batch of watch(client, {request, endpoint, signal}, options)) {
      const goesOn = await printer.print(batch);
      if (batch.mayLack !== undefined) warnOfMissing(batch.mayLack, followed);
      if (!goesOn) break;
      if (chosen.isOnce) continue;
      if (!isWaiting) tellOfWaiting(session);
      isWaiting = true;
    }
  } catch (error) {
    if (!signal.aborted || !(error instanceof Failure)) {
      if (chosen.isOnce && !session.io.isReaderGone) await printer.end();
      throw error;
    }
    // A signal is the usual way to end: only the exit status tells.
    session.io.exitStatus = exitStatuses[error.code].status;
  }
  if (session.io.isReaderGone) return;
  await printer.end();
  if (chosen.isOnce && since === undefined && printer.hasBegun)
    session.note(`${chosen.sinceFile} was not there: nothing is printed, and the next run prints what comes from now on.`);
}

/** Said of a list with numbered pages, which move while many of them are read. */
function warnOfMissing({after, upTo}: NonNullable<Batch['mayLack']>, {connection: {session}, words}: FollowedList): void {
  session.warn(
    `more than ${maxNumbered} items are new: some of those after ${after} and up to ${upTo} may be missing. ` +
      `To see all: \`${commandText(words.join(' '), {flags: {all: true}})}\``,
  );
}

/** Not for scripts, which expect nothing on standard error. */
function tellOfWaiting(session: Session): void {
  if (!session.traits.isForPrograms || session.io.err.isTerminal) session.tellUnlessQuiet('Waiting for new items. Press Ctrl-C to stop.');
}
