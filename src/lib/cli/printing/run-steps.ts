/** Many requests: paced, journalled, their results printed in order as they come. */
import type {Journal} from '../../run/journal.js';
import type {Progress} from '../../run/progress.js';
import {Run, type Step, type StepResult} from '../../run/run.js';
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure, type FailureDetails} from '../../client/failure.js';
import {redact} from '../../client/redact.js';
import type {Suggest} from '../../client/suggest.js';
import {openList, type Ending, type ItemWriter} from '../../print/print.js';
import {resultsView, resultText, type Result} from '../../run/results.js';
import type {Identity} from '../../auth/identity.js';
import type {Connection} from '../connection.js';
import {reportOf} from '../errors.js';
import type {Io} from '../io.js';
import type {Session} from '../session.js';
import {departureWarnings} from './departure-warnings.js';
import {writePrinted, type Printing} from './printing.js';
import {watchSignals} from './signals.js';
import type {View} from '../../api/view.js';

/** The flags of runs, as they were typed. */
export interface RunFlags {
  readonly concurrency?: number | undefined;
  readonly rate?: number | undefined;
  readonly 'fail-fast'?: boolean | undefined;
  readonly 'max-failures'?: number | undefined;
  readonly journal?: string | undefined;
  readonly 'resend-unknown'?: boolean | undefined;
}

const usualConcurrency = 4;

export interface Work {
  readonly total: number;
  /** Texts that together decide what is sent; a journal of others is refused. */
  readonly inputs: readonly string[];
  readonly steps: (connection: Connection) => AsyncIterable<Step<Answer>> | Iterable<Step<Answer>>;
  /** Nothing is changed by it: it ends when nobody reads the results any more. */
  readonly isRead?: boolean;
  /** Texts that no journal may hold, beside the token. */
  readonly secrets?: readonly string[];
  /** How people see the results; as those of targets if absent. */
  readonly view?: View;
  /** What becomes of steps of unknown fate, where it is not for the user to find out. */
  readonly unknownHint?: string;
  /** What a script gets for the result of a step, as JSON; the usual result if absent. */
  readonly textOf?: (result: Result, index: number) => string;
}

export interface StepRun {
  /** Of the command, in words. */
  readonly command: string;
  readonly flags: RunFlags;
  readonly printing: Printing;
  readonly connection: Connection;
}

function resultOf(result: StepResult<Answer>, suggest: Suggest): Result {
  const {target} = result;
  if (result.kind === 'done') {
    return {target, ok: true, status: result.status, ...(result.isResumed && {resumed: true}), body: result.text};
  }
  const {failure} = result;
  const status = failure.details.status ?? null;
  return {target, ok: false, status, ...(result.kind === 'unknown' && {unknown: true}), error: reportOf(failure, suggest)};
}

async function startProgress(run: Run<Answer>, total: number, {session, client}: Connection): Promise<Progress> {
  const {Progress} = await import('../../run/progress.js');
  const {io} = session;
  const isScript = session.format === 'json' || session.format === 'ndjson';
  const inLog = isScript ? 'none' : 'lines';
  return new Progress({
    style: session.flags.quiet ? 'none' : io.err.isTerminal ? 'bar' : inLog,
    write: (text) => io.tell(text),
    width: () => io.err.width,
    state() {
      const {pausedFor, rate} = client.pace;
      return {...run.counts, total, pausedFor, isLimited: rate !== undefined};
    },
  });
}

/** What went wrong with a filter. */
type RunEnding = Pick<Ending, 'failedOn' | 'failure'>;

/** Prints results for as long as that is possible; whatever goes wrong with it, the run does not depend on it. */
class Printer {
  readonly #writer: ItemWriter;
  readonly #io: Io;
  /** Refused tokens before anything was done are one failure, told once, unless something is done after all. */
  readonly #held: string[] = [];
  #hasPrinted = false;
  /** Why nothing is printed any more, but for a reader who is gone. */
  failure: Failure | undefined;

  constructor(writer: ItemWriter, io: Io) {
    this.#writer = writer;
    this.#io = io;
  }

  get hasPrinted(): boolean {
    return this.#hasPrinted;
  }

  get isOver(): boolean {
    return this.failure !== undefined || this.#io.isReaderGone;
  }

  /** @param isRefusal whether a refused token is all that it says; @param clear is called before something is written */
  async add(result: () => string, isRefusal: boolean, clear: () => void): Promise<void> {
    if (this.isOver) return;
    await this.#trying(async () => {
      this.#held.push(result());
      if (isRefusal && !this.#hasPrinted) return;
      await this.#flush(clear);
    });
  }

  /** What is left. */
  async end(session: Session): Promise<RunEnding> {
    let ending: RunEnding = {};
    if (this.isOver) return ending;
    await this.#trying(async () => {
      await this.#flush(() => {});
      const {failure, failedOn, ...printed} = this.#writer.end();
      ending = {...(failure !== undefined && {failure}), ...(failedOn !== undefined && {failedOn})};
      await writePrinted({...printed, nature: this.#writer.nature}, session);
    });
    return ending;
  }

  async #flush(clear: () => void): Promise<void> {
    const text = this.#writer.items(this.#held.splice(0));
    this.#hasPrinted = true;
    if (text !== '') clear();
    await this.#io.write(text, this.#writer.nature);
  }

  async #trying(print: () => Promise<void>): Promise<void> {
    try {
      await print();
    } catch (error) {
      this.failure ??= asFailure(error);
    }
  }
}

const readerGone = new Failure('local', 'Nobody reads standard output any more');

interface RunEnd {
  readonly run: Run<Answer>;
  readonly total: number;
  /** Why not everything was printed. */
  readonly lost: Failure | undefined;
  readonly ending: RunEnding;
  readonly hasUnknown: boolean;
  readonly hasJournal: boolean;
  readonly unknownHint: string | undefined;
}

/** How a run failed once its results are printed, as far as they are, with advice that fits it. */
function failureOfRun({run, total, lost, ending, hasUnknown, hasJournal, unknownHint}: RunEnd): Failure | undefined {
  const {failure} = run;
  const done = `${run.counts.done} of ${total} done`;
  const isAtWill = failure?.code === 'interrupted' || failure?.code === 'terminated';
  if (lost !== undefined && !isAtWill) {
    const hint = hasJournal
      ? 'the journal has the results: the same command with the same journal prints them, and sends only what is left'
      : 'what was done stays done';
    return new Failure(lost.code, `${lost.message}; ${done}`, {...lost.details, hint});
  }
  const {failure: filterFailure, failedOn: body} = ending;
  if (failure === undefined) {
    if (filterFailure === undefined) return undefined;
    return new Failure('local', `--jq failed on the results: ${filterFailure}; ${done}`, {body, hint: 'what was done stays done'});
  }
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    body,
    hint: adviceFor(failure, {run, hasUnknown, hasJournal, unknownHint}),
  });
}

/** What has an unknown outcome is for the user to decide, and nothing is advised that would send something twice. */
function adviceFor(
  failure: Failure,
  {run, hasUnknown, hasJournal, unknownHint}: Pick<RunEnd, 'hasJournal' | 'hasUnknown' | 'run' | 'unknownHint'>,
): FailureDetails['hint'] {
  if (failure.code === 'partial') {
    if (!hasUnknown) return failure.details.hint;
    return unknownHint ?? 'find out what became of those of unknown fate; with --resend-unknown the same command sends them too';
  }
  const isAtWill = failure.code === 'interrupted' || failure.code === 'terminated';
  if (isAtWill && hasJournal) return 'the same command with the same journal does the rest';
  return isAtWill && run.actsTwice ? 'the results say what was done: some of it would be done twice' : failure.details.hint;
}

/** Whether a step that failed may have been carried out. */
function mayHaveActed(result: StepResult<Answer>): boolean {
  return result.kind === 'failed' && result.failure.details.mayHaveActed === true;
}

/** Prints the results as they come, and how it ended. A run that changes something is finished even when nobody reads them. */
async function printRun(run: Run<Answer>, work: Work, {flags, printing}: StepRun, connection: Connection): Promise<void> {
  const {session, client} = connection;
  const {total, textOf = (result: Result) => resultText(result), view = resultsView, isRead = false, unknownHint} = work;
  const printer = new Printer(await openList({...printing, view}), session.io);
  const warn = departureWarnings(session, client.host);
  const progress = await startProgress(run, total, connection);
  const stopsEarly = flags['fail-fast'] === true;
  let hasUnknown = false;
  try {
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
  } finally {
    progress.end();
  }
  if (!printer.isOver && !printer.hasPrinted && run.failure?.code === 'auth') throw run.failure;
  const ending = await printer.end(session);
  const lost = printer.failure ?? (stopsEarly && !isRead && session.io.isReaderGone ? readerGone : undefined);
  const failure = failureOfRun({run, total, lost, ending, hasUnknown, hasJournal: flags.journal !== undefined, unknownHint});
  if (failure !== undefined && !(isRead && session.io.isReaderGone)) throw failure;
}

/** Whom a journal belongs to. Without a profile the token stands for the account; its digest does not give it away. */
async function accountOf({profile, token}: Identity): Promise<string | null> {
  if (profile !== undefined) return profile.account === null ? profile.name : `@${profile.account.acct}`;
  const text = await token();
  if (text === undefined) return null;
  const {digestOf} = await import('../../run/journal-line.js');
  return `token ${digestOf([text]).slice(0, 12)}`;
}

/** The journal that was asked for. */
async function openJournal({inputs, total, secrets = []}: Work, {command, flags, connection}: StepRun): Promise<Journal | undefined> {
  const path = flags.journal;
  if (path === undefined) return undefined;
  const {identity, session} = connection;
  const [{Journal}, {digestOf}] = await Promise.all([import('../../run/journal.js'), import('../../run/journal-line.js')]);
  const token = await identity.token();
  const hidden = token === undefined ? secrets : [token, ...secrets];
  const options = {redact: (text: string) => redact(text, hidden)};
  const wanted = {command, server: identity.server.origin, account: await accountOf(identity), input: digestOf(inputs), targets: total};
  const journal = await Journal.open(path, wanted, options);
  if (journal.wasTorn) session.warn(`the last line of ${path} was cut off, and dropped`);
  return journal;
}

/**
 * Sends many requests and prints one result for each, in order. A refused token ends the run and leaves the rest
 * unsent; a first signal lets what is under way finish, a second one drops it.
 * @throws Failure `partial` when some failed, `auth`, `rate_limited`, `interrupted` and `local` for what ended the run
 */
export async function runSteps(work: Work, stepRun: StepRun): Promise<void> {
  const {flags} = stepRun;
  const signals = watchSignals(stepRun.connection.session.io);
  const connection = stepRun.connection.with({rate: flags.rate, signal: signals.first});
  signals.second.addEventListener('abort', () => void connection.close(), {once: true});
  try {
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
  } finally {
    signals.stop();
    await connection.close();
  }
}
