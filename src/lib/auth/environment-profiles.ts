/** The profiles that `PIXELCTL_PROFILES` defines, for jobs: each has a server and a token in variables of its own. Nothing is stored. */
import {Failure} from '../client/failure.js';
import {
  checkedToken,
  definesProfiles,
  inPlaceOfName,
  profilesVariable as variable,
  suffixOf,
  tokenVariable,
  tokenVariableOf,
} from './environment-token.js';
import type {KnownProfiles} from './identity.js';
import {maxNameLength, type Profile} from './profile.js';
import {parseServer} from './server-address.js';
import {claimsOf} from './token.js';
import type {Environment} from '../files/runtime.js';

/** No profile can have this name: its token variable would be `PIXELCTL_TOKEN_FILE`, which names a file with a token. */
const reserved = 'FILE';

const serverVariableOf = (name: string): string => inPlaceOfName('PIXELCTL_SERVER_NAME', name);

const valueOf = (environment: Environment, name: string): string => (environment[name] ?? '').trim();

/** Messages do not repeat an invalid name, because it may be a token. @throws Failure `usage` for names that cannot be told apart by their variables */
function namesIn(environment: Environment): readonly string[] {
  const names = valueOf(environment, variable)
    .split(',')
    .flatMap((name) => name.trim() || []);
  const refuse = (what: string, hint: string) => {
    throw new Failure('usage', `${variable}${what}`, {hint});
  };
  if (names.length === 0) refuse(' contains no name', 'for example: PIXELCTL_PROFILES=alpha,beta');
  for (const [index, name] of names.entries()) {
    if (name.length > maxNameLength || !/^[A-Za-z0-9._-]+$/.test(name)) {
      const hint = `use up to ${maxNameLength} letters, digits and the characters . _ -, and separate names by commas; tokens have their own variables`;
      refuse(`: number ${index + 1} is not a name`, hint);
    }
    if (suffixOf(name) === reserved)
      refuse(`: ${name} cannot be used, because ${tokenVariableOf(name)} is a file with a token`, 'choose another name');
    const twin = names.slice(0, index).find((other) => suffixOf(other) === suffixOf(name));
    if (twin !== undefined) refuse(`: ${twin} and ${name} have the same variable, ${tokenVariableOf(name)}`, 'use different names');
  }
  return names;
}

/** @throws Failure `usage` for the variables that give a server or a token to a run without profiles */
function refuseOthers(environment: Environment): void {
  const other = tokenVariable(environment) ?? (valueOf(environment, 'PIXELCTL_SERVER') === '' ? undefined : 'PIXELCTL_SERVER');
  if (other === undefined) return;
  throw new Failure('usage', `${variable} and ${other} cannot be used together`, {
    hint: `unset one of them; with ${variable}, each profile has its own server and token`,
  });
}

function requireVariable(environment: Environment, name: string, profile: string): string {
  const value = valueOf(environment, name);
  if (value !== '') return value;
  throw new Failure('usage', `${name} is not set`, {hint: `${variable} names ${profile}, which needs a server and a token`});
}

/** @throws Failure `usage` when it is missing or not a token */
export function environmentProfileToken({name}: Pick<Profile, 'name'>, environment: Environment): string {
  const source = tokenVariableOf(name);
  return checkedToken(requireVariable(environment, source, name), source) ?? '';
}

function profileIn(environment: Environment, name: string): Profile {
  const source = serverVariableOf(name);
  // Whether plain http is allowed is checked when the profile is used.
  const {origin: server} = parseServer(requireVariable(environment, source, name), source, true);
  const {scopes = null, expiresAt = null} = claimsOf(environmentProfileToken({name}, environment));
  return {name, server, account: null, scopes, expiresAt, storage: 'environment', isProtected: false, isAdmin: false, client: null};
}

/**
 * The profiles that the environment defines; undefined when it defines none. A single one is the active one.
 * @throws Failure `usage` for names that cannot be used, a missing server or token, and variables for a single account
 */
export function environmentProfiles(environment: Environment): KnownProfiles | undefined {
  if (!definesProfiles(environment)) return undefined;
  refuseOthers(environment);
  const profiles = namesIn(environment).map((name) => profileIn(environment, name));
  const [only] = profiles.length === 1 ? profiles : [];
  return {
    list: async () => ({active: only?.name ?? null, profiles}),
    async get(name) {
      const found = profiles.find((profile) => profile.name === name);
      if (found !== undefined) return found;
      const names = profiles.map((profile) => profile.name).join(', ');
      throw new Failure('usage', `No profile named ${name}`, {hint: `profiles of this environment, by ${variable}: ${names}`});
    },
  };
}
