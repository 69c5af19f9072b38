/**
 * What the environment gives, of which nothing is ever stored: an access token; or, in `PIXELCTL_PROFILES`, profiles for jobs, of which
 * each has a server and a token in variables of its own.
 */
import {cannotRead, Failure} from '../client/failure.js';
import {readGivenText} from '../files/read-text.js';
import {refuseOddToken} from '../client/transport.js';
import type {Environment} from '../files/runtime.js';
import type {KnownProfiles, Profile} from './profile.js';
import {parseServer} from './server-address.js';
import {claimsOf} from './token.js';

const variables = ['PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE'] as const;

export type TokenVariable = (typeof variables)[number];

/** The variable that holds the token; undefined when none is set. */
export function tokenVariable(environment: Environment): TokenVariable | undefined {
  return variables.find((name) => (environment[name] ?? '').trim() !== '');
}

const variable = 'PIXELCTL_PROFILES';

/** Whether the environment defines the profiles: then the saved ones are not read. */
export function definesProfiles(environment: Environment): boolean {
  return (environment[variable] ?? '').trim() !== '';
}

/** How the names of a profile's variables end: for `my-bot`, it is `MY_BOT`. */
const suffixOf = (profile: string): string => profile.toUpperCase().replaceAll(/[.-]/g, '_');

/** @param form the name of a variable that ends in NAME */
const inPlaceOfName = (form: string, profile: string): string => form.replace(/NAME$/, suffixOf(profile));

export const tokenVariableOf = (profile: string): string => inPlaceOfName('PIXELCTL_TOKEN_NAME', profile);

/**
 * A pasted token without white space around it; undefined when it is empty.
 * @throws Failure `usage` for text that cannot be a token; the message does not repeat it
 */
export function checkedToken(text: string, source: string): string | undefined {
  const token = text.trim();
  if (token === '') return undefined;
  refuseOddToken(token, source);
  return token;
}

/** @throws Failure `local` when the file cannot be read, `usage` when it is not a token */
export async function environmentToken(environment: Environment): Promise<string | undefined> {
  const name = tokenVariable(environment);
  if (name === undefined) return undefined;
  const value = environment[name] ?? '';
  if (name === 'PIXELCTL_TOKEN') return checkedToken(value, name);
  const text = await readGivenText(value).catch(cannotRead(`the file of PIXELCTL_TOKEN_FILE (${value})`));
  return checkedToken(text, `The file ${value}`);
}

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
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
      const hint = `use up to 64 letters, digits and the characters . _ -, and separate names by commas; tokens have their own variables`;
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
