/** Prints the results of a run, and turns the end of the run into a failure with advice that fits it. */
import {asFailure, Failure, type FailureDetails, isInterruption} from '../client/failure.js';
import type {Ending, ItemWriter, Printed, Sink} from '../print/format.js';
import type {Reply, Run} from './run.js';

type FilterFailure = Pick<Ending, 'failedOn' | 'failure'>;

/** Prints results for as long as that is possible. A failure to print does not end the run. */
export class ResultPrinter {
  readonly #writer: ItemWriter;
  readonly #sink: Sink;
  /** As long as every result is a refused token, they are held back: they become one failure. */
  readonly #held: string[] = [];
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

  /** @param isRefusedToken whether the result only says that the token was refused @param clear called before anything is written */
  async add(result: () => string, isRefusedToken: boolean, clear: () => void): Promise<void> {
    if (this.isOver) return;
    await this.#try(async () => {
      this.#held.push(result());
      if (isRefusedToken && !this.#hasPrinted) return;
      await this.#flush(clear);
    });
  }

  /** @param finish prints the rest of the document, notes and warnings */
  async end(finish: (rest: Printed) => Promise<void>): Promise<FilterFailure> {
    let ending: FilterFailure = {};
    if (this.isOver) return ending;
    await this.#try(async () => {
      await this.#flush(() => {});
      const {failure, failedOn, ...rest} = this.#writer.end();
      ending = {...(failure !== undefined && {failure}), ...(failedOn !== undefined && {failedOn})};
      await finish({...rest, nature: this.#writer.nature});
    });
    return ending;
  }

  async #flush(clear: () => void): Promise<void> {
    const text = this.#writer.items(this.#held.splice(0));
    this.#hasPrinted = true;
    if (text !== '') clear();
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

export const readerGone = new Failure('local', 'Standard output was closed');

export interface RunEnd<R extends Reply> {
  readonly run: Run<R>;
  readonly hasUnknown: boolean;
  readonly hasJournal: boolean;
  /** Advice for steps of unknown fate, where it is not for the user to look at each. */
  readonly unknownHint: string | undefined;
}

/** How a run failed; undefined when every step is done. */
export function failureOfRun<R extends Reply>(end: RunEnd<R>): Failure | undefined {
  const {failure} = end.run;
  return failure && new Failure(failure.code, failure.message, {...failure.details, hint: hintFor(failure, end)});
}

export interface PrintingEnd {
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
export function failureOfPrinting({failure, lost, ending, done, hasJournal}: PrintingEnd): Failure | undefined {
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

/** Never suggests to send anything twice: steps of unknown fate are for the user to decide. */
function hintFor<R extends Reply>(failure: Failure, {run, hasUnknown, hasJournal, unknownHint}: RunEnd<R>): FailureDetails['hint'] {
  if (failure.code === 'partial') {
    if (!hasUnknown) return failure.details.hint;
    return (
      unknownHint ??
      'check whether the requests with an unknown outcome were carried out; with --resend-unknown the same command sends them too'
    );
  }
  if (!isInterruption(failure)) return failure.details.hint;
  if (hasJournal) return 'to continue, run the same command with the same journal';
  return run.actsTwice ? 'the results show what was done; the same command would do some of it twice' : failure.details.hint;
}
