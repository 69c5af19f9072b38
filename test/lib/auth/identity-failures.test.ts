/** What is said when no server or token can be chosen, or when a token stays where it is; and what is known of an account. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {
  identify,
  accountOfProfile,
  profileInUse,
  selectedProfileName,
  withOwnHost,
  type IdentityOptions,
} from '../../../src/lib/auth/identity.js';
import type {Profile} from '../../../src/lib/auth/profile.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {ana} from './ana.js';

const saved: Profile = {...ana, name: 'ana', storage: 'file'};

function among(profiles: readonly Profile[], options: Partial<IdentityOptions> & {readonly active?: string | null} = {}): IdentityOptions {
  const {active = null, ...rest} = options;
  return {
    environment: {},
    profiles: {
      list: async () => ({active, profiles}),
      async get(name) {
        const found = profiles.find((profile) => profile.name === name);
        if (found === undefined) throw new Failure('usage', `No profile named ${name}`);
        return found;
      },
    },
    tokenOf: async ({name}, refused) => `token of ${name}${refused === undefined ? '' : ` after ${refused}`}`,
    ...rest,
  };
}

describe('without a server', () => {
  test.each([{}, {PIXELCTL_SERVER: ''}])('without a server and profiles, all ways to name one are told: %j', async (environment) => {
    await expect(identify(among([], {environment}))).rejects.toMatchObject({
      code: 'usage',
      message: 'No server given',
      details: {
        hint: 'sign in with `pixelctl auth login`, pass --server, or set PIXELCTL_SERVER; to try things out, start `pixelctl sandbox`',
      },
    });
  });

  test('without a server and an active profile, the saved ones are named', async () => {
    await expect(identify(among([saved, {...saved, name: 'bob'}]))).rejects.toMatchObject({
      code: 'usage',
      message: 'No profile is active; saved: ana, bob',
      details: {hint: 'choose one with `pixelctl auth switch NAME`, or name it with --profile'},
    });
  });

  test('without a server and a choice among the profiles of the environment, these are named', async () => {
    const own: Profile = {...saved, storage: 'environment'};
    await expect(identify(among([own, {...own, name: 'bob'}]))).rejects.toMatchObject({
      code: 'usage',
      message: 'No profile is selected; PIXELCTL_PROFILES defines ana, bob',
      details: {hint: 'name one with --profile or PIXELCTL_PROFILE'},
    });
  });
});

test.each([[{profile: 'ana,bob', environment: {}}], [{environment: {PIXELCTL_PROFILE: 'ana,bob'}}]])(
  'several profiles are refused where one is needed: %j',
  async (given) => {
    const refusal = {
      code: 'usage',
      message: 'This command takes one profile, not several: ana,bob',
      details: {hint: 'run it once for each of them'},
    };
    await expect(identify(among([saved], given))).rejects.toMatchObject(refusal);
    expect(() => selectedProfileName(given, null)).toThrow(expect.objectContaining(refusal));
  },
);

test.each([
  [{profile: 'x', environment: {PIXELCTL_PROFILE: 'y'}}, 'z', {value: 'x', source: '--profile'}],
  [{environment: {PIXELCTL_PROFILE: 'y'}}, 'z', {value: 'y', source: 'PIXELCTL_PROFILE'}],
  [{environment: {PIXELCTL_PROFILE: ''}}, 'z', {value: 'z', source: 'the active profile'}],
  [{environment: {}}, null, undefined],
])('of %j and the active profile %j, %j is selected', (given, active, expected) => {
  expect(selectedProfileName(given, active)).toEqual(expected);
});

describe('a token that is withheld', () => {
  const withheld = (options: IdentityOptions) => identify(options).then(({token}) => token());

  test('a token of the environment is withheld from another server, with the names of both', async () => {
    const environment = {PIXELCTL_SERVER: 'pix.example', PIXELCTL_TOKEN: 'canary'};
    await expect(withheld(among([], {server: 'other.example:8443', environment}))).rejects.toMatchObject({
      code: 'auth',
      message: 'The token of the environment belongs to pix.example and is not sent to other.example:8443',
      details: {reason: 'withheld_token', hint: undefined},
    });
  });

  test('a variable without a token withholds none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pixelctl-token-'));
    onTestFinished(() => rmSync(folder, {recursive: true}));
    const file = join(folder, 'token');
    writeFileSync(file, ' \n');
    const environment = {PIXELCTL_SERVER: 'pix.example', PIXELCTL_TOKEN_FILE: file};
    expect(await withheld(among([], {server: 'other.example', environment}))).toBeUndefined();
  });

  test('a plain server of the environment is the home of its token, though it is not allowed', async () => {
    const environment = {PIXELCTL_SERVER: 'http://pix.example', PIXELCTL_TOKEN: 'canary'};
    await expect(withheld(among([], {server: 'pix.example', environment}))).rejects.toMatchObject({
      message: 'The token of the environment belongs to pix.example and is not sent to pix.example',
    });
  });

  test('a token of a profile is withheld from another server, with what to do', async () => {
    await expect(withheld(among([saved], {server: 'other.example', profile: 'ana'}))).rejects.toMatchObject({
      code: 'auth',
      message: 'The token of profile ana belongs to pix.example and is not sent to other.example',
      details: {reason: 'withheld_token', hint: 'use a profile of other.example, or leave out the server to use that of ana'},
    });
  });
});

test('a profile in use is known with its account, and its token is asked for again when it is refused', async () => {
  const identity = await identify(among([{...saved, scopes: ['admin:read']}], {active: 'ana'}));
  expect(identity).toMatchObject({source: 'the active profile', tokenSource: 'the active profile', isAdmin: true, profile: {name: 'ana'}});
  expect(accountOfProfile(identity)).toBe('@ana');
  expect([await identity.token(), await identity.token('it')]).toEqual(['token of ana', 'token of ana after it']);
  expect(await profileInUse(among([saved], {active: 'ana'}))).toEqual({name: 'ana', source: 'the active profile'});
});

test('an account is not known without a profile, or without an account of it', async () => {
  expect(accountOfProfile(await identify(among([], {server: 'pix.example'})))).toBeUndefined();
  expect(accountOfProfile(await identify(among([{...saved, account: null}], {active: 'ana'})))).toBeUndefined();
});

test('a server without a token gives no token and no profile', async () => {
  const {token, ...rest} = await identify(among([], {server: 'pix.example'}));
  expect(rest).toEqual({
    server: new URL('https://pix.example'),
    source: '--server',
    profile: undefined,
    isAdmin: undefined,
    tokenSource: undefined,
  });
  expect(await token()).toBeUndefined();
});

test('a profile with plain http is refused by its name unless that is allowed', async () => {
  const plain = {...saved, server: 'http://pix.example'};
  await expect(identify(among([plain], {active: 'ana'}))).rejects.toMatchObject({
    message: expect.stringContaining('Profile ana is plain http'),
  });
  expect((await identify(among([plain], {active: 'ana', allowHttp: true}))).server.href).toBe('http://pix.example/');
});

describe('the host of an account', () => {
  const withAcct = (acct: string): Profile => ({...saved, account: {id: '17', acct}});

  test.each<[string, string | undefined, string[]]>([
    ['ana', 'ana', []],
    ['ana@pix.example', 'ana', []],
    ['ana@evil.example', 'ana', ['pix.example says that your account is @ana@evil.example: pixelctl uses @ana@pix.example']],
    ['an/a', undefined, []],
    ['', undefined, []],
  ])('the host of an account is that of the server: %j', async (acct, name, warnings) => {
    const said: string[] = [];
    const profile = withOwnHost(withAcct(acct), (text) => said.push(text));
    expect(profile).toEqual({...saved, account: name === undefined ? null : {id: '17', acct: name}});
    expect(said).toEqual(warnings);
    expect(withOwnHost(withAcct(acct))).toEqual(profile);
    const identity: string[] = [];
    expect(await identify(among([withAcct(acct)], {active: 'ana', warn: (text) => identity.push(text)}))).toMatchObject({profile});
    expect(identity).toEqual(warnings);
  });

  test('the host of an account that is not known is none', () => {
    const unknown = {...saved, account: null};
    expect(withOwnHost(unknown)).toBe(unknown);
  });
});
