import {createHash, randomBytes} from 'node:crypto';
import type {GenerationFacts} from './generation.js';
import {oauthRefusal} from './oauth-refusal.js';
import type {Tokens} from './tokens.js';

/** A program that may ask people for tokens. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
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

interface Approved {
  readonly request: AuthorizationRequest;
  readonly accountId: string;
}

interface Code extends Approved {
  readonly expiresAt: number;
}

interface Refreshable extends Approved {
  readonly accessToken: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface AuthorizationSettings {
  /** Id of the account that is signed in in the browser. */
  readonly signedIn: string;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** Seconds. */
  readonly codeLifetime: number;
}

const secret = (): string => randomBytes(32).toString('hex');

interface Claims {
  readonly aud: string;
  readonly sub: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** An access token as servers make them: it says whose it is, what for and how long. Its signature means nothing here. */
function jwt({expiresAt, ...claims}: Claims): string {
  const now = Date.now() / 1000;
  const parts = [
    {typ: 'JWT', alg: 'RS256'},
    {...claims, jti: secret(), iat: now, nbf: now, exp: expiresAt / 1000},
  ];
  return [...parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), secret()].join('.');
}

/** What OAuth remembers: clients, requests that nobody has decided on yet, codes and refresh tokens. */
export class Authorizations {
  readonly signedIn: string;
  readonly #clients = new Map<string, OAuthClient>();
  readonly #open = new Map<string, AuthorizationRequest>();
  readonly #codes = new Map<string, Code>();
  readonly #refreshable = new Map<string, Refreshable>();

  constructor(
    private readonly facts: GenerationFacts,
    private readonly tokens: Tokens,
    private readonly settings: AuthorizationSettings,
  ) {
    this.signedIn = settings.signedIn;
  }

  register(name: string, redirectUris: readonly string[]): OAuthClient {
    const client = {id: String(this.#clients.size + 1), secret: secret(), name, redirectUris};
    this.#clients.set(client.id, client);
    return client;
  }

  client(id: string | null): OAuthClient | undefined {
    return this.#clients.get(id ?? '');
  }

  /** Keeps a request until somebody decides on it, and returns the key to it. */
  ask(request: AuthorizationRequest): string {
    const key = secret();
    this.#open.set(key, request);
    return key;
  }

  /** The request behind a key, which is spent with that. */
  decide(key: string | null): AuthorizationRequest | undefined {
    const request = this.#open.get(key ?? '');
    this.#open.delete(key ?? '');
    return request;
  }

  /** Makes a code for a client whose request was approved. */
  approve(request: AuthorizationRequest, accountId: string): string {
    const code = secret();
    this.#codes.set(code, {request, accountId, expiresAt: Date.now() + this.settings.codeLifetime * 1000});
    return code;
  }

  /** Tokens for a code, which is spent with that. */
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

  /** New tokens for a refresh token; it and the access token it came with are spent with that. */
  refresh(refreshToken: string | null, client: OAuthClient): IssuedTokens {
    const known = this.#refreshable.get(refreshToken ?? '');
    if (!known || known.request.client !== client) throw this.#invalidGrant('Token has been revoked');
    this.#refreshable.delete(refreshToken ?? '');
    this.tokens.revoke(known.accessToken);
    return this.#issue(known);
  }

  #issue({request, accountId}: Approved): IssuedTokens {
    const {tokenLifetime} = this.settings;
    const {scopes, client} = request;
    const expiresAt = Date.now() + tokenLifetime * 1000;
    const accessToken = this.tokens.grant(jwt({aud: client.id, sub: accountId, scopes, expiresAt}), {
      accountId,
      scopes,
      client: client.name,
      expiresAt,
    });
    const refreshToken = secret();
    this.#refreshable.set(refreshToken, {request, accountId, accessToken});
    return {accessToken, refreshToken, expiresIn: tokenLifetime};
  }

  #invalidGrant(hint: string): Error {
    return oauthRefusal(this.facts, 'invalid_grant', hint);
  }
}

/** A verifier without a challenge is no better than a challenge without a verifier. */
function challengeOf(verifier: string | null): string | null {
  return verifier === null ? null : createHash('sha256').update(verifier).digest('base64url');
}
