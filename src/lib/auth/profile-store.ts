/** Profiles and their secrets: on disk, and in the system's keyring where there is one. */
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
  type SecretLocation,
  type ServerClient,
  type Storage,
  without,
} from './profile.js';
import {type Kept, Secrets} from './secrets.js';
import {StoreFiles} from './store-files.js';
import type {Vault} from './vault.js';

export interface StoreOptions {
  /** Where new secrets go; if it is not said, the keyring if that works, else the file. */
  readonly storage?: Storage | undefined;
  /** Instead of the system's keyring. */
  readonly keyring?: Vault | undefined;
  /** Milliseconds to wait for another process, which may be renewing a token at a slow server: 60 000. */
  readonly patience?: number | undefined;
}

export interface Saved {
  readonly profile: Profile;
  /** What the user should know: where the secret went, which file was corrupt. */
  readonly note?: string | undefined;
}

export interface Removed {
  /** The profile that is active now. */
  readonly active: string | null;
  readonly note?: string | undefined;
}

export interface Renewal {
  /** The old one itself when it is to stay. */
  readonly secret: Secret;
  readonly profile?: Partial<Omit<Profile, 'name' | 'storage'>> | undefined;
}

/** @throws Failure `usage` */
export function checkName(name: string): void {
  if (isProfileName(name)) return;
  throw new Failure('usage', 'This cannot be the name of a profile', {
    hint: 'use up to 64 letters, digits and the signs . _ - @, and no dash in front',
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

/** Every function fails with Failure: `usage` for a profile that is not there, `local` when files or keyring do not allow it. */
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

  /** The file of the secrets that are in no keyring. It need not exist. */
  get secretsFile(): string {
    return this.#files.secrets;
  }

  async list(): Promise<{active: string | null; profiles: Profile[]}> {
    const {active, profiles} = await this.#files.reading(() => this.#files.read());
    return {active: profiles.some(({name}) => name === active) ? active : null, profiles: profiles.map(plainProfile)};
  }

  async get(name: string): Promise<Profile> {
    return plainProfile(find(await this.#files.reading(() => this.#files.read()), name));
  }

  /** @throws Failure `auth` when the profile is there and its secret is not */
  secret(name: string): Promise<Secret> {
    return this.#files.reading(() => this.#files.secretOf(name, this.#secrets));
  }

  /** How the program is known to a server; undefined where it is not, or that cannot be found out: then it is registered again. */
  async client(server: string): Promise<ServerClient | undefined> {
    try {
      const found = (await this.#files.read()).clients.find((each) => each.server === server);
      if (found === undefined) return undefined;
      const secret = (await this.#secrets.read(found))?.clientSecret;
      return secret === undefined ? undefined : {id: found.id, secret, redirectUris: found.redirectUris};
    } catch {
      return undefined;
    }
  }

  /** Finds out before a sign-in what would keep it from being saved. Corrupt files do not, they are moved aside then. */
  async prepare(): Promise<void> {
    await this.#changing(() => this.#files.faults(this.#secrets));
  }

  /**
   * Adds a profile, or replaces the one of its name, and makes it active. Files that are corrupt are moved aside.
   * @param profile where its secret goes is decided here
   * @param client how its server knows the program from now on, if that is new
   */
  save(profile: Omit<Profile, 'storage'>, secret: Secret, client?: ServerClient): Promise<Saved> {
    return this.#changing(async () => {
      const storage = this.#storage ?? 'keyring';
      const plain = checked({...profile, storage});
      const corrupt = await this.#files.moveCorruptAside(this.#secrets);
      const list = await this.#current();
      const [key, clientKey = ''] = await this.#files.announce(list, storage, plain.name, ...(client === undefined ? [] : ['client']));
      const kept = await this.#secrets.keep({key, storage}, secret, this.#storage === 'keyring');
      const saved = {...including(list, plain, kept.location), active: plain.name};
      await this.#commit(
        client === undefined ? saved : await this.#withClient(saved, profile.server, client, {...kept.location, key: clientKey}),
      );
      return noted({profile: {...plain, storage: kept.location.storage}}, [...corrupt, kept.note]);
    });
  }

  /**
   * Replaces a secret, as a refresh does, while no other process changes anything. The old one stays when `change` fails.
   * @param change is given what is kept at this moment: another process may have replaced it already
   */
  replaceSecret(name: string, change: (old: Secret, profile: Profile) => Promise<Renewal>): Promise<Saved & {readonly secret: Secret}> {
    return this.#changing(async () => {
      const list = await this.#current();
      const before = find(list, name);
      const old = await this.#files.secretOf(name, this.#secrets);
      // First, so that a disk that takes nothing is found out before a server takes the old secret back.
      const [key] = await this.#files.announce(list, before.storage, name);
      const {secret, profile = {}} = await change(old, plainProfile(before));
      const plain = checked({...plainProfile(before), ...profile});
      const {location, note}: Kept =
        secret === old ? {location: before} : await this.#secrets.keep({key, storage: before.storage}, secret, false);
      await this.#commit(including(list, plain, {key: location.key, storage: location.storage}));
      return noted({profile: {...plain, storage: location.storage}, secret}, [note]);
    });
  }

  /** Removes a profile and its secret. When one other is left, that one is active then. */
  remove(name: string): Promise<Removed> {
    return this.#changing(async () => {
      const list = await this.#current();
      const gone = find(list, name);
      const {active, profiles, retired} = await this.#commit(without(list, gone));
      return noted({active}, [
        list.active === name && active === null && profiles.length > 0 ? 'No profile is active now' : undefined,
        retired.some(({key}) => key === gone.key) ? 'Its token could not be removed, which is tried again with the next change' : undefined,
      ]);
    });
  }

  activate(name: string): Promise<Profile> {
    return this.#changing(async () => {
      const list = await this.#current();
      const found = find(list, name);
      await this.#commit({...list, active: name});
      return plainProfile(found);
    });
  }

  protect(name: string, isProtected: boolean): Promise<Profile> {
    return this.#changing(async () => {
      const list = await this.#current();
      const before = find(list, name);
      const {key, storage} = before;
      const changed = {...plainProfile(before), isProtected};
      await this.#commit(including(list, changed, {key, storage}));
      return changed;
    });
  }

  async #withClient(
    list: ProfileList,
    server: string,
    {id, secret, redirectUris}: ServerClient,
    wanted: SecretLocation,
  ): Promise<ProfileList> {
    const {location} = await this.#secrets.keep(wanted, {clientSecret: secret}, false);
    return includingClient(list, {server, id, redirectUris: [...redirectUris], key: location.key, storage: location.storage});
  }

  #changing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#files.changing(this.#patience, work);
  }

  async #current(): Promise<ProfileList> {
    return this.#files.sweep(await this.#files.read(), this.#secrets);
  }

  async #commit(list: ProfileList): Promise<ProfileList> {
    await this.#files.write(list);
    return this.#files.sweep(list, this.#secrets);
  }
}
