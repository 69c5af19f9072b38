/** Many requests: paced, journalled, their results printed in order as they come. */
import type {Journal} from '../../bulk/journal.js';
import type {Progress} from '../../bulk/progress.js';
import {Run, type Step, type StepResult} from '../../bulk/run.js';
import type {Answer} from '../../client/answer.js';
import {Failure} from '../../client/failure.js';
import {redact} from '../../client/redact.js';
import type {Suggest} from '../../client/suggest.js';
import {openList, type Result} from '../../output/print.js';
import {resultText} from '../../output/results.js';
import type {ViewName} from '../../output/views.js';
import type {Identity} from '../../profile/identity.js';
import type {Connection} from '../connection.js';
import {reportOf} from '../failure/report.js';
import {isReaderGone, tell, writeOut} from '../standard-streams.js';
import {departureWarnings} from './departure-warnings.js';
import {writePrinted, type Printing} from './printing.js';
import {watchSignals} from './signals.js';

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
  /** Texts that no journal may hold, beside the token. */
  readonly secrets?: readonly string[];
  /** How people see the results; as those of targets if absent. */
  readonly view?: ViewName;
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
  const {Progress} = await import('../../bulk/progress.js');
  const isScript = session.format === 'json' || session.format === 'ndjson';
  const inLog = isScript ? 'none' : 'lines';
  return new Progress({
    style: session.flags.quiet ? 'none' : process.stderr.isTTY ? 'bar' : inLog,
    write: tell,
    width: () => process.stderr.columns || 80,
    state() {
      const {pausedFor, rate} = client.pace;
      return {...run.counts, total, pausedFor, isLimited: rate !== undefined};
    },
  });
}

/** What has an unknown outcome is for the user to decide. */
function withAdvice(failure: Failure, hasUnknown: boolean): Failure {
  if (!hasUnknown || failure.code !== 'partial') return failure;
  const hint = 'find out what became of those of unknown fate; with --resend-unknown the same command sends them too';
  return new Failure(failure.code, failure.message, {...failure.details, hint});
}

/** Prints the results as they come, and how it ended. */
async function printRun(
  run: Run<Answer>,
  {total, textOf = resultText, view = 'results'}: Work,
  printing: Printing,
  connection: Connection,
): Promise<void> {
  const {session, client} = connection;
  const writer = await openList({...printing, view});
  const warn = departureWarnings(session, client.host);
  const progress = await startProgress(run, total, connection);
  // Refused tokens before anything was done are one failure, told once, unless something is done after all.
  const held: string[] = [];
  let printed = 0;
  let hasUnknown = false;
  try {
    for await (const result of run) {
      if (result.kind === 'done' && !result.isResumed && result.reply.departures.length > 0) {
        progress.hide();
        warn(result.reply);
      }
      hasUnknown ||= result.kind === 'unknown';
      held.push(textOf(resultOf(result, connection.suggest), result.index));
      if (result.kind === 'failed' && result.failure.code === 'auth' && printed === 0) continue;
      const text = writer.items(held.splice(0));
      printed += 1;
      if (text !== '') progress.hide();
      await writeOut(text, writer.nature);
      if (isReaderGone()) break;
    }
  } finally {
    progress.end();
  }
  const {failure} = run;
  if (printed === 0 && failure?.code === 'auth') throw failure;
  await writeOut(writer.items(held), writer.nature);
  const {failure: filterFailure, ...ending} = writer.end();
  const printedLast = {...ending, nature: writer.nature};
  // What became of the run says more than that a filter did not like it.
  await writePrinted(failure === undefined && filterFailure !== undefined ? {...printedLast, failure: filterFailure} : printedLast, session);
  if (failure !== undefined) throw withAdvice(failure, hasUnknown);
}

/** Whom a journal belongs to. Without a profile the token stands for the account; its digest does not give it away. */
async function accountOf({profile, token}: Identity): Promise<string | null> {
  if (profile !== undefined) return profile.account === null ? profile.name : `@${profile.account.acct}`;
  const text = await token();
  if (text === undefined) return null;
  const {digestOf} = await import('../../bulk/journal-line.js');
  return `token ${digestOf([text]).slice(0, 12)}`;
}

async function withChosenJournal<Outcome>(
  {inputs, total, secrets = []}: Work,
  {command, flags, connection}: StepRun,
  run: (journal: Journal | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  const path = flags.journal;
  if (path === undefined) return run(undefined);
  const {identity, session} = connection;
  const [{withJournal}, {digestOf}] = await Promise.all([import('../../bulk/journal.js'), import('../../bulk/journal-line.js')]);
  const token = await identity.token();
  const hidden = token === undefined ? secrets : [token, ...secrets];
  const options = {redact: (text: string) => redact(text, hidden)};
  const wanted = {command, server: identity.server.origin, account: await accountOf(identity), input: digestOf(inputs), targets: total};
  return withJournal(path, wanted, options, async (journal) => {
    if (journal.wasTorn) session.warn(`the last line of ${path} was cut off, and dropped`);
    return run(journal);
  });
}

/**
 * Sends many requests and prints one result for each, in order. A refused token ends the run and leaves the rest
 * unsent; a first signal lets what is under way finish, a second one drops it.
 * @throws Failure `partial` when some failed, `auth`, `rate_limited`, `interrupted` and `local` for what ended the run
 */
export async function runSteps(work: Work, stepRun: StepRun): Promise<void> {
  const {flags, printing} = stepRun;
  const signals = watchSignals();
  const connection = stepRun.connection.with({rate: flags.rate, signal: signals.first});
  signals.second.addEventListener('abort', () => void connection.close(), {once: true});
  try {
    await withChosenJournal(work, stepRun, (journal) => {
      const run = new Run(work.steps(connection), {
        concurrency: flags.concurrency ?? usualConcurrency,
        maxFailures: flags['fail-fast'] ? 1 : flags['max-failures'],
        signal: signals.first,
        total: work.total,
        keepTurn: () => connection.client.keepTurn(),
        journal,
        resendUnknown: flags['resend-unknown'],
      });
      return printRun(run, work, printing, connection);
    });
  } finally {
    signals.stop();
    await connection.close();
  }
}
