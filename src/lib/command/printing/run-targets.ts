/** Many targets: one request each, one result each, in the order they were given. */
import type {Answer} from '../../client/answer.js';
import {Failure} from '../../client/failure.js';
import {formatResults, type Result} from '../../output/print.js';
import type {Connection} from '../connection.js';
import type {Typed} from '../pixelctl-command.js';
import {writePrinted, type Printing} from './printing.js';
import {asFailure, reportOf} from '../failure/report.js';
import type {Target} from '../input/targets.js';

export interface Run {
  /** Of the command, in words. */
  readonly command: string;
  readonly repeat: 'harmless' | 'never';
  readonly typed: Typed;
  readonly printing: Printing;
  readonly connection: Connection;
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
 * Takes the targets one after another and prints one result for each, in order.
 * A refused token stops the run and leaves the rest unsent; a signal lets the running step finish.
 * @throws Failure `partial` when some failed, `auth` when the token was refused, `interrupted` on a signal
 */
export async function runTargets(
  targets: readonly Target[],
  send: (target: Target) => Promise<Answer>,
  {printing, connection}: Run,
): Promise<void> {
  const {session, client} = connection;
  const results: Result[] = [];
  const signals = signalWatch();
  let stopped: Failure | undefined;
  for (const target of targets) {
    const outcome = await send(target).catch(asFailure);
    if (!(outcome instanceof Failure)) session.warnOfDepartures(outcome, client.host);
    results.push(resultOf(target.value ?? '', outcome));
    if (outcome instanceof Failure && outcome.code === 'auth') stopped = outcome;
    const signal = signals.received();
    if (signal !== undefined) stopped = new Failure(signal, `${signal} after ${results.length} of ${targets.length}`);
    if (stopped !== undefined) break;
  }
  signals.stop();
  const nothingDone = stopped?.code === 'auth' && !results.some(({ok}) => ok);
  if (!nothingDone) await writePrinted(await formatResults(results, printing), session);
  if (stopped !== undefined) {
    const unsent = targets.length - results.length;
    if (unsent === 0 || stopped.code !== 'auth') throw stopped;
    throw new Failure(stopped.code, `${stopped.message}; ${unsent} more were not sent`, stopped.details);
  }
  const failed = results.filter(({ok}) => !ok).length;
  if (failed > 0) throw new Failure('partial', `${failed} of ${results.length} failed`, {hint: 'the results say which, and why'});
}
