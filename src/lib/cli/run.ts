/** Sends one write, or many requests with their results in order. */
import type {View} from '../api/view.js';
import {knownAccount, type Identity} from '../auth/identity.js';
import type {Answer} from '../client/answer.js';
import {asFailure, Failure} from '../client/failure.js';
import {redact} from '../client/redact.js';
import type {Suggest} from '../client/suggest.js';
import {openList} from '../print/print.js';
import type {Journal} from '../run/journal.js';
import type {Progress, ProgressState} from '../run/progress.js';
import {failureOfRun, readerGone, ResultPrinter} from '../run/result-printer.js';
import {resultsView, resultText, type Result} from '../run/results.js';
import {Run, type Step, type StepResult} from '../run/run.js';
import {watchSignals} from '../run/signals.js';
import type {Connection} from './connection.js';
import {reportOf} from './errors.js';
import {usualConcurrency} from './flags.js';
import {mismatchWarnings, writePrinted, type Printing} from './printing.js';
import type {Session} from './session.js';

/** The flags of commands with many targets. */
export interface RunFlags {
  readonly concurrency?: number | undefined;
  readonly rate?: number | undefined;
  readonly 'fail-fast'?: boolean | undefined;
  readonly 'max-failures'?: number | undefined;
  readonly journal?: string | undefined;
  readonly 'resend-unknown'?: boolean | undefined;
}

export interface Work {
  readonly total: number;
  /** Everything that determines what is sent. A journal that was begun for anything else is refused. */
  readonly inputs: readonly string[];
  readonly steps: (connection: Connection) => AsyncIterable<Step<Answer>> | Iterable<Step<Answer>>;
  /** Whether it only reads: it then ends when standard output is closed. */
  readonly isRead?: boolean;
  /** Texts besides the token that must not be written to a journal. */
  readonly secrets?: readonly string[];
  /** The columns of the results; those of targets by default. */
  readonly view?: View;
  /** Advice for steps of unknown fate, where it is not for the user to look at each. */
  readonly unknownHint?: string;
  /** A result as JSON; {@link resultText} by default. */
  readonly textOf?: (result: Result, index: number) => string;
}

export interface StepRun {
  /** The name of the command: `dm accept`. */
  readonly command: string;
  readonly flags: RunFlags;
  readonly printing: Printing;
  readonly connection: Connection;
}

export function resultOf(result: StepResult<Answer>, suggest: Suggest): Result {
  const {target} = result;
  if (result.kind === 'done') {
    return {target, ok: true, status: result.status, ...(result.isResumed && {resumed: true}), body: result.text};
  }
  const {failure} = result;
  const status = failure.details.status ?? null;
  return {target, ok: false, status, ...(result.kind === 'unknown' && {unknown: true}), error: reportOf(failure, suggest)};
}

/** Shows the progress of a run on standard error. */
export async function startProgress(session: Session, state: () => ProgressState): Promise<Progress> {
  const {Progress} = await import('../run/progress.js');
  const {io} = session;
  const isScript = session.format === 'json' || session.format === 'ndjson';
  const inLog = isScript ? 'none' : 'lines';
  return new Progress({
    style: session.flags.quiet ? 'none' : io.err.isTerminal ? 'bar' : inLog,
    write: (text) => io.tell(text),
    width: () => io.err.width,
    state,
  });
}

/** Whether a step that failed may have been carried out. */
function mayHaveActed(result: StepResult<Answer>): boolean {
  return result.kind === 'failed' && result.failure.details.mayHaveActed === true;
}

/** Prints results as they come. A run of writes goes on when standard output is closed. */
async function printRun(run: Run<Answer>, work: Work, {flags, printing}: StepRun, connection: Connection): Promise<void> {
  const {session, client} = connection;
  const {total, textOf = (result: Result) => resultText(result), view = resultsView, isRead = false, unknownHint} = work;
  const printer = new ResultPrinter(await openList({...printing, view}), session.io);
  const warn = mismatchWarnings(session, client.host);
  const stopsEarly = flags['fail-fast'] === true;
  let hasUnknown = false;
  {
    using progress = await startProgress(session, () => {
      const {pausedFor, rate} = client.pace;
      return {...run.counts, total, pausedFor, limit: rate};
    });
    for await (const result of run) {
      if (result.kind === 'done' && !result.isResumed && result.reply.mismatches.length > 0) {
        progress.hide();
        warn(result.reply);
      }
      hasUnknown ||= result.kind === 'unknown' || (unknownHint !== undefined && mayHaveActed(result));
      const isRefusal = result.kind === 'failed' && result.failure.code === 'auth';
      await printer.add(
        () => textOf(resultOf(result, connection.suggest), result.index),
        isRefusal,
        () => progress.hide(),
      );
      if (!printer.isOver) continue;
      if (isRead) break;
      if (stopsEarly) run.stop(printer.failure ?? readerGone);
    }
  }
  if (!printer.isOver && !printer.hasPrinted && run.failure?.code === 'auth') throw run.failure;
  const ending = await printer.end((rest) => writePrinted(rest, session));
  const lost = printer.failure ?? (stopsEarly && !isRead && session.io.isReaderGone ? readerGone : undefined);
  const failure = failureOfRun({run, total, lost, ending, hasUnknown, hasJournal: flags.journal !== undefined, unknownHint});
  if (failure !== undefined && !(isRead && session.io.isReaderGone)) throw failure;
}

/** Whose a journal is, without a request: the account or name of the profile, else a digest of the token. */
async function journalOwner(identity: Identity): Promise<string | null> {
  const {profile, token} = identity;
  if (profile !== undefined) return knownAccount(identity) ?? profile.name;
  const text = await token();
  if (text === undefined) return null;
  const {digestOf} = await import('../run/journal-file.js');
  return `token ${digestOf([text]).slice(0, 12)}`;
}

/** The journal that `--journal` names. */
async function openJournal({inputs, total, secrets = []}: Work, {command, flags, connection}: StepRun): Promise<Journal | undefined> {
  const path = flags.journal;
  if (path === undefined) return undefined;
  const {identity, session} = connection;
  const [{Journal}, {digestOf}] = await Promise.all([import('../run/journal.js'), import('../run/journal-file.js')]);
  const token = await identity.token();
  const hidden = token === undefined ? secrets : [token, ...secrets];
  const options = {redact: (text: string) => redact(text, hidden), now: session.io.now};
  const wanted = {command, server: identity.server.origin, account: await journalOwner(identity), input: digestOf(inputs), targets: total};
  const journal = await Journal.open(path, wanted, options);
  if (journal.wasTorn) session.warn(`removed the last line of ${path}, which was incomplete`);
  return journal;
}

/**
 * Sends many requests and prints one result for each, in order. A token that is not accepted ends the run. The first signal lets
 * the requests that were sent finish; the second one cancels them.
 * @throws Failure `partial` when some failed; `auth`, `rate_limited`, `interrupted` or `local` when the run was ended early
 */
export async function runSteps(work: Work, stepRun: StepRun): Promise<void> {
  const {flags} = stepRun;
  using signals = watchSignals(stepRun.connection.session.io.system);
  await using connection = stepRun.connection.with({rate: flags.rate, signal: signals.first});
  signals.second.addEventListener('abort', () => void connection.close(), {once: true});
  await using journal = await openJournal(work, stepRun);
  const run = new Run(work.steps(connection), {
    concurrency: flags.concurrency ?? usualConcurrency,
    maxFailures: flags['fail-fast'] ? 1 : flags['max-failures'],
    signal: signals.first,
    total: work.total,
    keepTurn: () => connection.client.keepTurn(),
    journal,
    resendUnknown: flags['resend-unknown'],
  });
  await printRun(run, work, stepRun, connection);
  await journal?.end();
}

/** The failure of a write that a signal cancelled. */
function interrupted({code, message}: Failure, dropped: Failure): Failure {
  const {reason, mayHaveActed, fate, lookWith, method, path, suggest} = dropped.details;
  const known = {mayHaveActed, fate, lookWith, method, path, suggest};
  if (mayHaveActed) return new Failure(code, `${message} before the server answered`, known);
  return new Failure(code, reason === 'unsent' ? dropped.message : `${message} before it was sent`, known);
}

/**
 * Sends a write. A signal cancels it.
 * @throws Failure as sending does; `interrupted` or `terminated` with what is known about the write
 */
async function sent<Sent>(connection: Connection, send: (over: Connection) => Promise<Sent>): Promise<Sent> {
  using signals = watchSignals(connection.session.io.system);
  const signal = signals.first;
  await using over = connection.with({signal});
  signal.addEventListener('abort', () => void over.close(), {once: true});
  try {
    return await send(over);
  } catch (error) {
    throw signal.reason instanceof Failure ? interrupted(signal.reason, asFailure(error)) : error;
  }
}

/**
 * Sends a write and prints its answer.
 * @throws Failure as sending and printing do. When printing fails, it says that the write was carried out, and contains the answer
 */
export async function writeOnce<Sent extends {readonly answer: Answer}>(
  connection: Connection,
  send: (over: Connection) => Promise<Sent>,
  print: (sent: Sent) => Promise<void>,
): Promise<void> {
  const outcome = await sent(connection, send);
  try {
    await print(outcome);
  } catch (error) {
    const {code, message, details} = asFailure(error);
    throw new Failure(code, `${message}; the request was carried out`, {
      ...details,
      body: outcome.answer.text,
      hint: 'do not repeat it',
    });
  }
}
