/** What `profiles.json` holds: everything about the saved profiles except their secrets. */
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {isOrigin} from '../client/origin.js';

export const maxNameLength = 64;
const nameShape = z
  .string()
  .check(z.refine((name) => isProfileName(name), `not 1 to ${maxNameLength} letters, digits and . _ - @ +, or it begins with - or +`));

/** Whether a text can name a profile. A leading dash would be read as a flag; `+` comes before a purpose, as in `+admin`. */
export function isProfileName(name: string): boolean {
  return name.length <= maxNameLength && /^[A-Za-z0-9._@][A-Za-z0-9._@+-]*$/.test(name);
}

const storageShape = z.enum(['keyring', 'file']);

export type Storage = z.infer<typeof storageShape>;

export interface SecretLocation {
  readonly key: string;
  readonly storage: Storage;
}

const texts = z.readonly(z.array(z.string()));
const accountShape = z.object({id: z.string(), acct: z.string()});
const clientShape = z.object({id: z.string()});

const profileShape = z.object({
  name: nameShape,
  /** The server's origin. */
  server: z.string().check(z.refine(isOrigin, 'not the origin of a server')),
  /** Null when the server does not tell. */
  account: z.nullable(z.readonly(accountShape)),
  /** Null when unknown. */
  scopes: z.nullable(texts),
  /** When the access token expires (ISO 8601); null when it does not, or when unknown. */
  expiresAt: z.nullable(z.string().check(z.refine((time) => !Number.isNaN(Date.parse(time)), 'not a time'))),
  /** Where its token is; `environment` for a token in a variable. */
  storage: z.enum([...storageShape.options, 'environment']),
  /** Whether every write with it must be confirmed. */
  isProtected: z.boolean(),
  /** Whether it was made to act as an admin of the server. An ordinary sign-in does not replace it. */
  isAdmin: z.boolean(),
  /** The registered client; null for a pasted token. */
  client: z.nullable(z.readonly(clientShape)),
});

/** A server, and the account used on it. */
export type Profile = Readonly<z.infer<typeof profileShape>>;

/** A profile with its known fields only: an account may come with everything that the server sent. */
export const plainProfile = (profile: Profile): Profile => profileShape.parse(profile);

export const secretShape = z.looseObject({
  accessToken: z.string().check(z.minLength(1)),
  refreshToken: z.optional(z.string()),
  clientSecret: z.optional(z.string()),
});

export interface Secret {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
}

type Purpose = Pick<Profile, 'account' | 'isAdmin' | 'server'>;

function isForPurpose(profile: Profile, {server, account, isAdmin}: Purpose): boolean {
  return account !== null && profile.server === server && profile.account?.id === account.id && profile.isAdmin === isAdmin;
}

/**
 * A name for a new profile: `ana@pix.example`, or `ana@pix.example-2` when that is taken; an admin's is
 * `ana@pix.example+admin`. An account that already has such a profile gets the name of that one.
 */
export function defaultName(purpose: Purpose, profiles: readonly Profile[]): string {
  const known = profiles.find((profile) => isForPurpose(profile, purpose));
  if (known !== undefined) return known.name;
  const {server, account, isAdmin} = purpose;
  const {host} = new URL(server);
  const full = account === null ? host : `${account.acct.split('@')[0]}@${host}`;
  const plain = full.replaceAll(/[^A-Za-z0-9._@-]/g, '-').replace(/^-+/, '');
  const taken = new Set(profiles.map(({name}) => name));
  for (let number = 1; ; number += 1) {
    const suffix = (isAdmin ? '+admin' : '') + (number === 1 ? '' : `-${number}`);
    const name = plain.slice(0, maxNameLength - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}

/** Unknown fields stay: a later version may have added them. */
export const listShape = z.looseObject({
  active: z.nullable(z.string()),
  profiles: z.array(
    z.looseObject({
      ...profileShape.shape,
      account: z.nullable(z.looseObject(accountShape.shape)),
      client: z.nullable(z.looseObject(clientShape.shape)),
      key: z.string(),
      storage: storageShape,
    }),
  ),
  /** Secrets that no profile uses any more, or not yet: the next change removes them. */
  retired: z.array(z.looseObject({key: z.string(), storage: storageShape})),
});

export type KeptProfile = Profile & SecretLocation;

export interface ProfileList {
  readonly active: string | null;
  readonly profiles: readonly KeptProfile[];
  readonly retired: readonly SecretLocation[];
}

/** @throws Failure `usage` when there is no such profile */
export function find(list: ProfileList, name: string): KeptProfile {
  const found = list.profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const names = list.profiles.map((profile) => profile.name);
  throw new Failure('usage', `No profile named ${name}`, {
    hint: names.length === 0 ? 'sign in with `pixelctl auth login`' : `profiles: ${names.join(', ')}`,
  });
}

export function without(list: ProfileList, {name, key, storage}: KeptProfile): ProfileList {
  const profiles = list.profiles.filter((profile) => profile.name !== name);
  const [only, ...others] = profiles.filter((profile) => !profile.isAdmin);
  const next = others.length === 0 ? (only?.name ?? null) : null;
  const active = list.active === name ? next : list.active;
  return {...list, active, profiles, retired: [...list.retired, {key, storage}]};
}

/** Leaves unknown fields of a part in place while its id is the same, because a later version may have added them. */
function mergePart<Part extends {readonly id: string}>(before: Part | null | undefined, now: Part | null): Part | null {
  return now !== null && before?.id === now.id ? {...before, ...now} : now;
}

/** Adds a profile to the list, or replaces the one with the same name. If its secret is new, the old one is retired. */
export function including(list: ProfileList, profile: Profile, location: SecretLocation): ProfileList {
  const index = list.profiles.findIndex(({name}) => name === profile.name);
  const before = list.profiles[index];
  const entry = {
    ...before,
    ...profile,
    ...location,
    account: mergePart(before?.account, profile.account),
    client: mergePart(before?.client, profile.client),
  };
  if (before === undefined) return {...list, profiles: [...list.profiles, entry]};
  const retired = before.key === location.key ? list.retired : [...list.retired, {key: before.key, storage: before.storage}];
  return {...list, profiles: list.profiles.with(index, entry), retired};
}
