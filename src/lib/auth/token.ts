/** What is known of an access token: what a JWT says itself, and whose it is, which the server says. */
import {verifyCredentials} from '../api/internal.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {at, identifierAt, itemsAt, textAt} from '../json/path.js';

export interface TokenClaims {
  /** What it may do; undefined when it does not say. */
  readonly scopes?: readonly string[] | undefined;
  /** ISO 8601; undefined when it does not say. */
  readonly expiresAt?: string | undefined;
}

/** Characters; what is longer is no token of this kind. */
const longestPayload = 16_384;

function payloadOf(token: string): unknown {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  if (payload === undefined || payload.length > longestPayload) return undefined;
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
function endIn(payload: unknown): string | undefined {
  const {value} = at(payload, ['exp']);
  const end = new Date(typeof value === 'number' ? value * 1000 : Number.NaN);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** Empty for a token of another kind. */
export function claimsOf(token: string): TokenClaims {
  const payload = payloadOf(token);
  return {scopes: scopesIn(payload), expiresAt: endIn(payload)};
}

/** Whose a token is. */
export interface OwnAccount {
  /** To the digit, whichever way the server writes it. */
  readonly id: string;
  /** User name, without the server. */
  readonly acct: string;
}

/**
 * Asks the server whose token the client has; undefined when the server cannot say.
 * @throws Failure `auth` when the token is refused, with the reason `scope` when it only may not read
 */
export async function whoAmI(client: Client): Promise<OwnAccount | undefined> {
  try {
    const {text} = await client.call(verifyCredentials, {});
    const [id, acct] = [identifierAt(text, ['id']), identifierAt(text, ['acct'])];
    if (id !== undefined && acct !== undefined) return {id, acct};
    throw new Failure('bad_answer', `${client.host} does not say whose token this is`);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}
