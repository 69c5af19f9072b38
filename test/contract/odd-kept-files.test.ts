/** Our own files with parts missing, null or of another type: an error about the file, never an internal error. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {recordedSandbox} from '../e2e/server.js';
import {memoryFolder} from '../memory-folder.js';
import {runCommand} from '../run-command.js';
import {fieldsOf, replaced, without} from './fields.js';

let home: string;
beforeAll(() => {
  home = memoryFolder('pixelctl-kept-');
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

const secrets = ['canary-of-an-access-token', 'canary-of-a-refresh-token', 'canary-of-a-client'];

function oddTexts(text: string): readonly (readonly [what: string, text: string])[] {
  const whole: unknown = JSON.parse(text);
  const parts = fieldsOf(whole).flatMap(({path, name, other, isMember}) => {
    const missing: [string, unknown] = [`${name} missing`, without(whole, path)];
    const strange: [string, unknown][] = [
      [`${name}: null`, replaced(whole, path, null)],
      [`${name}: another type`, replaced(whole, path, other)],
    ];
    return isMember ? [missing, ...strange] : strange;
  });
  const wholes = [null, [], {}, 7, 'text'].map((value): [string, unknown] => [JSON.stringify(value), value]);
  const cut = [0, 1, Math.floor(text.length / 2), text.length - 2].map((end) => [`cut at ${end}`, text.slice(0, end)] as const);
  return [...[...wholes, ...parts].map(([what, value]) => [what, JSON.stringify(value)] as const), ...cut, ['bytes', '\u0000\uFFFD']];
}

const policy =
  'version: 1\ndomain_blocks: {must: [bad.example]}\nfilters: {must: [{title: Politics, context: [home], keywords: [vote]}]}\n';

describe.each<[string, string, readonly string[]]>([
  [
    'profiles',
    'config/profiles.json',
    ['blocks list', 'auth status', 'auth token', 'auth switch ana', 'auth logout ana', 'auth protect ana', 'dm mute 1'],
  ],
  ['secrets', 'config/secrets.json', ['blocks list', 'auth status', 'auth token', 'auth logout ana']],
  ['state', 'p.yml.state.json', ['plan p.yml', 'apply p.yml --yes', 'undo p.yml --yes']],
])('%s', (_, file, lines) => {
  test.each(lines)('with missing or wrong parts cause no internal error in %s', async (line) => {
    await using server = await recordedSandbox();
    const folder = mkdtempSync(join(home, 'folder-'));
    const store = new ProfileStore(join(folder, 'config'), {storage: 'file'});
    const [accessToken = '', refreshToken, clientSecret = ''] = secrets;
    const environment = {
      PIXELCTL_SERVER: undefined,
      PIXELCTL_TOKEN: undefined,
      PIXELCTL_CONFIG_DIR: join(folder, 'config'),
      PIXELCTL_STORAGE: 'file',
    };
    const client = {id: '1', secret: clientSecret, redirectUris: ['http://127.0.0.1:29170/callback']};
    for (const name of ['bob', 'ana']) {
      const profile = {
        name,
        server: server.url,
        account: {id: '1', acct: name},
        scopes: ['read'],
        expiresAt: '2040-01-01T00:00:00.000Z',
        isProtected: false,
        client: {id: '1'},
      };
      await store.save(
        profile,
        {accessToken: file === 'p.yml.state.json' ? `sandbox-${name}` : accessToken, refreshToken, clientSecret},
        client,
      );
    }
    writeFileSync(join(folder, 'p.yml'), policy);
    const run = (words: string) =>
      runCommand(
        words.split(' ').map((word) => word.replace('p.yml', join(folder, 'p.yml'))),
        {environment},
      );
    if (file === 'p.yml.state.json') expect(await run('apply p.yml --yes')).toMatchObject({status: 0});
    const path = join(folder, file);
    const whole = readFileSync(path, 'utf8');
    const rest = ['profiles.json', 'secrets.json']
      .map((name) => join(folder, 'config', name))
      .map((name) => [name, readFileSync(name, 'utf8')] as const);
    const complaints: string[] = [];
    for (const [what, text] of oddTexts(whole)) {
      for (const [name, before] of rest) writeFileSync(name, before, {mode: 0o600});
      writeFileSync(path, text, {mode: 0o600});
      const {status, stdout, stderr} = await run(line);
      const isTold = !line.startsWith('auth token') && secrets.some((secret) => (stdout + stderr).includes(secret));
      if (status === 1 || isTold || /\bundefined\b|\[object |^\s+at /m.test(stdout + stderr))
        complaints.push(`${what}: ${status} ${stderr}`);
    }
    expect(complaints).toEqual([]);
  });
});
