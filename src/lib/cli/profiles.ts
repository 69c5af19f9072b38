/** The profiles: which one is active and why, and whether their tokens work. */
import type {ListView} from '../api/view.js';
import {openClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {
  claimsOf,
  definesProfiles,
  hasAdminScopes,
  type Identity,
  parseServer,
  type Profile,
  profileInUse,
  type ProfileSource,
  type ProfileStore,
  selectedProfileName,
  type TokenClaims,
  tokenVariable,
  type TokenVariable,
  withOwnHost,
} from '../auth/index.js';
import type {OwnAccount} from '../operations/accounts.js';
import {connect, tokenSource, warnOfPlainHttp, wireOptions, wishOf} from './connection.js';
import {knownProfiles} from './known-profiles.js';
import type {Io} from './io.js';
import {type Session} from './session.js';

/** Milliseconds to wait for a server. */
const statusTimeout = 10_000;

const sources = {'--profile': 'flag', PIXELCTL_PROFILE: 'environment', 'the active profile': 'default'} as const satisfies Record<
  ProfileSource,
  string
>;

export interface ProfileStatus {
  /** The name is null for the token of the environment, and the server if none is given. */
  readonly profile: Omit<Profile, 'name' | 'server'> & {readonly name: string | null; readonly server: string | null};
  /** What selects the profile, or the variable of the token; null for profiles that are not in use. */
  readonly source: TokenVariable | (typeof sources)[ProfileSource] | null;
  /** Why the token does not work; undefined if it does. */
  readonly problem: Failure | undefined;
  readonly claims?: TokenClaims | undefined;
  /** The account that the server names for the token. */
  readonly account?: OwnAccount | undefined;
}

/** A profile in JSON, without secrets. */
export function profileDocument({profile, source, problem, claims, account: asked}: ProfileStatus) {
  const scopes = claims?.scopes ?? profile.scopes;
  const account = profile.account ?? asked;
  return {
    name: profile.name,
    server: profile.server,
    account: account === undefined ? null : `@${account.acct}`,
    active: source !== null,
    source,
    admin: hasAdminScopes({...profile, scopes}) ?? null,
    scopes,
    expires_at: claims?.expiresAt ?? profile.expiresAt,
    ok: problem === undefined,
    error: problem === undefined ? null : {code: problem.code, message: problem.message},
    storage: profile.storage,
    protected: profile.isProtected,
  };
}

type Looked = Pick<ProfileStatus, 'account' | 'claims' | 'problem'>;

/** Asks the server whose token it is. @param find tells server and token, or why they cannot be told */
async function look(find: () => Promise<Pick<Identity, 'server' | 'token'>>, session: Session): Promise<Looked> {
  let claims: TokenClaims | undefined;
  try {
    const {server, token} = await find();
    claims = claimsOf((await token()) ?? '');
    const limits = {timeout: session.timeout ?? statusTimeout, retries: 0, maxWait: 0};
    await using client = openClient({...wireOptions(session), ...limits, server, token});
    const {whoAmI} = await import('../operations/accounts.js');
    return {account: await whoAmI(client), problem: undefined, claims};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Without the read scope the token cannot be checked this way; that is no problem of the token.
    return {claims, problem: error.details.reason === 'scope' ? undefined : error};
  }
}

/** @param source what selects the profile; undefined if it is not in use */
const lookAtProfile = (profile: Profile, session: Session, source: ProfileSource | undefined): Promise<Looked> =>
  look(async () => {
    const server = parseServer(profile.server, `Profile ${profile.name}`, session.flags['allow-http'] === true);
    if (source !== undefined) session.identity = {server, source, profile, tokenSource: source};
    warnOfPlainHttp(server, session);
    return {server, token: await tokenSource(profile, session)};
  }, session);

/** The profile that stands for the token of the environment, before a server is asked. */
const ofEnvironment = {
  name: null,
  server: null,
  account: null,
  scopes: null,
  expiresAt: null,
  storage: 'environment',
  isProtected: false,
  isAdmin: false,
  client: null,
} as const satisfies ProfileStatus['profile'];

/** Checks the token of the environment; undefined if that is not in use. */
async function tokenStatus(session: Session): Promise<ProfileStatus | undefined> {
  const variable = session.flags.profile === undefined ? tokenVariable(session.io.env) : undefined;
  if (variable === undefined) return undefined;
  let server: string | null = null;
  const looked = await look(async () => {
    const {identity} = await connect(session);
    server = identity.server.origin;
    return identity;
  }, session);
  return {profile: {...ofEnvironment, server}, source: variable, ...looked};
}

/**
 * All profiles, and the token of the environment if that is in use.
 * @throws Failure `local` if the saved profiles cannot be read, `usage` if flag or environment name an unknown profile
 */
export async function profileStatuses(session: Session): Promise<ProfileStatus[]> {
  const inUse = await profileInUse(await wishOf(session));
  const known = await knownProfiles(session);
  const {profiles} = await known.list();
  const looks = await Promise.all(
    profiles.map((profile) => lookAtProfile(profile, session, profile.name === inUse?.name ? inUse.source : undefined)),
  );
  const token = await tokenStatus(session);
  // The check may have renewed a token.
  const now = new Map((await known.list()).profiles.map((profile) => [profile.name, profile]));
  const statuses = profiles.map((profile, index) => ({
    profile: withOwnHost(now.get(profile.name) ?? profile),
    source: profile.name === inUse?.name ? sources[inUse.source] : null,
    problem: undefined,
    ...looks[index],
  }));
  return token === undefined ? statuses : [...statuses, token];
}

export const profilesView: ListView = {
  kind: 'list',
  columns: [
    {header: 'profile', path: 'name', none: '', key: true},
    {header: 'active', path: 'source', none: '', stays: true},
    {header: 'server', path: 'server', key: true},
    {header: 'account', path: 'account', key: true},
    {header: 'scopes', path: 'scopes', none: 'unknown', flexible: true, priority: 6},
    {header: 'expires', path: 'expires_at', kind: 'time', none: 'unknown', priority: 4},
    {header: 'stored in', path: 'storage', priority: 7},
    {header: 'protected', path: 'protected', priority: 8},
    {header: 'admin', path: 'admin', none: 'unknown', priority: 9},
    {header: 'works', path: 'ok', stays: true},
  ],
  fields: Object.keys(profileDocument({profile: ofEnvironment, source: null, problem: undefined})),
  empty: 'No profiles: sign in with `pixelctl auth login`.',
};

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

export function environmentNotes({env}: Io): string[] {
  if (definesProfiles(env)) return ['PIXELCTL_PROFILES is set: its profiles are used instead of the saved ones.'];
  const overriding = ['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE', 'PIXELCTL_PROFILE', 'PIXELCTL_SERVER'].filter(
    (name) => (env[name] ?? '') !== '',
  );
  return overriding.length > 0 ? [`Set in the environment, which overrides the active profile: ${overriding.join(', ')}.`] : [];
}
