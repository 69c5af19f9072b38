/** Changes, one request each, in the order of the plan. */
import type {Answer} from '../../client/answer.js';
import {plan, type PlannedRequest} from '../../client/encode.js';
import {asFailure, Failure} from '../../client/failure.js';
import {identifierAt} from '../../json/path.js';
import type {Change} from '../../policy/change.js';
import {requestOf} from '../../policy/requests.js';
import type {Connection} from '../connection.js';
import {runSteps, type RunFlags, type StepRun} from '../printing/run-steps.js';
import {changeName} from './plan-text.js';

/** How a dry run shows them. */
export function plannedRequests(changes: readonly Change[]): PlannedRequest[] {
  const now = new Date();
  return changes.map((change) => {
    const {endpoint, input} = requestOf(change, now);
    return plan(endpoint, input);
  });
}

/** A quota of the hour is of no use to whatever comes after; what was done stays done. */
function explained(failure: Failure): Failure {
  if (failure.code !== 'rate_limited' || failure.details.reason !== undefined) return failure;
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    reason: 'wait_too_long',
    hint: 'servers take so many filters an hour: what was done is kept, run it again later for the rest',
  });
}

async function send(change: Change, {client}: Connection): Promise<Answer> {
  const {endpoint, input} = requestOf(change, new Date());
  return client.send(plan(endpoint, input), endpoint.output);
}

/** Follows changes while they are carried out. */
export interface Witness {
  /** Told of each change that was made, with the id of the filter that it made; when this fails, nothing more is sent. */
  made(change: Change, createdId: string | undefined): Promise<void>;
  failed(failure: Failure): void;
}

/**
 * Sends the changes one after another, and prints a result for each.
 * @throws Failure as {@link runSteps} does, or as the witness does
 */
export async function carryOut(changes: readonly Change[], run: StepRun, witness?: Witness): Promise<void> {
  let broken: Failure | undefined;
  const make = async (change: Change, connection: Connection): Promise<Answer> => {
    if (broken !== undefined) throw new Failure(broken.code, broken.message, {reason: 'unsent'});
    const answer = await send(change, connection).catch((error: unknown) => {
      const failure = explained(asFailure(error));
      witness?.failed(failure);
      throw failure;
    });
    try {
      await witness?.made(change, change.kind === 'filter' && change.action === 'add' ? identifierAt(answer.text, ['id']) : undefined);
    } catch (error) {
      broken = asFailure(error);
    }
    return answer;
  };
  const flags: RunFlags = {...run.flags, concurrency: 1};
  try {
    await runSteps(
      {
        total: changes.length,
        inputs: changes.map((change) => JSON.stringify(change)),
        *steps(connection) {
          for (const change of changes) yield {target: changeName(change), repeat: 'harmless', run: () => make(change, connection)};
        },
      },
      {...run, flags},
    );
  } catch (error) {
    throw broken ?? error;
  }
  if (broken !== undefined) throw broken;
}
