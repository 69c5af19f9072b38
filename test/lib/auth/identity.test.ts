import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {
  hasAdminScopes,
  identify as identifyAmong,
  profileInUse,
  type AdminAccess,
  type IdentityOptions,
} from '../../../src/lib/auth/identity.js';
import type {Profile} from '../../../src/lib/auth/profile.js';
import {ana} from './ana.js';

/** Where nothing is saved. */
const identify = (options: Pick<IdentityOptions, 'allowHttp' | 'environment' | 'server'>) =>
  identifyAmong({
    ...options,
    profiles: {
      list: async () => ({active: null, profiles: []}),
      get: async (name) => {
        throw new Error(`No profile named ${name}`);
      },
    },
    tokenOf: async ({name}) => `token of ${name}`,
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelctl-token-'));
});
afterAll(() => rm(folder, {recursive: true}));

async function tokenFile(content: string): Promise<string> {
  const path = join(folder, 'token');
  await writeFile(path, content);
  return path;
}

describe('a token from the environment', () => {
  const environment = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'abc'};

  test.each(['https://other.example', 'http://127.0.0.1:8080', 'https://pix.example:8443', 'https://sub.pix.example'])(
    'a token from the environment belongs to the server of the environment, and does not go to %s',
    async (server) => {
      await expect(identify({server, environment}).then(({token}) => token())).rejects.toMatchObject({
        code: 'auth',
        message: expect.stringContaining('belongs to pix.example and is not sent to'),
        details: {reason: 'withheld_token'},
      });
    },
  );

  test.each(['pix.example', 'https://PIX.example:443/', ' https://pix.example'])(
    'a token from the environment is sent to its server in any spelling: %j',
    async (server) => {
      expect(await (await identify({server, environment})).token()).toBe('abc');
    },
  );

  test('a token from the environment is sent to the server of the flag when the environment names none', async () => {
    expect(await (await identify({server: 'other.example', environment: {PIXELCTL_TOKEN: 'abc'}})).token()).toBe('abc');
  });

  test('a token from the environment is not sent over plain http to its https server', async () => {
    await expect(identify({server: 'http://localhost', environment}).then(({token}) => token())).rejects.toMatchObject({code: 'auth'});
  });
});

describe('flags win over the environment, which wins over the active profile:', () => {
  const of = (name: string): Profile => ({...ana, name, server: `https://${name}.example`, storage: 'file'});
  const saved = [of('active'), of('named')];

  interface Asked {
    readonly profile: string | undefined;
    readonly server: string | undefined;
    readonly PIXELCTL_PROFILE: string | undefined;
    readonly PIXELCTL_SERVER: string | undefined;
    readonly PIXELCTL_TOKEN: string | undefined;
    readonly PIXELCTL_TOKEN_FILE: string | undefined;
    readonly active: string | null;
  }

  function options({profile, server, active, ...environment}: Asked): IdentityOptions {
    return {
      profile,
      server,
      environment,
      profiles: {
        list: async () => ({active, profiles: saved}),
        async get(name) {
          const found = saved.find((each) => each.name === name);
          if (found === undefined) throw new Failure('usage', 'There is none');
          return found;
        },
      },
      tokenOf: async ({name}) => `token-of-${name}`,
    };
  }

  /** Server and token, and what decided about each; or how it fails. */
  async function outcome(asked: Asked): Promise<string> {
    try {
      const {server, source, token, tokenSource} = await identifyAmong(options(asked));
      const held = await token().catch((error: unknown) => (error instanceof Failure ? error.details.reason : error));
      return `${server.hostname} by ${source}, ${held ?? 'no token'} by ${tokenSource ?? 'nothing'}`;
    } catch (error) {
      if (error instanceof Failure) return error.code;
      throw error;
    }
  }

  const nothing: Asked = {
    profile: undefined,
    server: undefined,
    PIXELCTL_PROFILE: undefined,
    PIXELCTL_SERVER: undefined,
    PIXELCTL_TOKEN: undefined,
    PIXELCTL_TOKEN_FILE: undefined,
    active: null,
  };

  test.each<[Partial<Asked>, string]>([
    [{active: 'gone'}, 'usage'],
    [{profile: 'gone', active: 'active'}, 'usage'],
    [{PIXELCTL_PROFILE: 'gone', active: 'active'}, 'usage'],
    [{server: 'http://named.example', profile: 'named'}, 'usage'],
  ])('%j: %s', async (asked, expected) => {
    expect(await outcome({...nothing, ...asked})).toBe(expected);
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
    if (meant !== undefined && `${meant.name}.example` === host) return `${host} by ${by}, token-of-${meant.name} by ${meant.by}`;
    const isWithheld = meant !== undefined && meant.by !== 'the active profile';
    return `${host} by ${by}, ${isWithheld ? 'withheld_token' : 'no token'} by nothing`;
  }

  test(`flags win over the environment, which wins over the active profile in all ${combinations.length} combinations`, async () => {
    const file = await tokenFile('own');
    for (const combination of combinations) {
      const {variable, ...asked} = combination;
      const variables = variable === 'none' ? {} : {[variable]: variable === 'PIXELCTL_TOKEN' ? 'own' : file};
      const all = {...nothing, ...asked, ...variables};
      expect(`${JSON.stringify(combination)}: ${await outcome(all)}`).toBe(`${JSON.stringify(combination)}: ${expected(combination)}`);
      // What `auth status` calls active is what commands use.
      const inUse = await profileInUse(options(all));
      const used = /, token-of-(\w+) by (.+)$/.exec(expected(combination));
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

test('the server of a token in the environment is told by its variable where it cannot be used', async () => {
  const environment = {PIXELCTL_TOKEN: 'token', PIXELCTL_SERVER: 'https://pix.example/path'};
  await expect(identify({environment, server: 'https://pix.example'})).rejects.toMatchObject({
    code: 'usage',
    message: 'PIXELCTL_SERVER must be a server address without a path, query or fragment',
  });
});
