/** `--follow` and `--since-file`: prints each new item of a list once. */
import {pageParameters} from '../../api/page-parameters.js';
import {cannotRead, Failure, localFailure} from '../../client/failure.js';
import {sleepOn, systemClock} from '../../client/retry.js';
import {absent} from '../../files/system-error.js';
import {readGivenText} from '../../files/read-text.js';
import {watch, type Batch} from '../../client/watch.js';
import {writeWhole} from '../../files/whole-file.js';
import {exitStatuses} from '../errors.js';
import {maxTimer} from '../flags.js';
import type {Connection} from '../connection.js';
import type {Following, ListSource} from './lists.js';
import type {Session} from '../session.js';
import {type Items, type Result, warnOfAnswer} from '../sink.js';

/** Seconds. The back-off after errors does not grow beyond this. */
const maxInterval = 900;

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

/** Returns a function that writes the id of the last printed item to a file, if there is a path. @throws Failure `local` */
function rememberIn(path: string | undefined): (last: string | undefined) => Promise<void> {
  let recorded: string | undefined;
  return async (last) => {
    if (path === undefined || last === recorded) return;
    await writeWhole(path, `${last}\n`).catch((error: unknown) => {
      throw localFailure(`Cannot write ${path}`, error);
    });
    recorded = last;
  };
}

/**
 * Prints new items: those that the server has now or, with `--follow`, all until a signal, until the reader is gone, or until there are enough.
 * @throws Failure for errors against which it does not help to try again
 */
export async function followList(
  {request, endpoint}: Pick<ListSource, 'endpoint' | 'request'>,
  connection: Connection,
  chosen: Following,
  stop: () => AbortSignal,
): Promise<Result> {
  const {session} = connection;
  const {isOnce, sinceFile} = chosen;
  const lowest = request.query.find(([name]) => name === pageParameters.from)?.[1];
  const since = (sinceFile === undefined ? undefined : await readSince(sinceFile)) ?? lowest;
  const remember = rememberIn(sinceFile);
  const bare = {...request, query: request.query.filter(([name]) => name !== pageParameters.from)};
  const signal = stop();
  let last: string | undefined;

  // An item is recorded after it was printed, so that none is lost whenever the run ends.
  async function* newItems(): Items {
    const pause = (milliseconds: number) => sleepOn(session.io.system.clock ?? systemClock, milliseconds, signal);
    // Waits as long as the server asks, unless --max-wait says otherwise.
    await using client = connection.newClient({signal, maxWait: session.maxWait ?? Number.POSITIVE_INFINITY});
    const options = {
      since,
      strict: session.flags.strict === true,
      isOnce,
      async pause(failures: number, failure: Failure | undefined) {
        const milliseconds = untilNext(chosen.interval, failures);
        if (failure !== undefined) session.warn(failure.messageWith(`; trying again in ${Math.round(milliseconds / 1000)} s`));
        await pause(milliseconds);
      },
    };
    let [count, isWaiting] = [0, false];
    try {
      for await (const {items, answers, since: newest, mayLack} of watch(client, {request: bare, endpoint, signal}, options)) {
        for (const answer of answers) warnOfAnswer(answer, client.host, session);
        const shown = items.slice(0, chosen.most - count);
        count += shown.length;
        yield shown.map(({value}) => value);
        last = (shown.length < items.length ? shown.at(-1)?.id : undefined) ?? newest;
        if (!isOnce || count === 0) await remember(last);
        if (mayLack !== undefined) warnOfMissing(mayLack, items.length, session);
        if (count >= chosen.most) break;
        if (isOnce) continue;
        if (!isWaiting) tellOfWaiting(session);
        isWaiting = true;
      }
    } catch (error) {
      if (!signal.aborted || !(error instanceof Failure)) throw error;
      // A signal is the usual way to end, so only the exit status tells of it.
      session.io.exitStatus = exitStatuses[error.code].status;
    }
    return {isWhole: false, isStopped: signal.aborted};
  }

  return {
    items: newItems(),
    isEndless: !isOnce,
    // The last item is recorded after the end of the output, because a document without its end cannot be read.
    async notePrinted() {
      if (last === undefined) return;
      await remember(last);
      if (isOnce && since === undefined)
        session.note(`${sinceFile} was not there: nothing is printed, and the next run prints what comes from now on.`);
    },
  };
}

function warnOfMissing({after, upTo}: NonNullable<Batch['mayLack']>, count: number, session: Session): void {
  session.warn(`${count} items or more are new: some of those after ${after} and up to ${upTo} may be missing; --all lists all of them`);
}

/** Scripts are not told, because they expect nothing on standard error. */
function tellOfWaiting(session: Session): void {
  if (!session.traits.isForPrograms || session.io.err.isTerminal) session.tellUnlessQuiet('Waiting for new items. Press Ctrl-C to stop.');
}
