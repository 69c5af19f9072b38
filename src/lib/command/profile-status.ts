/** How the saved profiles are: who is active and why, and whether their tokens still work. */
import {getConfiguration} from '../api/config.js';
import {createClient, type Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import type {Profile} from '../profile/profile.js';
import type {ProfileStore} from '../profile/profile-store.js';
import {openStore, wireOptions} from './connection.js';
import type {Session} from './session.js';

/** Milliseconds that a server may take to say how a profile is. */
const patience = 10_000;

export interface ProfileStatus {
  readonly profile: Profile;
  readonly isActive: boolean;
  /** Why it is the active one; null for the others. */
  readonly source: 'default' | 'environment' | 'flag' | null;
  /** The server's release; null when it does not say. */
  readonly version: string | null;
  readonly ok: boolean;
  /** What is wrong with it. */
  readonly problem: string | undefined;
}

/** A profile as scripts see it. It has no secret in it. */
export function profileDocument(profile: Profile, {isActive, source, ok, version}: Pick<ProfileStatus, 'isActive' | 'ok' | 'source' | 'version'>) {
  return {
    name: profile.name,
    server: profile.server,
    account: profile.account === null ? null : `@${profile.account.acct}`,
    active: isActive,
    source,
    scopes: profile.scopes,
    expires_at: profile.expiresAt,
    ok,
    version,
    storage: profile.storage,
    protected: profile.isProtected,
  };
}

/** Which profile counts, and why. Server and token of the environment go before any profile. */
export function activeProfile(
  {flags}: Session,
  saved: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): {name: string | null; source: 'default' | 'environment' | 'flag'} {
  if (flags.profile !== undefined) return {name: flags.profile, source: 'flag'};
  const set = (name: string) => (environment[name] ?? '') !== '';
  if (set('PIXELCTL_TOKEN') || set('PIXELCTL_TOKEN_FILE')) return {name: null, source: 'environment'};
  if (set('PIXELCTL_PROFILE')) return {name: environment['PIXELCTL_PROFILE'] ?? null, source: 'environment'};
  return {name: saved, source: 'default'};
}

/** The release that a server runs: newer ones have a configuration, older ones only say so in passing. */
export async function serverVersion(client: Client): Promise<string | null> {
  try {
    return (await client.call(getConfiguration, {})).value.version;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code === 'not_found' ? instanceVersion(client) : null;
  }
}

async function instanceVersion(client: Client): Promise<string | null> {
  const {getInstance} = await import('../api/instance.js');
  const version = await client.call(getInstance, {}).then(({value}) => value.version, () => '');
  return /compatible; Pixelfed ([^)]+)\)/.exec(version)?.[1] ?? (version || null);
}

async function statusOf(store: ProfileStore, profile: Profile, session: Session): Promise<Pick<ProfileStatus, 'ok' | 'problem' | 'version'>> {
  const client = createClient({
    ...wireOptions(session),
    timeout: session.timeout ?? patience,
    retries: 0,
    server: new URL(profile.server),
    async token() {
      const {profileToken} = await import('../profile/profile-token.js');
      return profileToken(store, profile, wireOptions(session), (text) => session.warn(text));
    },
  });
  try {
    const version = await serverVersion(client);
    const {whoAmI} = await import('../profile/account.js');
    await whoAmI(client);
    return {ok: true, problem: undefined, version};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // A token that may not read cannot be tried this way; it is no worse for that.
    if (error.details.reason === 'scope') return {ok: true, problem: undefined, version: null};
    return {ok: false, problem: error.message, version: null};
  } finally {
    await client.close();
  }
}

/** @throws Failure `local` when what is saved cannot be read */
export async function profileStatuses(session: Session): Promise<ProfileStatus[]> {
  const store = await openStore();
  const {active, profiles} = await store.list();
  const {name, source} = activeProfile(session, active, process.env);
  return Promise.all(
    profiles.map(async (profile) => {
      const isActive = profile.name === name;
      return {profile, isActive, source: isActive ? source : null, ...(await statusOf(store, profile, session))};
    }),
  );
}
