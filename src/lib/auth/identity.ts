/** Which server, and as whom: flags beat the environment, which beats the active profile. */
import {Failure} from '../client/failure.js';
import {environmentToken, tokenVariable, type TokenVariable} from './environment-token.js';
import type {Profile} from './profile.js';
import {parseServer} from './server.js';

export type ProfileSource = '--profile' | 'PIXELCTL_PROFILE' | 'the active profile';
export type ServerSource = ProfileSource | '--server' | 'PIXELCTL_SERVER';
export type TokenSource = ProfileSource | TokenVariable;

type Environment = Readonly<Record<string, string | undefined>>;

/** The saved profiles, as far as they are needed. */
export interface SavedProfiles {
  list(): Promise<{readonly active: string | null; readonly profiles: readonly Profile[]}>;
  /** @throws Failure `usage` when there is none of that name */
  get(name: string): Promise<Profile>;
}

/** What was asked for. */
export interface Wish {
  /** Value of `--server`. */
  readonly server?: string | undefined;
  /** Value of `--profile`. */
  readonly profile?: string | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly environment: Environment;
  readonly profiles: SavedProfiles;
}

export interface IdentityOptions extends Wish {
  /** The token of a profile, read and renewed when it is asked for. */
  readonly tokenOf: (profile: Profile) => Promise<string>;
}

export interface Identity {
  readonly server: URL;
  /** What decided about the server. */
  readonly source: ServerSource;
  /** The profile whose token is used; undefined with a token of the environment, or without one. */
  readonly profile: Profile | undefined;
  /** What decided about the token; undefined when there is none for this server. */
  readonly tokenSource: TokenSource | undefined;
  /** The access token for this server, read when it is asked for; undefined when there is none. */
  readonly token: () => Promise<string | undefined>;
}

interface Named<Thing, Source> {
  readonly what: Thing;
  readonly source: Source;
}

interface Decision {
  /** The server that flag or environment name. */
  readonly named: Named<URL, ServerSource> | undefined;
  readonly profile: Named<Profile, ProfileSource> | undefined;
  /** What brings a token in place of the profile's. */
  readonly variable: TokenVariable | undefined;
}

const noServer = () =>
  new Failure('usage', 'No server is named', {
    hint: 'sign in with `pixelctl auth login`; set PIXELCTL_SERVER or give --server; or try `pixelctl sandbox`',
  });

function withheld(whose: string, home: string, host: string, hint?: string): Failure {
  return new Failure('auth', `The token of ${whose} belongs to ${home} and is not sent to ${host}`, {reason: 'withheld_token', hint});
}

/** The name of the profile that is meant. @param active the saved one, which comes last */
export function meantProfile(
  {profile, environment}: Pick<Wish, 'environment' | 'profile'>,
  active: string | null,
): Named<string, ProfileSource> | undefined {
  if (profile !== undefined) return {what: profile, source: '--profile'};
  const named = environment['PIXELCTL_PROFILE'] ?? '';
  if (named !== '') return {what: named, source: 'PIXELCTL_PROFILE'};
  return active === null ? undefined : {what: active, source: 'the active profile'};
}

async function chosenProfile(wish: Wish): Promise<Named<Profile, ProfileSource> | undefined> {
  const named = meantProfile(wish, null);
  if (named !== undefined) return {...named, what: await wish.profiles.get(named.what)};
  const {active, profiles} = await wish.profiles.list();
  const found = profiles.find(({name}) => name === active);
  return found && {what: found, source: 'the active profile'};
}

/** `--profile` goes before the environment. */
function namedServer({server, profile, allowHttp = false, environment}: Wish): Named<URL, ServerSource> | undefined {
  if (server !== undefined) return {what: parseServer(server, '--server', allowHttp), source: '--server'};
  const named = environment['PIXELCTL_SERVER'] ?? '';
  if (named === '' || profile !== undefined) return undefined;
  return {what: parseServer(named, 'PIXELCTL_SERVER', allowHttp), source: 'PIXELCTL_SERVER'};
}

async function decide(wish: Wish): Promise<Decision> {
  const named = namedServer(wish);
  const variable = wish.profile === undefined ? tokenVariable(wish.environment) : undefined;
  // With server and token from the environment, what is saved does not matter and is not read.
  const profile = named !== undefined && variable !== undefined ? undefined : await chosenProfile(wish);
  return {named, profile, variable};
}

/**
 * The profile whose token commands use, and why that one; undefined when they use none.
 * @throws Failure `usage` when an address cannot be used, or there is no such profile
 */
export async function profileInUse(wish: Wish): Promise<{name: string; source: ProfileSource} | undefined> {
  const {named, profile, variable} = await decide(wish);
  const isElsewhere = named !== undefined && named.what.origin !== profile?.what.server;
  if (profile === undefined || variable !== undefined || isElsewhere) return undefined;
  return {name: profile.what.name, source: profile.source};
}

/** Where the token of the environment belongs; everywhere when the environment names no server. */
function homeOfToken(environment: Environment, url: URL): URL {
  const named = environment['PIXELCTL_SERVER'] ?? '';
  return named === '' ? url : parseServer(named, 'PIXELCTL_SERVER', true);
}

function withTokenOfEnvironment(server: URL, variable: TokenVariable, environment: Environment): Pick<Identity, 'token' | 'tokenSource'> {
  const home = homeOfToken(environment, server);
  if (home.origin === server.origin) return {tokenSource: variable, token: () => environmentToken(environment)};
  return {
    tokenSource: undefined,
    async token() {
      if ((await environmentToken(environment)) !== undefined) throw withheld('the environment', home.host, server.host);
      return undefined;
    },
  };
}

/** Of a profile that is of another server. */
function withoutToken(server: URL, {what, source}: Named<Profile, ProfileSource>): Pick<Identity, 'token' | 'tokenSource'> {
  return {
    tokenSource: undefined,
    async token() {
      // The active profile was not asked for: to have no token is then the plainer truth.
      if (source === 'the active profile') return undefined;
      const hint = `name a profile of ${server.host}, or leave out the server to act on that of ${what.name}`;
      throw withheld(`profile ${what.name}`, new URL(what.server).host, server.host, hint);
    },
  };
}

/**
 * Decides which server is meant and which token belongs to it. A token goes to its own server and nowhere else: one of
 * the environment to `PIXELCTL_SERVER`, one of a profile to the profile's server.
 * @throws Failure `usage` when no server is named, its address cannot be used, or there is no such profile
 */
export async function identify(options: IdentityOptions): Promise<Identity> {
  const {environment, allowHttp = false, tokenOf} = options;
  const {named, profile, variable} = await decide(options);
  const server = named?.what ?? (profile && parseServer(profile.what.server, `Profile ${profile.what.name}`, allowHttp));
  const source = named?.source ?? profile?.source;
  if (server === undefined || source === undefined) throw noServer();
  const where = {server, source, profile: undefined};
  if (variable !== undefined) return {...where, ...withTokenOfEnvironment(server, variable, environment)};
  if (profile === undefined) return {...where, tokenSource: undefined, token: async () => undefined};
  if (profile.what.server !== server.origin) return {...where, ...withoutToken(server, profile)};
  return {...where, profile: profile.what, tokenSource: profile.source, token: () => tokenOf(profile.what)};
}
