/** The profile store with a keyring: profiles and their secrets stay together whatever becomes of it. */
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test, vi} from 'vitest';
import {ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {KeyringUnavailable} from '../../../src/lib/auth/keyring.js';
import {ana, named} from './ana.js';
import {MemoryKeyring} from './memory-keyring.js';
import {newFolder} from '../../new-folder.js';

let folder: string;
beforeEach(() => void (folder = newFolder()));

const everything = (): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

const locked = new KeyringUnavailable('it is locked');

let keyring: MemoryKeyring;
let store: ProfileStore;
beforeEach(() => {
  keyring = new MemoryKeyring();
  store = new ProfileStore(folder, {keyring});
});

test('a keyring that works has the secrets, and nothing else has them', async () => {
  const secret = {accessToken: 'canary', refreshToken: 'canary-r', clientSecret: 'canary-c'};
  expect(await store.save(ana, secret)).toEqual({profile: {...ana, storage: 'keyring'}});
  expect(everything()).not.toContain('canary');
  expect(readdirSync(folder)).toEqual(['profiles.json']);
  expect((await store.current(ana.name)).secret).toEqual(secret);
  expect([...keyring.held.keys()]).toEqual([expect.stringMatching(/^ana@pix\.example\/[0-9a-f]{16}$/)]);
});

test('a keyring that works loses what is replaced and removed', async () => {
  await store.save(ana, {accessToken: 'one'});
  await store.save(ana, {accessToken: 'two'});
  expect(await store.replaceSecret(ana.name, () => Promise.resolve({secret: {accessToken: 'three'}}))).toEqual({
    profile: {...ana, storage: 'keyring'},
    secret: {accessToken: 'three'},
  });
  expect([...keyring.held.values()]).toEqual([{accessToken: 'three'}]);
  expect(await store.remove(ana.name)).toEqual({active: null, notes: []});
  expect(keyring.held.size).toBe(0);
});

test('a keyring that works keeps two stores with profiles of the same name apart', async () => {
  const other = new ProfileStore(join(folder, 'other'), {keyring});
  await store.save(ana, {accessToken: 'one'});
  await other.save(ana, {accessToken: 'two'});
  expect((await store.current(ana.name)).secret).toEqual({accessToken: 'one'});
  await other.remove(ana.name);
  expect((await store.current(ana.name)).secret).toEqual({accessToken: 'one'});
});

describe('a keyring that does not work', () => {
  test('a keyring that was asked for by name is not replaced by the file, and nothing is kept', async () => {
    keyring.failure = locked;
    const firm = new ProfileStore(folder, {keyring, storage: 'keyring'});
    await expect(firm.save(ana, {accessToken: 'canary'})).rejects.toMatchObject({code: 'local'});
    expect((await firm.list()).profiles).toEqual([]);
    expect(everything()).not.toContain('canary');
  });

  test('a keyring that gets locked in between does not lose a new secret', async () => {
    await store.save(ana, {accessToken: 'A'});
    const saved = await store.replaceSecret(ana.name, async () => {
      keyring.failure = locked;
      return {secret: {accessToken: 'B'}};
    });
    expect(saved).toMatchObject({profile: {storage: 'file'}, note: expect.stringContaining(join(folder, 'secrets.json'))});
    expect((await store.current(ana.name)).secret).toEqual({accessToken: 'B'});
    keyring.failure = undefined;
    await store.activate(ana.name);
    expect(keyring.held.size).toBe(0);
    expect((await store.current(ana.name)).secret).toEqual({accessToken: 'B'});
  });
});

test('a secret that another process replaces while it is read is read again', async () => {
  await store.save(ana, {accessToken: 'old'});
  const other = new ProfileStore(folder, {keyring});
  vi.spyOn(keyring, 'read').mockImplementationOnce(async () => {
    await other.replaceSecret(ana.name, async () => ({secret: {accessToken: 'new'}, profile: {scopes: ['read']}}));
    return undefined;
  });
  expect(await store.current(ana.name)).toMatchObject({profile: {scopes: ['read']}, secret: {accessToken: 'new'}});
});

test('secrets that cannot be removed now are removed by the next change', async () => {
  await store.save(named('a'), {accessToken: 'A'});
  await store.save(named('b'), {accessToken: 'B'});
  keyring.failure = locked;
  expect(await store.remove('a')).toEqual({
    active: 'b',
    notes: ['Its token could not be removed; the next change of the profiles tries again.'],
  });
  expect((await store.list()).profiles.map(({name}) => name)).toEqual(['b']);
  keyring.failure = undefined;
  await store.activate('b');
  expect([...keyring.held.values()]).toEqual([{accessToken: 'B'}]);
});

test('secrets that cannot be removed are told besides that no profile is active', async () => {
  for (const name of ['a', 'b', 'c']) await store.save(named(name), {accessToken: name});
  keyring.failure = locked;
  expect(await store.remove('c')).toEqual({
    active: null,
    notes: ['No profile is active.', 'Its token could not be removed; the next change of the profiles tries again.'],
  });
  // Of what is left of others, nothing is said.
  await new ProfileStore(folder, {keyring, storage: 'file'}).save(named('d'), {accessToken: 'd'});
  expect(await store.remove('d')).toEqual({active: null, notes: ['No profile is active.']});
});

test('secrets that cannot be removed cost one call of the keyring for each change, and those in the file go', async () => {
  for (const name of ['a', 'b', 'c']) await store.save(named(name), {accessToken: name});
  keyring.failure = locked;
  for (const name of ['a', 'b', 'c']) {
    await store.remove(name);
    keyring.called.splice(0);
  }
  await store.save(named('d'), {accessToken: 'd'});
  // Before the change, to write it, and after it.
  expect(keyring.called).toEqual([
    expect.stringMatching(/^remove a\//),
    expect.stringMatching(/^write d\//),
    expect.stringMatching(/^remove a\//),
  ]);
  await store.remove('d');
  expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toEqual({secrets: []});
  keyring.failure = undefined;
  await store.save(named('e'), {accessToken: 'e'});
  expect([...keyring.held.values()]).toEqual([{accessToken: 'e'}]);
  expect(JSON.parse(readFileSync(join(folder, 'profiles.json'), 'utf8'))).toMatchObject({retired: []});
});
