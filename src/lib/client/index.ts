/** What scripts can import: the typed client, whose options are checked here. scripts/bundle.js adds the records. */
import {openClient, type ClientOptions as CheckedOptions, type TypedClient} from './client.js';
import {Failure} from './failure.js';
import {refuseOddServer, refuseOddToken, refusePlainHttp} from './transport.js';

export type {Endpoint, Input, Output} from '../api/endpoint.js';
export type {Answer} from './answer.js';
export type {TypedClient as Client, WireEvent} from './client.js';
export {Failure, type FailureCode} from './failure.js';
export type {Clock} from './retry.js';

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
