/** Which server and token are chosen, what is said when there are none or a token is withheld, and what is known of an account. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
  identify,
  accountOfProfile,
  profileInUse,
  selectedProfileName,
  hasAdminScopes,
  withOwnHost,
  type AdminAccess,
  type IdentityOptions,
} from '../../../src/lib/auth/identity.js';
import type {Profile} from '../../../src/lib/auth/profile.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {ana} from './ana.js';
import {newFolder} from '../../new-folder.js';

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

function tokenFile(content: string): string {
  const path = join(newFolder(), 'token');
  writeFileSync(path, content);
  return path;
}

test('without a server and an active profile, the saved ones are named', async () => {
  await expect(identify(among([saved, {...saved, name: 'bob'}]))).rejects.toMatchObject({
    code: 'usage',
    message: 'No profile is active; saved: ana, bob',
    details: {hint: 'choose one with `pixelctl auth switch NAME`, or name it with --profile'},
  });
});

test.each([[{profile: 'ana,bob', environment: {}}], [{environment: {PIXELCTL_PROFILE: 'ana,bob'}}]])(
  'several profiles are refused where one is needed: %j',
  (given) => {
    const message = 'This command takes one profile, not several: ana,bob';
    const refusal = {code: 'usage', message, details: {hint: 'run it once for each of them'}};
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

  const environment = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'canary'};

  test.each(['https://other.example', 'http://127.0.0.1:8080', 'http://localhost', 'https://pix.example:8443', 'https://sub.pix.example'])(
    'a token of the environment is withheld from %s, with the names of both',
    async (server) => {
      await expect(withheld(among([], {server, environment}))).rejects.toMatchObject({
        code: 'auth',
        message: `The token of the environment belongs to pix.example and is not sent to ${new URL(server).host}`,
        details: {reason: 'withheld_token', hint: undefined},
      });
    },
  );

  test.each(['pix.example', 'https://PIX.example:443/', ' https://pix.example'])(
    'a token of the environment is sent to its server in any spelling: %j',
    async (server) => {
      expect(await withheld(among([], {server, environment}))).toBe('canary');
    },
  );

  test('the server of a token in the environment is told by its variable where it cannot be used', async () => {
    const odd = {...environment, PIXELCTL_SERVER: 'https://pix.example/path'};
    await expect(withheld(among([], {server: 'https://pix.example', environment: odd}))).rejects.toMatchObject({
      code: 'usage',
      message: 'PIXELCTL_SERVER must be a server address without a path, query or fragment',
    });
  });

  test('a variable without a token withholds none', async () => {
    const environment = {PIXELCTL_SERVER: 'pix.example', PIXELCTL_TOKEN_FILE: tokenFile(' \n')};
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
  const unknown = await identify(among([], {server: 'pix.example'}));
  expect([accountOfProfile(unknown), unknown.profile, unknown.isAdmin]).toEqual([undefined, undefined, undefined]);
  expect(accountOfProfile(await identify(among([{...saved, account: null}], {active: 'ana'})))).toBeUndefined();
});

test('a profile with plain http is refused by its name unless that is allowed', async () => {
  const plain = {...saved, server: 'http://pix.example'};
  await expect(identify(among([plain], {active: 'ana'}))).rejects.toMatchObject({
    message: expect.stringContaining('Profile ana is plain http'),
  });
  expect((await identify(among([plain], {active: 'ana', allowHttp: true}))).server.href).toBe('http://pix.example/');
});

const withAcct = (acct: string): Profile => ({...saved, account: {id: '17', acct}});

test.each<[string, string | undefined]>([
  ['ana', 'ana'],
  ['ana@pix.example', 'ana'],
  ['ana@evil.example', 'ana'],
  ['an/a', undefined],
  ['', undefined],
])('the host of an account is that of the server: %j', async (acct, name) => {
  const profile = withOwnHost(withAcct(acct));
  expect(profile).toEqual({...saved, account: name === undefined ? null : {id: '17', acct: name}});
  expect(await identify(among([withAcct(acct)], {active: 'ana'}))).toMatchObject({profile});
});

test('the host of an account that is not known is none', () => {
  const unknown = {...saved, account: null};
  expect(withOwnHost(unknown)).toBe(unknown);
});

describe('flags win over the environment, which wins over the active profile:', () => {
  const of = (name: string): Profile => ({...ana, name, server: `https://${name}.example`, storage: 'file'});
  const saved = [of('active'), of('named')];

  interface Asked extends Readonly<Partial<Record<'profile' | 'server' | `PIXELCTL_${string}`, string | undefined>>> {
    readonly active?: string | null;
  }

  const options = ({profile, server, active = null, ...environment}: Asked): IdentityOptions =>
    among(saved, {profile, server, active, environment});

  /** Server and token, and what decided about each; or how it fails. */
  async function outcome(asked: Asked): Promise<string> {
    try {
      const {server, source, token, tokenSource} = await identify(options(asked));
      const held = await token().catch((error: unknown) => (error instanceof Failure ? error.details.reason : error));
      return `${server.hostname} by ${source}, ${held ?? 'no token'} by ${tokenSource ?? 'nothing'}`;
    } catch (error) {
      if (error instanceof Failure) return error.code;
      throw error;
    }
  }

  test.each<[Asked, string]>([
    [{active: 'gone'}, 'usage'],
    [{profile: 'gone', active: 'active'}, 'usage'],
    [{PIXELCTL_PROFILE: 'gone', active: 'active'}, 'usage'],
    [{server: 'http://named.example', profile: 'named'}, 'usage'],
  ])('%j: %s', async (asked, expected) => {
    expect(await outcome(asked)).toBe(expected);
  });

  const servers = [undefined, 'active.example', 'own.example'];
  const combinations = [undefined, 'named'].flatMap((profile) =>
    servers.flatMap((server) =>
      [undefined, 'named'].flatMap((PIXELCTL_PROFILE) =>
        servers.flatMap((PIXELCTL_SERVER) =>
          ['none', 'PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE'].flatMap((variable) =>
            [null, 'active'].map((active) => ({profile, server, PIXELCTL_PROFILE, PIXELCTL_SERVER, variable, active})),
          ),
        ),
      ),
    ),
  );

  /** The rule as somebody would say it. */
  function expected({profile, server, PIXELCTL_PROFILE, PIXELCTL_SERVER, variable, active}: (typeof combinations)[number]): string {
    const meant = [
      {name: profile, by: '--profile'},
      {name: PIXELCTL_PROFILE, by: 'PIXELCTL_PROFILE'},
      {name: active, by: 'the active profile'},
    ].find(({name}) => typeof name === 'string');
    const [host, by] =
      server !== undefined
        ? [server, '--server']
        : profile === undefined && PIXELCTL_SERVER !== undefined
          ? [PIXELCTL_SERVER, 'PIXELCTL_SERVER']
          : [meant && `${meant.name}.example`, meant?.by];
    if (host === undefined) return 'usage';
    if (profile === undefined && variable !== 'none') {
      const isHome = (PIXELCTL_SERVER ?? host) === host;
      return `${host} by ${by}, ${isHome ? `own by ${variable}` : 'withheld_token by nothing'}`;
    }
    if (meant !== undefined && `${meant.name}.example` === host) return `${host} by ${by}, token of ${meant.name} by ${meant.by}`;
    const isWithheld = meant !== undefined && meant.by !== 'the active profile';
    return `${host} by ${by}, ${isWithheld ? 'withheld_token' : 'no token'} by nothing`;
  }

  test(`flags win over the environment, which wins over the active profile in all ${combinations.length} combinations`, async () => {
    const file = tokenFile('own');
    for (const combination of combinations) {
      const {variable, ...asked} = combination;
      const variables = variable === 'none' ? {} : {[variable]: variable === 'PIXELCTL_TOKEN' ? 'own' : file};
      const all = {...asked, ...variables};
      expect(`${JSON.stringify(combination)}: ${await outcome(all)}`).toBe(`${JSON.stringify(combination)}: ${expected(combination)}`);
      // What `auth status` calls active is what commands use.
      const inUse = await profileInUse(options(all));
      const used = /, token of (\w+) by (.+)$/.exec(expected(combination));
      expect(inUse, JSON.stringify(combination)).toEqual(used === null ? undefined : {name: used[1], source: used[2]});
    }
  });
});

test.each<[Parameters<typeof hasAdminScopes>[0], AdminAccess | undefined, boolean | undefined]>([
  [{isAdmin: true, scopes: null}, undefined, true],
  [{isAdmin: false, scopes: ['read', 'admin:read']}, undefined, true],
  [{isAdmin: false, scopes: ['read', 'admin:write:domain_blocks']}, undefined, true],
  [{isAdmin: false, scopes: ['read', 'write', 'push']}, undefined, false],
  [{isAdmin: false, scopes: null}, undefined, undefined],
  [{isAdmin: false, scopes: ['administer', 'read:admin:']}, undefined, false],
  [{isAdmin: false, scopes: ['admin:read:domain_blocks']}, 'read', true],
  [{isAdmin: false, scopes: ['admin:read:domain_blocks']}, 'write', false],
])('whether a token has scopes of admins is known from the sign-in or its scopes: %j to %s', (profile, access, expected) => {
  expect(hasAdminScopes(profile, access)).toBe(expected);
});
