/**
 * The typed client, for scripts: `import {createClient, domainBlock, performOperation} from 'pixelctl/client'`. `performOperation` does
 * what commands do, with what real servers require; `call` of a client sends just the documented request. scripts/bundle.js adds the records.
 */
import type {Endpoint, Input, Output} from '../api/endpoint.js';
import {once, oncePer} from '../api/schema.js';
import {hasShapeOf, type Answer} from '../client/answer.js';
import {openClient, type ClientOptions as CheckedOptions, type TypedClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {refuseOddServer, refuseOddToken, refusePlainHttp} from '../client/transport.js';
import {AccountDirectory} from './accounts.js';
import {fetchLimits, type PublishedLimits} from './limits.js';
import {convertInput, perform, refuseOverLimit, resolveInput, type Operation, type Via} from './operation.js';

export type {Endpoint, Input, Output} from '../api/endpoint.js';
export type {Answer} from '../client/answer.js';
export type {TypedClient as Client, WireEvent} from '../client/client.js';
export {Failure, type FailureCode} from '../client/failure.js';
export type {Clock} from '../client/retry.js';
export {domainBlock, domainUnblock} from './domains.js';
export {filterUpdate} from './filters.js';
export {conversationStart, messageSending} from './messages.js';

export interface ClientOptions extends CheckedOptions {
  /** Sends the token over plain http to other machines, where others on the network can read it. Default: false; loopback is always allowed. */
  readonly allowHttp?: boolean | undefined;
}

/** Checks what TypeScript cannot: scripts in JavaScript may pass anything. */
function refuseOddOptions({server, token}: {readonly server: unknown; readonly token?: unknown}): void {
  if (!(server instanceof URL)) {
    throw new Failure('usage', 'server is not a URL', {hint: "give a URL object, such as new URL('https://pix.example')"});
  }
  refuseOddServer(server, 'server');
  if (token === undefined || typeof token === 'function') return;
  throw new Failure('usage', 'token is not a function', {hint: 'give a function, such as async () => process.env.PIXELCTL_TOKEN'});
}

/**
 * A client of one server, as one account.
 * @throws Failure `usage` for a `server` that is not the URL of a server, or a `token` that is not a function. Requests fail with
 * `usage` before anything is sent when `token` gives what cannot be a token, or when the token would be sent over plain http
 * to another machine without `allowHttp`
 */
export function createClient({allowHttp = false, ...options}: ClientOptions): TypedClient {
  refuseOddOptions(options);
  const {server, token: tokenOf} = options;
  async function token(refused?: string): Promise<string | undefined> {
    const token: unknown = await tokenOf?.(refused);
    if (token === undefined || token === '') return undefined;
    if (typeof token !== 'string') {
      throw new Failure('usage', 'token returned no string', {hint: 'return the access token, or undefined to send none'});
    }
    refuseOddToken(token, 'The token');
    if (!allowHttp) refusePlainHttp(server, 'server', 'allowHttp: true');
    return token;
  }
  return openClient({...options, token});
}

interface Known extends Via {
  readonly limits: () => Promise<PublishedLimits>;
}

/** Accounts and limits are cached for the lifetime of the client. */
const viaFor = oncePer((client: TypedClient): Known => {
  const accounts = new AccountDirectory();
  return {client, accounts: async () => accounts, limits: once(() => fetchLimits(client))};
});

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
