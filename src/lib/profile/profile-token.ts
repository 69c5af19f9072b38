/** The access token of a profile, renewed when it is about to expire. */
import {Failure} from '../client/failure.js';
import type {OAuthOptions} from './oauth.js';
import type {Profile, Secret} from './profile.js';
import type {ProfileStore, Renewal} from './profile-store.js';

/** Milliseconds before the end of a token at which it is renewed. */
const renewedBefore = 10 * 60 * 1000;

function isEnding({expiresAt}: Profile, within: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - Date.now() <= within;
}

/** @throws Failure when the server does not renew it; `usage` when there is nothing to renew it with */
async function renewed(old: Secret, profile: Profile, options: OAuthOptions): Promise<Renewal> {
  const {refreshToken, clientSecret} = old;
  if (refreshToken === undefined || clientSecret === undefined || profile.client === null) {
    throw new Failure('usage', `The token of ${profile.name} cannot be renewed: it came without a refresh token`, {
      hint: `sign in again: pixelctl auth login --server ${profile.server} --profile ${profile.name}`,
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

/**
 * The token to use. One process renews it while others wait, and they take what it got. While the old one is good, a
 * renewal that fails is only told.
 * @throws Failure `auth` when it has expired and cannot be renewed
 */
export async function profileToken(
  store: ProfileStore,
  profile: Profile,
  options: OAuthOptions,
  warn: (text: string) => void,
): Promise<string> {
  const kept = await store.secret(profile.name);
  if (!isEnding(profile, renewedBefore)) return kept.accessToken;
  if (kept.refreshToken !== undefined) {
    try {
      const {secret} = await store.replaceSecret(profile.name, async (old, before) =>
        isEnding(before, renewedBefore) ? renewed(old, before, options) : {secret: old},
      );
      return secret.accessToken;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (!isEnding(profile, 0)) {
        warn(`the token of ${profile.name} ends soon and was not renewed: ${error.message}`);
        return kept.accessToken;
      }
      throw error.code === 'auth' ? expired(profile, error) : error;
    }
  }
  if (isEnding(profile, 0)) throw expired(profile, undefined);
  return kept.accessToken;
}

function expired({name, server}: Profile, cause: Failure | undefined): Failure {
  const why = cause === undefined ? '' : ` and could not be renewed: ${cause.message}`;
  return new Failure('auth', `The token of ${name} has expired${why}`, {
    hint: `sign in again: pixelctl auth login --server ${server} --profile ${name}`,
    cause,
  });
}
