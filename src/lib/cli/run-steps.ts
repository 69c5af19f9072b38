/** Sends many requests, or one write. */
import {type AccountInUse} from './account-in-use.js';
import {privateMembers} from '../api/private.js';
import type {View} from '../api/view.js';
import {type Identity, accountOfProfile} from '../auth/index.js';
import type {Answer} from '../client/answer.js';
import {asFailure, Failure} from '../client/failure.js';
import {redact} from '../client/redact.js';
import {mayHaveMembers, parseExact, withoutMembers} from '../json/exact.js';
import {isJson} from '../json/text.js';
import {
  failureOfRun,
  type Journal,
  type Result as StepResult,
  resultsView,
  resultItem,
  Run,
  type Step,
  type Outcome,
  watchSignals,
} from '../run/index.js';
import type {Opened} from './command.js';
import type {Connection} from './connection.js';
import {reportOf} from './errors.js';
import {defaultConcurrency, type GivenFlags, type runFlags} from './flags.js';
import {answerWarnings, type Items, type Result} from './sink.js';
import {showProgress} from './status-line.js';

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
export function resultOf(result: Outcome<Answer>, inUse: AccountInUse): StepResult {
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
export function isOpen(result: Outcome<Answer>): boolean {
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
  {command, flags, connection}: StepRun,
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

/**
 * Sends many requests: their results are items, in order. A token that is not accepted ends the run. The first signal lets the requests that
 * were sent finish; the second one cancels them.
 * @returns a result that ends with `partial` when some failed; `auth`, `rate_limited`, `interrupted` or `local` when the run was ended early
 */
export function runSteps(work: Work, stepRun: StepRun): Result {
  const {connection: own, flags, opened} = stepRun;
  const {view = resultsView, isRead = false, unknownHint, itemOf = (result: StepResult) => resultItem(result)} = work;
  const {session} = own;
  let run: Run<Answer> | undefined;

  async function* results(): Items {
    const {first, second} = opened.use(watchSignals(session.io.system));
    await using journal = await openJournal(work, stepRun);
    await using connection = own.with({rate: flags.rate, signal: first});
    second.addEventListener('abort', () => void connection.close(), {once: true});
    const {client} = connection;
    const sending = new Run(work.steps(connection, journal?.names ?? []), {
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
    run = sending;
    const {pace} = client;
    const shown = await showProgress(session);
    using _progress = shown(() => ({...sending.counts, total: work.total, pausedFor: pace.pausedFor, limit: pace.rate}));
    const warn = answerWarnings(session);
    // As long as every result is a refused token, they are held back: they become one failure.
    let held: object[] = [];
    let [hasResults, hasUnknown] = [false, false];
    for await (const outcome of sending) {
      if (outcome.kind === 'done' && !outcome.isResumed) warn(outcome.reply, client.host);
      hasUnknown ||= outcome.kind === 'unknown' || (unknownHint !== undefined && isOpen(outcome));
      hasResults ||= !(outcome.kind === 'failed' && outcome.failure.code === 'auth' && !isOpen(outcome));
      held.push(itemOf(resultOf(outcome, connection.inUse), outcome.index));
      if (!hasResults) continue;
      yield held;
      held = [];
    }
    const failure = failureOfRun({run: sending, hasUnknown, hasJournal: flags.journal !== undefined, unknownHint});
    if (failure?.code === 'auth' && !hasResults) throw failure;
    if (held.length > 0) yield held;
    if (failure === undefined) await journal?.end();
    return {failure};
  }

  return {
    items: results(),
    view,
    finishing: {
      isRead,
      failsFast: flags['fail-fast'] === true,
      hasJournal: flags.journal !== undefined,
      done: () => `${run?.counts.done ?? 0} of ${work.total} done`,
      stop: (failure) => run?.stop(failure),
    },
  };
}

/** The failure of a write that a signal cancelled. */
function interrupted({code, message}: Failure, dropped: Failure): Failure {
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
    throw signal.reason instanceof Failure ? interrupted(signal.reason, asFailure(error)) : error;
  }
}
