import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {identify as identifyAmong, type IdentityOptions} from '../../../src/lib/profile/identity.js';

/** Where nothing is saved. */
const identify = (options: Pick<IdentityOptions, 'allowHttp' | 'environment' | 'server'>) =>
  identifyAmong({
    ...options,
    profiles: {
      list: async () => ({active: null, profiles: []}),
      get: async (name) => {
        throw new Error(`There is no profile ${name}`);
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

describe('the server', () => {
  test('is the one of the environment', async () => {
    const {server, source} = await identify({environment: {PIXELCTL_SERVER: 'pix.example'}});
    expect([server.href, source]).toEqual(['https://pix.example/', 'PIXELCTL_SERVER']);
  });

  test('is rather the one of the flag', async () => {
    const {server, source} = await identify({server: 'other.example', environment: {PIXELCTL_SERVER: 'pix.example'}});
    expect([server.href, source]).toEqual(['https://other.example/', '--server']);
  });

  test.each([{}, {PIXELCTL_SERVER: ''}])('has to be named: %j', async (environment) => {
    await expect(identify({environment})).rejects.toThrow(
      expect.objectContaining({
        code: 'usage',
        details: {hint: expect.stringMatching(/auth login.*PIXELCTL_SERVER.*sandbox/)},
      }),
    );
  });

  test('may be plain http only when that is allowed', async () => {
    const environment = {PIXELCTL_SERVER: 'http://pix.example'};
    await expect(identify({environment})).rejects.toMatchObject({code: 'usage'});
    expect((await identify({environment, allowHttp: true})).server.href).toBe('http://pix.example/');
  });
});

describe('the token', () => {
  const PIXELCTL_SERVER = 'https://pix.example';

  test('is the one of the environment, trimmed', async () => {
    expect(await (await identify({environment: {PIXELCTL_SERVER, PIXELCTL_TOKEN: ' abc|1.2-3_\n'}})).token()).toBe('abc|1.2-3_');
  });

  test('is the one of a file', async () => {
    const file = await tokenFile('abc\n');
    expect(await (await identify({environment: {PIXELCTL_SERVER, PIXELCTL_TOKEN_FILE: file}})).token()).toBe('abc');
  });

  test('in the environment goes before the one of a file, which is not even read', async () => {
    const environment = {PIXELCTL_SERVER, PIXELCTL_TOKEN: 'abc', PIXELCTL_TOKEN_FILE: join(folder, 'missing')};
    expect(await (await identify({environment})).token()).toBe('abc');
  });

  test.each([
    {PIXELCTL_SERVER},
    {PIXELCTL_SERVER, PIXELCTL_TOKEN: ''},
    {PIXELCTL_SERVER, PIXELCTL_TOKEN: ' ', PIXELCTL_TOKEN_FILE: ''},
  ])('may be missing: %j', async (environment) => {
    expect(await (await identify({environment})).token()).toBeUndefined();
  });

  test('may be missing in the file', async () => {
    const file = await tokenFile('\n');
    expect(await (await identify({environment: {PIXELCTL_SERVER, PIXELCTL_TOKEN_FILE: file}})).token()).toBeUndefined();
  });

  test('of a file that cannot be read is a fault of this machine', async () => {
    const file = join(folder, 'missing');
    await expect(identify({environment: {PIXELCTL_SERVER, PIXELCTL_TOKEN_FILE: file}}).then(({token}) => token())).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining('there is no such file'),
    });
  });

  test.each(['two words', 'tök', 'a\nb', 'a\u0000b', '{"access_token": "abc"}'])(
    'is one word of plain signs, not %j, which is not repeated',
    async (text) => {
      const refused = {code: 'usage', message: expect.not.stringContaining(text)};
      await expect(identify({environment: {PIXELCTL_SERVER, PIXELCTL_TOKEN: text}}).then(({token}) => token())).rejects.toMatchObject(refused);
      const file = await tokenFile(text);
      await expect(identify({environment: {PIXELCTL_SERVER, PIXELCTL_TOKEN_FILE: file}}).then(({token}) => token())).rejects.toMatchObject(refused);
    },
  );
});

describe('a token of the environment', () => {
  const environment = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'abc'};

  test.each(['https://other.example', 'http://127.0.0.1:8080', 'https://pix.example:8443', 'https://sub.pix.example'])(
    'belongs to the server of the environment, and does not go to %s',
    async (server) => {
      await expect(identify({server, environment}).then(({token}) => token())).rejects.toMatchObject({
        code: 'auth',
        message: expect.stringContaining('belongs to pix.example and is not sent to'),
        details: {reason: 'withheld_token'},
      });
    },
  );

  test.each(['pix.example', 'https://PIX.example:443/', ' https://pix.example'])('goes to it however it is written: %j', async (server) => {
    expect(await (await identify({server, environment})).token()).toBe('abc');
  });

  test('goes to the server of the flag when the environment names none', async () => {
    expect(await (await identify({server: 'other.example', environment: {PIXELCTL_TOKEN: 'abc'}})).token()).toBe('abc');
  });

  test('does not go over plain http because it belongs to https', async () => {
    await expect(identify({server: 'http://localhost', environment}).then(({token}) => token())).rejects.toMatchObject({code: 'auth'});
  });

  test('of a file is withheld as well', async () => {
    const file = await tokenFile('abc');
    const {token} = await identify({server: 'other.example', environment: {PIXELCTL_SERVER: 'pix.example', PIXELCTL_TOKEN_FILE: file}});
    await expect(token()).rejects.toMatchObject({code: 'auth'});
  });
});
