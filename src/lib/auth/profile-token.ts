/** The access token of a profile, renewed when it is about to expire. */
import {Failure, type Hint} from '../client/failure.js';
import type {OAuthOptions} from './oauth.js';
import type {Profile, Secret} from './profile.js';
import type {ProfileStore, Renewal} from './profile-store.js';

/** Milliseconds before its end at which a token is renewed: longer than one request with all its waiting may take. */
const renewedBefore = 5 * 60 * 1000;

function endsWithin({expiresAt}: Profile, milliseconds: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - Date.now() <= milliseconds;
}

const signInAgain =
  ({name, server}: Profile): Hint =>
  (suggest) =>
    `sign in again: \`${suggest(['auth', 'login'], {flags: {server, profile: name}})}\``;

/** @throws Failure when the server does not renew it; `usage` when there is nothing to renew it with */
async function renewed(old: Secret, profile: Profile, options: OAuthOptions): Promise<Renewal> {
  const {refreshToken, clientSecret} = old;
  if (refreshToken === undefined || clientSecret === undefined || profile.client === null) {
    throw new Failure('usage', `The token of ${profile.name} cannot be renewed: it came without a refresh token`, {
      hint: signInAgain(profile),
    });
  }
  const {refresh} = await import('./oauth.js');
  const client = {id: profile.client.id, secret: clientSecret};
  const issued = await refresh(new URL(profile.server), client, refreshToken, options);
  return {
    secret: {...old, accessToken: issued.accessToken, refreshToken: issued.refreshToken ?? refreshToken},
    profile: {expiresAt: issued.expiresAt, ...(issued.scopes !== null && {scopes: issued.scopes})},
  };
}

/** Renews a token now, under the store's lock; the old one stays when that fails. */
export async function renewToken(store: ProfileStore, name: string, options: OAuthOptions): Promise<Profile> {
  const {profile} = await store.replaceSecret(name, (old, before) => renewed(old, before, options));
  return profile;
}

function expired(profile: Profile, cause?: Failure): Failure {
  const {name} = profile;
  if (cause === undefined) return new Failure('auth', `The token of ${name} has expired`, {hint: signInAgain(profile)});
  const message = `The token of ${name} has expired and could not be renewed: ${cause.message}`;
  const isFinal = cause.code === 'auth' || cause.code === 'usage';
  return isFinal ? new Failure('auth', message, {hint: signInAgain(profile), cause}) : new Failure(cause.code, message, cause.details);
}

/**
 * The profile as it is saved now.
 * @throws Failure `auth` when somebody has signed in anew under its name, elsewhere or as another: the token is another one's
 */
async function unchanged(store: ProfileStore, {name, server, account}: Profile): Promise<Profile> {
  const now = await store.get(name);
  if (now.server === server && now.account?.id === account?.id) return now;
  throw new Failure('auth', `The profile ${name} has become another one meanwhile`, {
    hint: 'look at `pixelctl auth status`, and run this again if it is right',
  });
}

/**
 * The token to use. One process renews it while others wait, and they take what it got. While the old one is good, a
 * renewal that fails is only told.
 * @throws Failure `auth` when it has expired and cannot be renewed
 */
async function currentToken(store: ProfileStore, begun: Profile, options: OAuthOptions, warn: (text: string) => void): Promise<string> {
  const kept = await store.secret(begun.name);
  // Asked after the secret was read: so it cannot be that of another profile.
  const profile = await unchanged(store, begun);
  if (!endsWithin(profile, renewedBefore)) return kept.accessToken;
  if (kept.refreshToken === undefined) {
    if (endsWithin(profile, 0)) throw expired(profile);
    return kept.accessToken;
  }
  try {
    const {secret} = await store.replaceSecret(profile.name, async (old, before) => {
      await unchanged(store, begun);
      // Tokens that live no longer than that are always about to end, and still one process is enough.
      const isDone = old.accessToken !== kept.accessToken || !endsWithin(before, renewedBefore);
      return isDone ? {secret: old} : renewed(old, before, options);
    });
    return secret.accessToken;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (endsWithin(profile, 0)) throw expired(profile, error);
    warn(`the token of ${profile.name} ends soon and was not renewed: ${error.message}`);
    return kept.accessToken;
  }
}

interface Held {
  readonly expiresAt: string | null;
  /** Whether renewing it was tried already. */
  readonly isTried: boolean;
  readonly token: Promise<string>;
}

/**
 * The token of a profile for as long as a process works with it. The secret is read once, as a keyring takes its time;
 * the profile every time, as other processes renew tokens too, which ends the old ones.
 */
export function profileToken(
  store: ProfileStore,
  begun: Profile,
  options: OAuthOptions,
  warn: (text: string) => void,
): () => Promise<string> {
  let held: Held | undefined;
  return async () => {
    const profile = await unchanged(store, begun);
    const isGood = held?.expiresAt === profile.expiresAt && !endsWithin(profile, held.isTried ? 0 : renewedBefore);
    if (held === undefined || !isGood) {
      const isTried = endsWithin(profile, renewedBefore);
      held = {expiresAt: profile.expiresAt, isTried, token: currentToken(store, begun, options, warn)};
    }
    return held.token;
  };
}
