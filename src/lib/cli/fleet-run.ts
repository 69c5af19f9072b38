/** Sends the requests of several accounts side by side, and prints their results in the order of the accounts. */
import type {Answer} from '../client/answer.js';
import {Failure} from '../client/failure.js';
import {Spacing} from '../client/pace.js';
import {openList} from '../print/print.js';
import {ResultPrinter} from '../run/result-printer.js';
import {resultsView, resultText} from '../run/results.js';
import {Run} from '../run/run.js';
import {type Signals, watchSignals} from '../run/signals.js';
import {itemOf, viewOfSeveral} from './fleet-list.js';
import type {Member} from './fleet.js';
import {mismatchWarnings, type Printing, writePrinted} from './printing.js';
import {resultOf, type RunFlags, startProgress, type Work} from './run.js';
import type {Session} from './session.js';

/** The results of one account, until those before it are printed. */
interface Line {
  readonly account: string;
  readonly waiting: string[];
  isOver: boolean;
}

interface FleetRunOptions {
  readonly session: Session;
  readonly flags: RunFlags;
  readonly printing: Printing;
  /** The requests of all accounts. */
  readonly total: number;
}

export class FleetRun implements AsyncDisposable {
  readonly #options: FleetRunOptions;
  readonly #printer: ResultPrinter;
  readonly #signals: Signals;
  readonly #lines: readonly Line[];
  readonly #runs: Run<Answer>[] = [];
  readonly #spacings = new Map<string, Spacing>();
  #printing: Promise<void> = Promise.resolve();
  #failed = 0;
  #pausedFor: () => number | undefined = () => undefined;

  private constructor(members: readonly Member[], printer: ResultPrinter, options: FleetRunOptions) {
    this.#options = options;
    this.#printer = printer;
    this.#signals = watchSignals(options.session.io.system);
    this.#lines = members.map(({account}) => ({account, waiting: [], isOver: false}));
  }

  /** @param members those that there are requests for, in the order of their results */
  static async open(members: readonly Member[], options: FleetRunOptions): Promise<FleetRun> {
    const {printing, session} = options;
    const writer = await openList({...printing, view: viewOfSeveral(resultsView)});
    return new FleetRun(members, new ResultPrinter(writer, session.io), options);
  }

  /** Why everything was ended early; undefined while it was not. */
  get interruption(): Failure | undefined {
    const {first} = this.#signals;
    if (!first.aborted || !(first.reason instanceof Failure)) return undefined;
    const {done, failed} = this.#counts;
    const {code, message, details} = first.reason;
    return new Failure(code, `${message} after ${done + failed} of ${this.#options.total}`, {
      ...details,
      hint: 'what was done is kept; run the same command again to do the rest',
    });
  }

  get #counts() {
    return this.#runs
      .map(({counts}) => counts)
      .reduce((sum, {done, failed, resumed}) => ({done: sum.done + done, failed: sum.failed + failed, resumed: sum.resumed + resumed}), {
        done: 0,
        failed: 0,
        resumed: 0,
      });
  }

  /**
   * Sends the requests of one account, one after another.
   * @param index of the account
   * @throws Failure when some failed, or the run was ended
   */
  async send(index: number, {connection: own}: Member, work: Work): Promise<void> {
    const {flags, session} = this.#options;
    const {first, second} = this.#signals;
    const {origin} = own.server;
    const spacing = this.#spacings.get(origin) ?? new Spacing(flags.rate);
    this.#spacings.set(origin, spacing);
    await using connection = own.with({spacing, signal: first});
    second.addEventListener('abort', () => void connection.close(), {once: true});
    const {client} = connection;
    const run = new Run(work.steps(connection), {concurrency: 1, signal: first, total: work.total, keepTurn: () => client.keepTurn()});
    this.#runs.push(run);
    const before = this.#pausedFor;
    this.#pausedFor = () => client.pace.pausedFor ?? before();
    const warn = mismatchWarnings(session, client.host);
    const most = flags['fail-fast'] === true ? 1 : (flags['max-failures'] ?? Number.POSITIVE_INFINITY);
    for await (const result of run) {
      if (result.kind === 'done' && !result.isResumed) warn(result.reply);
      if (result.kind === 'failed') this.#failed += 1;
      this.#add(index, resultText(resultOf(result, connection.suggest)));
      if (this.#failed >= most) for (const one of this.#runs) one.stop(new Failure('partial', 'stopped after failures'));
    }
    if (run.failure !== undefined) throw run.failure;
  }

  /** No more results of this account follow. */
  over(index: number): void {
    const line = this.#lines[index];
    if (line !== undefined) line.isOver = true;
    this.#flush();
  }

  /** Shows the progress until it is disposed of. */
  progress(): ReturnType<typeof startProgress> {
    const {session, total} = this.#options;
    return startProgress(session, () => ({...this.#counts, total, pausedFor: this.#pausedFor(), limit: undefined}));
  }

  /** Prints the end of the document. @returns why results could not be printed */
  async end(): Promise<Failure | undefined> {
    for (const [index] of this.#lines.entries()) this.over(index);
    await this.#printing;
    const {session, total} = this.#options;
    const {failure, failedOn} = await this.#printer.end((rest) => writePrinted(rest, session));
    const done = `${this.#counts.done} of ${total} done`;
    const lost = this.#printer.failure;
    const hint = 'requests that were carried out remain in effect';
    if (lost !== undefined) return new Failure(lost.code, `${lost.message}; ${done}`, {...lost.details, hint});
    return failure === undefined
      ? undefined
      : new Failure('local', `--jq failed on the results: ${failure}; ${done}`, {body: failedOn, hint});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signals[Symbol.dispose]();
  }

  #add(index: number, text: string): void {
    const line = this.#lines[index];
    line?.waiting.push(itemOf(line.account, text));
    this.#flush();
  }

  /** Prints what no earlier account has to come before. */
  #flush(): void {
    for (const {waiting, isOver} of this.#lines) {
      for (const text of waiting.splice(0))
        this.#printing = this.#printing.then(() =>
          this.#printer.add(
            () => text,
            false,
            () => {},
          ),
        );
      if (!isOver) return;
    }
  }
}
