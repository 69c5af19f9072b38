/** What `profiles.json` holds: all that is known of the sign-ins but their secrets. */
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {profileShape, storageShape, type Profile, type ServerClient} from './profile.js';
import type {Place} from './vault.js';

export const listShape = z.looseObject({
  active: z.nullable(z.string()),
  profiles: z.array(z.extend(profileShape, {key: z.string()})),
  retired: z.array(z.looseObject({key: z.string(), storage: storageShape})),
  clients: z._default(
    z.array(z.looseObject({server: z.string(), id: z.string(), redirectUris: z.array(z.string()), key: z.string(), storage: storageShape})),
    [],
  ),
});

/** A profile, and the key under which its secret is kept. */
export type KeptProfile = Profile & Place;

/** How the program is known to a server, and where the secret of that is kept. */
export interface KeptClient extends Place, Omit<ServerClient, 'secret'> {
  /** The server's origin. */
  readonly server: string;
}

export interface ProfileList {
  readonly active: string | null;
  readonly profiles: readonly KeptProfile[];
  /** One for each server at the most. */
  readonly clients: readonly KeptClient[];
  /** Secrets that no profile uses, or not yet: they are removed when something is changed the next time. */
  readonly retired: readonly Place[];
}

/** A profile without what it is not meant to carry: an account may come with everything that a server says of it. */
export function plainProfile({name, server, account, scopes, expiresAt, storage, isProtected, client}: Profile): Profile {
  return {
    name,
    server,
    account: account && {id: account.id, acct: account.acct},
    scopes: scopes && [...scopes],
    expiresAt,
    storage,
    isProtected,
    client: client && {id: client.id},
  };
}

/** @throws Failure `usage` when there is none of this name */
export function find(list: ProfileList, name: string): KeptProfile {
  const found = list.profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const names = list.profiles.map((profile) => profile.name);
  throw new Failure('usage', `There is no profile ${name}`, {
    hint: names.length === 0 ? 'sign in with `pixelctl auth login`' : `there is ${names.join(', ')}`,
  });
}

export function without(list: ProfileList, {name, key, storage}: KeptProfile): ProfileList {
  const profiles = list.profiles.filter((profile) => profile.name !== name);
  const [only] = profiles.length === 1 ? profiles : [];
  const active = list.active === name ? (only?.name ?? null) : list.active;
  return {...list, active, profiles, retired: [...list.retired, {key, storage}]};
}

/** What a later version has added to a part stays with it, as long as it is about the same one. */
function merged<Part extends {readonly id: string}>(before: Part | null | undefined, now: Part | null): Part | null {
  return now !== null && before?.id === now.id ? {...before, ...now} : now;
}

/** The list with a profile in the place of the one of its name, whose secret is retired unless it is the same. */
export function including(list: ProfileList, profile: Profile, place: Place): ProfileList {
  const index = list.profiles.findIndex(({name}) => name === profile.name);
  const before = list.profiles[index];
  const kept = {
    ...before,
    ...profile,
    ...place,
    account: merged(before?.account, profile.account),
    client: merged(before?.client, profile.client),
  };
  if (before === undefined) return {...list, profiles: [...list.profiles, kept]};
  const retired = before.key === place.key ? list.retired : [...list.retired, {key: before.key, storage: before.storage}];
  return {...list, profiles: list.profiles.with(index, kept), retired};
}

/** The list with a client in the place of the one of its server, whose secret is retired. */
export function includingClient(list: ProfileList, client: KeptClient): ProfileList {
  const [before] = list.clients.filter(({server}) => server === client.server);
  const clients = [...list.clients.filter(({server}) => server !== client.server), client];
  if (before === undefined) return {...list, clients};
  return {...list, clients, retired: [...list.retired, {key: before.key, storage: before.storage}]};
}
