/** Sends one write, or many requests with their results in order; those of several accounts side by side. */
import {type AccountInUse} from './account-in-use.js';
import {privateMembers} from '../api/private.js';
import type {View} from '../api/view.js';
import {type Identity, accountOfProfile} from '../auth/index.js';
import type {Answer} from '../client/answer.js';
import {asFailure, Failure} from '../client/failure.js';
import {Spacing} from '../client/pace.js';
import {redact} from '../client/redact.js';
import {withoutMembers} from '../json/named-members.js';
import {accountItem, openList} from '../print/print.js';
import {
  type RunCounts,
  failureOfPrinting,
  failureOfRun,
  type Journal,
  type Progress,
  type ProgressState,
  readerGone,
  type Result,
  ResultPrinter,
  resultsView,
  resultText,
  Run,
  type Signals,
  type Step,
  type StepResult,
  watchSignals,
} from '../run/index.js';
import type {Connection} from './connection.js';
import {reportOf} from './errors.js';
import {defaultConcurrency, type GivenFlags, type runFlags} from './flags.js';
import {answerWarnings, writePrinted, type Printing} from './printing.js';
import type {Session} from './session.js';

/** The flags of commands with many targets. */
export type RunFlags = GivenFlags<typeof runFlags>;

export interface Work {
  /** Grows where targets are found by reading while others are sent. */
  readonly total: number;
  /** How many targets a journal numbers, where some of them are no steps. */
  readonly slots?: number;
  /** Whether the targets are found by reading: a journal then records their names, and not their number. */
  readonly areFound?: boolean;
  /** Everything that determines what is sent. A journal that was begun for anything else is refused; without one, nobody asks. */
  readonly inputs: () => readonly string[];
  /** @param earlier the targets of earlier runs with the same journal, which come first; only where they are found by reading */
  readonly steps: (connection: Connection, earlier: readonly string[]) => AsyncIterable<Step<Answer>> | Iterable<Step<Answer>>;
  /** Whether it only reads: it then ends when standard output is closed. */
  readonly isRead?: boolean;
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

function resultOf(result: StepResult<Answer>, inUse: AccountInUse): Result {
  const target = result.target === '' ? null : result.target;
  if (result.kind === 'done') {
    return {target, ok: true, status: result.status, ...(result.isResumed && {resumed: true}), body: result.text};
  }
  const {failure} = result;
  const status = failure.details.status ?? null;
  const {heldBack} = failure.details;
  if (heldBack !== undefined)
    return {target, ok: false, status, held_back: heldBack, ...(status !== null && {error: reportOf(failure, inUse)})};
  return {target, ok: false, status, ...(result.kind === 'unknown' && {unknown: true}), error: reportOf(failure, inUse)};
}

/** Shows the progress of a run on standard error. */
export async function progressOn(session: Session): Promise<(state: () => ProgressState) => Progress> {
  const {Progress} = await import('../run/progress.js');
  const {io} = session;
  const inLog = session.traits.isForPrograms ? 'none' : 'lines';
  return (state) =>
    new Progress({
      style: session.flags.quiet ? 'none' : io.err.isTerminal ? 'bar' : inLog,
      write: (text) => io.tell(text),
      width: () => io.err.width,
      state,
    });
}

/** Whether a step that failed may have been carried out. */
function isOpen(result: StepResult<Answer>): boolean {
  return result.kind === 'failed' && result.failure.details.fate === 'unknown';
}

/** A result that is printed when all of earlier accounts are. */
interface Waiting {
  readonly text: () => string;
  readonly isRefusal: boolean;
}

interface RunsOptions {
  readonly session: Session;
  readonly flags: RunFlags;
  readonly printing: Printing;
  /** The requests of all accounts. */
  readonly total: number;
  readonly view?: View | undefined;
  /** Whether they only read: they then end when standard output is closed. */
  readonly isRead?: boolean | undefined;
  /** The names that are printed with the results of each account; absent: the results of one account, as they are. */
  readonly names?: readonly string[] | undefined;
}

/** Sends the requests of accounts side by side, and prints their results in the order of the accounts. */
export class Runs implements AsyncDisposable {
  readonly #options: RunsOptions;
  readonly #printer: ResultPrinter;
  readonly #signals: Signals;
  readonly #progress: Progress;
  readonly #lines: {readonly waiting: Waiting[]; isOver: boolean}[];
  readonly #runs: Run<Answer>[] = [];
  readonly #paces: Connection['client']['pace'][] = [];
  readonly #spacings = new Map<string, Spacing>();
  readonly #warn: ReturnType<typeof answerWarnings>;
  #printing: Promise<void> = Promise.resolve();

  private constructor(printer: ResultPrinter, progress: (state: () => ProgressState) => Progress, options: RunsOptions) {
    const {names = [''], session} = options;
    this.#options = options;
    this.#printer = printer;
    this.#signals = watchSignals(session.io.system);
    this.#lines = names.map(() => ({waiting: [], isOver: false}));
    this.#warn = answerWarnings(session);
    this.#progress = progress(() => {
      const states = this.#paces.map(({pausedFor, rate}) => ({pausedFor, rate}));
      const limit = states.length === 1 ? states[0]?.rate : undefined;
      return {
        ...this.#counts,
        total: options.total,
        pausedFor: states.findLast(({pausedFor}) => pausedFor !== undefined)?.pausedFor,
        limit,
      };
    });
  }

  static async open(options: RunsOptions): Promise<Runs> {
    const {names, printing, session, view = resultsView} = options;
    const writer = await openList({...printing, view, areOfAccounts: names !== undefined});
    return new Runs(new ResultPrinter(writer, session.io), await progressOn(session), options);
  }

  /** Why everything was ended early; undefined while it was not. */
  get interruption(): Failure | undefined {
    const {first} = this.#signals;
    if (!first.aborted || !(first.reason instanceof Failure)) return undefined;
    const {done, failed} = this.#counts;
    return first.reason.saying(` after ${done + failed} of ${this.#options.total}`);
  }

  get #counts(): RunCounts {
    return this.#runs
      .map(({counts}) => counts)
      .reduce(
        (sum, {done, failed, resumed, held}) => ({
          done: sum.done + done,
          failed: sum.failed + failed,
          resumed: sum.resumed + resumed,
          held: sum.held + held,
        }),
        {done: 0, failed: 0, resumed: 0, held: 0},
      );
  }

  /**
   * Sends the requests of one account. The first signal lets the requests that were sent finish; the second one cancels them.
   * @param index of the account
   * @throws Failure when some failed, or the run was ended
   */
  async send(index: number, own: Connection, work: Work, journal?: Journal): Promise<void> {
    const {flags, isRead = false, names} = this.#options;
    const {first, second} = this.#signals;
    const {origin} = own.server;
    const spacing = this.#spacings.get(origin) ?? new Spacing(flags.rate);
    this.#spacings.set(origin, spacing);
    await using connection = own.with({spacing, signal: first});
    second.addEventListener('abort', () => void connection.close(), {once: true});
    const {client} = connection;
    const run = new Run(work.steps(connection, journal?.names ?? []), {
      concurrency: flags.concurrency ?? defaultConcurrency,
      failFast: flags['fail-fast'],
      signal: first,
      get total() {
        return work.total;
      },
      keepTurn: () => client.keepTurn(),
      journal,
      resendUnknown: flags['resend-unknown'],
    });
    this.#runs.push(run);
    this.#paces.push(client.pace);
    const {textOf = (result: Result) => resultText(result), unknownHint} = work;
    let hasUnknown = false;
    for await (const result of run) {
      if (result.kind === 'done' && !result.isResumed) this.#warnOf(result.reply, client.host);
      if (flags['fail-fast'] && result.kind === 'failed' && result.failure.details.heldBack === undefined)
        for (const each of this.#runs) each.stop(new Failure('partial', 'stopped after a failure'));
      hasUnknown ||= result.kind === 'unknown' || (unknownHint !== undefined && isOpen(result));
      // Of several accounts one that refuses the token is a result like any other.
      const isRefusal = names === undefined && result.kind === 'failed' && result.failure.code === 'auth' && !isOpen(result);
      await this.#add(index, {text: () => textOf(resultOf(result, connection.inUse), result.index), isRefusal});
      if (!this.#printer.isOver) continue;
      if (isRead) break;
      if (flags['fail-fast']) run.stop(this.#printer.failure ?? readerGone);
    }
    const failure = failureOfRun({run, hasUnknown, hasJournal: flags.journal !== undefined, unknownHint});
    if (failure !== undefined) throw failure;
  }

  /** No more results of this account follow. */
  over(index: number): void {
    const line = this.#lines[index];
    if (line !== undefined) line.isOver = true;
    void this.#flush();
  }

  /**
   * Prints the end of the document.
   * @param failure how the sending failed
   * @returns how all of it failed
   */
  async end(failure: Failure | undefined): Promise<Failure | undefined> {
    for (const index of this.#lines.keys()) this.over(index);
    await this.#printing;
    this.#progress[Symbol.dispose]();
    const {flags, isRead = false, session, total} = this.#options;
    // A token that is refused at once is no result: it is how the run failed.
    if (!this.#printer.isOver && !this.#printer.hasPrinted && failure?.code === 'auth') return failure;
    const ending = await this.#printer.end((rest) => writePrinted(rest, session));
    if (isRead && session.io.isReaderGone) return undefined;
    const lost = this.#printer.failure ?? (flags['fail-fast'] && !isRead && session.io.isReaderGone ? readerGone : undefined);
    return failureOfPrinting({
      failure,
      lost,
      ending,
      done: `${this.#counts.done} of ${total} done`,
      hasJournal: flags.journal !== undefined,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#progress[Symbol.dispose]();
    this.#signals[Symbol.dispose]();
  }

  #warnOf(answer: Answer, host: string): void {
    if (answer.mismatches.length === 0 && answer.warnings === undefined) return;
    this.#progress.hide();
    this.#warn(answer, host);
  }

  /** Resolves when it is printed, or has to wait for an earlier account. */
  async #add(index: number, result: Waiting): Promise<void> {
    this.#lines[index]?.waiting.push(result);
    await this.#flush();
  }

  /** Prints what no earlier account has to come before. */
  #flush(): Promise<void> {
    const {names} = this.#options;
    for (const [index, {waiting, isOver}] of this.#lines.entries()) {
      const name = names?.[index];
      for (const {text, isRefusal} of waiting.splice(0)) {
        const named = name === undefined ? text : () => accountItem(name, text());
        this.#printing = this.#printing.then(() => this.#printer.add(named, isRefusal, () => this.#progress.hide()));
      }
      if (!isOver) break;
    }
    return this.#printing;
  }
}

/** Whose a journal is, without a request: the account or name of the profile, else a digest of the token. */
async function journalOwner(identity: Identity): Promise<string | null> {
  const {profile, token} = identity;
  if (profile !== undefined) return accountOfProfile(identity) ?? profile.name;
  const text = await token();
  if (text === undefined) return null;
  const {digestOf} = await import('../run/journal-file.js');
  return `token ${digestOf([text]).slice(0, 12)}`;
}

/** The journal that `--journal` names. */
async function openJournal(
  {inputs, total, slots = total, areFound}: Work,
  {command, flags, connection}: StepRun,
): Promise<Journal | undefined> {
  const path = flags.journal;
  if (path === undefined) return undefined;
  const {identity, session} = connection;
  const [{Journal}, {digestOf}] = await Promise.all([import('../run/journal.js'), import('../run/journal-file.js')]);
  const token = await identity.token();
  const hidden = token === undefined ? [] : [token];
  const options = {redact: (text: string) => withoutMembers(redact(text, hidden), privateMembers), now: session.io.now};
  const targets = areFound ? null : slots;
  const wanted = {command, server: identity.server.origin, account: await journalOwner(identity), input: digestOf(inputs()), targets};
  const journal = await Journal.open(path, wanted, options);
  if (journal.wasTorn) session.warn(`removed the last line of ${path}, which was incomplete`);
  return journal;
}

/**
 * Sends many requests and prints one result for each, in order. A token that is not accepted ends the run.
 * @throws Failure `partial` when some failed; `auth`, `rate_limited`, `interrupted` or `local` when the run was ended early
 */
export async function runSteps(work: Work, stepRun: StepRun): Promise<void> {
  const {connection, flags, printing} = stepRun;
  const {view, isRead} = work;
  const {session} = connection;
  await using runs = await Runs.open({
    session,
    flags,
    printing,
    view,
    isRead,
    get total() {
      return work.total;
    },
  });
  await using journal = await openJournal(work, stepRun);
  const failure = await runs.end(await runs.send(0, connection, work, journal).then(() => undefined, asFailure));
  if (failure !== undefined) throw failure;
  await journal?.end();
}

/** The failure of a write that a signal cancelled. */
function interrupted({code, message}: Failure, dropped: Failure): Failure {
  const {reason, fate, canRepeat, lookWith, method, path} = dropped.details;
  const known = {fate, canRepeat, lookWith, method, path};
  if (fate === 'unknown') return new Failure(code, `${message} before the server answered`, known);
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
    throw asFailure(error).saying('; the request was carried out', {body: outcome.answer.text, hint: 'do not repeat it'});
  }
}
