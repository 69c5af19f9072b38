import type {GenerationFacts} from './generation.js';
import {abort, plain, type Refusal} from './refusal.js';

interface Kind {
  readonly status: number;
  readonly description: string;
}

/** In the words of the library that these servers use. */
export const oauthErrors = {
  access_denied: {status: 401, description: 'The resource owner or authorization server denied the request.'},
  invalid_client: {status: 401, description: 'Client authentication failed'},
  invalid_grant: {
    status: 400,
    description:
      'The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  },
  invalid_request: {
    status: 400,
    description:
      'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
  },
  invalid_scope: {status: 400, description: 'The requested scope is invalid, unknown, or malformed'},
  unsupported_grant_type: {
    status: 400,
    description: 'The authorization grant type is not supported by the authorization server.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type OAuthError = keyof typeof oauthErrors;

/** The fields of an error, in a body or in the query of a redirect. */
export const errorFields = (error: OAuthError, hint: string): Readonly<Record<string, string>> => ({
  error,
  error_description: oauthErrors[error].description,
  hint,
  message: oauthErrors[error].description,
});

/** Older servers answer 500 for whatever the library throws, and keep nothing of it but its description. */
export const oauthRefusal = (facts: GenerationFacts, error: OAuthError, hint: string): Refusal =>
  facts.ownStatuses ? plain(oauthErrors[error].status, errorFields(error, hint)) : abort(500, oauthErrors[error].description);
