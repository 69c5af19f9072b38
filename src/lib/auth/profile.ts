/** What is known of a sign-in, and the secrets that belong to it. */
import * as z from 'zod/mini';

const longestName = 64;
const nameShape = z
  .string()
  .check(z.refine((name) => isProfileName(name), `not 1 to ${longestName} letters, digits and . _ - @, of which - is not the first`));

/** What can name a profile; a dash in front would be taken for a flag. */
export function isProfileName(name: string): boolean {
  return name.length <= longestName && /^[A-Za-z0-9._@][A-Za-z0-9._@-]*$/.test(name);
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export const storageShape = z.enum(['keyring', 'file']);

/** Where a secret is kept. */
export type Storage = z.infer<typeof storageShape>;

/** Fields that a later version has added are let through, so that they survive being written again. */
export const profileShape = z.looseObject({
  name: nameShape,
  server: z.string().check(z.refine(isOrigin, 'not the origin of a server')),
  account: z.nullable(z.looseObject({id: z.string(), acct: z.string()})),
  scopes: z.nullable(z.array(z.string())),
  expiresAt: z.nullable(z.string().check(z.refine((time) => !Number.isNaN(Date.parse(time)), 'not a time'))),
  storage: storageShape,
  isProtected: z.boolean(),
  client: z.nullable(z.looseObject({id: z.string()})),
});

export const keptSecretShape = z
  .looseObject({
    accessToken: z.optional(z.string().check(z.minLength(1))),
    refreshToken: z.optional(z.string()),
    clientSecret: z.optional(z.string()),
  })
  .check(z.refine(({accessToken, clientSecret}) => accessToken !== undefined || clientSecret !== undefined, 'no secret'));

/** A server, and as whom it is used. */
export interface Profile {
  readonly name: string;
  /** The server's origin. */
  readonly server: string;
  /** Null when the server does not say. */
  readonly account: {readonly id: string; readonly acct: string} | null;
  /** Null when they are not known. */
  readonly scopes: readonly string[] | null;
  /** When the access token expires (ISO 8601); null when it does not, or that is not known. */
  readonly expiresAt: string | null;
  readonly storage: Storage;
  /** Whether every write with it has to be confirmed. */
  readonly isProtected: boolean;
  /** The registered client; null for a pasted token. */
  readonly client: {readonly id: string} | null;
}

export interface Secret {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/** A secret as it is kept: of a profile, or of the program itself, which has no access token. */
export type KeptSecret = Omit<Secret, 'accessToken'> & {readonly accessToken?: string | undefined};

/** How the program is known to a server: one registration for all sign-ins there. */
export interface ServerClient {
  readonly id: string;
  readonly secret: string;
  /** Where the server sends browsers for it. */
  readonly redirectUris: readonly string[];
}

function sameAccount(profile: Profile, server: string, account: Profile['account']): boolean {
  return account !== null && profile.server === server && profile.account?.id === account.id;
}

/**
 * A name for a new sign-in: `ana@pix.example`, or `ana@pix.example-2` when another account has that. An account that has a
 * profile keeps its name.
 */
export function defaultName(server: string, account: Profile['account'], profiles: readonly Profile[]): string {
  const known = profiles.find((profile) => sameAccount(profile, server, account));
  if (known !== undefined) return known.name;
  const {host} = new URL(server);
  const full = account === null ? host : `${account.acct.split('@', 1)[0]}@${host}`;
  const plain = full.replaceAll(/[^A-Za-z0-9._@-]/g, '-').replace(/^-+/, '');
  const taken = new Set(profiles.map(({name}) => name));
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const name = plain.slice(0, longestName - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}
