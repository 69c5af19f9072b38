/** Chooses the server and the account: flags win over the environment, which wins over the active profile. */
import {Failure} from '../client/failure.js';
import {ownName} from '../operations/handle.js';
import {environmentToken, tokenVariable, type TokenVariable} from './environment.js';
import type {KnownProfiles, Profile} from './profile.js';
import {parseServer} from './server-address.js';
import type {Environment} from '../files/runtime.js';

export type ProfileSource = '--profile' | 'PIXELCTL_PROFILE' | 'the active profile';
type ServerSource = ProfileSource | '--server' | 'PIXELCTL_SERVER';
type TokenSource = ProfileSource | TokenVariable;

export interface IdentityRequest {
  readonly server?: string | undefined;
  readonly profile?: string | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly environment: Environment;
  readonly profiles: KnownProfiles;
}

export interface IdentityOptions extends IdentityRequest {
  /** Reads the token of a profile, and renews it when needed. */
  readonly tokenOf: (profile: Profile, refused?: string) => Promise<string>;
}

export interface Identity {
  readonly server: URL;
  readonly source: ServerSource;
  /** The profile whose token is used; undefined with a token from the environment, or without a token. */
  readonly profile: Profile | undefined;
  /** Whether the token has scopes of admins; undefined when that is unknown. */
  readonly isAdmin: boolean | undefined;
  /** Where the token comes from; undefined when there is none for this server. */
  readonly tokenSource: TokenSource | undefined;
  /** Undefined when there is no token for this server. @param refused a token that the server refused: another one may be stored by now */
  readonly token: (refused?: string) => Promise<string | undefined>;
}

interface Sourced<Value, Source> {
  readonly value: Value;
  readonly source: Source;
}

async function noServer(known: KnownProfiles): Promise<Failure> {
  const {profiles} = await known.list();
  const names = profiles.map(({name}) => name).join(', ');
  const [first] = profiles;
  if (first?.storage === 'environment')
    return new Failure('usage', `No profile is selected; PIXELCTL_PROFILES defines ${names}`, {
      hint: 'name one with --profile or PIXELCTL_PROFILE',
    });
  if (first !== undefined)
    return new Failure('usage', `No profile is active; saved: ${names}`, {
      hint: 'choose one with `pixelctl auth switch NAME`, or name it with --profile',
    });
  return new Failure('usage', 'No server given', {
    hint: 'sign in with `pixelctl auth login`, pass --server, or set PIXELCTL_SERVER; to try things out, start `pixelctl sandbox`',
  });
}

function withheld(whose: string, home: string, host: string, hint?: string): Failure {
  return new Failure('auth', `The token of ${whose} belongs to ${home} and is not sent to ${host}`, {reason: 'withheld_token', hint});
}

/** @throws Failure `usage` for several names, which other commands take */
function refuseSeveralNames(name: string): string {
  if (!name.includes(',')) return name;
  throw new Failure('usage', `This command takes one profile, not several: ${name}`, {hint: 'run it once for each of them'});
}

/** The name of the profile to use. @param active the active profile, used when neither flag nor environment names one */
export function selectedProfileName(
  {profile, environment}: Pick<IdentityRequest, 'environment' | 'profile'>,
  active: string | null,
): Sourced<string, ProfileSource> | undefined {
  if (profile !== undefined) return {value: refuseSeveralNames(profile), source: '--profile'};
  const named = environment['PIXELCTL_PROFILE'] ?? '';
  if (named !== '') return {value: refuseSeveralNames(named), source: 'PIXELCTL_PROFILE'};
  return active === null ? undefined : {value: active, source: 'the active profile'};
}

async function chosenProfile(request: IdentityRequest): Promise<Sourced<Profile, ProfileSource> | undefined> {
  const named = selectedProfileName(request, null);
  if (named !== undefined) return {...named, value: await request.profiles.get(named.value)};
  const {active, profiles} = await request.profiles.list();
  const found = profiles.find(({name}) => name === active);
  return found && {value: found, source: 'the active profile'};
}

/** `--profile` wins over the environment. */
function namedServer({server, profile, allowHttp = false, environment}: IdentityRequest): Sourced<URL, ServerSource> | undefined {
  if (server !== undefined) return {value: parseServer(server, '--server', allowHttp), source: '--server'};
  const named = environment['PIXELCTL_SERVER'] ?? '';
  if (named === '' || profile !== undefined) return undefined;
  return {value: parseServer(named, 'PIXELCTL_SERVER', allowHttp), source: 'PIXELCTL_SERVER'};
}

/** The server that a flag or the environment names; the variable that holds a token; and the profile, over whose token that wins. */
async function decide(request: IdentityRequest) {
  const named = namedServer(request);
  const variable = request.profile === undefined ? tokenVariable(request.environment) : undefined;
  // With a server and a token given, the saved profiles do not matter and are not read.
  const profile = named !== undefined && variable !== undefined ? undefined : await chosenProfile(request);
  return {named, profile, variable};
}

/**
 * The profile whose token commands use, and what selected it; undefined when they use none.
 * @throws Failure `usage` when an address cannot be used, or there is no such profile
 */
export async function profileInUse(request: IdentityRequest): Promise<{name: string; source: ProfileSource} | undefined> {
  const {named, profile, variable} = await decide(request);
  const isElsewhere = named !== undefined && named.value.origin !== profile?.value.server;
  if (profile === undefined || variable !== undefined || isElsewhere) return undefined;
  return {name: profile.value.name, source: profile.source};
}

/** Corrects the name of the account to that on its own server: earlier versions stored the name as the server sent it. */
export function withOwnHost(profile: Profile): Profile {
  if (profile.account === null) return profile;
  const acct = ownName(profile.account.acct);
  return {...profile, account: acct === undefined ? null : {...profile.account, acct}};
}

/** The account of the profile in use, `@ana`; undefined where only the server can tell. */
export function accountOfProfile({profile}: Pick<Identity, 'profile'>): string | undefined {
  return profile?.account ? `@${profile.account.acct}` : undefined;
}

/**
 * Chooses the server and its token. A token is sent only to its own server: one from the environment to
 * `PIXELCTL_SERVER`, one of a profile to the profile's server.
 * @throws Failure `usage` when no server is given, its address cannot be used, or there is no such profile
 */
export async function identify(options: IdentityOptions): Promise<Identity> {
  const {environment, allowHttp = false, tokenOf} = options;
  const {named, profile, variable} = await decide(options);
  const server = named?.value ?? (profile && parseServer(profile.value.server, `Profile ${profile.value.name}`, allowHttp));
  const source = named?.source ?? profile?.source;
  if (server === undefined || source === undefined) throw await noServer(options.profiles);
  const {origin, host} = server;
  const bare = {server, source, profile: undefined, isAdmin: undefined, tokenSource: undefined};
  if (variable !== undefined) {
    const ownServer = environment['PIXELCTL_SERVER'] ?? '';
    const home = ownServer === '' ? server : parseServer(ownServer, 'PIXELCTL_SERVER', true);
    const isHome = home.origin === origin;
    return {
      ...bare,
      tokenSource: isHome ? variable : undefined,
      async token() {
        const token = await environmentToken(environment);
        if (token !== undefined && !isHome) throw withheld('the environment', home.host, host);
        return token;
      },
    };
  }
  const isElsewhere = profile?.value.server !== origin;
  // Nobody named the active profile for another server, so this is no mistake: there is just no token.
  if (profile === undefined || (isElsewhere && profile.source === 'the active profile')) return {...bare, token: async () => undefined};
  const {value, source: tokenSource} = profile;
  if (isElsewhere) {
    const hint = `use a profile of ${host}, or leave out the server to use that of ${value.name}`;
    return {
      ...bare,
      async token() {
        throw withheld(`profile ${value.name}`, new URL(value.server).host, host, hint);
      },
    };
  }
  return {
    ...bare,
    profile: withOwnHost(value),
    isAdmin: hasAdminScopes(value),
    tokenSource,
    token: (refused) => tokenOf(value, refused),
  };
}

export type AdminAccess = 'read' | 'write';

/**
 * Whether the token of a profile has scopes of admins; undefined when that is unknown. Whether its account may use them, only the
 * server can tell.
 * @param access the scopes to look for: both kinds, by default
 */
export function hasAdminScopes({isAdmin, scopes}: Pick<Profile, 'isAdmin' | 'scopes'>, access?: AdminAccess): boolean | undefined {
  return isAdmin || scopes?.some((scope) => scope.startsWith(`admin:${access ?? ''}`));
}
