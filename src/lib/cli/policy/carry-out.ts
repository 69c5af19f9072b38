/** Changes, one request each, in the order of the plan. */
import type {Answer} from '../../client/answer.js';
import type {Request} from '../../client/request.js';
import {asFailure, Failure} from '../../client/failure.js';
import {identifierAt} from '../../json/path.js';
import {perform, requestsFor, resolved} from '../../operations/operation.js';
import type {Change} from '../../policy/change.js';
import {requestOf, type ChangeRequest} from '../../policy/requests.js';
import type {Connection} from '../connection.js';
import {runSteps, type RunFlags, type StepRun} from '../run.js';
import {changeName} from './plan-text.js';

/** The request of a change. @throws Failure `not_found` for an account that is not there any more */
async function requestOfNow(change: Change, connection: Connection): Promise<ChangeRequest> {
  const {endpoint, input} = requestOf(change, new Date());
  return {endpoint, input: await resolved(endpoint, input, connection)};
}

/** How a dry run shows them. */
export async function plannedRequests(changes: readonly Change[], connection: Connection): Promise<Request[]> {
  const requests = [];
  for (const change of changes) {
    const {endpoint, input} = await requestOfNow(change, connection);
    requests.push(...requestsFor(endpoint, input));
  }
  return requests;
}

/** A quota of the hour is of no use to whatever comes after; what was done stays done. */
function explained(failure: Failure, {kind}: Change): Failure {
  if (failure.code !== 'rate_limited' || failure.details.reason !== 'hourly_quota' || kind !== 'filter') return failure;
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    reason: 'wait_too_long',
    hint: 'servers take 20 new filters and 40 updates an hour, and on some of them that count never ends: what was done is kept, and the next apply does the rest',
  });
}

async function send(change: Change, connection: Connection): Promise<Answer> {
  const {endpoint, input} = await requestOfNow(change, connection);
  return perform(endpoint, input, connection);
}

/** Follows changes while they are carried out. */
export interface Witness {
  /** Told of each change that was made, with the id of the filter that it made; when this fails, nothing more is sent. */
  made(change: Change, createdId: string | undefined): Promise<void>;
  /** Told of each change that was not made, or of which nobody knows. */
  failed(change: Change, failure: Failure): void;
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
      const failure = explained(asFailure(error), change);
      witness?.failed(change, failure);
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
        unknownHint: 'the next apply or undo looks first: what is there is kept, and what is not is made',
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
