import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {keyringProblem, systemKeyring} from '../../src/lib/auth/keyring.js';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {builtModule, runChild} from './child-process.js';
import {ana} from '../lib/auth/ana.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-keyring-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, {recursive: true, force: true});
});

// Elsewhere there is always a keyring, and it is the developer's own.
describe.runIf(process.platform === 'linux')('without a keyring', () => {
  test('the file is used, with a note', async () => {
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${join(folder, 'nowhere')}`);
    const store = new ProfileStore(folder);
    const {profile, note} = await store.save(ana, {accessToken: 'A'});
    expect(profile.storage).toBe('file');
    expect(note).toContain(join(folder, 'secrets.json'));
    expect((await store.current(ana.name)).secret).toEqual({accessToken: 'A'});
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
    said.push((await new ProfileStore(${JSON.stringify(join(folder, 'config'))}).current('${ana.name}')).secret);
    said.push(await store.replaceSecret('${ana.name}', async () => ({secret: {accessToken: 'second'}})));
    said.push((await store.current('${ana.name}')).secret);
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
    {active: null, notes: []},
  ]);
  expect(readdirSync(join(folder, 'config'))).toEqual(['profiles.json']);
});
