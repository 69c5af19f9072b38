/** Sends steps: those of many targets, of several accounts side by side, or a single write. */
import type {AccountInUse} from './account-in-use.js';
import {privateMembers} from '../api/private.js';
import {accountOfProfile, type Identity} from '../auth/index.js';
import type {Answer} from '../client/answer.js';
import {Failure} from '../client/failure.js';
import {Rate} from '../client/gate.js';
import {redact} from '../client/redact.js';
import {mayHaveMembers, parseExact, withoutMembers} from '../json/exact.js';
import {isJson, withCommas} from '../json/text.js';
import {
  type Journal,
  type Outcome,
  type Result as StepResult,
  resultsView,
  Run,
  type Signals,
  type Step,
  type Steps,
  watchSignals,
} from '../run/index.js';
import type {CommandRun} from './command.js';
import type {Connection} from './connection.js';
import {reportOf} from './errors.js';
import {defaultConcurrency, type GivenFlags, type runFlags} from './flags.js';
import {type Finishing, type Items, type Result, warnOfAnswer} from './sink.js';
import {showProgress, type ProgressState} from './status-line.js';

export type RunFlags = GivenFlags<typeof runFlags>;

/** The steps of one account, and how to send them. The functions get a connection with the signal and the rate of the run. */
export interface Batch<Request> {
  readonly steps: (over: Connection) => Steps<Request>;
  readonly send: (request: Request, over: Connection) => Promise<Answer>;
  /** Checks whether an earlier run carried out a request, as `look` of {@link Run} does. */
  readonly look?: ((request: Request, over: Connection) => Promise<string | undefined>) | undefined;
  /** The number of steps. It grows if targets are found by reading while others are sent. */
  readonly total: () => number;
  readonly journal?: Journal | undefined;
  /** The hint about steps of unknown fate, if the user need not look at each. */
  readonly unknownHint?: string | undefined;
}

/** An outcome as it is printed, with the whole answer of the server. */
export function resultOf(outcome: Outcome<Answer>, inUse: AccountInUse): StepResult {
  const {isResumed} = outcome;
  const target = outcome.target === '' ? null : outcome.target;
  if (outcome.kind === 'done') {
    const {status, text} = outcome;
    const body = text === null || text.trim() === '' ? null : parseExact(text);
    return {target, ok: true, status, ...(isResumed && {resumed: true}), body};
  }
  const {failure} = outcome;
  const {status = null, heldBack} = failure.details;
  const error = reportOf(failure, inUse);
  if (heldBack !== undefined) return {target, ok: false, status, held_back: heldBack, ...(status !== null && {error})};
  return {target, ok: false, status, ...(isResumed && {unknown: true}), error};
}

/** The owner that a journal records, known without a request: the account or name of the profile, else a digest of the token. */
async function journalOwner(identity: Identity): Promise<string | null> {
  const {profile, token} = identity;
  if (profile !== undefined) return accountOfProfile(identity) ?? profile.name;
  const text = await token();
  if (text === undefined) return null;
  const {digestOf} = await import('../run/journal.js');
  return `token ${digestOf([text]).slice(0, 12)}`;
}

/** Removes private members from an answer in JSON; other texts stay as they are. */
function withoutPrivate(text: string): string {
  if (!mayHaveMembers(text, privateMembers) || !isJson(text)) return text;
  return JSON.stringify(withoutMembers(parseExact(text), privateMembers));
}

/**
 * The journal that `--journal` names.
 * @param inputs everything that determines what is sent: a journal that was begun for anything else is refused
 * @param targets how many targets there are; null if they are found by reading: the journal then records their names
 */
export async function openJournal(
  {words: command, flags, opened}: Pick<CommandRun<unknown, RunFlags>, 'flags' | 'opened' | 'words'>,
  {identity, session}: Connection,
  {inputs, targets}: {readonly inputs: () => readonly string[]; readonly targets: number | null},
): Promise<Journal | undefined> {
  const path = flags.journal;
  if (path === undefined) return undefined;
  const {Journal, digestOf} = await import('../run/journal.js');
  const token = await identity.token();
  const hidden = token === undefined ? [] : [token];
  const options = {redact: (text: string) => withoutPrivate(redact(text, hidden)), now: session.io.now};
  const wanted = {command, server: identity.server.origin, account: await journalOwner(identity), input: digestOf(inputs()), targets};
  const journal = opened.use(await Journal.open(path, wanted, options));
  if (journal.wasTorn) session.warn(`removed the last line of ${path}, which was incomplete`);
  return journal;
}

interface RunnerOptions extends Pick<CommandRun<unknown, RunFlags>, 'flags' | 'opened' | 'session'> {
  /** The number of steps of all runs. It grows if targets are found by reading while others are sent. */
  readonly total: () => number;
  /** Whether the runs only read. Such runs end when standard output is closed. */
  readonly isRead?: boolean | undefined;
}

/** The runs of a command, one or several side by side: their signals, their rate and their progress. */
export class Runner implements Finishing {
  readonly #options: RunnerOptions;
  readonly #runs: Pick<Run<unknown, Answer>, 'counts' | 'stop'>[] = [];
  readonly #clients: Connection['client'][] = [];
  readonly #rates = new Map<string, Rate>();
  #signals: Signals | undefined;
  readonly isRead: boolean;
  readonly failsFast: boolean;
  readonly hasJournal: boolean;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.isRead = options.isRead === true;
    this.failsFast = options.flags['fail-fast'] === true;
    this.hasJournal = options.flags.journal !== undefined;
  }

  /**
   * Sends many requests, and yields the results in order. A token that is not accepted ends the run. The first signal lets the requests
   * that were sent finish; the second one cancels them.
   * @returns items that end with `partial` when some failed; `auth`, `rate_limited`, `interrupted` or `local` when the run was ended early
   */
  async *items<Request>({steps, send, look, total, journal, unknownHint}: Batch<Request>, own: Connection): Items {
    const {flags, opened, session, isRead} = this.#options;
    if (this.#signals === undefined) opened.use(showProgress(session, () => this.#state));
    this.#signals ??= opened.use(watchSignals(session.io.system));
    const {first, second} = this.#signals;
    await using over = own.with({rate: this.#rateOf(own.server), signal: first});
    second.addEventListener('abort', () => void over.close(), {once: true});
    const {client} = over;
    const run = new Run(steps(over), {
      send: (request) => send(request, over),
      look: look && ((request) => look(request, over)),
      isRead,
      concurrency: flags.concurrency ?? defaultConcurrency,
      failFast: flags['fail-fast'],
      signal: first,
      total,
      keepTurn: () => client.keepTurn(),
      journal,
      resendUnknown: flags['resend-unknown'],
      unknownHint,
    });
    this.#runs.push(run);
    this.#clients.push(client);
    for await (const outcome of run) {
      if (outcome.reply !== undefined) warnOfAnswer(outcome.reply, client.host, session);
      if (this.failsFast && run.isStopped) this.stop(new Failure('partial', 'stopped after a failure'));
      if (outcome.kind !== 'unsent') yield [resultOf(outcome, over.session.inUse)];
    }
    const {failure} = run;
    if (failure === undefined) await journal?.end();
    return {failure};
  }

  /** Why all runs were ended early; undefined while they go on. */
  get interruption(): Failure | undefined {
    const reason: unknown = this.#signals?.first.reason;
    const {done, failed} = this.#counts;
    return reason instanceof Failure
      ? reason.saying(` after ${withCommas(done + failed)} of ${withCommas(this.#options.total())}`)
      : undefined;
  }

  doneText(): string {
    return `${withCommas(this.#counts.done)} of ${withCommas(this.#options.total())} done`;
  }

  stop(failure: Failure): void {
    for (const run of this.#runs) run.stop(failure);
  }

  #rateOf({origin}: URL): Rate {
    const rate = this.#rates.get(origin) ?? new Rate(this.#options.flags.rate);
    this.#rates.set(origin, rate);
    return rate;
  }

  get #state(): ProgressState {
    return {
      ...this.#counts,
      total: this.#options.total(),
      pausedFor: this.#clients.map(({pace}) => pace.pausedFor).findLast((one) => one !== undefined),
    };
  }

  get #counts() {
    const sum = (part: 'done' | 'failed') => this.#runs.reduce((all, {counts}) => all + counts[part], 0);
    return {done: sum('done'), failed: sum('failed')};
  }
}

export function sendMany<Request>(batch: Batch<Request>, connection: Connection, options: Omit<RunnerOptions, 'total'>): Result {
  const runner = new Runner({...options, total: batch.total});
  return {items: runner.items(batch, connection), view: resultsView, finishing: runner};
}

function explainInterruption({code, message}: Failure, dropped: Failure): Failure {
  const {reason, fate, canRepeat, lookWith, method, path} = dropped.details;
  const known = {fate, canRepeat, lookWith, method, path};
  if (fate === 'unknown') return new Failure(code, `${message} before the server answered`, known);
  return new Failure(code, reason === 'unsent' ? dropped.message : `${message} before it was sent`, known);
}

/**
 * Sends one write: a run of one step. A signal cancels it.
 * @throws Failure as sending does; `interrupted` or `terminated` with what is known about the write
 */
export async function sendWrite<R extends Answer>(connection: Connection, send: (over: Connection) => Promise<R>): Promise<R> {
  using signals = watchSignals(connection.session.io.system);
  const {first} = signals;
  await using over = connection.with({signal: first});
  first.addEventListener('abort', () => void over.close(), {once: true});
  const step: Step<Connection> = {target: '', request: over, repeat: 'never'};
  for await (const outcome of new Run([step], {send, concurrency: 1})) {
    if (outcome.reply !== undefined) return outcome.reply;
    if (outcome.kind !== 'done')
      throw first.reason instanceof Failure ? explainInterruption(first.reason, outcome.failure) : outcome.failure;
  }
  throw new Error('A write that was sent has no answer');
}
