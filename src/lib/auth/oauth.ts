/** OAuth sign-in: register the program, approve in the browser, exchange the code for a token, renew the token. */
import {isObject} from '../api/schema.js';
import {registerApp} from '../api/internal.js';
import {openClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {identifierAt} from '../json/path.js';
import {refuseWithoutApi} from '../operations/server-release.js';
import {
  failureInAnswer,
  isRejectedResponse,
  type IssuedToken,
  metadataOf,
  noCode,
  noOAuth,
  type RegisteredApp,
  type OAuthOptions,
  requestToken,
  withoutBody,
  wrongState,
} from './token-request.js';

interface BrowserAnswer {
  readonly parameters: URLSearchParams;
  /** Whether only the code was copied, without its `state`. */
  readonly codeAlone: boolean;
}

const toBrowserAnswer = (parameters: URLSearchParams): BrowserAnswer => ({parameters, codeAlone: false});

function membersIn(json: string): URLSearchParams | undefined {
  try {
    const value: unknown = JSON.parse(json);
    // A list counts as an answer without a code, as an empty object does: copying it again would not help.
    if (!isObject(value) && !Array.isArray(value)) return undefined;
    const texts = Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string');
    return new URLSearchParams(texts);
  } catch {
    return undefined;
  }
}

/**
 * Reads the JSON that servers show (`{"code","state"}`), the whole address of the last page, or a code alone.
 * @throws Failure `usage` for anything else
 */
export function readBrowserAnswer(answer: URLSearchParams | string): BrowserAnswer {
  if (typeof answer !== 'string') return toBrowserAnswer(answer);
  const text = answer.trim();
  const members = membersIn(text);
  if (members !== undefined) return toBrowserAnswer(members);
  const url = URL.parse(text);
  if (url !== null) return toBrowserAnswer(url.searchParams);
  if (/^[\w.~+/=-]+$/.test(text)) return {parameters: new URLSearchParams({code: text}), codeAlone: true};
  throw new Failure('usage', 'This is not what the browser shows after the approval', {
    reason: 'bad_paste',
    hint: 'copy all the text that it shows, or the whole address of the last page',
  });
}

export type {IssuedToken, RegisteredApp, OAuthOptions} from './token-request.js';

/** This redirect URI means no redirect: the browser shows the code, and a person copies it. Servers before 0.12.5 do not support it. */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

interface Registration {
  /** The program's name on the approval page. */
  readonly name: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** A sign-in that waits for its approval. It holds secrets. */
export interface Authorization {
  /** The address to open in the browser. */
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

/** Whether a text can be a client id or secret, by RFC 6749: other characters would be changed on the way. */
const isCredential = (text: string | undefined): text is string => /^[\x20-\x7e]+$/.test(text ?? '');

/** @throws Failure `not_found` when the server does not offer OAuth */
export async function registerClient(
  server: URL,
  {name, redirectUri, scopes}: Registration,
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
  const url = new URL(metadataOf(server).authorization_endpoint ?? '');
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
  const {parameters, codeAlone} = readBrowserAnswer(answer);
  const code = await codeIn(parameters, begun, codeAlone);
  return requestToken(server, client, 'authorization_code', {code, redirect_uri: redirectUri, code_verifier: codeVerifier}, options);
}

/** @throws Failure for the response to another sign-in, and for an error */
async function codeIn(parameters: URLSearchParams, {server, client, scopes, state}: Authorization, isAlone: boolean): Promise<string> {
  const oauth = await import('oauth4webapi');
  const error = parameters.get('error');
  // Older servers drop the state when a scope is unknown. What a person pastes is trusted.
  if (error !== null && !parameters.has('state')) throw failureInAnswer(server.host, error, scopes);
  try {
    const expected = isAlone ? oauth.skipStateCheck : state;
    const code = oauth.validateAuthResponse(metadataOf(server), {client_id: client.id}, parameters, expected).get('code') ?? '';
    if (code.trim() === '') throw noCode(server.host);
    return code;
  } catch (refusal) {
    if (refusal instanceof oauth.AuthorizationResponseError) throw failureInAnswer(server.host, refusal.error, scopes);
    throw isRejectedResponse(oauth, refusal) ? wrongState(server.host) : refusal;
  }
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
