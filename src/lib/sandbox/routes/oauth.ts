/** Sign-in: programs register, people approve, codes become tokens. */
import {registerApp} from '../../api/internal.js';
import {
  allScopes,
  type AuthorizationRequest,
  errorFields,
  type IssuedTokens,
  type OAuthClient,
  type OAuthError,
  oauthErrors,
  oauthRefusal,
} from '../authorizations.js';
import {textOf} from '../received-request.js';
import type {World} from '../world.js';
import {pageFrame} from '../../print/html-page.js';
import {markup} from '../../print/markup.js';
import {abort} from '../refusal.js';
import {type RouteAnswer, type Call, route, type Route} from '../route.js';
import {validate} from '../rules.js';
import {unescape} from 'node:querystring';
import {withMicroseconds} from '../account-payloads.js';

/** One a line, and decoded: a plus becomes a space. */
const redirectUrisIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => unescape(line.trim().replaceAll('+', ' ')))
    .filter((uri) => uri !== '');

function register({world: {authorizations}, fields}: Call): RouteAnswer {
  validate(fields, {client_name: 'required', redirect_uris: 'required'});
  const {id, name, secret, redirectUris} = authorizations.register({
    name: textOf(fields['client_name']) ?? '',
    redirectUris: redirectUrisIn(textOf(fields['redirect_uris']) ?? ''),
    scopes: (textOf(fields['scopes']) ?? 'read').split(/\s+/),
  });
  return {body: {id, name, website: null, redirect_uri: redirectUris.join(','), client_id: id, client_secret: secret, vapid_key: null}};
}

const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';
const defaultScopes = ['read', 'write', 'follow'];

const open = {scope: null, anonymous: true} as const;

const pageHeaders = {'cache-control': 'no-store'};

type Return = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

/** Sends the browser back to the client; where the client has no address, the person sees what it would get. */
function answerClient({redirectUri, state}: Return, fields: Readonly<Record<string, string>>, status = 200): RouteAnswer {
  const answer = {...fields, ...(state !== null && {state})};
  if (redirectUri === outOfBand) return {status, body: answer};
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) target.searchParams.append(name, value);
  return {status: 302, headers: {location: target.href}, page: ''};
}

const refuseClient = (asked: Return, error: OAuthError, hint: string): RouteAnswer =>
  answerClient(asked, errorFields(error, hint), oauthErrors[error].status);

/** A client that is unknown, or wants its answer elsewhere than agreed, is refused here and not answered there. */
function readAuthorizationRequest({world: {facts, authorizations}, fields}: Call): Omit<AuthorizationRequest, 'scopes'> {
  const text = (name: string): string | null => textOf(fields[name]);
  const refusal = (error: OAuthError, name: string): Error => oauthRefusal(facts, error, `Check the \`${name}\` parameter`);
  if (text('response_type') !== 'code') throw refusal('unsupported_grant_type', 'response_type');
  const client = authorizations.client(text('client_id'));
  const redirectUri = text('redirect_uri') ?? client?.redirectUris[0] ?? '';
  if (!client?.redirectUris.includes(redirectUri)) throw refusal('invalid_client', 'redirect_uri');
  const challenge = text('code_challenge');
  if (challenge !== null && text('code_challenge_method') !== 'S256') throw refusal('invalid_request', 'code_challenge_method');
  return {client, redirectUri, challenge, state: text('state')};
}

function ask(call: Call): RouteAnswer {
  const {world, fields} = call;
  const asked = readAuthorizationRequest(call);
  const scopes = textOf(fields['scope'])?.split(/\s+/) ?? defaultScopes;
  const {adminScopes, scopesAreRegistered} = world.facts;
  const known = scopesAreRegistered ? asked.client.scopes : [...allScopes, ...adminScopes];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) {
    const state = world.facts.is2026 ? asked.state : null;
    return refuseClient({...asked, state}, 'invalid_scope', `Check the \`${unknown}\` scope`);
  }
  return {page: approvalPage(world, {...asked, scopes}), headers: pageHeaders};
}

/** The page on which people approve what a program asks for. It works without scripts. */
function approvalPage(world: World, asked: AuthorizationRequest): string {
  const {client, redirectUri, scopes} = asked;
  const style = 'body { max-width: 30em; margin: 15vh auto; padding: 1em; } select, button { font: inherit; padding: 0.5em 1em; }';
  const {begin, end} = pageFrame({title: `Approve ${client.name}?`, style, isSent: true});
  const options = world
    .ownAccounts()
    .map(
      ({id, username}) =>
        markup`<option value="${id}"${id === world.authorizations.signedIn ? markup` selected` : undefined}>@${username}</option>\n`,
    );
  const {text} = markup`<h1>${client.name} wants to act for you on ${world.host}</h1>
<p>Scopes:${scopes.map((scope) => markup` <code>${scope}</code>`)}</p>
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${world.authorizations.ask(asked)}">
<p><label>Your account <select name="account">
${options}</select></label></p>
<p><button name="decision" value="approve">Approve</button> <button name="decision" value="deny">Deny</button></p>
</form>
<p>${redirectUri === outOfBand ? 'You will then see a code to paste.' : `You will then be sent to ${new URL(redirectUri).host}.`}</p>
`;
  return begin + text + end;
}

function decide({world, fields}: Call): RouteAnswer {
  const {authorizations} = world;
  const request = authorizations.decide(textOf(fields['request']));
  if (!request) throw abort(403, 'There is no such request, or it has been decided.');
  if (textOf(fields['decision']) !== 'approve') return refuseClient(request, 'access_denied', 'The user denied the request');
  const account = world.account(textOf(fields['account']) ?? authorizations.signedIn);
  return answerClient(request, {code: authorizations.approve(request, account)});
}

function clientIn({world, fields}: Call): OAuthClient {
  const client = world.authorizations.client(textOf(fields['client_id']));
  if (!client || client.secret !== textOf(fields['client_secret'])) throw oauthRefusal(world.facts, 'invalid_client', '');
  return client;
}

function issue(call: Call): IssuedTokens {
  const {world, fields} = call;
  const text = (name: string): string | null => textOf(fields[name]);
  switch (text('grant_type')) {
    case 'authorization_code':
      return world.authorizations.redeem(text('code'), clientIn(call), text('redirect_uri'), text('code_verifier'));
    case 'refresh_token':
      return world.authorizations.refresh(text('refresh_token'), clientIn(call));
    default:
      throw oauthRefusal(world.facts, 'unsupported_grant_type', 'Check that all required parameters have been provided');
  }
}

function giveTokens(call: Call): RouteAnswer {
  const {accessToken, refreshToken, scopes} = issue(call);
  const now = new Date();
  const {tokensAreJwts, tokenLifetime, is2026} = call.world.facts;
  return {
    headers: pageHeaders,
    body: {
      token_type: 'Bearer',
      access_token: accessToken,
      ...(tokensAreJwts ? {expires_in: tokenLifetime, refresh_token: refreshToken} : {scope: scopes.join(' ')}),
      created_at: is2026 && tokensAreJwts ? withMicroseconds(now) : Math.floor(now.getTime() / 1000),
    },
  };
}

const answerWhileOn = (each: Route): Route => ({
  ...each,
  answer: (call) => {
    if (!call.world.facts.oauth) throw abort(404);
    return each.answer(call);
  },
});

export const routes: readonly Route[] = [
  route(registerApp, register),
  route({method: 'GET', path: '/oauth/authorize', ...open}, ask, {
    limit: ({authorizationsPerMinute: requests}) => (requests === null ? null : {requests, seconds: 60}),
  }),
  route({method: 'POST', path: '/oauth/authorize', ...open}, decide),
  route({method: 'POST', path: '/oauth/token', ...open}, giveTokens, {
    limit: ({tokensPerMinute: requests}) => ({requests, seconds: 60}),
  }),
].map(answerWhileOn);
