/** Requests for tokens: oauth4webapi speaks the protocol; the connection and the error messages are ours. No message repeats a secret. */
import {commandText} from '../files/command-text.js';
import type * as OAuth from 'oauth4webapi';
import {failureOf, failureOfNetwork, parseErrorBody} from '../client/answer.js';
import {NetworkError} from '../client/network-error.js';
import type {ClientOptions, WireEvent} from '../client/client.js';
import type {Request} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {mask, redact} from '../client/redact.js';
import {createTransport, type Incoming, type Outgoing} from '../client/transport.js';
import {at} from '../json/path.js';

/** The request as error messages name it. A lost token is requested again, so it does not matter whether the server received it. */
const tokenRequest: Request = {
  method: 'POST',
  path: '/oauth/token',
  query: [],
  headers: {},
  token: 'never',
  repeat: 'harmless',
  isWrite: false,
  secrets: [],
};

export type Grant = 'authorization_code' | 'refresh_token';

const again = 'sign in again';

export const noOAuth = (host: string): Failure =>
  new Failure('not_found', `${host} does not offer sign-in for programs (OAuth)`, {
    reason: 'unknown_route',
    hint: `its admin may have turned it off, or it is not a Pixelfed server; try a token created in its settings: \`${commandText('auth login', {flags: {'with-token': true}})}\``,
  });

export const wrongState = (host: string): Failure =>
  new Failure('auth', `This is not the response of ${host} to this sign-in`, {
    reason: 'bad_paste',
    hint: `${again} and open the newest link only; never open a link that somebody else sent you`,
  });

export const noCode = (host: string): Failure =>
  new Failure('bad_answer', `The response of ${host} contains no code`, {
    reason: 'bad_paste',
    hint: 'copy all the text that the browser shows, or the whole address of the last page',
  });

/** The failure for the error that the redirect carries. */
export function failureInAnswer(host: string, error: string, scopes: readonly string[]): Failure {
  switch (error) {
    case 'access_denied':
      return new Failure('auth', `The sign-in on ${host} was not approved`, {hint: `${again} to approve it`});
    case 'invalid_scope':
      return new Failure('refused', `${host} does not support one of these scopes: ${scopes.join(' ')}`, {
        hint: 'Pixelfed supports read, write, follow and push',
      });
    case 'server_error':
    case 'temporarily_unavailable':
      return new Failure('unavailable', `Sign-in failed: server error on ${host}`, {hint: 'try again later'});
    default:
      return new Failure('refused', `${host} refused the sign-in (${/^\w{1,40}$/.test(error) ? error : 'no reason given'})`, {hint: again});
  }
}

/** The error code of a body. Older servers send only the description, in the words of their OAuth library. */
function errorIn(body: unknown, status: number): string | undefined {
  const {value} = at(body, ['error']);
  if (typeof value !== 'string') return undefined;
  if (status < 500) return value;
  if (/client authentication failed/i.test(value)) return 'invalid_client';
  return /authorization grant .* is invalid|refresh token is invalid|is otherwise malformed/i.test(value) ? 'invalid_grant' : undefined;
}

function refusedGrant(host: string, grant: Grant, status: number, words: string): Failure {
  const said = words === '' ? '' : `: ${words}`;
  return grant === 'authorization_code'
    ? new Failure('auth', `${host} rejected the code (${status})${said}`, {
        status,
        reason: 'bad_paste',
        hint: `${again}: a code works once, and only for a few minutes`,
      })
    : new Failure('auth', `${host} did not renew the token (${status})${said}`, {
        status,
        reason: 'token',
        hint: `${again}: it may have been renewed elsewhere, or revoked`,
      });
}

/** The server's explanation. For the error code, pixelctl has its own message. */
function explanationIn(body: unknown): string {
  const said = ['hint', 'error_description', 'message'].map((name) => at(body, [name]).value);
  return said.find((words): words is string => typeof words === 'string' && words !== '') ?? '';
}

export function failureOfToken(host: string, grant: Grant, received: Incoming, secrets: readonly string[]): Failure {
  const {status, text} = received;
  const body = parseErrorBody(text);
  const error = errorIn(body, status);
  if (error === 'invalid_client') {
    return new Failure('auth', `${host} no longer knows this program (${status})`, {
      status,
      hint: `${again}: that registers it again`,
    });
  }
  if (status === 404) return noOAuth(host);
  // Pixelfed calls a used or expired code a malformed request, and ours is well formed.
  if (error === 'invalid_grant' || (status >= 400 && status < 500 && status !== 429)) {
    return refusedGrant(host, grant, status, redact(explanationIn(body), secrets));
  }
  const general = failureOf(received, {host, request: tokenRequest});
  if (general === undefined) return noToken(host, grant);
  return new Failure(general.code, redact(general.message, secrets), general.details).with({hint: hintAfter(grant)});
}

/** What to do when it is unknown whether the server accepted the code or token. */
const hintAfter = (grant: Grant): string =>
  grant === 'authorization_code'
    ? `check the address and your connection, then ${again}`
    : 'the old token is still stored: try again later';

const noToken = (host: string, grant: Grant): Failure =>
  new Failure('bad_answer', `${host} did not send a token`, {hint: hintAfter(grant)});

/** Requests and responses are observed without their bodies: almost all of them hold secrets. */
export type OAuthOptions = Pick<ClientOptions, 'observe' | 'timeout' | 'userAgent'>;

export interface RegisteredApp {
  readonly id: string;
  readonly secret: string;
}

export interface IssuedToken {
  readonly accessToken: string;
  /** Absent when the server sends none. */
  readonly refreshToken?: string;
  /** Null when the server does not tell. */
  readonly scopes: readonly string[] | null;
  /** ISO 8601, by this machine's clock; null when the server does not tell. */
  readonly expiresAt: string | null;
}

/** Response headers that never repeat a secret of the request. */
const plainHeaders = new Set(['content-length', 'content-type', 'date', 'retry-after', 'server']);

/** The event without its body, and with only those response headers that cannot hold a secret. */
export function withoutBody(event: WireEvent): WireEvent {
  if (event.kind === 'request') return {...event, body: mask};
  if (event.kind !== 'answer') return event;
  const headers = Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name, plainHeaders.has(name) ? value : mask]));
  return {...event, headers, text: mask};
}

/** Whether oauth4webapi rejected a response. Its error carries the response with its secrets. */
export const isRejectedResponse = (oauth: typeof OAuth, error: unknown): boolean =>
  error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError;

export const metadataOf = ({origin}: URL): OAuth.AuthorizationServer => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: origin + tokenRequest.path,
});

/** Seconds from now as a time; null for a time out of range. */
function timeIn(seconds: number | undefined): string | null {
  const time = new Date(Date.now() + (seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function issuedIn(answer: OAuth.TokenEndpointResponse): IssuedToken | undefined {
  const {access_token: accessToken, refresh_token: refreshToken, scope, expires_in: seconds} = answer;
  // The token goes into a header, which allows no other characters.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) return undefined;
  return {
    accessToken,
    ...(refreshToken !== undefined && {refreshToken}),
    scopes: scope === undefined ? null : scope.split(' ').filter((one) => one !== ''),
    expiresAt: timeIn(seconds),
  };
}

/** One exchange over its own connection, with the same events as an exchange of the client. */
async function fetchObserved(server: URL, outgoing: Outgoing, {timeout = 30_000, observe}: OAuthOptions): Promise<Incoming> {
  const tell = (event: WireEvent): void => observe?.(withoutBody(event));
  const {method, target, headers, body} = outgoing;
  await using transport = createTransport(server.origin, timeout);
  const start = performance.now();
  tell({kind: 'request', method, target, headers, body: String(body)});
  try {
    const received = await transport.exchange(outgoing);
    tell({kind: 'answer', milliseconds: performance.now() - start, ...received});
    return received;
  } catch (error) {
    if (error instanceof NetworkError) tell({kind: 'broken', message: error.message});
    throw error;
  }
}

/**
 * Sends one request for a token. Redirects are not followed.
 * @throws Failure with a message about signing in
 */
export async function requestToken(
  server: URL,
  {id, secret}: RegisteredApp,
  grant: Grant,
  parameters: Readonly<Record<string, string>>,
  options: OAuthOptions,
): Promise<IssuedToken> {
  const oauth = await import('oauth4webapi');
  const {host} = server;

  async function send(url: string, {method, headers, body}: OAuth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> {
    const outgoing = {
      method,
      target: new URL(url).pathname,
      headers: {...headers, 'user-agent': options.userAgent ?? 'pixelctl'},
      body: body.toString(),
    };
    const received = await fetchObserved(server, outgoing, options);
    if (received.status !== 200) throw failureOfToken(host, grant, received, [secret, ...Object.values(parameters)]);
    return new Response(received.text, {headers: {'content-type': received.headers['content-type'] ?? ''}});
  }

  try {
    const [issuer, client] = [metadataOf(server), {client_id: id}];
    const response = await oauth.genericTokenEndpointRequest(issuer, client, oauth.ClientSecretPost(secret), grant, parameters, {
      [oauth.customFetch]: send,
      [oauth.allowInsecureRequests]: server.protocol === 'http:',
    });
    const issued = issuedIn(await oauth.processGenericTokenEndpointResponse(issuer, client, response));
    if (issued !== undefined) return issued;
  } catch (error) {
    if (error instanceof NetworkError) throw failureOfNetwork(error, {host, request: tokenRequest}).with({hint: hintAfter(grant)});
    if (!isRejectedResponse(oauth, error)) throw error;
  }
  throw noToken(host, grant);
}
