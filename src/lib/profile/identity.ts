/** Which server, and as whom: flags beat the environment, which beats the active profile. */
import {Failure} from '../client/failure.js';
import {environmentToken} from './environment-token.js';
import type {Profile} from './profile.js';
import {parseServer} from './server.js';

export type Source = '--profile' | '--server' | 'PIXELCTL_PROFILE' | 'PIXELCTL_SERVER' | 'the active profile';

/** The saved profiles, as far as they are needed. */
export interface SavedProfiles {
  list(): Promise<{readonly active: string | null; readonly profiles: readonly Profile[]}>;
  /** @throws Failure `usage` when there is none of that name */
  get(name: string): Promise<Profile>;
}

export interface IdentityOptions {
  /** Value of `--server`. */
  readonly server?: string | undefined;
  /** Value of `--profile`. */
  readonly profile?: string | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly profiles: SavedProfiles;
  /** The token of a profile, read and renewed when it is asked for. */
  readonly tokenOf: (profile: Profile) => Promise<string>;
}

export interface Identity {
  readonly server: URL;
  /** What decided about the server. */
  readonly source: Source;
  /** The profile whose token is used; undefined with a token of the environment, or without one. */
  readonly profile: Profile | undefined;
  /** The access token for this server, read when it is asked for; undefined when there is none. */
  readonly token: () => Promise<string | undefined>;
}

const noServer = () =>
  new Failure('usage', 'No server is named', {
    hint: 'sign in with `pixelctl auth login`; set PIXELCTL_SERVER or give --server; or try `pixelctl sandbox`',
  });

function withheld(whose: string, home: string, host: string): Failure {
  return new Failure('auth', `The token of ${whose} belongs to ${home} and is not sent to ${host}`, {reason: 'withheld_token'});
}

interface Choice {
  readonly profile: Profile;
  readonly source: Source;
}

/** The profile that is meant; the active one last. */
async function chosenProfile({profile, environment, profiles}: IdentityOptions): Promise<Choice | undefined> {
  if (profile !== undefined) return {profile: await profiles.get(profile), source: '--profile'};
  const named = environment['PIXELCTL_PROFILE'] ?? '';
  if (named !== '') return {profile: await profiles.get(named), source: 'PIXELCTL_PROFILE'};
  const {active, profiles: saved} = await profiles.list();
  const found = saved.find(({name}) => name === active);
  return found && {profile: found, source: 'the active profile'};
}

/** A server that flag or environment name. `--profile` goes before the environment. */
function namedServer({server, profile, allowHttp = false, environment}: IdentityOptions): {url: URL; source: Source} | undefined {
  if (server !== undefined) return {url: parseServer(server, '--server', allowHttp), source: '--server'};
  const named = environment['PIXELCTL_SERVER'] ?? '';
  if (named === '' || profile !== undefined) return undefined;
  return {url: parseServer(named, 'PIXELCTL_SERVER', allowHttp), source: 'PIXELCTL_SERVER'};
}

/** Where the token of the environment belongs; everywhere when the environment names no server. */
function homeOfToken(environment: IdentityOptions['environment'], url: URL): URL {
  const named = environment['PIXELCTL_SERVER'] ?? '';
  return named === '' ? url : parseServer(named, 'PIXELCTL_SERVER', true);
}

function hasToken(environment: IdentityOptions['environment']): boolean {
  return ['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE'].some((name) => (environment[name] ?? '').trim() !== '');
}

/**
 * Decides which server is meant and which token belongs to it. A token goes to its own server and nowhere else: one of
 * the environment to `PIXELCTL_SERVER`, one of a profile to the profile's server.
 * @throws Failure `usage` when no server is named, its address cannot be used, or there is no such profile
 */
export async function identify(options: IdentityOptions): Promise<Identity> {
  const {environment, allowHttp = false, tokenOf} = options;
  const named = namedServer(options);
  const fromEnvironment = options.profile === undefined && hasToken(environment);
  // With server and token from the environment, what is saved does not matter and is not read.
  const choice = named !== undefined && fromEnvironment ? undefined : await chosenProfile(options);
  const server = named?.url ?? (choice && parseServer(choice.profile.server, `Profile ${choice.profile.name}`, allowHttp));
  const source = named?.source ?? choice?.source;
  if (server === undefined || source === undefined) throw noServer();
  if (fromEnvironment) {
    const home = homeOfToken(environment, server);
    return {
      server,
      source,
      profile: undefined,
      async token() {
        const token = await environmentToken(environment);
        if (token === undefined || home.origin === server.origin) return token;
        throw withheld('the environment', home.host, server.host);
      },
    };
  }
  if (choice === undefined) return {server, source, profile: undefined, token: async () => undefined};
  const {profile} = choice;
  if (profile.server === server.origin) return {server, source, profile, token: () => tokenOf(profile)};
  return {
    server,
    source,
    profile: undefined,
    async token() {
      // The active profile was not asked for: to have no token is then the plainer truth.
      if (choice.source === 'the active profile') return undefined;
      throw withheld(`profile ${profile.name}`, new URL(profile.server).host, server.host);
    },
  };
}
