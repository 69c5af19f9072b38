/**
 * Saved profiles and their secrets: on disk, and in the system's keyring where there is one. They stay consistent when a process
 * is killed: a new secret is first announced as one to remove, then stored under a new key, and only then does its profile name
 * that key.
 */
import {randomBytes} from 'node:crypto';
import {basename, join} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure, repairOf} from '../client/failure.js';
import {commandText, shellWord} from '../files/command-text.js';
import {acquireLock, LockHeld} from '../files/lock.js';
import {NotPrivate, profilesFile, secureFolder} from '../files/own-folder.js';
import {systemCode} from '../files/system-error.js';
import {
  isProfileName,
  locationShape,
  plainProfile,
  profileShape,
  type Profile,
  type Secret,
  type SecretLocation,
  type Storage,
} from './profile.js';
import {CorruptFile, otherFolder, readJson, Secrets, writeJson} from './secrets.js';
import type {Vault} from './keyring.js';

/** Unknown fields stay: a later version may have added them. */
const listShape = z.looseObject({
  active: z.nullable(z.string()),
  profiles: z.array(z.looseObject({...profileShape.shape, ...locationShape.shape})),
  /** Secrets that no profile uses any more, or not yet: the next change removes them. */
  retired: z.array(z.looseObject(locationShape.shape)),
});

type KeptProfile = Profile & SecretLocation;

interface ProfileList {
  readonly active: string | null;
  readonly profiles: readonly KeptProfile[];
  readonly retired: readonly SecretLocation[];
}

/** @throws Failure `usage` when there is no such profile */
function find(list: ProfileList, name: string): KeptProfile {
  const found = list.profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const names = list.profiles.map((profile) => profile.name);
  throw new Failure('usage', `No profile named ${name}`, {
    hint: names.length === 0 ? 'sign in with `pixelctl auth login`' : `profiles: ${names.join(', ')}`,
  });
}

function without(list: ProfileList, {name, key, storage}: KeptProfile): ProfileList {
  const profiles = list.profiles.filter((profile) => profile.name !== name);
  const [only, ...others] = profiles.filter((profile) => !profile.isAdmin);
  const next = others.length === 0 ? (only?.name ?? null) : null;
  const active = list.active === name ? next : list.active;
  return {...list, active, profiles, retired: [...list.retired, {key, storage}]};
}

/** Adds a profile to the list, or replaces the one with the same name, whose secret is retired. */
function including(list: ProfileList, profile: Profile, location: SecretLocation): ProfileList {
  const index = list.profiles.findIndex(({name}) => name === profile.name);
  const before = list.profiles[index];
  const entry = {...before, ...profile, ...location};
  if (before === undefined) return {...list, profiles: [...list.profiles, entry]};
  const {key, storage} = before;
  return {...list, profiles: list.profiles.with(index, entry), retired: [...list.retired, {key, storage}]};
}

interface StoreOptions {
  /** Where new secrets go. By default the keyring if it works, else the file. */
  readonly storage?: Storage | undefined;
  readonly keyring?: Vault | undefined;
  /** Milliseconds to wait for another process, which may be renewing a token on a slow server. 60,000 by default. */
  readonly patience?: number | undefined;
}

export interface Saved {
  readonly profile: Profile;
  /** Where the secret went, when there is no keyring. */
  readonly note?: string | undefined;
}

export interface Removed {
  readonly active: string | null;
  readonly notes: readonly string[];
}

export interface Current {
  readonly profile: Profile;
  readonly secret: Secret;
}

export interface Renewal {
  readonly secret: Secret;
  readonly profile?: Partial<Omit<Profile, 'name' | 'storage'>> | undefined;
}

export function checkName(name: string): void {
  if (isProfileName(name)) return;
  throw new Failure('usage', 'Invalid profile name', {
    hint: 'use up to 64 letters, digits and the characters . _ - @ +, not beginning with - or +',
  });
}

/** The error as a Failure that says what to do. @param folder the store's folder, for messages */
function storeFailure(folder: string, error: unknown): unknown {
  if (error instanceof CorruptFile) {
    const command = ['mv', error.path, `${error.path}.corrupt`].map(shellWord).join(' ');
    return new Failure('local', error.message, {
      hint: `repair it, or move it away with \`${command}\` and sign in again with \`pixelctl auth login\``,
    });
  }
  if (error instanceof NotPrivate) {
    return new Failure('local', error.message, {hint: repairOf(error), cause: error});
  }
  if (error instanceof LockHeld) {
    const {pid, host} = error.holder;
    return new Failure('local', `Another process is changing the profiles: process ${pid} on ${host}`, {
      hint: `try again when it is done; if that process no longer exists, remove ${error.path}`,
      cause: error,
    });
  }
  if (systemCode(error) === undefined) return error;
  return localFailure(`Cannot use the profiles in ${folder}`, error, otherFolder);
}

/** Every method throws Failure: `usage` for an unknown profile, `local` when the files or the keyring cannot be used. */
export class ProfileStore {
  readonly #folder: string;
  readonly #profiles: string;
  readonly #secrets: Secrets;
  readonly #storage: Storage | undefined;
  readonly #patience: number;

  constructor(folder: string, {storage, keyring, patience = 60_000}: StoreOptions = {}) {
    this.#folder = folder;
    this.#profiles = profilesFile(folder);
    this.#secrets = new Secrets(join(folder, 'secrets.json'), keyring);
    this.#storage = storage;
    this.#patience = patience;
  }

  /** Makes an existing folder private, and reads the files. @returns whether others had access to the folder */
  closeAndCheck(): Promise<boolean> {
    return this.#reading(async () => {
      const wasOpen = (secureFolder(this.#folder, {make: false})?.openTo ?? 0) !== 0;
      await this.#read();
      await this.#secrets.checkFile();
      return wasOpen;
    });
  }

  async list(): Promise<{active: string | null; profiles: Profile[]}> {
    const {active, profiles} = await this.#reading(() => this.#read());
    return {active: profiles.some(({name}) => name === active) ? active : null, profiles: profiles.map(plainProfile)};
  }

  async get(name: string): Promise<Profile> {
    return plainProfile(find(await this.#reading(() => this.#read()), name));
  }

  /** A profile with the secret that belongs to it. @throws Failure `auth` when the profile exists and its secret does not */
  current(name: string): Promise<Current> {
    return this.#reading(() => this.#current(name));
  }

  /** A profile with its secret, once no other process is changing it. @throws Failure `auth` when the profile exists and its secret does not */
  settle(name: string): Promise<Current> {
    return this.#changing(() => this.#current(name));
  }

  /** Checks before a sign-in that it can be saved. @returns the saved profiles */
  prepare(): Promise<Profile[]> {
    return this.#changing(async () => {
      await this.#secrets.checkFile();
      return (await this.#read()).profiles.map(plainProfile);
    });
  }

  /** Adds a profile, or replaces the one with the same name, and makes it active unless it is an admin's. */
  save(profile: Omit<Profile, 'storage'>, secret: Secret): Promise<Saved> {
    return this.#changing(async () => {
      const storage = this.#storage ?? 'keyring';
      checkName(profile.name);
      const plain = plainProfile({...profile, storage});
      const list = await this.#sweptList();
      const key = await this.#announce(list, storage, plain.name);
      const {location, note} = await this.#secrets.keep({key, storage}, secret, this.#storage === 'keyring');
      await this.#commit({...including(list, plain, location), active: plain.isAdmin ? list.active : plain.name});
      return {profile: {...plain, storage: location.storage}, note};
    });
  }

  /**
   * Replaces a secret, as a refresh does, under the store's lock. The old one stays when `change` fails.
   * @param change gets what is stored at this moment: another process may have replaced it already
   * @param isNeeded whether the secret must change; if not, nothing is written, because many processes may wait for the lock
   */
  replaceSecret(
    name: string,
    change: (old: Secret, profile: Profile) => Promise<Renewal>,
    isNeeded: (old: Secret, profile: Profile) => boolean = () => true,
  ): Promise<Saved & {readonly secret: Secret}> {
    return this.#changing(async () => {
      const stored = await this.#current(name);
      if (!isNeeded(stored.secret, stored.profile)) return stored;
      const list = await this.#sweptList();
      const before = find(list, name);
      // This comes before the change, because a full disk must fail before the server revokes the old secret.
      const key = await this.#announce(list, before.storage, name);
      const {secret, profile = {}} = await change(stored.secret, plainProfile(before));
      const plain = plainProfile({...before, ...profile});
      const {location, note} = await this.#secrets.keep({key, storage: before.storage}, secret, false);
      await this.#commit(including(list, plain, location));
      return {profile: {...plain, storage: location.storage}, secret, note};
    });
  }

  /** Removes a profile and its secret. When one other profile is left, it becomes the active one, unless it is an admin's. */
  remove(name: string): Promise<Removed> {
    return this.#changing(async () => {
      const list = await this.#sweptList();
      const gone = find(list, name);
      const {active, profiles, retired} = await this.#commit(without(list, gone));
      return {
        active,
        notes: [
          ...(list.active === name && active === null && profiles.length > 0 ? ['No profile is active.'] : []),
          ...(retired.some(({key}) => key === gone.key)
            ? ['Its token could not be removed; the next change of the profiles tries again.']
            : []),
        ],
      };
    });
  }

  activate(name: string): Promise<Profile> {
    return this.#changing(async () => {
      const list = await this.#sweptList();
      const found = find(list, name);
      await this.#commit({...list, active: name});
      return plainProfile(found);
    });
  }

  /** Runs work that reads the files, and turns its errors into failures. */
  async #reading<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw storeFailure(this.#folder, error);
    }
  }

  /** Runs work that changes the files, under the store's lock. */
  #changing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#reading(async () => {
      secureFolder(this.#folder, {make: true});
      using _lock = await acquireLock(join(this.#folder, 'profiles.lock'), {
        patience: this.#patience,
        of: [this.#profiles, this.#secrets.path].map((path) => basename(path)),
      });
      return await work();
    });
  }

  async #read(): Promise<ProfileList> {
    return (await readJson(this.#profiles, listShape)) ?? {active: null, profiles: [], retired: []};
  }

  /** A profile and its secret as one state, even while another process replaces them. */
  async #current(name: string): Promise<Current> {
    for (let before: KeptProfile | undefined; ;) {
      const profile = find(await this.#read(), name);
      const secret = await this.#secrets.read(profile);
      if (secret !== undefined) return {profile: plainProfile(profile), secret};
      if (profile.key === before?.key) break;
      before = profile;
    }
    throw new Failure('auth', `The token of profile ${name} is missing`, {
      reason: 'no_token',
      hint: `sign in again with \`${commandText('auth login', {flags: {profile: name}})}\``,
    });
  }

  /** Makes the key of a new secret. A later change removes the secret unless the list names it by then. */
  async #announce(list: ProfileList, storage: Storage, name: string): Promise<string> {
    const key = `${name}/${randomBytes(8).toString('hex')}`;
    await writeJson(this.#profiles, {...list, retired: [...list.retired, {key, storage}]});
    return key;
  }

  async #sweptList(): Promise<ProfileList> {
    return this.#sweep(await this.#read());
  }

  async #commit(list: ProfileList): Promise<ProfileList> {
    await writeJson(this.#profiles, list);
    return this.#sweep(list);
  }

  /** Removes unused secrets as far as possible now; the returned list names those that are left. */
  async #sweep(list: ProfileList): Promise<ProfileList> {
    if (list.retired.length === 0) return list;
    const used = new Set(list.profiles.map(({key}) => key));
    const swept = {...list, retired: await this.#secrets.removeAll(list.retired.filter(({key}) => !used.has(key)))};
    // If this fails, the next change removes the same secrets once more, which does no harm.
    await writeJson(this.#profiles, swept).catch(() => {});
    return swept;
  }
}
