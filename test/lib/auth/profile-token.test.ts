import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import type {Profile, Secret} from '../../../src/lib/auth/profile.js';
import {ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {profileToken, renewToken} from '../../../src/lib/auth/profile-token.js';
import {holdTimeOuts, json, startServer, tooLate, type Reply} from '../../loopback-server.js';
import {ana} from './ana.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, {recursive: true, force: true});
});

const secret: Secret = {accessToken: 'old', refreshToken: 'refresh-1', clientSecret: 'secret'};
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

const issued = (name: string, lifetime = 3600): Reply =>
  json({token_type: 'Bearer', access_token: name, refresh_token: `refresh-of-${name}`, expires_in: lifetime});

interface Kept {
  readonly store: ProfileStore;
  readonly profile: Profile;
  readonly warnings: string[];
  /** The token as a process takes it that begins now. */
  readonly begin: () => (refused?: string) => Promise<string>;
}

/** A profile whose token ends in so many seconds, on a server that gives these replies to renewals. */
async function kept(seconds: number | null, replies: readonly Reply[], own: Secret = secret): Promise<Kept> {
  const {url} = await startServer(...replies);
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-token-'));
  folders.push(folder);
  const store = new ProfileStore(folder, {storage: 'file'});
  const expiresAt = seconds === null ? null : inSeconds(seconds);
  const {profile} = await store.save({...ana, server: url.origin, expiresAt}, own);
  const warnings: string[] = [];
  return {store, profile, warnings, begin: () => profileToken(store, profile, {}, (text) => warnings.push(text))};
}

test.each([
  ['far from its end', 3600],
  ['without a known end', null],
])('uses a token %s as it is, and reads its secret once', async (_name, seconds) => {
  const {store, begin} = await kept(seconds, []);
  const reads = vi.spyOn(store, 'current');
  const token = begin();
  expect(await Promise.all([token(), token(), token()])).toEqual(['old', 'old', 'old']);
  expect(await token()).toBe('old');
  expect(reads).toHaveBeenCalledTimes(1);
});

test('renews a token once for several processes, even when the new one expires soon', async () => {
  const {begin} = await kept(60, [issued('new', 30)]);
  expect(await Promise.all([begin()(), begin()(), begin()(), begin()()])).toEqual(['new', 'new', 'new', 'new']);
});

test('uses the token that another process renewed', async () => {
  const {store, begin, profile} = await kept(3600, [issued('new')]);
  const token = begin();
  expect(await token()).toBe('old');
  await renewToken(store, profile.name, {});
  expect(await token()).toBe('new');
});

test.each<[string, Reply]>([
  ['fails', json({error: 'no'}, 503)],
  ['is refused', json({error: 'invalid_grant'}, 400)],
  ['gets no answer', tooLate],
  ['brings something else', json({token: 'x'})],
])('keeps the old token and warns once when a renewal %s', async (_name, reply) => {
  holdTimeOuts();
  const {store, begin, warnings, profile} = await kept(60, [reply]);
  const token = begin();
  expect([await token(), await token()]).toEqual(['old', 'old']);
  expect((await store.current(profile.name)).secret).toEqual(secret);
  expect(warnings).toEqual([expect.stringMatching(/^the token of ana@pix\.example expires soon and could not be renewed: /)]);
});

test('gives the token that another process stored in place of a refused one, also when it does not say when it ends', async () => {
  const {store, begin, profile} = await kept(null, []);
  const token = begin();
  expect(await token()).toBe('old');
  expect(await token('old')).toBe('old');
  await store.replaceSecret(profile.name, async (old) => ({secret: {...old, accessToken: 'new'}}));
  expect(await token('old')).toBe('new');
  expect(await token()).toBe('new');
});

test('gives the token of a renewal that is under way when the old one is refused', async () => {
  const {store, begin, profile} = await kept(null, []);
  const token = begin();
  const [begun, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const renewal = store.replaceSecret(profile.name, async (old) => {
    begun.resolve();
    await stored.promise;
    return {secret: {...old, accessToken: 'new'}};
  });
  // From here on the renewal has the lock of the store.
  await begun.promise;
  const asked = token('old');
  stored.resolve();
  await renewal;
  expect(await asked).toBe('new');
});

test('reads a secret and the end of its token as one state', async () => {
  const {store, profile} = await kept(60, []);
  const ends = Array.from({length: 40}, (_, index) => inSeconds(1000 + index));
  const tokenOf = new Map([[profile.expiresAt, 'old'], ...ends.map((end, index) => [end, `token ${index}`] as const)]);
  const renewals = (async () => {
    for (const [index, expiresAt] of ends.entries())
      await store.replaceSecret(profile.name, async (old) => ({secret: {...old, accessToken: `token ${index}`}, profile: {expiresAt}}));
  })();
  let isOver = false;
  void renewals.finally(() => (isOver = true));
  while (!isOver) {
    const {profile: now, secret: read} = await store.current(profile.name);
    expect(read.accessToken).toBe(tokenOf.get(now.expiresAt));
  }
});

test('uses the token that another process has renewed while this one waited in vain for its turn', async () => {
  const {store, begin, profile} = await kept(-1, [issued('new')]);
  vi.spyOn(store, 'replaceSecret').mockImplementationOnce(async () => {
    await renewToken(store, profile.name, {});
    throw new Failure('local', 'Another process is changing the profiles');
  });
  expect(await begin()()).toBe('new');
});
