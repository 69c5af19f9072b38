/** Around the API description: a program turns a code, or a refresh token, into tokens. */
import type {Authorizations, IssuedTokens, OAuthClient} from '../authorizations.js';
import {textOf, type Fields} from '../fields.js';
import type {GenerationFacts} from '../generation.js';
import {oauthRefusal} from '../oauth-refusal.js';
import {withMicroseconds} from '../payload/account.js';
import {openRoute, type Answer, type OpenCall, type Route} from '../route.js';

const endpoint = {method: 'POST', path: '/oauth/token', scope: null} as const;

export function tokenRoutes(facts: GenerationFacts, authorizations: Authorizations): readonly Route[] {
  function clientIn(fields: Fields): OAuthClient {
    const client = authorizations.client(textOf(fields['client_id']));
    if (!client || client.secret !== textOf(fields['client_secret'])) throw oauthRefusal(facts, 'invalid_client', '');
    return client;
  }

  function issue(fields: Fields): IssuedTokens {
    const text = (name: string): string | null => textOf(fields[name]);
    switch (text('grant_type')) {
      case 'authorization_code':
        return authorizations.redeem(text('code'), clientIn(fields), text('redirect_uri'), text('code_verifier'));
      case 'refresh_token':
        return authorizations.refresh(text('refresh_token'), clientIn(fields));
      default:
        throw oauthRefusal(facts, 'unsupported_grant_type', 'Check that all required parameters have been provided');
    }
  }

  function answer({fields}: OpenCall): Answer {
    const {accessToken, refreshToken, expiresIn} = issue(fields);
    const now = new Date();
    return {
      headers: {'cache-control': 'no-store'},
      body: {
        token_type: 'Bearer',
        expires_in: expiresIn,
        access_token: accessToken,
        refresh_token: refreshToken,
        created_at: facts.tokenTimesAsText ? withMicroseconds(now) : Math.floor(now.getTime() / 1000),
      },
    };
  }

  return [{...openRoute(endpoint, answer), limit: {requests: facts.tokensPerMinute, seconds: 60}}];
}
