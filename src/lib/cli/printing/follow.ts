/** `--follow`: a list that is watched, each new item printed once. */
import {setTimeout as sleep} from 'node:timers/promises';
import type {Answer} from '../../client/answer.js';
import type {Request} from '../../client/request.js';
import {Failure} from '../../client/failure.js';
import {unlessAborted} from '../../client/paging.js';
import {watch, type Batch} from '../../client/watch.js';
import type {ItemWriter} from '../../print/format.js';
import {openList} from '../../print/print.js';
import {exitStatuses} from '../errors.js';
import {longestTimer} from '../flags.js';
import type {Session} from '../session.js';
import type {Io} from '../io.js';
import {departureWarnings} from './departure-warnings.js';
import type {Following} from './follow-flags.js';
import {watchListSignals} from './list-signals.js';
import {printingWithNames, type ListPrinting, type PagedEndpoint} from './pages.js';
import {writePrinted} from './printing.js';
import {readSince, writeSince} from './since-file.js';

/** Seconds; a server in trouble is not asked more rarely than this. */
const longestInterval = 900;

/** Pages of one look that are asked for at once, and milliseconds before each further one. */
const quickPages = 10;
const untilNextPage = 250;

/** Milliseconds until the next look, never quite the same, so that those who began at once do not come at once. */
export function untilNext(interval: number, failures: number, random = Math.random()): number {
  const backedOff = Math.max(interval, Math.min(interval * 2 ** failures, longestInterval));
  return Math.min(backedOff * 1000 * (0.9 + 0.2 * random), longestTimer);
}

/** However much there is to catch up with, a server is not asked without a pause. */
async function breathe(pages: number, signal: AbortSignal): Promise<void> {
  if (pages >= quickPages) await sleep(untilNextPage, undefined, {signal}).catch(() => signal.throwIfAborted());
}

/** Says that it waits, but to programs that expect nothing on standard error. */
function tellOfWaiting(session: Session): void {
  if (session.format !== 'ndjson' || session.io.err.isTerminal) session.tellUnlessQuiet('Waiting for new items. Press Ctrl-C to stop.');
}

function pausing(
  interval: number,
  session: Session,
  signal: AbortSignal,
): (failures: number, failure: Failure | undefined) => Promise<void> {
  return async (failures, failure) => {
    const milliseconds = untilNext(interval, failures);
    if (failure !== undefined) session.warn(`${failure.message}; it is tried again in ${Math.round(milliseconds / 1000)} s`);
    await sleep(milliseconds, undefined, {signal}).catch(() => signal.throwIfAborted());
  };
}

export interface Followed extends ListPrinting {
  readonly endpoint: PagedEndpoint;
}

/** Prints batches; what was printed is on record only once it was taken, so that nothing is lost whenever it ends. */
class BatchPrinter {
  readonly #open: () => Promise<ItemWriter>;
  readonly #warn: (answer: Answer) => void;
  readonly #following: Following;
  readonly #io: Io;
  #writer: ItemWriter | undefined;
  #count = 0;
  #recorded: string | undefined;

  constructor(open: () => Promise<ItemWriter>, warn: (answer: Answer) => void, following: Following, io: Io) {
    this.#open = open;
    this.#warn = warn;
    this.#following = following;
    this.#io = io;
  }

  /** @returns whether there is more to do */
  async print({items, since, answers}: Batch): Promise<boolean> {
    const {most, sinceFile} = this.#following;
    answers.forEach(this.#warn);
    const shown = items.slice(0, most - this.#count);
    this.#count += shown.length;
    const writer = (this.#writer ??= await this.#open());
    await this.#io.write(writer.items(shown.map(({text}) => text)), writer.nature);
    if (this.#io.isReaderGone) return false;
    const last = shown.length < items.length ? (shown.at(-1)?.id ?? since) : since;
    if (sinceFile !== undefined && last !== this.#recorded) await writeSince(sinceFile, last);
    this.#recorded = last;
    return this.#count < most;
  }

  async end(session: Session): Promise<void> {
    const writer = (this.#writer ??= await this.#open());
    const {stderr: _, ...rest} = writer.end();
    await writePrinted({...rest, nature: writer.nature}, session);
  }
}

/**
 * Prints what comes until a signal, until nobody reads it any more, or until there is enough.
 * @throws Failure that cannot be expected to pass
 */
export async function printFollowed(planned: Request, followed: Followed, chosen: Following): Promise<void> {
  const {endpoint, connection} = followed;
  const {session} = connection;
  const {paging, rows = []} = endpoint;
  const schema = endpoint.output();
  const lowest = planned.query.find(([name]) => name === 'min_id')?.[1];
  const request = {...planned, query: planned.query.filter(([name]) => name !== 'min_id')};
  const since = (chosen.sinceFile === undefined ? undefined : await readSince(chosen.sinceFile)) ?? lowest;
  const {signal, stop} = watchListSignals(session.io);
  // The limits of the server are waited for as long as they last, unless something else is asked for.
  const client = connection.newClient({signal, maxWait: session.maxWait ?? Number.POSITIVE_INFINITY});
  const open = async () => {
    const printing = await unlessAborted(printingWithNames(followed), signal);
    return openList({...printing, view: endpoint.view, isEndless: true});
  };
  const printer = new BatchPrinter(open, departureWarnings(session, client.host), chosen, session.io);
  try {
    const pause = pausing(chosen.interval, session, signal);
    const options = {since, pause, breathe: (pages: number) => breathe(pages, signal), strict: session.isStrict};
    let isWaiting = false;
    for await (const batch of watch(client, {request, schema, paging, rows, signal}, options)) {
      if (!(await printer.print(batch))) break;
      if (!isWaiting) tellOfWaiting(session);
      isWaiting = true;
    }
  } catch (error) {
    if (!signal.aborted || !(error instanceof Failure)) throw error;
    // This is how it is meant to end: nothing needs to be said about it.
    session.io.exitStatus = exitStatuses[error.code].status;
  } finally {
    stop();
    await client.close();
  }
  if (session.io.isReaderGone) return;
  await printer.end(session);
}
