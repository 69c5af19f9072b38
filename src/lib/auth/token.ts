/** What access tokens may be used for: their scopes, and the claims of those that are JWTs. */
import {at, itemsAt, textAt} from '../json/path.js';
import type {Software} from '../operations/server-release.js';

export const defaultScopes: readonly string[] = ['read', 'write', 'push'];

/** The scopes that the sign-in of an admin asks for as well, to moderate the server. */
export const adminScopes: Readonly<Record<Software, readonly string[]>> = {
  pixelfed: ['admin:read', 'admin:write'],
  mastodon: ['admin:read:domain_blocks', 'admin:write:domain_blocks'],
};

/** The needed scopes that were not given. On Mastodon, a scope includes every longer one that begins with it, as `admin:read` does. */
export function missingScopes(needed: readonly string[], given: readonly string[]): string[] {
  return needed.filter((scope) => !given.some((one) => one === scope || scope.startsWith(`${one}:`)));
}

export interface TokenClaims {
  /** Undefined when the token does not say. */
  readonly scopes?: readonly string[] | undefined;
  /** ISO 8601; undefined when the token does not say. */
  readonly expiresAt?: string | undefined;
}

function payloadOf(token: string): unknown {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function scopesIn(payload: unknown): readonly string[] | undefined {
  const listed = itemsAt(payload, ['scopes']) ?? textAt(payload, ['scope'])?.split(' ');
  const scopes = listed?.filter((scope): scope is string => typeof scope === 'string' && scope !== '');
  return scopes?.length === listed?.length ? scopes : undefined;
}

/** `exp` is in seconds since 1970, with or without a fraction. */
function expiryIn(payload: unknown): string | undefined {
  const {value} = at(payload, ['exp']);
  const end = new Date(typeof value === 'number' ? value * 1000 : Number.NaN);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** The claims of a JWT, unverified; empty for any other token. */
export function claimsOf(token: string): TokenClaims {
  const payload = payloadOf(token);
  return {scopes: scopesIn(payload), expiresAt: expiryIn(payload)};
}
