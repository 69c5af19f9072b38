/** The profiles: which one is active and why, and whether their tokens work. */
import {type AccountInUse} from './account-in-use.js';
import {fieldsOf, type ListView} from '../api/view.js';
import {openClient, type Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {
  definesProfiles,
  hasAdminScopes,
  parseServer,
  type Profile,
  profileInUse,
  type ProfileSource,
  type ProfileStore,
  selectedProfileName,
  type TokenClaims,
  withOwnHost,
} from '../auth/index.js';
import {enumerated} from '../json/text.js';
import {tokenSource, warnOfPlainHttp, wireOptions, wishOf} from './connection.js';
import {knownProfiles} from './known-profiles.js';
import type {Io} from './io.js';
import {type Session} from './session.js';

/** Milliseconds to wait for a server. */
const statusTimeout = 10_000;

const sources = {'--profile': 'flag', PIXELCTL_PROFILE: 'environment', 'the active profile': 'default'} as const satisfies Record<
  ProfileSource,
  string
>;

interface ProfileStatus {
  readonly profile: Profile;
  /** What makes it the active one; null for the others. */
  readonly source: (typeof sources)[ProfileSource] | null;
  /** The server's release; null when unknown. */
  readonly version: string | null;
  /** Why it does not work. */
  readonly problem: Failure | undefined;
  readonly claims?: TokenClaims | undefined;
}

/** A profile in JSON, without secrets. */
export function profileDocument({profile, source, problem, claims}: Pick<ProfileStatus, 'claims' | 'problem' | 'profile' | 'source'>) {
  const scopes = claims?.scopes ?? profile.scopes;
  return {
    name: profile.name,
    server: profile.server,
    account: profile.account === null ? null : `@${profile.account.acct}`,
    active: source !== null,
    source,
    admin: hasAdminScopes({...profile, scopes}) ?? null,
    scopes,
    expires_at: claims?.expiresAt ?? profile.expiresAt,
    ok: problem === undefined,
    error: problem === undefined ? null : {code: problem.code, message: problem.message},
  };
}

/** A profile in a table, with more columns. */
export function profileRow(status: ProfileStatus) {
  const {version, profile} = status;
  return {...profileDocument(status), version, storage: profile.storage, protected: profile.isProtected};
}

async function versionOf(client: Client): Promise<string | null> {
  const {serverRelease} = await import('../operations/server-release.js');
  try {
    return (await serverRelease(client)).version;
  } catch (error) {
    if (error instanceof Failure && error.code !== 'unavailable') return null;
    throw error;
  }
}

/** Why the token of a profile does not work; undefined when it does. */
async function problemOf(client: Client, warn: (text: string) => void): Promise<Failure | undefined> {
  const {whoAmI} = await import('../operations/accounts.js');
  try {
    await whoAmI(client, warn);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Without the read scope the token cannot be checked this way; that is no problem of the token.
    return error.details.reason === 'scope' ? undefined : error;
  }
}

type Looked = Pick<ProfileStatus, 'claims' | 'problem' | 'version'>;

/** @param source what makes the profile the one in use; undefined for the others */
async function look(profile: Profile, session: Session, source: ProfileSource | undefined): Promise<Looked> {
  const server = parseServer(profile.server, `Profile ${profile.name}`, session.flags['allow-http'] === true);
  if (source !== undefined) session.identity = {server, source, profile, tokenSource: source};
  warnOfPlainHttp(server, session);
  const token = await tokenSource(profile, session);
  const {claimsOf} = await import('../auth/token.js');
  const claims = claimsOf(await token());
  await using client = openClient({
    ...wireOptions(session),
    timeout: session.timeout ?? statusTimeout,
    retries: 0,
    maxWait: 0,
    server,
    token,
  });
  try {
    return {version: await versionOf(client), problem: await problemOf(client, (text) => session.warn(text)), claims};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {version: null, problem: error, claims};
  }
}

async function lookSafely(...asked: Parameters<typeof look>): Promise<Looked> {
  try {
    return await look(...asked);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {version: null, problem: error};
  }
}

/** @throws Failure `local` when what is saved cannot be read, `usage` when flag or environment name no profile that there is */
export async function profileStatuses(session: Session): Promise<ProfileStatus[]> {
  const inUse = await profileInUse(await wishOf(session));
  const known = await knownProfiles(session);
  const {profiles} = await known.list();
  const looks = await Promise.all(
    profiles.map((profile) => lookSafely(profile, session, profile.name === inUse?.name ? inUse.source : undefined)),
  );
  // The check may have renewed a token.
  const now = new Map((await known.list()).profiles.map((profile) => [profile.name, profile]));
  return profiles.map((profile, index) => ({
    profile: withOwnHost(now.get(profile.name) ?? profile),
    source: profile.name === inUse?.name ? sources[inUse.source] : null,
    version: null,
    problem: undefined,
    ...looks[index],
  }));
}

export const profilesView: ListView = {
  kind: 'list',
  columns: [
    {header: 'profile', path: 'name', key: true},
    {header: 'active', path: 'source', none: '', stays: true},
    {header: 'server', path: 'server', key: true},
    {header: 'release', path: 'version', priority: 5},
    {header: 'account', path: 'account', key: true},
    {header: 'scopes', path: 'scopes', none: 'unknown', flexible: true, priority: 6},
    {header: 'expires', path: 'expires_at', kind: 'time', none: 'unknown', priority: 4},
    {header: 'stored in', path: 'storage', priority: 7},
    {header: 'protected', path: 'protected', priority: 8},
    {header: 'admin', path: 'admin', none: 'unknown', priority: 9},
    {header: 'works', path: 'ok', stays: true},
  ],
  fields: fieldsOf<ReturnType<typeof profileRow>>({
    name: true,
    server: true,
    account: true,
    active: true,
    source: true,
    admin: true,
    scopes: true,
    expires_at: true,
    ok: true,
    error: true,
    version: true,
    storage: true,
    protected: true,
  }),
  empty: 'No profiles: sign in with `pixelctl auth login`.',
};

/** The profile of an admin of the server in use, beside the one in use; undefined where none is known. */
export async function profileOfAdmin(
  {server, profile: used}: Pick<AccountInUse, 'profile' | 'server'>,
  io: Io,
): Promise<string | undefined> {
  try {
    const {profiles} = await (await knownProfiles({io})).list();
    // One that can only read would not do for a write.
    return profiles.find((each) => each.server === server && each.name !== used && hasAdminScopes(each, 'write') === true)?.name;
  } catch {
    // It is only for a hint.
    return undefined;
  }
}

/**
 * The name of the profile: the argument, else from flags, environment or the active profile.
 * @throws Failure `usage` when there is none
 */
export async function namedProfile(argument: string | undefined, store: ProfileStore, {flags, io}: Session): Promise<string> {
  const {active} = await store.list();
  const profile = argument ?? flags.profile;
  const meant = selectedProfileName({profile, environment: io.env}, active);
  if (meant !== undefined) return meant.value;
  throw new Failure('usage', 'No profile is active', {hint: 'name a profile; `pixelctl auth status` lists them'});
}

/** The variables that override the active profile, as far as they are set. */
const overriding = ({env}: Io): string[] =>
  ['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE', 'PIXELCTL_PROFILE', 'PIXELCTL_SERVER'].filter((name) => (env[name] ?? '') !== '');

/** Says which variables override the active profile. */
export function environmentNotes(io: Io): string[] {
  if (definesProfiles(io.env)) return ['PIXELCTL_PROFILES is set: its profiles are used instead of the saved ones.'];
  const set = overriding(io);
  return set.length > 0 ? [`Set in the environment, which overrides the active profile: ${set.join(', ')}.`] : [];
}

/** Where the token that was refused, or the server that does not answer, comes from; undefined where that is not the environment. */
export async function originText({code}: Failure, {from, profile, server}: AccountInUse, io: Io): Promise<string | undefined> {
  const token = code === 'auth' ? from?.token : undefined;
  const variable = token ?? from?.server;
  if (variable === undefined) return undefined;
  const what = variable === 'PIXELCTL_PROFILE' ? `the profile ${profile ?? ''}` : token === undefined ? 'the server' : 'the token';
  const origin = `${what} is from ${variable}`;
  const active = await activeProfile(io);
  const isOfFlag = from?.server === undefined && active?.server !== server;
  if (active === undefined || active.name === profile || isOfFlag) return origin;
  const set = overriding(io);
  return `${origin}; unset ${set.length === 1 ? 'it' : enumerated(set)} to use the profile ${active.name}`;
}

async function activeProfile(io: Io): Promise<Profile | undefined> {
  try {
    const {active, profiles} = await (await knownProfiles({io})).list();
    return profiles.find(({name}) => name === active);
  } catch {
    // It is only for a hint.
    return undefined;
  }
}
