/**
 * OAuth sign-in: register the program, approve in the browser, exchange the code for a token, renew the token. oauth4webapi
 * speaks the protocol; the connection and the error messages are ours. No message repeats a secret.
 */
import type * as OAuth from 'oauth4webapi';
import {registerApp} from '../api/internal.js';
import {isObject} from '../api/schema.js';
import {failureOf, failureOfNetwork, parseErrorBody} from '../client/answer.js';
import {openClient, type ClientOptions, type WireEvent} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {NetworkError} from '../client/network-error.js';
import {mask, redact} from '../client/redact.js';
import type {Request} from '../client/request.js';
import {createTransport, type Incoming, type Outgoing} from '../client/transport.js';
import {commandText} from '../files/command-text.js';
import {at, identifierAt} from '../json/path.js';
import {refuseWithoutApi} from '../operations/server-release.js';

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

/** A sign-in that waits for its approval. It holds secrets. */
export interface Authorization {
  readonly url: string;
  readonly server: URL;
  readonly client: RegisteredApp;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  /** Only the redirect of this sign-in carries it. */
  readonly state: string;
  /** Proves to the server that the same program asked for the code and exchanges it (PKCE). */
  readonly codeVerifier: string;
}

/** This redirect URI means no redirect: the browser shows the code, and a person copies it. Servers before 0.12.5 do not support it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

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

const metadataOf = ({origin}: URL): OAuth.AuthorizationServer & {readonly authorization_endpoint: string} => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: origin + tokenRequest.path,
});

/** Whether oauth4webapi rejected a response. Its error carries the response with its secrets. */
const isRejectedResponse = (oauth: typeof OAuth, error: unknown): boolean =>
  error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError;

/** Response headers that never repeat a secret of the request. */
const plainHeaders = new Set(['content-length', 'content-type', 'date', 'retry-after', 'server']);

/** The event without its body, and with only those response headers that cannot hold a secret. */
export function withoutBody(event: WireEvent): WireEvent {
  if (event.kind === 'request') return {...event, body: mask};
  if (event.kind !== 'answer') return event;
  const headers = Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name, plainHeaders.has(name) ? value : mask]));
  return {...event, headers, text: mask};
}

/** Whether a text can be a client id or secret, by RFC 6749: other characters would be changed on the way. */
const isCredential = (text: string | undefined): text is string => /^[\x20-\x7e]+$/.test(text ?? '');

/** @param name of the program, as the approval page shows it @throws Failure `not_found` when the server does not offer OAuth */
export async function registerClient(
  server: URL,
  {name, redirectUri, scopes}: {readonly name: string; readonly redirectUri: string; readonly scopes: readonly string[]},
  options: OAuthOptions = {},
): Promise<RegisteredApp> {
  const {observe} = options;
  await using client = openClient({...options, server, observe: observe && ((event) => observe(withoutBody(event)))});
  try {
    const {exact} = await client.call(registerApp, {body: {client_name: name, redirect_uris: redirectUri, scopes: scopes.join(' ')}});
    // Older servers send numbers.
    const [id, secret] = ['client_id', 'client_secret'].map((member) => identifierAt(exact, [member]));
    if (!isCredential(id) || !isCredential(secret)) throw new Failure('bad_answer', `${server.host} did not send a client id and secret`);
    return {id, secret};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await refuseWithoutApi(client, error);
    if (error.code === 'not_found') throw noOAuth(server.host);
    throw error.code === 'bad_answer' ? error.with({hint: 'check that this is the address of a Pixelfed server'}) : error;
  }
}

/** Begins a sign-in. Sends nothing: the next step is in the browser. */
export async function beginAuthorization(
  server: URL,
  client: RegisteredApp,
  {scopes, redirectUri}: {readonly scopes: readonly string[]; readonly redirectUri: string},
): Promise<Authorization> {
  const {calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState} = await import('oauth4webapi');
  const [state, codeVerifier] = [generateRandomState(), generateRandomCodeVerifier()];
  const url = new URL(metadataOf(server).authorization_endpoint);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }).toString();
  return {url: url.href, server, client, scopes, redirectUri, state, codeVerifier};
}

const copyAll = 'copy all the text that the browser shows, or the whole address of the last page';

function membersIn(json: string): URLSearchParams | undefined {
  try {
    const value: unknown = JSON.parse(json);
    // A list counts as an answer without a code, as an empty object does: copying it again would not help.
    if (!isObject(value) && !Array.isArray(value)) return undefined;
    return new URLSearchParams(Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string'));
  } catch {
    return undefined;
  }
}

/**
 * Reads the JSON that servers show (`{"code","state"}`), or the whole address of the last page; a code alone is returned as it is.
 * @throws Failure `usage` for anything else
 */
export function readBrowserAnswer(answer: string): URLSearchParams | string {
  const text = answer.trim();
  const parameters = membersIn(text) ?? URL.parse(text)?.searchParams;
  if (parameters !== undefined) return parameters;
  if (/^[\w.~+/=-]+$/.test(text)) return text;
  throw new Failure('usage', 'This is not what the browser shows after the approval', {reason: 'bad_paste', hint: copyAll});
}

/**
 * Exchanges the browser's response for a token.
 * @param answer the query of the redirect; or what a person copied: JSON with code and state, the whole address, or the code
 * @throws Failure `auth` for the response to another sign-in, a denied approval, and a used or expired code;
 * `refused` for an unknown scope; `usage` for text that is none of these
 */
export async function finishAuthorization(
  begun: Authorization,
  answer: URLSearchParams | string,
  options: OAuthOptions = {},
): Promise<IssuedToken> {
  const {server, client, redirectUri, codeVerifier} = begun;
  const given = typeof answer === 'string' ? readBrowserAnswer(answer) : answer;
  // What a person pastes is trusted, even without its `state`.
  const code = typeof given === 'string' ? given : await codeIn(given, begun);
  return requestToken(server, client, 'authorization_code', {code, redirect_uri: redirectUri, code_verifier: codeVerifier}, options);
}

/** @throws Failure for the response to another sign-in, and for an error */
async function codeIn(parameters: URLSearchParams, {server, client, scopes, state}: Authorization): Promise<string> {
  const {host} = server;
  const oauth = await import('oauth4webapi');
  const error = parameters.get('error');
  // Older servers drop the state when a scope is unknown.
  if (error !== null && !parameters.has('state')) throw failureInAnswer(host, error, scopes);
  try {
    const code = oauth.validateAuthResponse(metadataOf(server), {client_id: client.id}, parameters, state).get('code') ?? '';
    if (code.trim() !== '') return code;
  } catch (refusal) {
    if (refusal instanceof oauth.AuthorizationResponseError) throw failureInAnswer(host, refusal.error, scopes);
    if (!isRejectedResponse(oauth, refusal)) throw refusal;
    throw new Failure('auth', `This is not the response of ${host} to this sign-in`, {
      reason: 'bad_paste',
      hint: `${again} and open the newest link only; never open a link that somebody else sent you`,
    });
  }
  throw new Failure('bad_answer', `The response of ${host} contains no code`, {reason: 'bad_paste', hint: copyAll});
}

/**
 * Exchanges a refresh token for new tokens; servers revoke the old ones with that. When a server sends no new refresh token,
 * the old one stays valid.
 * @throws Failure `auth` when the server does not renew it; after any other failure the old tokens may still be valid
 */
export async function refresh(
  server: URL,
  client: RegisteredApp,
  refreshToken: string,
  options: OAuthOptions = {},
): Promise<IssuedToken & {readonly refreshToken: string}> {
  return {refreshToken, ...(await requestToken(server, client, 'refresh_token', {refresh_token: refreshToken}, options))};
}

export type Grant = 'authorization_code' | 'refresh_token';

/**
 * Sends one request for a token. Redirects are not followed.
 * @throws Failure with a message about signing in
 */
async function requestToken(
  server: URL,
  {id, secret}: RegisteredApp,
  grant: Grant,
  parameters: Readonly<Record<string, string>>,
  options: OAuthOptions,
): Promise<IssuedToken> {
  const oauth = await import('oauth4webapi');
  const {host} = server;

  async function send(url: string, {method, headers, body}: OAuth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> {
    const ownHeaders = {...headers, 'user-agent': options.userAgent ?? 'pixelctl'};
    const outgoing = {method, target: new URL(url).pathname, headers: ownHeaders, body: body.toString()};
    const received = await exchangeObserved(server, outgoing, options);
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

/** One exchange over its own connection, with the same events as an exchange of the client. */
async function exchangeObserved(
  server: URL,
  outgoing: Outgoing & {body: string},
  {timeout = 30_000, observe}: OAuthOptions,
): Promise<Incoming> {
  const tell = (event: WireEvent): void => observe?.(withoutBody(event));
  await using transport = createTransport(server.origin, timeout);
  const start = performance.now();
  tell({kind: 'request', ...outgoing});
  try {
    const received = await transport.exchange(outgoing);
    tell({kind: 'answer', milliseconds: performance.now() - start, ...received});
    return received;
  } catch (error) {
    if (error instanceof NetworkError) tell({kind: 'broken', message: error.message});
    throw error;
  }
}

function issuedIn(answer: OAuth.TokenEndpointResponse): IssuedToken | undefined {
  const {access_token: accessToken, refresh_token: refreshToken, scope, expires_in: seconds} = answer;
  // The token goes into a header, which allows no other characters.
  if (!/^[\x21-\x7e]+$/.test(accessToken)) return undefined;
  const end = new Date(Date.now() + (seconds ?? Number.NaN) * 1000);
  return {
    accessToken,
    ...(refreshToken !== undefined && {refreshToken}),
    scopes: scope === undefined ? null : scope.split(' ').filter((one) => one !== ''),
    expiresAt: Number.isNaN(end.getTime()) ? null : end.toISOString(),
  };
}

const again = 'sign in again';

/** What to do when it is unknown whether the server accepted the code or token. */
const hintAfter = (grant: Grant): string =>
  grant === 'authorization_code'
    ? `check the address and your connection, then ${again}`
    : 'the old token is still stored: try again later';

const noToken = (host: string, grant: Grant): Failure =>
  new Failure('bad_answer', `${host} did not send a token`, {hint: hintAfter(grant)});

const noOAuth = (host: string): Failure =>
  new Failure('not_found', `${host} does not offer sign-in for programs (OAuth)`, {
    reason: 'unknown_route',
    hint: `its admin may have turned it off, or it is not a Pixelfed server; try a token created in its settings: \`${commandText('auth login', {flags: {'with-token': true}})}\``,
  });

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

const refusals = {
  authorization_code: ['rejected the code', 'bad_paste', 'a code works once, and only for a few minutes'],
  refresh_token: ['did not renew the token', 'token', 'it may have been renewed elsewhere, or revoked'],
} as const;

/** @param secrets of the request, which the words of the server may repeat */
export function failureOfToken(host: string, grant: Grant, received: Incoming, secrets: readonly string[]): Failure {
  const {status, text} = received;
  const body = parseErrorBody(text);
  const error = errorIn(body, status);
  if (error === 'invalid_client') {
    return new Failure('auth', `${host} no longer knows this program (${status})`, {status, hint: `${again}: that registers it again`});
  }
  if (status === 404) return noOAuth(host);
  // Pixelfed calls a used or expired code a malformed request, and ours is well formed.
  if (error === 'invalid_grant' || (status >= 400 && status < 500 && status !== 429)) {
    const said = ['hint', 'error_description', 'message'].map((name) => at(body, [name]).value);
    const words = said.find((one): one is string => typeof one === 'string' && one !== '') ?? '';
    const why = `(${status})${words === '' ? '' : `: ${redact(words, secrets)}`}`;
    const [what, reason, hint] = refusals[grant];
    return new Failure('auth', `${host} ${what} ${why}`, {status, reason, hint: `${again}: ${hint}`});
  }
  const general = failureOf(received, {host, request: tokenRequest});
  if (general === undefined) return noToken(host, grant);
  return new Failure(general.code, redact(general.message, secrets), general.details).with({hint: hintAfter(grant)});
}
