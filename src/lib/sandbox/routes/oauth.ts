/** Sign-in: programs register, people approve, codes become tokens. */
import {createHash, randomBytes} from 'node:crypto';
import {unescape} from 'node:querystring';
import {registerApp} from '../../api/internal.js';
import {pageFrame} from '../../print/html-page.js';
import {markup} from '../../print/markup.js';
import {withMicroseconds, type Account} from '../payloads.js';
import {textOf} from '../received-request.js';
import {abort, jsonAnswer, pageAnswer, plainRefusal, type Refusal} from '../refusal.js';
import {type Call, keepPerWorld, route, type Route} from '../route.js';
import {allScopes, type ServerFacts, type World} from '../world.js';

/** The statuses and texts of the OAuth library that servers use. */
const errors = {
  invalid_client: [401, 'Client authentication failed'],
  invalid_grant: [
    400,
    'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  ],
  invalid_request: [
    400,
    'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
  ],
  invalid_scope: [400, 'The requested scope is invalid, unknown, or malformed'],
  unsupported_grant_type: [400, 'The authorization grant type is not supported by the authorization server.'],
} as const;

type OAuthError = keyof typeof errors;

/** The fields of an error, for a body or for the query of a redirect. */
const errorFields = (error: OAuthError, hint: string): Readonly<Record<string, string>> => ({
  error,
  error_description: errors[error][1],
  hint,
  message: errors[error][1],
});

/** Older servers answer 500 for every error of the library, and send only its description. */
const oauthRefusal = ({is2026}: ServerFacts, error: OAuthError, hint = ''): Refusal =>
  is2026 ? plainRefusal(errors[error][0], errorFields(error, hint)) : abort(500, errors[error][1]);

interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** SHA-256 of the verifier that has to come with the code, in base64url; empty when no verifier was announced. */
  readonly challenge: string;
}

type Approved = AuthorizationRequest & {readonly account: Account};

/** Clients are stored by id, undecided requests and codes by keys that work once, the rest by refresh token. */
const stateOf = keepPerWorld(() => ({
  clients: new Map<string, OAuthClient>(),
  requests: new Map<string, AuthorizationRequest>(),
  codes: new Map<string, Approved & {readonly expiresAt: number}>(),
  refreshable: new Map<string, Approved & {readonly accessToken: string}>(),
}));

function take<Value>(map: Map<string, Value>, key: string): Value | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}

const secret = (): string => randomBytes(32).toString('hex');

function register({world, text}: Call) {
  const {clients} = stateOf(world);
  // Servers decode the address in each line: a plus becomes a space.
  const redirectUris = text('redirect_uris')
    .split('\n')
    .map((line) => unescape(line.trim().replaceAll('+', ' ')));
  const [id, name] = [String(clients.size + 1), text('client_name')];
  const client: OAuthClient = {id, secret: secret(), name, redirectUris};
  clients.set(id, client);
  return {id, name, website: null, redirect_uri: redirectUris.join(','), client_id: id, client_secret: client.secret, vapid_key: null};
}

const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';
const defaultScopes = ['read', 'write', 'follow'];
const open = {scope: null, anonymous: true} as const;
const pageHeaders = {'cache-control': 'no-store'};

/** Sends the browser back to the client; where the client has no address, the person sees what it would get. */
function answerClient(
  {redirectUri, state}: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  fields: Readonly<Record<string, string>>,
  status = 200,
): Response {
  const answer = {...fields, ...(state !== '' && {state})};
  if (redirectUri === outOfBand) return jsonAnswer(answer, status);
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) target.searchParams.append(name, value);
  return pageAnswer('', 302, {location: target.href});
}

/** A client that is unknown, or gives an address that it did not register, is refused without a redirect to that address. */
function readAuthorizationRequest({world, text}: Call): Omit<AuthorizationRequest, 'scopes'> {
  const refusal = (error: OAuthError, name: string): Error => oauthRefusal(world.facts, error, `Check the \`${name}\` parameter`);
  if (text('response_type') !== 'code') throw refusal('unsupported_grant_type', 'response_type');
  const client = stateOf(world).clients.get(text('client_id'));
  const redirectUri = text('redirect_uri') || (client?.redirectUris[0] ?? '');
  if (!client?.redirectUris.includes(redirectUri)) throw refusal('invalid_client', 'redirect_uri');
  const challenge = text('code_challenge');
  if (challenge !== '' && text('code_challenge_method') !== 'S256') throw refusal('invalid_request', 'code_challenge_method');
  return {client, redirectUri, challenge, state: text('state')};
}

/** The page on which people allow what a program asks for; who closes it does not. It works without scripts. */
function approvalPage(world: World, asked: AuthorizationRequest): string {
  const {client, redirectUri, scopes} = asked;
  const key = secret();
  stateOf(world).requests.set(key, asked);
  const style = 'body { max-width: 30em; margin: 15vh auto; padding: 1em; } select, button { font: inherit; padding: 0.5em 1em; }';
  const {begin, end} = pageFrame({title: `Allow ${client.name}?`, style, isSent: true});
  const options = world
    .ownAccounts()
    .map(({id, username}) => markup`<option value="${id}"${id === world.signedIn ? markup` selected` : undefined}>@${username}</option>\n`);
  const {text} = markup`<h1>${client.name} wants to act for you on ${world.host}</h1>
<p>Scopes:${scopes.map((scope) => markup` <code>${scope}</code>`)}</p>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${key}">
<p><label>Your account <select name="account">
${options}</select></label></p>
<p><button>Allow</button></p>
</form>
<p>${redirectUri === outOfBand ? 'You will then see a code to paste.' : `You will then be sent to ${new URL(redirectUri).host}.`}</p>
`;
  return begin + text + end;
}

/** Redeems a code or a refresh token, each of which works once. A refresh ends the old access token. */
function redeem({world, text}: Call): Approved {
  const {clients, codes, refreshable} = stateOf(world);
  const refuse = (hint: string) => oauthRefusal(world.facts, 'invalid_grant', hint);
  const grantType = text('grant_type');
  if (!['authorization_code', 'refresh_token'].includes(grantType))
    throw oauthRefusal(world.facts, 'unsupported_grant_type', 'Check that all required parameters have been provided');
  const client = clients.get(text('client_id'));
  if (client?.secret !== text('client_secret')) throw oauthRefusal(world.facts, 'invalid_client');
  if (grantType === 'refresh_token') {
    const known = refreshable.get(text('refresh_token'));
    if (known?.client !== client) throw refuse('Token has been revoked');
    refreshable.delete(text('refresh_token'));
    world.grants.delete(known.accessToken);
    return known;
  }
  const known = take(codes, text('code'));
  if (!known) throw refuse('Authorization code has been revoked');
  const verifier = text('code_verifier');
  if (known.expiresAt <= Date.now()) throw refuse('Authorization code has expired');
  if (known.client !== client) throw refuse('Authorization code was not issued to this client');
  if (known.redirectUri !== text('redirect_uri')) throw refuse('Invalid redirect URI');
  if (known.challenge !== (verifier && createHash('sha256').update(verifier).digest('base64url')))
    throw refuse('Failed to verify `code_verifier`.');
  return known;
}

/** Clients can ask for all scopes, but only admins get those of admins, without an error. */
function ask(call: Call): Response {
  const {world, fields} = call;
  const asked = readAuthorizationRequest(call);
  const scopes = textOf(fields['scope'])?.split(/\s+/) ?? defaultScopes;
  const unknown = scopes.find((scope) => ![...allScopes, ...world.facts.adminScopes].includes(scope));
  if (unknown === undefined) return pageAnswer(approvalPage(world, {...asked, scopes}), 200, pageHeaders);
  const [error, hint] = ['invalid_scope', `Check the \`${unknown}\` scope`] as const;
  return answerClient({...asked, state: world.facts.is2026 ? asked.state : ''}, errorFields(error, hint), errors[error][0]);
}

function allow({world, text}: Call): Response {
  const {requests, codes} = stateOf(world);
  const asked = take(requests, text('request'));
  if (!asked) throw abort(403, 'There is no such request, or it has been allowed.');
  const account = world.account(text('account') || world.signedIn);
  const scopes = asked.scopes.filter((scope) => account.is_admin || !world.facts.adminScopes.includes(scope));
  const code = secret();
  codes.set(code, {...asked, scopes, account, expiresAt: Date.now() + world.facts.codeLifetime * 1000});
  return answerClient(asked, {code});
}

/** Gives a token (a JWT), whose signature means nothing. */
function giveToken(call: Call): Response {
  const {facts, grants} = call.world;
  const approved = redeem(call);
  const {client, account, scopes} = approved;
  const [now, expires_in] = [Math.floor(Date.now() / 1000), facts.tokenLifetime];
  const claims = {aud: client.id, sub: account.id, scopes, jti: secret(), iat: now, nbf: now, exp: now + expires_in};
  const parts = [{typ: 'JWT', alg: 'RS256'}, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const [accessToken, refreshToken] = [[...parts, secret()].join('.'), secret()];
  grants.set(accessToken, {accountId: account.id, scopes, expiresAt: Date.now() + expires_in * 1000});
  stateOf(call.world).refreshable.set(refreshToken, {...approved, accessToken});
  const created_at = facts.is2026 ? withMicroseconds(new Date()) : now;
  const body = {token_type: 'Bearer', expires_in, access_token: accessToken, refresh_token: refreshToken, created_at};
  return jsonAnswer(body, 200, pageHeaders);
}

export const routes: readonly Route[] = [
  route(registerApp, register),
  route({method: 'GET', path: '/oauth/authorize', ...open}, ask),
  route({method: 'POST', path: '/oauth/authorize', ...open}, allow),
  route({method: 'POST', path: '/oauth/token', ...open}, giveToken),
];
