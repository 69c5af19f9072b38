/**
 * The files of the profile store. They stay consistent when a process is killed: a new secret is first announced as one to
 * remove, then stored under a new key, and only then does its profile name that key.
 */
import {commandText} from '../files/command-text.js';
import {randomBytes} from 'node:crypto';
import {basename, join} from 'node:path';
import {Failure, localFailure, repairOf} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import {acquireLock, LockHeld} from '../files/lock.js';
import {NotPrivate, profilesFile, secureFolder} from '../files/own-folder.js';
import {CorruptFile, readJson, setAside, writeJson} from './json-file.js';
import {find, type KeptProfile, listShape, type ProfileList, type Secret, type Storage} from './profile.js';
import type {Secrets} from './secrets.js';

/** The error as a Failure that says what to do. @param folder the store's folder, for messages */
function storeFailure(folder: string, error: unknown): unknown {
  if (error instanceof CorruptFile) {
    const hint = 'repair it, or sign in with `pixelctl auth login`, which renames it and starts a new one';
    return new Failure('local', error.message, {hint});
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
  return localFailure(`Cannot use the profiles in ${folder}`, error, 'set PIXELCTL_CONFIG_DIR to use another folder');
}

export class StoreFiles {
  /** Everything but the secrets. */
  readonly profiles: string;
  /** The secrets that are in no keyring. */
  readonly secrets: string;
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    this.profiles = profilesFile(folder);
    this.secrets = join(folder, 'secrets.json');
  }

  /** Runs work that reads the files, and turns its errors into failures. */
  async reading<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw storeFailure(this.folder, error);
    }
  }

  /**
   * Runs work that changes the files, under the store's lock.
   * @param patience milliseconds to wait for the lock
   */
  async changing<Result>(patience: number, work: () => Promise<Result>): Promise<Result> {
    return this.reading(async () => {
      secureFolder(this.folder, {make: true});
      using _lock = await acquireLock(join(this.folder, 'profiles.lock'), {
        patience,
        of: [this.profiles, this.secrets].map((path) => basename(path)),
      });
      return await work();
    });
  }

  /** Closes the folder to others, where it exists. @returns whether they had access to it */
  close(): boolean {
    return (secureFolder(this.folder, {make: false})?.openTo ?? 0) !== 0;
  }

  async read(): Promise<ProfileList> {
    return (await readJson(this.profiles, listShape)) ?? {active: null, profiles: [], retired: [], clients: []};
  }

  write(list: ProfileList): Promise<void> {
    return writeJson(this.profiles, list);
  }

  /** Makes the key of a new secret, which is removed later unless the list names it by then. */
  async announce(list: ProfileList, storage: Storage, name: string): Promise<string> {
    const key = `${name}/${randomBytes(8).toString('hex')}`;
    await this.write({...list, retired: [...list.retired, {key, storage}]});
    return key;
  }

  /** Removes unused secrets as far as possible now; the returned list names those that are left. */
  async sweep(list: ProfileList, secrets: Secrets): Promise<ProfileList> {
    if (list.retired.length === 0) return list;
    const used = new Set([...list.profiles, ...list.clients].map(({key}) => key));
    const unused = list.retired.filter(({key}) => !used.has(key));
    const swept = {...list, retired: await secrets.removeAll(unused)};
    try {
      await this.write(swept);
    } catch {
      // What stays in the list is removed again later, which does no harm.
    }
    return swept;
  }

  /** A profile and its secret as one state, even while another process replaces them. */
  async currentOf(name: string, secrets: Secrets): Promise<{readonly profile: KeptProfile; readonly secret: Secret}> {
    for (let before: KeptProfile | undefined; ;) {
      const profile = find(await this.read(), name);
      const secret = await secrets.read(profile);
      const accessToken = secret?.accessToken;
      if (accessToken !== undefined) return {profile, secret: {...secret, accessToken}};
      if (profile.key === before?.key) break;
      before = profile;
    }
    throw new Failure('auth', `The token of profile ${name} is missing`, {
      reason: 'no_token',
      hint: `sign in again with \`${commandText('auth login', {flags: {profile: name}})}\``,
    });
  }

  /** Which files are corrupt. Throws any other problem with the files. */
  async faults(secrets: Secrets): Promise<Record<'profiles' | 'secrets', CorruptFile | undefined>> {
    return {profiles: await faultOf(() => this.read()), secrets: await faultOf(() => secrets.checkFile())};
  }

  /**
   * Renames corrupt files, and returns a note about it. With the profiles go their secrets, which nothing else names. The
   * secrets go first: the corrupt list of profiles makes a later process finish this.
   */
  async moveCorruptAside(secrets: Secrets): Promise<string[]> {
    const faults = await this.faults(secrets);
    const fault = faults.profiles ?? faults.secrets;
    if (fault === undefined) return [];
    const files = faults.profiles === undefined ? [this.secrets] : [this.secrets, this.profiles];
    const locations: (string | undefined)[] = [];
    for (const file of files) locations.push(await setAside(file));
    return [`${fault.message}: renamed to ${locations.filter((path) => path !== undefined).join(' and ')}`];
  }
}

async function faultOf(read: () => Promise<unknown>): Promise<CorruptFile | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (error instanceof CorruptFile) return error;
    throw error;
  }
}
