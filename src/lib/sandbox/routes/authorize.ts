/** Around the API description: somebody approves what a program asks for, or does not. */
import {approvalPage} from '../approval-page.js';
import type {AuthorizationRequest, Authorizations} from '../authorizations.js';
import {textOf, type Fields} from '../fields.js';
import type {GenerationFacts} from '../generation.js';
import {errorFields, oauthErrors, oauthRefusal, type OAuthError} from '../oauth-refusal.js';
import {abort} from '../refusal.js';
import {openRoute, type Answer, type OpenCall, type Route} from '../route.js';
import {allScopes} from '../tokens.js';

const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';
const defaultScopes = ['read', 'write', 'follow'];

const decision = {method: 'POST', path: '/oauth/authorize', scope: null} as const;
const question = {...decision, method: 'GET'} as const;

const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

type Return = Pick<AuthorizationRequest, 'redirectUri' | 'state'>;

/** Sends the browser back to the client; where the client has no address, the person sees what it would get. */
function answerClient({redirectUri, state}: Return, fields: Readonly<Record<string, string>>, status = 200): Answer {
  const answer = {...fields, ...(state !== null && {state})};
  if (redirectUri === outOfBand) return {status, body: answer};
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) target.searchParams.append(name, value);
  return {status: 302, headers: {location: target.href}, page: ''};
}

const refuseClient = (asked: Return, error: OAuthError, hint: string): Answer =>
  answerClient(asked, errorFields(error, hint), oauthErrors[error].status);

export function authorizeRoutes(facts: GenerationFacts, authorizations: Authorizations): readonly Route[] {
  /** Who is not known, or wants to be answered elsewhere than agreed, is refused here and not answered there. */
  function askedIn(fields: Fields): Omit<AuthorizationRequest, 'scopes'> {
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

  async function ask({world, fields}: OpenCall): Promise<Answer> {
    const asked = askedIn(fields);
    const scopes = textOf(fields['scope'])?.split(/\s+/) ?? defaultScopes;
    const unknown = scopes.find((scope) => !allScopes.includes(scope));
    if (unknown !== undefined) {
      const state = facts.stateOfScopeErrors ? asked.state : null;
      return refuseClient({...asked, state}, 'invalid_scope', `Check the \`${unknown}\` scope`);
    }
    const page = await approvalPage({
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

  function decide({world, fields}: OpenCall): Answer {
    const request = authorizations.decide(textOf(fields['request']));
    if (!request) throw abort(403, 'There is no such request, or it has been decided.');
    if (textOf(fields['decision']) !== 'approve') return refuseClient(request, 'access_denied', 'The user denied the request');
    const {id} = world.account(textOf(fields['account']) ?? authorizations.signedIn);
    return answerClient(request, {code: authorizations.approve(request, id)});
  }

  const {authorizationsPerMinute: requests} = facts;
  return [{...openRoute(question, ask), ...(requests !== null && {limit: {requests, seconds: 60}})}, openRoute(decision, decide)];
}
