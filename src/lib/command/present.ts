/** From answers to what is printed. */
import type {Endpoint} from '../api/endpoint.js';
import type {Answer} from '../client/answer.js';
import {Failure} from '../client/failure.js';
import {formatAnswer, formatResults, type Result} from '../output/print.js';
import type {ViewName} from '../output/views.js';
import {asFailure, reportOf} from './report.js';
import type {Session} from './session.js';
import {writeOut} from './standard-streams.js';

/** @param done said to a person instead of a table, when the answer says nothing */
export async function printAnswer(
  answer: Answer,
  endpoint: Pick<Endpoint, 'rows'>,
  view: ViewName | undefined,
  done: string | undefined,
  session: Session,
): Promise<void> {
  session.warnOfDepartures(answer);
  if (done !== undefined && session.format === 'table') return session.note(done);
  const {rows} = endpoint;
  const {stdout, stderr} = await formatAnswer(answer.text, {
    format: session.format,
    view,
    rows,
    terminal: session.out,
    now: new Date(),
  });
  await writeOut(stdout);
  if (stderr !== undefined) session.note(stderr);
}

export interface Step {
  readonly target: string;
  readonly run: () => Promise<Answer>;
}

/** What ended a run before its last step. */
function signalWatch(): {readonly received: () => 'interrupted' | 'terminated' | undefined; readonly stop: () => void} {
  let received: 'interrupted' | 'terminated' | undefined;
  const interrupt = () => (received ??= 'interrupted');
  const terminate = () => (received ??= 'terminated');
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', terminate);
  return {
    received: () => received,
    stop: () => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
    },
  };
}

function resultOf(target: string, outcome: Answer | Failure): Result {
  if (outcome instanceof Failure) {
    return {target, ok: false, status: outcome.details.status ?? null, error: reportOf(outcome)};
  }
  return {target, ok: true, status: outcome.status, body: outcome.text};
}

/**
 * Takes the steps one after another and prints one result for each, in order.
 * A refused token stops the run and leaves the rest unsent; a signal lets the running step finish.
 * @throws Failure `partial` when some failed, `auth` when the token was refused, `interrupted` on a signal
 */
export async function runTargets(steps: readonly Step[], session: Session): Promise<void> {
  const results: Result[] = [];
  const signals = signalWatch();
  let stopped: Failure | undefined;
  for (const {target, run} of steps) {
    const outcome = await run().catch(asFailure);
    if (!(outcome instanceof Failure)) session.warnOfDepartures(outcome);
    results.push(resultOf(target, outcome));
    if (outcome instanceof Failure && outcome.code === 'auth') stopped = outcome;
    const signal = signals.received();
    if (signal !== undefined) stopped = new Failure(signal, `${signal} after ${results.length} of ${steps.length}`);
    if (stopped !== undefined) break;
  }
  signals.stop();
  const nothingDone = stopped?.code === 'auth' && !results.some(({ok}) => ok);
  if (!nothingDone) {
    const {stdout, stderr} = await formatResults(results, {format: session.format, terminal: session.out, now: new Date()});
    await writeOut(stdout);
    if (stderr !== undefined) session.note(stderr);
  }
  if (stopped !== undefined) {
    const unsent = steps.length - results.length;
    if (unsent === 0 || stopped.code !== 'auth') throw stopped;
    throw new Failure(stopped.code, `${stopped.message}; ${unsent} more were not sent`, stopped.details);
  }
  const failed = results.filter(({ok}) => !ok).length;
  if (failed > 0) throw new Failure('partial', `${failed} of ${results.length} failed`, {hint: 'the results say which, and why'});
}
