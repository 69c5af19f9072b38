/** Saved profiles and their secrets: on disk, and in the system's keyring where there is one. */
import {Failure} from '../client/failure.js';
import {
  find,
  including,
  includingClient,
  isProfileName,
  plainProfile,
  type Profile,
  type ProfileList,
  profileShape,
  type Secret,
  type ServerClient,
  type Storage,
  without,
} from './profile.js';
import {type Kept, Secrets} from './secrets.js';
import {StoreFiles} from './store-files.js';
import type {Vault} from './vault.js';

interface StoreOptions {
  /** Where new secrets go. By default the keyring if it works, else the file. */
  readonly storage?: Storage | undefined;
  /** Instead of the system's keyring. */
  readonly keyring?: Vault | undefined;
  /** Milliseconds to wait for another process, which may be renewing a token on a slow server. 60,000 by default. */
  readonly patience?: number | undefined;
}

export interface Saved {
  readonly profile: Profile;
  /** What to tell the user: where the secret went, which file was corrupt. */
  readonly note?: string | undefined;
}

export interface Removed {
  /** The profile that is active now. */
  readonly active: string | null;
  readonly note?: string | undefined;
}

/** A profile and its secret, read as one state. */
export interface Current {
  readonly profile: Profile;
  readonly secret: Secret;
}

export interface Renewal {
  /** The old secret itself to keep it. */
  readonly secret: Secret;
  readonly profile?: Partial<Omit<Profile, 'name' | 'storage'>> | undefined;
}

/** @throws Failure `usage` */
export function checkName(name: string): void {
  if (isProfileName(name)) return;
  throw new Failure('usage', 'Invalid profile name', {
    hint: 'use up to 64 letters, digits and the characters . _ - @ +, not beginning with - or +',
  });
}

function checked(profile: Profile): Profile {
  checkName(profile.name);
  const plain = plainProfile(profile);
  profileShape.parse(plain);
  return plain;
}

function noted<Result extends object>(result: Result, notes: readonly (string | undefined)[]): Result & {note?: string} {
  const words = notes.filter((note) => note !== undefined);
  return words.length === 0 ? result : {...result, note: words.join('. ')};
}

/** Every method throws Failure: `usage` for an unknown profile, `local` when the files or the keyring cannot be used. */
export class ProfileStore {
  readonly #files: StoreFiles;
  readonly #secrets: Secrets;
  readonly #storage: Storage | undefined;
  readonly #patience: number;

  constructor(folder: string, {storage, keyring, patience = 60_000}: StoreOptions = {}) {
    this.#files = new StoreFiles(folder);
    this.#secrets = new Secrets(this.#files.secrets, keyring);
    this.#storage = storage;
    this.#patience = patience;
  }

  /** Makes an existing folder private, and reads the files. @returns whether others had access to the folder */
  closeAndCheck(): Promise<boolean> {
    return this.#files.reading(async () => {
      const wasOpen = this.#files.close();
      await this.#files.read();
      await this.#secrets.checkFile();
      return wasOpen;
    });
  }

  async list(): Promise<{active: string | null; profiles: Profile[]}> {
    const {active, profiles} = await this.#files.reading(() => this.#files.read());
    return {active: profiles.some(({name}) => name === active) ? active : null, profiles: profiles.map(plainProfile)};
  }

  async get(name: string): Promise<Profile> {
    return plainProfile(find(await this.#files.reading(() => this.#files.read()), name));
  }

  /** A profile with the secret that belongs to it. @throws Failure `auth` when the profile exists and its secret does not */
  current(name: string): Promise<Current> {
    return this.#files.reading(() => this.#current(name));
  }

  /** A profile with its secret, once no other process is changing it. @throws Failure `auth` when the profile exists and its secret does not */
  settled(name: string): Promise<Current> {
    return this.#changing(() => this.#current(name));
  }

  /** The program's registration with a server; undefined when there is none or it cannot be read: then it registers again. */
  async client(server: string): Promise<ServerClient | undefined> {
    try {
      const found = (await this.#files.read()).clients.find((each) => each.server === server);
      if (found === undefined) return undefined;
      const secret = (await this.#secrets.read(found))?.clientSecret;
      return secret === undefined ? undefined : {id: found.id, secret, redirectUris: found.redirectUris, scopes: found.scopes};
    } catch {
      return undefined;
    }
  }

  /** Checks before a sign-in that it can be saved. Corrupt files are no obstacle: they are renamed then. */
  async prepare(): Promise<void> {
    await this.#changing(() => this.#files.faults(this.#secrets));
  }

  /**
   * Keeps the program's registration with a server, in place of an earlier one. Corrupt files are renamed.
   * @returns what to tell the user
   */
  keepClient(server: string, {id, secret, redirectUris, scopes}: ServerClient): Promise<{readonly note?: string}> {
    return this.#changing(async () => {
      const storage = this.#storage ?? 'keyring';
      const corrupt = await this.#files.moveCorruptAside(this.#secrets);
      const list = await this.#swept();
      const key = await this.#files.announce(list, storage, 'client');
      const {location} = await this.#secrets.keep({key, storage}, {clientSecret: secret}, false);
      await this.#commit(
        includingClient(list, {
          server,
          id,
          redirectUris: [...redirectUris],
          scopes: [...scopes],
          key: location.key,
          storage: location.storage,
        }),
      );
      return noted({}, corrupt);
    });
  }

  /** Adds a profile, or replaces the one of its name, and makes it active unless it is an admin's. Corrupt files are renamed. */
  save(profile: Omit<Profile, 'storage'>, secret: Secret): Promise<Saved> {
    return this.#changing(async () => {
      const storage = this.#storage ?? 'keyring';
      const plain = checked({...profile, storage});
      const corrupt = await this.#files.moveCorruptAside(this.#secrets);
      const list = await this.#swept();
      const key = await this.#files.announce(list, storage, plain.name);
      const kept = await this.#secrets.keep({key, storage}, secret, this.#storage === 'keyring');
      await this.#commit({...including(list, plain, kept.location), active: plain.isAdmin ? list.active : plain.name});
      return noted({profile: {...plain, storage: kept.location.storage}}, [...corrupt, kept.note]);
    });
  }

  /**
   * Replaces a secret, as a refresh does, under the store's lock. The old one stays when `change` fails.
   * @param change gets what is stored at this moment: another process may have replaced it already
   * @param isNeeded whether to change it; else nothing is written, because many processes may wait for the lock
   */
  replaceSecret(
    name: string,
    change: (old: Secret, profile: Profile) => Promise<Renewal>,
    isNeeded: (old: Secret, profile: Profile) => boolean = () => true,
  ): Promise<Saved & {readonly secret: Secret}> {
    return this.#changing(async () => {
      const stored = await this.#current(name);
      if (!isNeeded(stored.secret, stored.profile))
        return {...stored, profile: {...stored.profile, storage: find(await this.#files.read(), name).storage}};
      const list = await this.#swept();
      const before = find(list, name);
      const old = stored.secret;
      // Before the change: a full disk must fail before the server revokes the old secret.
      const key = await this.#files.announce(list, before.storage, name);
      const {secret, profile = {}} = await change(old, plainProfile(before));
      const plain = checked({...plainProfile(before), ...profile});
      const {location, note}: Kept =
        secret === old ? {location: before} : await this.#secrets.keep({key, storage: before.storage}, secret, false);
      await this.#commit(including(list, plain, {key: location.key, storage: location.storage}));
      return noted({profile: {...plain, storage: location.storage}, secret}, [note]);
    });
  }

  /** Removes a profile and its secret. When one other profile is left, it becomes the active one, unless it is an admin's. */
  remove(name: string): Promise<Removed> {
    return this.#changing(async () => {
      const list = await this.#swept();
      const gone = find(list, name);
      const {active, profiles, retired} = await this.#commit(without(list, gone));
      return noted({active}, [
        list.active === name && active === null && profiles.length > 0 ? 'No profile is active' : undefined,
        retired.some(({key}) => key === gone.key)
          ? 'Its token could not be removed; the next change of the profiles tries again'
          : undefined,
      ]);
    });
  }

  activate(name: string): Promise<Profile> {
    return this.#changing(async () => {
      const list = await this.#swept();
      const found = find(list, name);
      await this.#commit({...list, active: name});
      return plainProfile(found);
    });
  }

  #changing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#files.changing(this.#patience, work);
  }

  async #current(name: string): Promise<Current> {
    const {profile, secret} = await this.#files.currentOf(name, this.#secrets);
    return {profile: plainProfile(profile), secret};
  }

  async #swept(): Promise<ProfileList> {
    return this.#files.sweep(await this.#files.read(), this.#secrets);
  }

  async #commit(list: ProfileList): Promise<ProfileList> {
    await this.#files.write(list);
    return this.#files.sweep(list, this.#secrets);
  }
}
