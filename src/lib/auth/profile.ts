/** What `profiles.json` holds: everything about the saved profiles except their secrets. */
import * as z from 'zod/mini';
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

/** Where a secret is, and its unique key there. */
export const locationShape = z.object({key: z.string(), storage: storageShape});

export type SecretLocation = Readonly<z.infer<typeof locationShape>>;

const texts = z.readonly(z.array(z.string()));

export const profileShape = z.object({
  name: nameShape,
  server: z.string().check(z.refine(isOrigin, 'not the origin of a server')),
  /** Null when the server does not tell. */
  account: z.nullable(z.readonly(z.object({id: z.string(), acct: z.string()}))),
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
  client: z.nullable(z.readonly(z.object({id: z.string()}))),
});

export type Profile = Readonly<z.infer<typeof profileShape>>;

/** The profiles of a run: the saved ones, or those that the environment defines. */
export interface KnownProfiles {
  list(): Promise<{readonly active: string | null; readonly profiles: readonly Profile[]}>;
  /** @throws Failure `usage` when there is none of that name */
  get(name: string): Promise<Profile>;
}

/** A profile with its known fields only: an account may come with everything that the server sent. */
export const plainProfile = (profile: Profile): Profile => profileShape.parse(profile);

export const secretShape = z.looseObject({
  accessToken: z.string().check(z.minLength(1)),
  refreshToken: z.optional(z.string()),
  clientSecret: z.optional(z.string()),
});

export type Secret = Readonly<z.infer<typeof secretShape>>;

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
