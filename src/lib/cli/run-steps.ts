/** Sends many requests, or one write. */
import {type AccountInUse} from './account-in-use.js';
import {privateMembers} from '../api/private.js';
import type {View} from '../api/view.js';
import {type Identity, accountOfProfile} from '../auth/index.js';
import type {Answer} from '../client/answer.js';
import {asFailure, Failure} from '../client/failure.js';
import {Rate} from '../client/gate.js';
import {redact} from '../client/redact.js';
import {mayHaveMembers, parseExact, withoutMembers} from '../json/exact.js';
import {isJson, withCommas} from '../json/text.js';
import {
  failureOfRun,
  type Journal,
  type ProgressState,
  type Result as StepResult,
  resultsView,
  resultItem,
  Run,
  type Signals,
  type Step,
  type Outcome,
  watchSignals,
} from '../run/index.js';
import type {Opened} from './command.js';
import type {Connection} from './connection.js';
import {reportOf} from './errors.js';
import {defaultConcurrency, type GivenFlags, type runFlags} from './flags.js';
import type {Session} from './session.js';
import {answerWarnings, type Finishing, type Items, type Result} from './sink.js';
import {showProgress} from './status-line.js';

/** Requests of what cannot be taken back in a second, unless a flag says otherwise. */
const finalRate = 1;

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
  /** Whether people or posts are deleted by it: one after the other, and slowly, so that somebody can stop it. */
  readonly isFinal?: boolean;
  /** The columns of the results; those of targets by default. */
  readonly view?: View;
  /** Advice for steps of unknown fate, where it is not for the user to look at each. */
  readonly unknownHint?: string;
  /** A result as it is printed; {@link resultItem} by default. */
  readonly itemOf?: (result: StepResult, index: number) => object;
}

export interface StepRun {
  /** The name of the command: `dm accept`. */
  readonly command: string;
  readonly flags: RunFlags;
  readonly connection: Connection;
  readonly opened: Opened;
}

/** What is printed of an outcome. */
function resultOf(result: Outcome<Answer>, inUse: AccountInUse): StepResult {
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

/** Whether a step that failed may have been carried out. */
function isOpen(result: Outcome<Answer>): boolean {
  return result.kind === 'failed' && result.failure.details.fate === 'unknown';
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

/** @param text an answer, or words, which have no members */
function withoutPrivate(text: string): string {
  if (!mayHaveMembers(text, privateMembers) || !isJson(text)) return text;
  return JSON.stringify(withoutMembers(parseExact(text), privateMembers));
}

/** The journal that `--journal` names. */
async function openJournal(
  {inputs, total, slots = total, areFound}: Work,
  {command, flags, connection}: Omit<StepRun, 'opened'>,
): Promise<Journal | undefined> {
  const path = flags.journal;
  if (path === undefined) return undefined;
  const {identity, session} = connection;
  const [{Journal}, {digestOf}] = await Promise.all([import('../run/journal.js'), import('../run/journal-file.js')]);
  const token = await identity.token();
  const hidden = token === undefined ? [] : [token];
  const options = {redact: (text: string) => withoutPrivate(redact(text, hidden)), now: session.io.now};
  const targets = areFound ? null : slots;
  const wanted = {command, server: identity.server.origin, account: await journalOwner(identity), input: digestOf(inputs()), targets};
  const journal = await Journal.open(path, wanted, options);
  if (journal.wasTorn) session.warn(`removed the last line of ${path}, which was incomplete`);
  return journal;
}

/** What the runs of a command have in common. */
interface SendingOptions extends Pick<StepRun, 'command' | 'flags' | 'opened'> {
  readonly session: Session;
  /** The targets of all runs; grows where they are found by reading while others are sent. */
  readonly total: () => number;
  /** Whether they only read: they then end when standard output is closed. */
  readonly isRead?: boolean | undefined;
}

/** The runs of a command, one or several side by side: their signals, their pace, and how far all of them are. */
export class Sending {
  readonly #options: SendingOptions;
  readonly #runs: Run<Answer>[] = [];
  readonly #paces: Connection['client']['pace'][] = [];
  readonly #rates = new Map<string, Rate>();
  readonly #warn: ReturnType<typeof answerWarnings>;
  #signals: Signals | undefined;
  #progress: Promise<Disposable> | undefined;
  #underWay = 0;

  constructor(options: SendingOptions) {
    this.#options = options;
    this.#warn = answerWarnings(options.session);
  }

  /**
   * Sends many requests: their results are items, in order. A token that is not accepted ends the run. The first signal lets the requests
   * that were sent finish; the second one cancels them.
   * @returns items that end with `partial` when some failed; `auth`, `rate_limited`, `interrupted` or `local` when the run was ended early
   */
  async *items(work: Work, own: Connection): Items {
    const {command, flags, opened, session} = this.#options;
    const {unknownHint, isFinal = false, itemOf = (result: StepResult) => resultItem(result)} = work;
    this.#signals ??= opened.use(watchSignals(session.io.system));
    const {first, second} = this.#signals;
    await using journal = await openJournal(work, {command, flags, connection: own});
    await using connection = own.with({rate: this.#rateOf(own.server, work), signal: first});
    second.addEventListener('abort', () => void connection.close(), {once: true});
    const {client} = connection;
    const run = new Run(work.steps(connection, journal?.names ?? []), {
      concurrency: isFinal ? 1 : (flags.concurrency ?? defaultConcurrency),
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
    await using _progress = await this.#begin();
    let hasUnknown = false;
    for await (const outcome of run) {
      if (outcome.kind === 'done' && !outcome.isResumed) this.#warn(outcome.reply, client.host);
      if (flags['fail-fast'] && outcome.kind === 'failed' && outcome.failure.details.heldBack === undefined)
        this.#stop(new Failure('partial', 'stopped after a failure'));
      hasUnknown ||= outcome.kind === 'unknown' || (unknownHint !== undefined && isOpen(outcome));
      yield [itemOf(resultOf(outcome, connection.inUse), outcome.index)];
    }
    const failure = failureOfRun({run, hasUnknown, hasJournal: flags.journal !== undefined, unknownHint});
    if (failure === undefined) await journal?.end();
    return {failure};
  }

  /** Why all of it was ended early; undefined while it was not. */
  get interruption(): Failure | undefined {
    const reason: unknown = this.#signals?.first.reason;
    const {done, failed} = this.#counts;
    return reason instanceof Failure
      ? reason.saying(` after ${withCommas(done + failed)} of ${withCommas(this.#options.total())}`)
      : undefined;
  }

  get finishing(): Finishing {
    const {flags, total, isRead = false} = this.#options;
    return {
      isRead,
      failsFast: flags['fail-fast'] === true,
      hasJournal: flags.journal !== undefined,
      done: () => `${withCommas(this.#counts.done)} of ${withCommas(total())} done`,
      stop: (failure) => this.#stop(failure),
    };
  }

  #stop(failure: Failure): void {
    for (const run of this.#runs) run.stop(failure);
  }

  #rateOf({origin}: URL, {isFinal = false}: Work): Rate {
    const rate = this.#rates.get(origin) ?? new Rate(this.#options.flags.rate ?? (isFinal ? finalRate : undefined));
    this.#rates.set(origin, rate);
    return rate;
  }

  /** Shows how far all runs are, until the last one of them ends. */
  async #begin(): Promise<AsyncDisposable> {
    this.#underWay += 1;
    this.#progress ??= showProgress(this.#options.session).then((shown) => shown(() => this.#state));
    await this.#progress;
    return {
      [Symbol.asyncDispose]: async () => {
        this.#underWay -= 1;
        if (this.#underWay > 0) return;
        (await this.#progress)?.[Symbol.dispose]();
        this.#progress = undefined;
      },
    };
  }

  get #state(): ProgressState {
    const [alone, ...others] = this.#paces;
    return {
      ...this.#counts,
      total: this.#options.total(),
      pausedFor: this.#paces.map(({pausedFor}) => pausedFor).findLast((one) => one !== undefined),
      limit: others.length === 0 ? alone?.rate : undefined,
    };
  }

  get #counts() {
    const sum = (part: 'done' | 'failed' | 'resumed') => this.#runs.reduce((all, {counts}) => all + counts[part], 0);
    return {done: sum('done'), failed: sum('failed'), resumed: sum('resumed')};
  }
}

/** Sends the requests of one run, as {@link Sending.items} does. */
export function runSteps(work: Work, {connection, ...rest}: StepRun): Result {
  const sending = new Sending({...rest, session: connection.session, total: () => work.total, isRead: work.isRead});
  return {items: sending.items(work, connection), view: work.view ?? resultsView, finishing: sending.finishing};
}

/** The failure of a write that a signal cancelled. */
function explainInterruption({code, message}: Failure, dropped: Failure): Failure {
  const {reason, fate, canRepeat, lookWith, method, path} = dropped.details;
  const known = {fate, canRepeat, lookWith, method, path};
  if (fate === 'unknown') return new Failure(code, `${message} before the server answered`, known);
  return new Failure(code, reason === 'unsent' ? dropped.message : `${message} before it was sent`, known);
}

/**
 * Sends one write. A signal cancels it.
 * @throws Failure as sending does; `interrupted` or `terminated` with what is known about the write
 */
export async function sendWrite<Sent>(connection: Connection, send: (over: Connection) => Promise<Sent>): Promise<Sent> {
  using signals = watchSignals(connection.session.io.system);
  const signal = signals.first;
  await using over = connection.with({signal});
  signal.addEventListener('abort', () => void over.close(), {once: true});
  try {
    return await send(over);
  } catch (error) {
    throw signal.reason instanceof Failure ? explainInterruption(signal.reason, asFailure(error)) : error;
  }
}
