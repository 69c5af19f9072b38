/**
 * The typed client, for scripts: `import {createClient, domainBlock, performOperation} from 'pixelctl/client'`. `performOperation` does
 * what commands do, with what real servers require; `call` of a client sends just the documented request.
 */
import type {Endpoint, Input, Output} from '../api/endpoint.js';
import {hasShapeOf, type Answer} from '../client/answer.js';
import type {TypedClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {AccountDirectory} from './accounts.js';
import {fetchLimits, type PublishedLimits} from './limits.js';
import {convertInput, perform, refuseOverLimit, resolveInput, type Operation, type Via} from './operation.js';

export * from '../client/index.js';
export {domainBlock, domainUnblock} from './domains.js';
export {filterUpdate} from './filters.js';
export {conversationStart, messageSending} from './messages.js';

interface Known extends Via {
  readonly limits: () => Promise<PublishedLimits>;
}

const known = new WeakMap<TypedClient, Known>();

/** Accounts and limits are cached for the lifetime of the client. */
function viaFor(client: TypedClient): Known {
  const found = known.get(client);
  if (found !== undefined) return found;
  const accounts = new AccountDirectory();
  let limits: Promise<PublishedLimits> | undefined;
  const via = {client, accounts: async () => accounts, limits: () => (limits ??= fetchLimits(client))};
  known.set(client, via);
  return via;
}

/**
 * Sends an operation, or the request of a record. Accounts and conversations may be named as in commands: `@user`, `@user@host`.
 * @throws Failure; with the fate `unknown` where the server may have carried it out
 */
export async function performOperation<E extends Endpoint>(
  client: TypedClient,
  operation: Operation<E>,
  input: Input<E>,
): Promise<Answer<Output<E>>> {
  const via = viaFor(client);
  const meant = convertInput(operation, input);
  await refuseOverLimit(operation, meant, via.limits);
  const answer = await perform(operation, await resolveInput(operation, meant, via), via);
  if (hasShapeOf<ReturnType<E['output']>>(answer)) return answer;
  throw new Failure('internal', `The response to ${operation.name} was not checked`);
}
