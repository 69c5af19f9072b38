/** Asks a server for tokens: the protocol is oauth4webapi's, the connection is ours. */
import type * as OAuth from 'oauth4webapi';
import {failureOfBroken} from '../client/answer.js';
import {Broken} from '../client/broken.js';
import type {WireEvent} from '../client/client.js';
import {mask} from '../client/redact.js';
import type {Suggest} from '../client/suggest.js';
import {createTransport, type Incoming, type Outgoing} from '../client/transport.js';
import {failureOfToken, hintAfter, noToken, tokenRequest, type Grant} from './oauth-failure.js';

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
    if (error instanceof Broken) tell({kind: 'broken', message: error.message});
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
    if (error instanceof Broken) throw failureOfBroken(error, {host, request: tokenRequest}).with({hint: hintAfter(grant)});
    throw isComplaint(oauth, error) ? noToken(host, grant) : error;
  }
}
