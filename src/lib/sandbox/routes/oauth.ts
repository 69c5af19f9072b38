/** Sign-in: programs register, people approve, codes become tokens. */
import {registerApp, verifyApp} from '../../api/internal.js';
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
import {textOf} from '../request.js';
import type {ServerFacts} from '../generation.js';
import {abort} from '../refusal.js';
import {type RouteAnswer, type OpenCall, openRoute, route, type Route} from '../route.js';
import {validate} from '../rules.js';
import {unescape} from 'node:querystring';
import {approvalPage} from '../approval-page.js';
import {withMicroseconds} from '../accounts.js';

/** One a line, and decoded: a plus becomes a space. */
const redirectUrisIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => unescape(line.trim().replaceAll('+', ' ')))
    .filter((uri) => uri !== '');

const appRoutes: readonly Route[] = [
  openRoute(registerApp, ({fields, authorizations}) => {
    validate(fields, {client_name: 'required', redirect_uris: 'required'});
    const {id, name, secret, redirectUris} = authorizations.register({
      name: textOf(fields['client_name']) ?? '',
      redirectUris: redirectUrisIn(textOf(fields['redirect_uris']) ?? ''),
      scopes: (textOf(fields['scopes']) ?? 'read').split(/\s+/),
    });
    return {
      body: {
        id,
        name,
        website: null,
        redirect_uri: redirectUris.join(','),
        client_id: id,
        client_secret: secret,
        vapid_key: null,
      },
      style: {plainSlashes: true},
    };
  }),

  route(verifyApp, ({world, client, scopes}) => {
    const {scopeOfClient} = world.facts;
    if (client === null || (scopeOfClient !== null && !scopes.includes(scopeOfClient))) throw abort(403);
    return {body: {name: client, website: null, vapid_key: null}, style: {plainSlashes: true}};
  }),
];

const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';
const defaultScopes = ['read', 'write', 'follow'];

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
function readAuthorizationRequest({world: {facts}, fields, authorizations}: OpenCall): Omit<AuthorizationRequest, 'scopes'> {
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

function ask(call: OpenCall): RouteAnswer {
  const {world, fields, authorizations} = call;
  const asked = readAuthorizationRequest(call);
  const scopes = textOf(fields['scope'])?.split(/\s+/) ?? defaultScopes;
  const {adminScopes, scopesAreRegistered} = world.facts;
  const known = scopesAreRegistered ? asked.client.scopes : [...allScopes, ...adminScopes];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined) {
    const state = world.facts.stateOfScopeErrors ? asked.state : null;
    return refuseClient({...asked, state}, 'invalid_scope', `Check the \`${unknown}\` scope`);
  }
  const page = approvalPage({
    client: asked.client.name,
    server: world.host,
    scopes,
    accounts: [...world.accounts.values()].filter(({domain}) => domain === null),
    signedIn: authorizations.signedIn,
    returnsTo: asked.redirectUri === outOfBand ? null : new URL(asked.redirectUri).host,
    key: authorizations.ask({...asked, scopes}),
  });
  return {page, headers: pageHeaders};
}

function decide({world, fields, authorizations}: OpenCall): RouteAnswer {
  const request = authorizations.decide(textOf(fields['request']));
  if (!request) throw abort(403, 'There is no such request, or it has been decided.');
  if (textOf(fields['decision']) !== 'approve') return refuseClient(request, 'access_denied', 'The user denied the request');
  const account = world.account(textOf(fields['account']) ?? authorizations.signedIn);
  return answerClient(request, {code: authorizations.approve(request, account)});
}

function clientIn({world, fields, authorizations}: OpenCall): OAuthClient {
  const client = authorizations.client(textOf(fields['client_id']));
  if (!client || client.secret !== textOf(fields['client_secret'])) throw oauthRefusal(world.facts, 'invalid_client', '');
  return client;
}

function issue(call: OpenCall): IssuedTokens {
  const {world, fields, authorizations} = call;
  const text = (name: string): string | null => textOf(fields[name]);
  switch (text('grant_type')) {
    case 'authorization_code':
      return authorizations.redeem(text('code'), clientIn(call), text('redirect_uri'), text('code_verifier'));
    case 'refresh_token':
      return authorizations.refresh(text('refresh_token'), clientIn(call));
    default:
      throw oauthRefusal(world.facts, 'unsupported_grant_type', 'Check that all required parameters have been provided');
  }
}

function giveTokens(call: OpenCall): RouteAnswer {
  const {accessToken, refreshToken, expiresIn, scopes} = issue(call);
  const now = new Date();
  const {tokensAreJwts} = call.world.facts;
  return {
    headers: {'cache-control': 'no-store'},
    body: {
      token_type: 'Bearer',
      access_token: accessToken,
      ...(tokensAreJwts ? {expires_in: expiresIn, refresh_token: refreshToken} : {scope: scopes.join(' ')}),
      created_at: call.world.facts.tokenTimesAsText ? withMicroseconds(now) : Math.floor(now.getTime() / 1000),
    },
  };
}

const answerWhileOn = (each: Route): Route => ({
  ...each,
  answer: (call, viewer) => {
    if (!call.world.facts.oauth) throw abort(404);
    return each.answer(call, viewer);
  },
});

export const routes: readonly Route[] = [
  ...appRoutes,
  {
    ...openRoute({method: 'GET', path: '/oauth/authorize', scope: null}, ask),
    limit: ({authorizationsPerMinute: requests}: ServerFacts) => (requests === null ? null : {requests, seconds: 60}),
  },
  openRoute({method: 'POST', path: '/oauth/authorize', scope: null}, decide),
  {
    ...openRoute({method: 'POST', path: '/oauth/token', scope: null}, giveTokens),
    limit: ({tokensPerMinute: requests}: ServerFacts) => ({requests, seconds: 60}),
  },
].map(answerWhileOn);
