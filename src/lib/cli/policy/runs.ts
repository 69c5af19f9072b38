/** Sends the changes of several accounts side by side, and prints their results in the order of the accounts. */
import type {View} from '../../api/view.js';
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure, isInterruption} from '../../client/failure.js';
import {Rate} from '../../client/gate.js';
import type {Ending, ItemWriter, Printed, Sink} from '../../print/format.js';
import {accountItem, openList} from '../../print/print.js';
import {
  failureOfRun,
  type Journal,
  type ProgressState,
  type Result as StepResult,
  resultsView,
  resultItem,
  Run,
  type RunCounts,
  type Signals,
  watchSignals,
} from '../../run/index.js';
import type {Connection} from '../connection.js';
import {defaultConcurrency} from '../flags.js';
import {isOpen, resultOf, type RunFlags, type Work} from '../run-steps.js';
import type {Session} from '../session.js';
import {answerWarnings, writePrinted, type Printing} from '../sink.js';
import {showProgress} from '../status-line.js';

type FilterFailure = Pick<Ending, 'failedOn' | 'failure'>;

/** Prints results for as long as that is possible. A failure to print does not end the run. */
class ResultPrinter {
  readonly #writer: ItemWriter;
  readonly #sink: Sink;
  /** As long as every result is a refused token, they are held back: they become one failure. */
  readonly #held: object[] = [];
  #hasPrinted = false;
  /** Why printing ended, except for a reader that closed standard output. */
  failure: Failure | undefined;

  constructor(writer: ItemWriter, sink: Sink) {
    this.#writer = writer;
    this.#sink = sink;
  }

  get hasPrinted(): boolean {
    return this.#hasPrinted;
  }

  get isOver(): boolean {
    return this.failure !== undefined || this.#sink.isReaderGone;
  }

  /** @param isRefusedToken whether the result only says that the token was refused */
  async add(result: () => object, isRefusedToken: boolean): Promise<void> {
    if (this.isOver) return;
    await this.#try(async () => {
      this.#held.push(result());
      if (isRefusedToken && !this.#hasPrinted) return;
      await this.#flush();
    });
  }

  /** @param finish prints the rest of the document, notes and warnings */
  async end(finish: (rest: Printed) => Promise<void>): Promise<FilterFailure> {
    let ending: FilterFailure = {};
    if (this.isOver) return ending;
    await this.#try(async () => {
      await this.#flush();
      const {failure, failedOn, ...rest} = this.#writer.end();
      ending = {...(failure !== undefined && {failure}), ...(failedOn !== undefined && {failedOn})};
      await finish({...rest, nature: this.#writer.nature});
    });
    return ending;
  }

  async #flush(): Promise<void> {
    const text = this.#writer.items(this.#held.splice(0));
    this.#hasPrinted = true;
    await this.#sink.write(text, this.#writer.nature);
  }

  async #try(print: () => Promise<void>): Promise<void> {
    try {
      await print();
    } catch (error) {
      this.failure ??= asFailure(error);
    }
  }
}

const readerGone = new Failure('local', 'Standard output was closed');

interface PrintingEnd {
  /** How the sending failed. */
  readonly failure: Failure | undefined;
  /** Why some results were not printed. */
  readonly lost: Failure | undefined;
  readonly ending: FilterFailure;
  /** `3 of 4 done` */
  readonly done: string;
  readonly hasJournal: boolean;
}

/** How sending and printing failed together; undefined when every result is printed. */
function failureOfPrinting({failure, lost, ending, done, hasJournal}: PrintingEnd): Failure | undefined {
  const inEffect = 'requests that were carried out remain in effect';
  if (lost !== undefined && !(failure && isInterruption(failure))) {
    const hint = hasJournal ? 'run the same command with the same journal: it prints the results and sends only what remains' : inEffect;
    return lost.saying(`; ${done}`, {hint});
  }
  const {failure: filterFailure, failedOn: body} = ending;
  if (failure !== undefined) return failure.with({body});
  return filterFailure === undefined
    ? undefined
    : new Failure('local', `--jq failed on the results: ${filterFailure}; ${done}`, {body, hint: inEffect});
}

/** A result that is printed when all of earlier accounts are. */
interface Waiting {
  readonly item: () => object;
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
  readonly #progress: Disposable;
  readonly #lines: {readonly waiting: Waiting[]; isOver: boolean}[];
  readonly #runs: Run<Answer>[] = [];
  readonly #paces: Connection['client']['pace'][] = [];
  readonly #rates = new Map<string, Rate>();
  readonly #warn: ReturnType<typeof answerWarnings>;
  #printing: Promise<void> = Promise.resolve();

  private constructor(printer: ResultPrinter, progress: (state: () => ProgressState) => Disposable, options: RunsOptions) {
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
    return new Runs(new ResultPrinter(writer, session.io), await showProgress(session), options);
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
    const rate = this.#rates.get(origin) ?? new Rate(flags.rate);
    this.#rates.set(origin, rate);
    await using connection = own.with({rate, signal: first});
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
    const {itemOf = (result: StepResult) => resultItem(result), unknownHint} = work;
    let hasUnknown = false;
    for await (const result of run) {
      if (result.kind === 'done' && !result.isResumed) this.#warnOf(result.reply, client.host);
      if (flags['fail-fast'] && result.kind === 'failed' && result.failure.details.heldBack === undefined)
        for (const each of this.#runs) each.stop(new Failure('partial', 'stopped after a failure'));
      hasUnknown ||= result.kind === 'unknown' || (unknownHint !== undefined && isOpen(result));
      // Of several accounts one that refuses the token is a result like any other.
      const isRefusal = names === undefined && result.kind === 'failed' && result.failure.code === 'auth' && !isOpen(result);
      await this.#add(index, {item: () => itemOf(resultOf(result, connection.inUse), result.index), isRefusal});
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
      for (const {item, isRefusal} of waiting.splice(0)) {
        const named = name === undefined ? item : () => accountItem(name, item());
        this.#printing = this.#printing.then(() => this.#printer.add(named, isRefusal));
      }
      if (!isOver) break;
    }
    return this.#printing;
  }
}
