/** The access token of a profile, renewed before it expires. */
import {commandText} from '../files/command-text.js';
import {Failure} from '../client/failure.js';
import type {OAuthOptions} from './oauth.js';
import type {Profile, Secret} from './profile.js';
import type {ProfileStore, Renewal} from './profile-store.js';

/** Milliseconds before expiry at which a token is renewed: longer than one request with all its retries may take. */
const renewalMargin = 5 * 60 * 1000;

function expiresWithin({expiresAt}: Profile, milliseconds: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - Date.now() <= milliseconds;
}

const signInAgain = ({name, server}: Profile): string =>
  `sign in again: \`${commandText('auth login', {flags: {server, profile: name}})}\``;

/** @throws Failure when the server does not renew it; `usage` when there is no refresh token */
async function renewSecret(old: Secret, profile: Profile, options: OAuthOptions): Promise<Renewal> {
  const {refreshToken, clientSecret} = old;
  if (refreshToken === undefined || clientSecret === undefined || profile.client === null) {
    throw new Failure('usage', `The token of ${profile.name} cannot be renewed: it has no refresh token`, {
      hint: signInAgain(profile),
    });
  }
  const {refresh} = await import('./oauth.js');
  const client = {id: profile.client.id, secret: clientSecret};
  const issued = await refresh(new URL(profile.server), client, refreshToken, options);
  return {
    secret: {...old, accessToken: issued.accessToken, refreshToken: issued.refreshToken},
    profile: {expiresAt: issued.expiresAt, ...(issued.scopes !== null && {scopes: issued.scopes})},
  };
}

/** Renews a token now, under the store's lock. The old one stays when that fails. */
export async function renewToken(store: ProfileStore, name: string, options: OAuthOptions): Promise<Profile> {
  const {profile} = await store.replaceSecret(name, (old, before) => renewSecret(old, before, options));
  return profile;
}

function expiredToken(profile: Profile, cause?: Failure): Failure {
  const {name} = profile;
  if (cause === undefined) return new Failure('auth', `The token of ${name} has expired`, {hint: signInAgain(profile)});
  const message = `The token of ${name} has expired and could not be renewed: ${cause.message}`;
  const isFinal = cause.code === 'auth' || cause.code === 'usage';
  return isFinal ? new Failure('auth', message, {hint: signInAgain(profile), cause}) : new Failure(cause.code, message, cause.details);
}

/** @throws Failure `auth` when the name of a profile is now used for another server or account */
function refuseReplacedProfile(now: Profile, {name, server, account}: Profile): Profile {
  if (now.server === server && now.account?.id === account?.id) return now;
  throw new Failure('auth', `Profile ${name} now belongs to another account or server: it was replaced during this run`, {
    hint: 'check `pixelctl auth status`, then run this again',
  });
}

/**
 * The token to use. One process renews it while others wait and then use the new token. While the old one is valid, a
 * failed renewal is only a warning.
 * @throws Failure `auth` when it has expired and cannot be renewed
 */
async function currentToken(store: ProfileStore, begun: Profile, options: OAuthOptions, warn: (text: string) => void): Promise<string> {
  const {profile: now, secret: stored} = await store.current(begun.name);
  const profile = refuseReplacedProfile(now, begun);
  if (!expiresWithin(profile, renewalMargin)) return stored.accessToken;
  if (stored.refreshToken === undefined) {
    if (expiresWithin(profile, 0)) throw expiredToken(profile);
    return stored.accessToken;
  }
  try {
    const {secret} = await store.replaceSecret(
      profile.name,
      (old, before) => renewSecret(old, before, options),
      // Tokens that live no longer than the margin always need renewal, but only one process has to renew them.
      (old, before) => old.accessToken === stored.accessToken && expiresWithin(refuseReplacedProfile(before, begun), renewalMargin),
    );
    return secret.accessToken;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Where many processes wait, the turn of this one may never come. Then another process has renewed the token.
    const later = await store.current(begun.name);
    const isRenewed = later.secret.accessToken !== stored.accessToken && !expiresWithin(refuseReplacedProfile(later.profile, begun), 0);
    if (isRenewed) return later.secret.accessToken;
    if (expiresWithin(profile, 0)) throw expiredToken(profile, error);
    warn(`the token of ${profile.name} expires soon and could not be renewed: ${error.message}`);
    return stored.accessToken;
  }
}

interface Held {
  readonly expiresAt: string | null;
  readonly isTried: boolean;
  readonly token: Promise<string>;
}

/**
 * A function that returns the token of a profile during a run. The secret is read once, because a keyring is slow; the
 * profile every time, because other processes renew tokens too, which revokes the old ones. Given a token that the server
 * refused, it returns the one that is stored now, which is the same one unless another process has renewed it.
 */
export function profileToken(
  store: ProfileStore,
  begun: Profile,
  options: OAuthOptions,
  warn: (text: string) => void,
): (refused?: string) => Promise<string> {
  let held: Held | undefined;

  /** The token that another process has stored in place of a refused one, or is about to store. */
  async function readRenewed(refused: string): Promise<string> {
    const {profile, secret} = await store.settle(begun.name);
    const {expiresAt} = refuseReplacedProfile(profile, begun);
    if (secret.accessToken !== refused)
      held = {expiresAt, isTried: expiresWithin(profile, renewalMargin), token: Promise.resolve(secret.accessToken)};
    return secret.accessToken;
  }

  return async (refused) => {
    if (refused !== undefined) return readRenewed(refused);
    const profile = refuseReplacedProfile(await store.get(begun.name), begun);
    const isValid = held?.expiresAt === profile.expiresAt && !expiresWithin(profile, held.isTried ? 0 : renewalMargin);
    if (held === undefined || !isValid) {
      const isTried = expiresWithin(profile, renewalMargin);
      held = {expiresAt: profile.expiresAt, isTried, token: currentToken(store, begun, options, warn)};
    }
    return held.token;
  };
}
