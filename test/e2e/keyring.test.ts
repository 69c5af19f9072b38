import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {Failure} from '../../src/lib/client/failure.js';
import {keyringProblem, systemKeyring} from '../../src/lib/auth/keyring.js';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import type {Secret} from '../../src/lib/auth/profile.js';
import {KeyringUnavailable, type Vault} from '../../src/lib/auth/vault.js';
import {builtModule, runChild} from './child-process.js';
import {ana, named} from '../lib/auth/ana.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-keyring-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, {recursive: true, force: true});
});

const everything = (): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

/** A keyring in memory, which can be locked. */
class Memory implements Vault {
  readonly secrets = new Map<string, Secret>();
  isLocked = false;

  async read(key: string): Promise<Secret | undefined> {
    this.#open();
    return this.secrets.get(key);
  }

  async write(key: string, secret: Secret): Promise<void> {
    this.#open();
    this.secrets.set(key, secret);
  }

  async remove(key: string): Promise<void> {
    this.#open();
    this.secrets.delete(key);
  }

  #open(): void {
    if (this.isLocked) throw new KeyringUnavailable('it is locked');
  }
}

describe('with a keyring', () => {
  let keyring: Memory;
  let store: ProfileStore;
  beforeEach(() => {
    keyring = new Memory();
    store = new ProfileStore(folder, {keyring});
  });

  test('secrets go there and nowhere else', async () => {
    expect(await store.save(ana, {accessToken: 'canary'})).toEqual({profile: {...ana, storage: 'keyring'}});
    expect(everything()).not.toContain('canary');
    expect(await store.secret(ana.name)).toEqual({accessToken: 'canary'});
  });

  test('what is replaced and removed is gone from it', async () => {
    await store.save(ana, {accessToken: 'one'});
    await store.save(ana, {accessToken: 'two'});
    await store.replaceSecret(ana.name, () => Promise.resolve({secret: {accessToken: 'three'}}));
    expect([...keyring.secrets.values()]).toEqual([{accessToken: 'three'}]);
    expect(await store.remove(ana.name)).toEqual({active: null});
    expect(keyring.secrets.size).toBe(0);
  });

  test('two stores with profiles of the same name do not share a secret', async () => {
    const other = new ProfileStore(join(folder, 'other'), {keyring});
    await store.save(ana, {accessToken: 'one'});
    await other.save(ana, {accessToken: 'two'});
    expect(await store.secret(ana.name)).toEqual({accessToken: 'one'});
    await other.remove(ana.name);
    expect(await store.secret(ana.name)).toEqual({accessToken: 'one'});
  });

  test('the file is used when it is asked for', async () => {
    const saved = await new ProfileStore(folder, {keyring, storage: 'file'}).save(ana, {accessToken: 'A'});
    expect(saved).toEqual({profile: {...ana, storage: 'file'}});
    expect(keyring.secrets.size).toBe(0);
    await store.replaceSecret(ana.name, () => Promise.resolve({secret: {accessToken: 'B'}}));
    expect(keyring.secrets.size).toBe(0);
    expect(await store.secret(ana.name)).toEqual({accessToken: 'B'});
  });

  test('the file is used when it is locked, with a note', async () => {
    keyring.isLocked = true;
    const {profile, note} = await store.save(ana, {accessToken: 'A'});
    expect(profile.storage).toBe('file');
    expect(note).toContain(store.secretsFile);
    expect(await store.secret(ana.name)).toEqual({accessToken: 'A'});
  });

  test('a new secret is not lost when it gets locked in between', async () => {
    await store.save(ana, {accessToken: 'A'});
    const {note} = await store.replaceSecret(ana.name, async () => {
      keyring.isLocked = true;
      return {secret: {accessToken: 'B'}};
    });
    expect(note).toContain(store.secretsFile);
    expect(await store.secret(ana.name)).toEqual({accessToken: 'B'});
    keyring.isLocked = false;
    await store.protect(ana.name, true);
    expect(keyring.secrets.size).toBe(0);
  });

  test('one that was asked for by name is not replaced by the file', async () => {
    keyring.isLocked = true;
    const firm = new ProfileStore(folder, {keyring, storage: 'keyring'});
    await expect(firm.save(ana, {accessToken: 'A'})).rejects.toMatchObject({
      code: 'local',
      details: {hint: expect.stringContaining('PIXELCTL_STORAGE=file')},
    });
    expect((await firm.list()).profiles).toEqual([]);
  });

  test('a secret in a locked one is told so', async () => {
    await store.save(ana, {accessToken: 'A'});
    keyring.isLocked = true;
    const failure = await store.secret(ana.name).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({code: 'local', message: expect.stringContaining('it is locked')});
  });

  test('what cannot be removed now is removed later', async () => {
    await store.save(named('a'), {accessToken: 'A'});
    await store.save(named('b'), {accessToken: 'B'});
    keyring.isLocked = true;
    expect(await store.remove('a')).toMatchObject({active: 'b', note: expect.stringContaining('could not be removed')});
    expect((await store.list()).profiles.map(({name}) => name)).toEqual(['b']);
    keyring.isLocked = false;
    await store.activate('b');
    expect([...keyring.secrets.values()]).toEqual([{accessToken: 'B'}]);
  });
});

// Elsewhere there is always a keyring, and it is the developer's own.
describe.runIf(process.platform === 'linux')('without a keyring', () => {
  test('the file is used, with a note', async () => {
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${join(folder, 'nowhere')}`);
    const store = new ProfileStore(folder);
    const {profile, note} = await store.save(ana, {accessToken: 'A'});
    expect(profile.storage).toBe('file');
    expect(note).toContain(store.secretsFile);
    expect(await store.secret(ana.name)).toEqual({accessToken: 'A'});
    expect(await keyringProblem()).toContain('DBus error');
  });

  test('one that says nothing is not waited for', async () => {
    const socket = join(folder, 'socket');
    const mute = createServer().listen(socket);
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${socket}`);
    try {
      await expect(systemKeyring.write('key', {accessToken: 'canary'})).rejects.toThrow('no response within 3 seconds');
    } finally {
      mute.close();
    }
  });
});

const hasDaemon = ['dbus-run-session', 'gnome-keyring-daemon'].every((program) => spawnSync(program, ['--version']).status === 0);

test('a keyring of the system keeps secrets', async ({skip}) => {
  if (!hasDaemon) skip('gnome-keyring-daemon and dbus-run-session are not installed');
  mkdirSync(join(folder, 'run'), {mode: 0o700});
  const program = `
    import {ProfileStore} from '${builtModule('auth/profile-store.js')}';
    import {keyringProblem} from '${builtModule('auth/keyring.js')}';
    const store = new ProfileStore(${JSON.stringify(join(folder, 'config'))});
    const said = [await keyringProblem() ?? 'no problem'];
    said.push(await store.save(${JSON.stringify(ana)}, {accessToken: 'canary'}));
    said.push(await new ProfileStore(${JSON.stringify(join(folder, 'config'))}).secret('${ana.name}'));
    said.push(await store.replaceSecret('${ana.name}', async () => ({secret: {accessToken: 'second'}})));
    said.push(await store.secret('${ana.name}'));
    said.push(await store.remove('${ana.name}'));
    process.stdout.write(JSON.stringify(said));`;
  const unlocked = 'eval "$(printf password | gnome-keyring-daemon --unlock --components=secrets)" && exec "$@"';
  const environment = {HOME: folder, XDG_DATA_HOME: join(folder, 'data'), XDG_RUNTIME_DIR: join(folder, 'run')};
  const output = await runChild(program, environment, ['dbus-run-session', '--', 'sh', '-c', unlocked, 'sh']);
  const profile = {...ana, storage: 'keyring'};
  expect(JSON.parse(output)).toEqual([
    'no problem',
    {profile},
    {accessToken: 'canary'},
    {profile, secret: {accessToken: 'second'}},
    {accessToken: 'second'},
    {active: null},
  ]);
  expect(readdirSync(join(folder, 'config'))).toEqual(['profiles.json']);
});
