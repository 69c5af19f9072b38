/** Requests for tokens: the protocol is oauth4webapi's, the connection and the error messages are ours. No message repeats a secret. */
import type * as OAuth from 'oauth4webapi';
import {failureOf, failureOfNetwork, parsed} from '../client/answer.js';
import {NetworkError} from '../client/network-error.js';
import type {WireEvent} from '../client/client.js';
import type {Request} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {mask, redact} from '../client/redact.js';
import type {Suggest} from '../client/suggest.js';
import {createTransport, type Incoming, type Outgoing} from '../client/transport.js';
import {at} from '../json/path.js';

/** For messages. What is lost on the way is asked for anew, so its fate does not matter. */
export const tokenRequest: Request = {
  method: 'POST',
  path: '/oauth/token',
  query: [],
  headers: {},
  token: 'never',
  repeat: 'harmless',
  secrets: [],
};

/** What is given for a token. */
export type Grant = 'code' | 'refresh token';

const again = 'sign in again';

export const noOAuth = (host: string): Failure =>
  new Failure('not_found', `${host} does not let programs sign people in`, {
    reason: 'unknown_route',
    hint: (suggest) =>
      `its admin has switched that off, or it is another kind of server; a token made in its settings may work: \`${suggest(['auth', 'login'], {flags: {'with-token': true}})}\``,
  });

export const wrongState = (host: string): Failure =>
  new Failure('auth', `This is not the answer of ${host} to this sign-in`, {
    reason: 'bad_paste',
    hint: `${again}, and follow the newest link only; somebody else may have sent you theirs`,
  });

export const noCode = (host: string): Failure =>
  new Failure('bad_answer', `The answer of ${host} contains no code`, {
    reason: 'bad_paste',
    hint: 'copy all of the text that the browser shows, or the whole address that it ended on',
  });

/** The failure that the server sent the browser back with. */
export function failureInAnswer(host: string, error: string, scopes: readonly string[]): Failure {
  switch (error) {
    case 'access_denied':
      return new Failure('auth', `The sign-in on ${host} was not approved`, {hint: `${again} if that was not meant`});
    case 'invalid_scope':
      return new Failure('refused', `${host} does not know one of these scopes: ${scopes.join(' ')}`, {
        hint: 'servers of this kind know read, write, follow and push',
      });
    case 'server_error':
    case 'temporarily_unavailable':
      return new Failure('unavailable', `${host} could not sign you in: server error`, {hint: 'try again later'});
    default:
      return new Failure('refused', `${host} ended the sign-in (${/^\w{1,40}$/.test(error) ? error : 'without a reason'})`, {hint: again});
  }
}

/** The error of a body, also where older servers keep nothing of it but the description in their library's words. */
function errorIn(body: unknown, status: number): string | undefined {
  const {value} = at(body, ['error']);
  if (typeof value !== 'string') return undefined;
  if (status < 500) return value;
  if (/client authentication failed/i.test(value)) return 'invalid_client';
  return /authorization grant .* is invalid|refresh token is invalid|is otherwise malformed/i.test(value) ? 'invalid_grant' : undefined;
}

function refusedGrant(host: string, grant: Grant, status: number, words: string): Failure {
  const said = words === '' ? '' : `: ${words}`;
  return grant === 'code'
    ? new Failure('auth', `${host} does not accept the code (${status})${said}`, {
        status,
        reason: 'bad_paste',
        hint: `${again}: a code is good for one sign-in, and for a few minutes`,
      })
    : new Failure('auth', `${host} does not renew the token (${status})${said}`, {
        status,
        reason: 'token',
        hint: `${again}: it may have been renewed elsewhere, or revoked`,
      });
}

/** What the server says about it; the error itself is told in words of ours. */
function wordsIn(body: unknown): string {
  const said = ['hint', 'error_description', 'message'].map((name) => at(body, [name]).value);
  return said.find((words): words is string => typeof words === 'string' && words !== '') ?? '';
}

/** Why there is no token in an answer. */
export function failureOfToken(host: string, grant: Grant, received: Incoming, secrets: readonly string[]): Failure {
  const {status, text} = received;
  const body = parsed(text).value;
  const error = errorIn(body, status);
  if (error === 'invalid_client') {
    return new Failure('auth', `${host} does not know this program any more (${status})`, {
      status,
      reason: 'unknown_client',
      hint: `${again}, which registers it again`,
    });
  }
  if (status === 404) return noOAuth(host);
  // Servers of this kind call a used or expired code a malformed request, and ours is well formed.
  if (error === 'invalid_grant' || (status >= 400 && status < 500 && status !== 429)) {
    return refusedGrant(host, grant, status, redact(wordsIn(body), secrets));
  }
  const general = failureOf(received, {host, request: tokenRequest});
  if (general === undefined) return noToken(host, grant);
  return new Failure(general.code, redact(general.message, secrets), general.details).with({hint: hintAfter(grant)});
}

/** What to do when it cannot be known how the server stands to what was given. */
export const hintAfter = (grant: Grant): string =>
  grant === 'code' ? `check the address and your connection, then ${again}` : 'the old token is kept: try again later';

export const noToken = (host: string, grant: Grant): Failure =>
  new Failure('bad_answer', `${host} answers a request for a token with something else`, {hint: hintAfter(grant)});

export interface OAuthOptions {
  /** Milliseconds from sending to the end of an answer. 30,000 if absent. */
  readonly timeout?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Suggests commands on this server; failures carry it. */
  readonly suggest?: Suggest | undefined;
  /** Hears of what happens on the wire, without any body: almost all of them hold secrets. */
  readonly observe?: ((event: WireEvent) => void) | undefined;
}

/** A program as a server knows it. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
}

export interface IssuedToken {
  readonly accessToken: string;
  /** Absent when the server gives none. */
  readonly refreshToken?: string;
  /** What the token may do; null when the server does not say. */
  readonly scopes: readonly string[] | null;
  /** ISO 8601, by the clock of this machine; null when the server does not say. */
  readonly expiresAt: string | null;
}

/** What the requests of oauth4webapi need besides what they ask for. */
export interface Exchange {
  readonly oauth: typeof OAuth;
  readonly server: OAuth.AuthorizationServer;
  readonly client: OAuth.Client;
  readonly authentication: OAuth.ClientAuth;
  readonly options: OAuth.TokenEndpointRequestOptions;
}

/** Headers of an answer that repeat nothing of a request. */
const plainHeaders = new Set(['content-length', 'content-type', 'date', 'retry-after', 'server']);

/** The same event without the body, and of an answer's headers only those that hold no secret whatever the server does. */
export function withoutBody(event: WireEvent): WireEvent {
  if (event.kind === 'request') return {...event, body: mask};
  if (event.kind !== 'answer') return event;
  const headers = Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name, plainHeaders.has(name) ? value : mask]));
  return {...event, headers, text: mask};
}

/** Whether it is the library that does not like an answer. It keeps what it complains of, secrets and all. */
export const isComplaint = (oauth: typeof OAuth, error: unknown): boolean =>
  error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError;

export const metadataOf = ({origin}: URL): OAuth.AuthorizationServer => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: origin + tokenRequest.path,
});

/** Seconds from now as a time; null for what lies beyond all calendars. */
function timeIn(seconds: number | undefined): string | null {
  const time = new Date(Date.now() + (seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function issuedIn(answer: OAuth.TokenEndpointResponse): IssuedToken | undefined {
  const {access_token: accessToken, refresh_token: refreshToken, scope, expires_in: seconds} = answer;
  // It goes into a header.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) return undefined;
  return {
    accessToken,
    ...(refreshToken !== undefined && {refreshToken}),
    scopes: scope === undefined ? null : scope.split(' ').filter((one) => one !== ''),
    expiresAt: timeIn(seconds),
  };
}

const secretsIn = (body: URLSearchParams): string[] =>
  ['client_secret', 'code', 'code_verifier', 'refresh_token'].flatMap((name) => body.getAll(name));

/** One exchange over a connection of its own, with the events that the client tells of its own exchanges. */
async function observed(server: URL, outgoing: Outgoing, {timeout = 30_000, observe}: OAuthOptions): Promise<Incoming> {
  const tell = (event: WireEvent): void => observe?.(withoutBody(event));
  const {method, target, headers, body} = outgoing;
  const transport = createTransport(server.origin, timeout);
  const start = performance.now();
  tell({kind: 'request', method, target, headers, body: String(body)});
  try {
    const received = await transport.exchange(outgoing);
    tell({kind: 'answer', milliseconds: performance.now() - start, ...received});
    return received;
  } catch (error) {
    if (error instanceof NetworkError) tell({kind: 'broken', message: error.message});
    throw error;
  } finally {
    await transport.close();
  }
}

/**
 * Makes one request for a token, to the server alone and without following redirects.
 * @throws Failure in words of signing in
 */
export async function requestToken(
  server: URL,
  {id, secret}: OAuthClient,
  grant: Grant,
  options: OAuthOptions,
  ask: (exchange: Exchange) => Promise<OAuth.TokenEndpointResponse>,
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
    const received = await observed(server, outgoing, options);
    if (received.status !== 200) throw failureOfToken(host, grant, received, secretsIn(body));
    return new Response(received.text, {headers: {'content-type': received.headers['content-type'] ?? ''}});
  }

  try {
    const answer = await ask({
      oauth,
      server: metadataOf(server),
      client: {client_id: id},
      authentication: oauth.ClientSecretPost(secret),
      options: {[oauth.customFetch]: send, [oauth.allowInsecureRequests]: server.protocol === 'http:'},
    });
    const issued = issuedIn(answer);
    if (issued === undefined) throw noToken(host, grant);
    return issued;
  } catch (error) {
    if (error instanceof NetworkError) throw failureOfNetwork(error, {host, request: tokenRequest}).with({hint: hintAfter(grant)});
    throw isComplaint(oauth, error) ? noToken(host, grant) : error;
  }
}
