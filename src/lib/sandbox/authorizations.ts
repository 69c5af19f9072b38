/** Tokens, and how programs get them: clients, codes, refresh tokens. */
import type {ServerFacts} from './generation.js';
import {abort, plainRefusal, type Refusal} from './refusal.js';
import {createHash, randomBytes} from 'node:crypto';

/** The scopes that anybody can ask for. */
export const allScopes: readonly string[] = ['read', 'write', 'follow', 'push'];

/** What a token stands for. */
export interface Grant {
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970; never unless given. */
  readonly expiresAt?: number;
}

/** The texts of the OAuth library that these servers use. */
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
} as const;

export type OAuthError = keyof typeof oauthErrors;

/** The fields of an error, in a body or in the query of a redirect. */
export const errorFields = (error: OAuthError, hint: string): Readonly<Record<string, string>> => ({
  error,
  error_description: oauthErrors[error].description,
  hint,
  message: oauthErrors[error].description,
});

/** Older servers answer 500 for whatever the library throws, and keep nothing of it but its description. */
export const oauthRefusal = (facts: ServerFacts, error: OAuthError, hint: string): Refusal =>
  facts.is2026 ? plainRefusal(oauthErrors[error].status, errorFields(error, hint)) : abort(500, oauthErrors[error].description);

/** A program that may ask people for tokens. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** What it said that it would ask for. */
  readonly scopes: readonly string[];
}

/** What a client asks somebody to approve. */
export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
  /** SHA-256 of the verifier that has to come with the code, in base64url; null when no verifier was announced. */
  readonly challenge: string | null;
}

/** What was approved, by whom. */
interface Approved {
  readonly request: AuthorizationRequest;
  readonly accountId: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

const secret = (): string => randomBytes(32).toString('hex');

/** An access token as servers make them: it says whose it is, what for and how long. Its signature means nothing here. */
function jwt(claims: Readonly<Record<string, unknown>>, expiresAt: number): string {
  const now = Date.now() / 1000;
  const parts = [
    {typ: 'JWT', alg: 'RS256'},
    {...claims, jti: secret(), iat: now, nbf: now, exp: expiresAt / 1000},
  ];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), secret()].join('.');
}

/** The OAuth state: tokens, clients, pending requests, codes and refresh tokens. */
export class Authorizations {
  readonly #grants = new Map<string, Grant>();
  readonly #clients = new Map<string, OAuthClient>();
  readonly #open = new Map<string, AuthorizationRequest>();
  readonly #codes = new Map<string, Approved & {readonly expiresAt: number}>();
  readonly #refreshable = new Map<string, Approved & {readonly accessToken: string}>();

  /** Id of the account that is signed in in the browser. */
  signedIn = '';

  constructor(private readonly facts: ServerFacts) {}

  /** Makes a token valid and returns it. */
  grant(token: string, grant: Grant): string {
    this.#grants.set(token, grant);
    return token;
  }

  /** What the token in an `Authorization` header stands for. */
  find(authorization: string | undefined): Grant | undefined {
    const grant = this.#grants.get(/^bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1] ?? '');
    return grant && (grant.expiresAt ?? Infinity) > Date.now() ? grant : undefined;
  }

  register(described: Pick<OAuthClient, 'name' | 'redirectUris' | 'scopes'>): OAuthClient {
    const client = {...described, id: String(this.#clients.size + 1), secret: secret()};
    this.#clients.set(client.id, client);
    return client;
  }

  client(id: string | null): OAuthClient | undefined {
    return this.#clients.get(id ?? '');
  }

  /** Keeps a request until it is decided, and returns its key. */
  ask(request: AuthorizationRequest): string {
    const key = secret();
    this.#open.set(key, request);
    return key;
  }

  /** The request with this key; the key works once. */
  decide(key: string | null): AuthorizationRequest | undefined {
    const request = this.#open.get(key ?? '');
    this.#open.delete(key ?? '');
    return request;
  }

  /** Makes a code for a client whose request was approved. Scopes of admins are given to admins. */
  approve(asked: AuthorizationRequest, {id: accountId, admin}: {readonly id: string; readonly admin: boolean}): string {
    const code = secret();
    const {adminScopes, scopesAreRegistered} = this.facts;
    const scopes = asked.scopes.filter((scope) => admin || scopesAreRegistered || !adminScopes.includes(scope));
    this.#codes.set(code, {request: {...asked, scopes}, accountId, expiresAt: Date.now() + this.facts.codeLifetime * 1000});
    return code;
  }

  /** Tokens for a code; the code works once. */
  redeem(code: string | null, client: OAuthClient, redirectUri: string | null, verifier: string | null): IssuedTokens {
    const known = this.#codes.get(code ?? '');
    this.#codes.delete(code ?? '');
    if (!known) throw this.#invalidGrant('Authorization code has been revoked');
    const {request, accountId, expiresAt} = known;
    if (expiresAt <= Date.now()) throw this.#invalidGrant('Authorization code has expired');
    if (request.client !== client) throw this.#invalidGrant('Authorization code was not issued to this client');
    if (request.redirectUri !== redirectUri) throw this.#invalidGrant('Invalid redirect URI');
    if (request.challenge !== challengeOf(verifier)) throw this.#invalidGrant('Failed to verify `code_verifier`.');
    return this.#issue({request, accountId});
  }

  /** New tokens for a refresh token; it and its access token stop working. */
  refresh(refreshToken: string | null, client: OAuthClient): IssuedTokens {
    const known = this.#refreshable.get(refreshToken ?? '');
    if (!known || known.request.client !== client) throw this.#invalidGrant('Token has been revoked');
    this.#refreshable.delete(refreshToken ?? '');
    this.#grants.delete(known.accessToken);
    return this.#issue(known);
  }

  #issue({request, accountId}: Approved): IssuedTokens {
    const {scopes, client} = request;
    const expiresAt = Date.now() + this.facts.tokenLifetime * 1000;
    const token = this.facts.tokensAreJwts ? jwt({aud: client.id, sub: accountId, scopes}, expiresAt) : secret();
    const accessToken = this.grant(token, {accountId, scopes, expiresAt});
    const refreshToken = secret();
    this.#refreshable.set(refreshToken, {request, accountId, accessToken});
    return {accessToken, refreshToken, scopes};
  }

  #invalidGrant(hint: string): Error {
    return oauthRefusal(this.facts, 'invalid_grant', hint);
  }
}

/** The challenge that belongs to a verifier; null without one. */
function challengeOf(verifier: string | null): string | null {
  return verifier === null ? null : createHash('sha256').update(verifier).digest('base64url');
}
