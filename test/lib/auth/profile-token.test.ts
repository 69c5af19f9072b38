/** The token of a profile: when it is renewed, by a clock that stands still, by whom, and what is said when that fails. */
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import type {Profile, Secret} from '../../../src/lib/auth/profile.js';
import {ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {profileToken, renewToken} from '../../../src/lib/auth/profile-token.js';
import {json, startServer, type Reply} from '../../loopback-server.js';
import {ana} from './ana.js';
import {newFolder} from '../../new-folder.js';
import {failureOf} from '../../failure-of.js';

const now = Date.parse('2026-06-01T12:00:00.000Z');
const margin = 300_000;
const at = (milliseconds: number): string => new Date(now + milliseconds).toISOString();

beforeEach(() => {
  vi.useFakeTimers({toFake: ['Date'], now});
  onTestFinished(() => void vi.useRealTimers());
});

const old: Secret = {accessToken: 'old', refreshToken: 'refresh-1', clientSecret: 'secret'};
const issued = (name: string, more: object = {}): Reply => json({token_type: 'Bearer', access_token: name, expires_in: 3600, ...more});

/** A profile whose token ends in so many milliseconds. */
async function kept(left: number | null, replies: readonly Reply[] = [], secret = old, own: Partial<Profile> = {}) {
  const {url, received} = await startServer(...replies);
  const folder = newFolder();
  const store = new ProfileStore(folder, {storage: 'file'});
  const {profile} = await store.save({...ana, server: url.origin, expiresAt: left === null ? null : at(left), ...own}, secret);
  const warnings: string[] = [];
  const begin = () => profileToken(store, profile, {userAgent: 'test/1'}, (text) => warnings.push(text));
  return {
    store,
    folder,
    profile,
    received,
    warnings,
    begin,
    again: `sign in again: \`pixelctl auth login --server=${url.origin} --profile=${ana.name}\``,
  };
}

test.each([
  [margin + 1, 'old'],
  [margin, 'new'],
  [1, 'new'],
  [0, 'new'],
])('a token that ends in %i ms is used as %j', async (left, token) => {
  const {begin} = await kept(left, token === 'new' ? [issued('new')] : []);
  expect(await begin()()).toBe(token);
});

test.each([
  [margin, 'old'],
  [1, 'old'],
  [0, undefined],
  [-1, undefined],
])('a token without a refresh token that ends in %i ms is used as %j', async (left, token) => {
  const {begin, again} = await kept(left, [], {accessToken: 'old'});
  const asked = begin()();
  if (token !== undefined) return expect(await asked).toBe(token);
  const failure = await failureOf(asked);
  expect([failure.code, failure.message, failure.details.hint]).toEqual(['auth', `The token of ${ana.name} has expired`, again]);
  expect(failure.cause).toBeUndefined();
});

test('a token gets old during a run, and is renewed in time, once', async () => {
  const {begin, received} = await kept(margin + 1000, [issued('new')]);
  const token = begin();
  expect(await token()).toBe('old');
  vi.setSystemTime(now + 999);
  expect(await token()).toBe('old');
  vi.setSystemTime(now + 1000);
  expect([await token(), await token()]).toEqual(['new', 'new']);
  expect(received).toHaveLength(1);
});

test('a renewal that failed is tried again when the token has ended, and not before', async () => {
  const {begin, received, warnings} = await kept(1000, [json({error: 'invalid_grant'}, 400), issued('new')]);
  const token = begin();
  expect([await token(), await token()]).toEqual(['old', 'old']);
  vi.setSystemTime(now + 999);
  expect(await token()).toBe('old');
  expect(received).toHaveLength(1);
  expect(warnings).toEqual([expect.stringContaining(`the token of ${ana.name} expires soon and could not be renewed: `)]);
  vi.setSystemTime(now + 1000);
  expect(await token()).toBe('new');
});

test('a refused token that nobody has renewed is still renewed in its time', async () => {
  const {begin} = await kept(1000, [issued('new')]);
  const token = begin();
  expect(await token('old')).toBe('old');
  expect(await token()).toBe('new');
});

test('a token that another process renewed is not renewed again when it is refused later', async () => {
  const {begin, store, received} = await kept(null, []);
  const token = begin();
  expect(await token()).toBe('old');
  await store.replaceSecret(ana.name, async (secret) => ({secret: {...secret, accessToken: 'new'}, profile: {expiresAt: at(1000)}}));
  expect(await token('old')).toBe('new');
  expect(await token()).toBe('new');
  expect(received).toEqual([]);
});

test('a renewal changes the token, its end and its scopes, and nothing else', async () => {
  const {store, received, profile} = await kept(null, [issued('new', {scope: 'read', refresh_token: 'refresh-2'})]);
  const renewed = await renewToken(store, ana.name, {userAgent: 'test/1'});
  expect(renewed).toEqual({...profile, expiresAt: at(3_600_000), scopes: ['read']});
  expect(await store.current(ana.name)).toEqual({
    profile: renewed,
    secret: {accessToken: 'new', refreshToken: 'refresh-2', clientSecret: 'secret'},
  });
  expect(received[0]?.headers['user-agent']).toBe('test/1');
  expect(Object.fromEntries(new URLSearchParams(received[0]?.body.toString()))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-1',
    client_id: 'client-1',
    client_secret: 'secret',
  });
});

test('a renewal that brings no refresh token, scopes or end keeps the first two', async () => {
  const {store, profile} = await kept(1000, [json({token_type: 'Bearer', access_token: 'new'})]);
  expect(await renewToken(store, ana.name, {})).toEqual({...profile, expiresAt: null});
  expect((await store.current(ana.name)).secret).toEqual({...old, accessToken: 'new'});
});

test.each<[string, Secret, Partial<Profile>]>([
  ['a refresh token', {accessToken: 'old', clientSecret: 's'}, {}],
  ['the secret of the program', {accessToken: 'old', refreshToken: 'r'}, {}],
  ['the id of the program', old, {client: null}],
])('a token without %s cannot be renewed', async (_, secret, own) => {
  const {store, again} = await kept(null, [], secret, own);
  const failure = await failureOf(renewToken(store, ana.name, {}));
  expect([failure.code, failure.message, failure.details.hint]).toEqual([
    'usage',
    `The token of ${ana.name} cannot be renewed: it has no refresh token`,
    again,
  ]);
  expect((await store.current(ana.name)).secret).toEqual(secret);
});

test('a token that has ended and that the server does not renew asks for a new sign-in, with the cause', async () => {
  const {begin, again} = await kept(0, [json({error: 'invalid_grant', hint: 'revoked'}, 400)]);
  const failure = await failureOf(begin()());
  expect([failure.code, failure.details.hint]).toEqual(['auth', again]);
  expect(failure.message).toMatch(
    /^The token of ana@pix\.example has expired and could not be renewed: \S+ did not renew the token \(400\): revoked$/,
  );
  expect(failure.cause).toBeInstanceOf(Failure);
});

test.each<[string, Partial<Profile>]>([
  ['of another server', {server: 'https://other.example'}],
  ['of another account', {account: {id: '18', acct: 'ana'}}],
  ['of no known account', {account: null}],
])('a profile that was replaced by one %s during the run is not used, and none of its tokens', async (_, change) => {
  const {store, begin, profile} = await kept(null);
  const [used, unused, refused] = [begin(), begin(), begin()];
  expect(await used()).toBe('old');
  await store.save({...profile, ...change}, {accessToken: 'of another'});
  for (const ask of [() => used(), () => unused(), () => refused('old')])
    expect(await failureOf(ask())).toMatchObject({
      code: 'auth',
      message: `Profile ${ana.name} now belongs to another account or server: it was replaced during this run`,
      details: {hint: 'check `pixelctl auth status`, then run this again'},
    });
});

test('a mistake during a renewal is no failed renewal', async () => {
  const {store, begin, warnings} = await kept(1000);
  vi.spyOn(store, 'replaceSecret').mockRejectedValueOnce(new RangeError('a mistake'));
  await expect(begin()()).rejects.toThrow(RangeError);
  expect(warnings).toEqual([]);
});

test('a token that another process renewed for no time at all is not used after this one waited in vain', async () => {
  const {store, folder, begin} = await kept(-1);
  vi.spyOn(store, 'replaceSecret').mockImplementationOnce(async () => {
    await new ProfileStore(folder, {storage: 'file'}).replaceSecret(ana.name, async (secret) => ({
      secret: {...secret, accessToken: 'new'},
      profile: {expiresAt: at(0)},
    }));
    throw new Failure('local', 'Another process is changing the profiles');
  });
  expect(await failureOf(begin()())).toMatchObject({
    code: 'local',
    message: expect.stringContaining('could not be renewed: Another process'),
  });
});

test.each([margin * 2, null])('a token that ends in %j ms is read once', async (left) => {
  const {store, begin} = await kept(left);
  const reads = vi.spyOn(store, 'current');
  const token = begin();
  expect(await Promise.all([token(), token(), token()])).toEqual(['old', 'old', 'old']);
  expect(await token()).toBe('old');
  expect(reads).toHaveBeenCalledTimes(1);
});

test('uses the token that another process renewed', async () => {
  const {store, begin} = await kept(margin * 2, [issued('new')]);
  const token = begin();
  expect(await token()).toBe('old');
  await renewToken(store, ana.name, {});
  expect(await token()).toBe('new');
});

test('gives the token of a renewal that is under way when the old one is refused', async () => {
  const {store, begin} = await kept(null);
  const token = begin();
  const [begun, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const renewal = store.replaceSecret(ana.name, async (secret) => {
    begun.resolve();
    await stored.promise;
    return {secret: {...secret, accessToken: 'new'}};
  });
  // From here on the renewal has the lock of the store.
  await begun.promise;
  const asked = token('old');
  stored.resolve();
  await renewal;
  expect(await asked).toBe('new');
});

test('uses the token that another process has renewed while this one waited in vain for its turn', async () => {
  const {store, begin} = await kept(-1, [issued('new')]);
  vi.spyOn(store, 'replaceSecret').mockImplementationOnce(async () => {
    await renewToken(store, ana.name, {});
    throw new Failure('local', 'Another process is changing the profiles');
  });
  expect(await begin()()).toBe('new');
});
