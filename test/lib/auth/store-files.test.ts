/** The files of the profile store: what is told of faults in them, and what an interrupted change leaves. */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {beforeEach, describe, expect, test} from 'vitest';
import {checkName, ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {acquireLock} from '../../../src/lib/files/lock.js';
import {ana, named} from './ana.js';
import {newFolder} from '../../new-folder.js';

let folder: string;
let store: ProfileStore;

beforeEach(() => {
  folder = newFolder();
  store = new ProfileStore(folder, {storage: 'file'});
});

const path = (name = 'profiles.json') => join(folder, name);
const content = (name?: string) => JSON.parse(readFileSync(path(name), 'utf8'));
const write = (value: unknown, name?: string) => writeFileSync(path(name), JSON.stringify(value), {mode: 0o600});
const keys = (): string[] => content('secrets.json').secrets.map(({key}: {key: string}) => key);

describe('an interrupted change', () => {
  beforeEach(async () => {
    await store.save(named('a'), {accessToken: 'A'});
  });

  test('an interrupted change leaves no secret behind that nothing uses, and none in use is removed by the next one', async () => {
    const used = [content().profiles[0].key];
    expect(keys()).toEqual(used);
    // As after a kill between the change and the removal of what it replaced.
    write({...content(), retired: [...used, 'a/left'].map((key) => ({key, storage: 'file'}))});
    const {secrets} = content('secrets.json');
    write({secrets: [...secrets, {key: 'a/left', secret: {accessToken: 'left'}}]}, 'secrets.json');
    await store.activate('a');
    expect(keys()).toEqual(used);
    expect(content().retired).toEqual([]);
    expect((await store.current('a')).secret).toEqual({accessToken: 'A'});
  });

  test('a secret is announced under its key before it is stored, with where it goes', async () => {
    await store.replaceSecret('a', async (old) => {
      expect(content().retired).toEqual([{key: expect.stringMatching(/^a\/[0-9a-f]{16}$/), storage: 'file'}]);
      expect(keys()).not.toContain(content().retired[0].key);
      return {secret: {...old, accessToken: 'B'}};
    });
  });

  test('a secret that is not needed is neither announced nor changed', async () => {
    const before = readFileSync(path(), 'utf8');
    const result = await store.replaceSecret(
      'a',
      () => expect.unreachable(),
      (old, profile) => old.accessToken !== 'A' || profile.name !== 'a',
    );
    expect(result).toEqual({profile: {...named('a'), storage: 'file'}, secret: {accessToken: 'A'}});
    expect(readFileSync(path(), 'utf8')).toBe(before);
  });

  test('a secret of a profile that is settled is read once nobody changes it', async () => {
    expect(await store.settle('a')).toEqual({profile: {...named('a'), storage: 'file'}, secret: {accessToken: 'A'}});
    const impatient = new ProfileStore(folder, {storage: 'file', patience: 0});
    using _lock = await acquireLock(path('profiles.lock'), {patience: 0});
    await expect(impatient.settle('a')).rejects.toMatchObject({
      code: 'local',
      message: `Another process is changing the profiles: process ${process.pid} on ${hostname()}`,
      details: {hint: `try again when it is done; if that process no longer exists, remove ${path('profiles.lock')}`},
    });
    expect(await impatient.current('a')).toMatchObject({secret: {accessToken: 'A'}});
  });
});

test('the files have what the last of any sequence of changes left, and no other secret', async () => {
  const step = fc.tuple(fc.constantFrom('save', 'replace', 'activate', 'remove'), fc.constantFrom('a', 'b', 'c', '__proto__'));
  await fc.assert(
    fc.asyncProperty(fc.array(step, {maxLength: 12}), async (steps) => {
      folder = newFolder();
      const tokens = new Map<string, string>();
      let active: string | null = null;
      for (const [index, [kind, name]] of steps.entries()) {
        // Another one each time: nothing may be known from before but what is in the files.
        store = new ProfileStore(folder, {storage: 'file'});
        const accessToken = `token-${index}`;
        const change = {
          save: () => store.save(named(name), {accessToken}),
          replace: () => store.replaceSecret(name, async () => ({secret: {accessToken}})),
          activate: () => store.activate(name),
          remove: () => store.remove(name),
        }[kind];
        if (kind !== 'save' && !tokens.has(name)) {
          await expect(change()).rejects.toMatchObject({code: 'usage'});
          continue;
        }
        await change();
        if (kind === 'remove') tokens.delete(name);
        else if (kind !== 'activate') tokens.set(name, accessToken);
        if (kind === 'save' || kind === 'activate') active = name;
        else if (kind === 'remove' && active === name) active = tokens.size === 1 ? ([...tokens.keys()][0] ?? null) : null;
        const {active: found, profiles} = await store.list();
        expect(found).toBe(active);
        for (const {name} of profiles) expect((await store.current(name)).secret).toEqual({accessToken: tokens.get(name)});
        expect(content().retired).toEqual([]);
        expect(keys().toSorted()).toEqual(
          content()
            .profiles.map(({key}: {key: string}) => key)
            .toSorted(),
        );
        expect(profiles.map((profile) => profile.name).toSorted()).toEqual([...tokens.keys()].toSorted());
      }
    }),
    {numRuns: 20},
  );
});

describe('a fault in the profiles', () => {
  beforeEach(async () => {
    await store.save(ana, {accessToken: 'A'});
  });

  const repair = () => `repair it, or move it away with \`mv ${path()} ${path()}.corrupt\` and sign in again with \`pixelctl auth login\``;

  test.each<[string, (list: Readonly<Record<string, unknown>>) => unknown]>([
    ['active', (list) => ({...list, active: 5})],
    ['profiles', ({profiles: _, ...list}) => list],
    ['retired', (list) => ({...list, retired: {}})],
    ['retired.0.storage', (list) => ({...list, retired: [{key: 'k', storage: 'canary'}]})],
    ['retired.0.key', (list) => ({...list, retired: [{storage: 'file'}]})],
  ])('a fault in the profiles at %s is told by its place', async (place, change) => {
    write(change(content()));
    await expect(store.list()).rejects.toMatchObject({
      code: 'local',
      message: `${path()} is corrupt: ${place} is invalid`,
      details: {hint: repair()},
    });
  });

  test.each<[string, unknown, string?]>([
    ['name', 'a b'],
    ['name', undefined],
    ['server', 'https://pix.example/canary'],
    ['server', 'canary'],
    ['account', {id: 5, acct: 'canary'}, 'account.id'],
    ['scopes', ['read', 5], 'scopes.1'],
    ['expiresAt', 'canary'],
    ['isAdmin', null],
    ['client', {}, 'client.id'],
    ['key', 7],
  ])('a fault in a profile is told by its place: %s as %j', async (name, value, place = name) => {
    const list = content();
    write({...list, profiles: [{...list.profiles[0], [name]: value}]});
    await expect(store.get(ana.name)).rejects.toMatchObject({message: `${path()} is corrupt: profiles.0.${place} is invalid`});
  });
});

test('before a sign-in the folder is made, and the profiles are read', async () => {
  expect(await store.prepare()).toEqual([]);
  await store.save(named('a'), {accessToken: 'A'});
  expect(await store.prepare()).toEqual([{...named('a'), storage: 'file'}]);
});

test('before a sign-in it is told when the folder is none', async () => {
  const file = path('file');
  writeFileSync(file, '');
  await expect(new ProfileStore(join(file, 'folder')).prepare()).rejects.toMatchObject({
    code: 'local',
    message: expect.stringMatching(`^Cannot use the profiles in ${join(file, 'folder')}: `),
    details: {hint: 'set PIXELCTL_CONFIG_DIR to use another folder'},
  });
});

test.each(['profiles.json', 'secrets.json'])('a folder in place of %s is told by its path', async (name) => {
  mkdirSync(path(name), {mode: 0o700});
  await expect(store.prepare()).rejects.toMatchObject({
    code: 'local',
    message: `Cannot read ${path(name)}: it is a folder`,
    details: {hint: 'set PIXELCTL_CONFIG_DIR to use another folder'},
  });
});

test('a name that cannot be one is refused with the rule', () => {
  expect(() => checkName('a b')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'Invalid profile name',
      details: {hint: 'use up to 64 letters, digits and the characters . _ - @ +, not beginning with - or +'},
    }),
  );
  expect(checkName('a')).toBeUndefined();
});
