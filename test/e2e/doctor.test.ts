import {chmodSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:https';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {hostOf, startProxy} from '../loopback-server.js';
import {root} from './program.js';
import {recordedSandbox, serverThat} from './server.js';
import {machine, machineWith, profileOn, type Machine} from './signing-in.js';
import {expectDiscreet, failureIn} from './told.js';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix: string | null;
}

interface Examined {
  readonly status: number | null;
  readonly checks: Readonly<Record<string, Check>>;
  readonly bad: readonly string[];
}

/** What the doctor finds, in the shape that scripts rely on. */
async function examined(around: Machine, env: Readonly<Record<string, string>> = {}, flags: readonly string[] = []): Promise<Examined> {
  const words = ['doctor', '--json', ...flags];
  // A proxy is that of a process.
  const ended = await ('HTTPS_PROXY' in env ? around.start(words, {env}).ended : around.run(words, {env}));
  const report: {readonly ok: boolean; readonly checks: readonly Check[]} = JSON.parse(ended.stdout);
  expect(Object.keys(report)).toEqual(['ok', 'checks']);
  for (const check of report.checks) {
    expect(Object.keys(check)).toEqual(['name', 'ok', 'detail', 'fix']);
    expect({...check, fix: check.fix ?? ''}).toEqual({
      name: expect.stringMatching(/./),
      ok: expect.any(Boolean),
      detail: expect.stringMatching(/./),
      fix: check.ok ? '' : expect.stringMatching(/./),
    });
  }
  const bad = report.checks.filter(({ok}) => !ok).map(({name}) => name);
  expect(report.ok).toBe(bad.length === 0);
  if (report.ok) expect(ended).toMatchObject({status: 0, stderr: ''});
  else expect(failureIn(ended.stderr).exit).toBe(ended.status);
  expectDiscreet(ended, ['canary', 'sandbox-ana']);
  return {status: ended.status, checks: Object.fromEntries(report.checks.map((check) => [check.name, check])), bad};
}

const all = ['runtime', 'profiles', 'keyring', 'proxy and TLS', 'server', 'release', 'clock', 'token'];

test.concurrent('passes all checks', async () => {
  await using server = await recordedSandbox();
  const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  const {status, checks} = await examined(around);
  expect(status).toBe(0);
  expect(Object.keys(checks)).toEqual(all);
  expect(checks['runtime']?.detail).toMatch(/^Node \d+\.\d+\.\d+$|^Bun \d+\.\d+\.\d+, inside the program$/);
  expect(checks['profiles']?.detail).toBe(`1 profile in ${around.folder}, ana is active`);
  expect(checks['proxy and TLS']?.detail).toBe('no proxy, default certificates');
  expect(checks['server']?.detail).toBe(`${server.url} answers (named by the active profile)`);
  expect(checks['release']?.detail).toMatch(/^0\.13\.\d+(?:, without .*)?$/);
  expect(checks['clock']?.detail).toMatch(/^\d s (ahead of|behind) the server$/);
  expect(checks['token']?.detail).toBe('of @ana, with the scopes read write push (from the active profile)');
});

test.concurrent.each([
  ['0.12.6', 'admin', {ok: true, detail: expect.stringMatching(/ answers this admin; it lists its blocks \(\d+ domains?\)$/)}],
  [
    'mastodon',
    'admin',
    {ok: true, detail: expect.stringMatching(/ has no admin API like Pixelfed's; it lists its blocks \(\d+ domains?\)$/)},
  ],
  ['0.12.6', 'ana', {ok: false, detail: expect.stringMatching(/: only for admins \(404\)$/), fix: expect.stringContaining('auth login')}],
] as const)('asks a server like %s whether it answers an admin: %s', async (like, user, expected) => {
  await using server = await recordedSandbox({like});
  const scopes = ['read', 'write', 'admin:read', 'admin:write'];
  const own = profileOn(server.url, {name: user, scopes, isAdmin: true});
  const around = await machineWith([own, {accessToken: server.sandbox.grant(user, scopes)}]);
  const {status, checks} = await examined(around, {}, ['--profile', user]);
  expect(checks['admin']).toMatchObject(expected);
  expect(status).toBe(expected.ok ? 0 : 3);
});

test.concurrent('passes all checks on an older server, with a token from the environment', async () => {
  await using server = await recordedSandbox({like: '0.12.6'});
  const {status, checks} = await examined(machine(), server.env);
  expect(status).toBe(0);
  expect(checks['release']?.detail).toBe('0.12.6, without conversations and published limits');
  expect(checks['clock']?.detail).toMatch(/^\d s /);
  expect(checks['token']?.detail).toBe('of @ana, with unknown scopes (from PIXELCTL_TOKEN)');
});

test.concurrent('does not try the keyring where tokens are stored in files, and says what is wrong with another storage', async () => {
  await using server = await recordedSandbox();
  const withFiles = await examined(machine(), {...server.env, PIXELCTL_STORAGE: 'file'});
  expect(withFiles.checks['keyring']?.detail).toBe(
    'not tried: with PIXELCTL_STORAGE=file, new tokens are stored in a file that only you can read',
  );
  const unknown = await examined(machine(), {...server.env, PIXELCTL_STORAGE: 'clay'});
  expect(unknown.checks['keyring']).toMatchObject({ok: false, detail: 'PIXELCTL_STORAGE must be file or keyring'});
});

test.concurrent('prints a table with fixes', async () => {
  const {stdout, stderr, status} = await machine().run(['doctor']);
  expect(stdout).toMatch(/^check +result +what was found +what to do\nruntime +ok /);
  expect(stdout).toMatch(/^server +not ok +No server given +sign in with `pixelctl auth login`/m);
  expect({status, stderr}).toEqual({status: 2, stderr: expect.stringMatching(/^Error: No server given\nHint: /)});
});

/** What it finds in this process. */
async function found(env: Readonly<Record<string, string>>, name: string, around = machine()): Promise<unknown> {
  const {stdout} = await around.run(['doctor', '--json'], {env});
  const {checks}: {readonly checks: readonly Check[]} = JSON.parse(stdout);
  return checks.find((check) => check.name === name);
}

test.concurrent('without a home there are no profiles, except those of the environment', async () => {
  const env = {HOME: '', PIXELCTL_CONFIG_DIR: '', XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '', XDG_DATA_HOME: ''};
  expect(await found(env, 'profiles')).toMatchObject({ok: true, detail: 'none: HOME is not an absolute path'});
  const job = {PIXELCTL_PROFILES: 'job', PIXELCTL_SERVER_JOB: 'http://127.0.0.1:1', PIXELCTL_TOKEN_JOB: 'canary'};
  expect(await found({...env, ...job}, 'profiles')).toMatchObject({
    ok: true,
    detail: expect.stringContaining('1 profile in PIXELCTL_PROFILES'),
  });
});

test.concurrent('reports profiles that cannot be read', async () => {
  const around = machine();
  mkdirSync(join(around.folder, 'profiles.json'), {recursive: true, mode: 0o700});
  expect(await found({}, 'profiles', around)).toMatchObject({
    ok: false,
    detail: expect.stringContaining(`Cannot use the profiles in ${around.folder}`),
    fix: 'set PIXELCTL_CONFIG_DIR to use another folder',
  });
});

test.concurrent('says that a server does not send its time', async () => {
  await using server = await serverThat(() => ({text: '{"version": "4.5.0"}', headers: {date: ''}}));
  expect(await found(server.env, 'clock')).toMatchObject({ok: true, detail: 'the server does not send its time'});
});

test.concurrent('a certificate authority that can be read is listed', async () => {
  const NODE_EXTRA_CA_CERTS = join(root, 'test/fixtures/tls/lists-certificate.pem');
  expect(await found({NODE_EXTRA_CA_CERTS}, 'proxy and TLS')).toMatchObject({ok: true, detail: 'NODE_EXTRA_CA_CERTS is set'});
});

test.concurrent('reports a missing server', async () => {
  const {status, bad, checks} = await examined(machine());
  expect({status, bad}).toEqual({status: 2, bad: ['server']});
  expect(checks['server']?.fix).toContain('pixelctl auth login');
  expect(checks['profiles']?.detail).toMatch(/^0 profiles in /);
});

test.concurrent.each<['2026' | '0.12.6']>([['2026'], ['0.12.6']])('reports a token that a server like %s does not accept', async (like) => {
  await using server = await recordedSandbox({like});
  const around = await machineWith([profileOn(server.url), {accessToken: 'canary-of-a-wrong-token'}]);
  const {status, bad, checks} = await examined(around);
  expect({status, bad}).toEqual({status: 3, bad: ['token']});
  expect(checks['token']).toMatchObject({
    detail: expect.stringContaining('token not accepted'),
    fix: expect.stringContaining('pixelctl auth login'),
  });
});

test.concurrent('reports a token without the read scope', async () => {
  await using server = await recordedSandbox();
  const {status, checks} = await examined(machine(), {...server.env, PIXELCTL_TOKEN: server.sandbox.grant('ana', ['write'])});
  expect(status).toBe(3);
  expect(checks['token']).toMatchObject({
    ok: false,
    detail: expect.stringContaining('accepted, but not allowed to read'),
    fix: expect.stringContaining('the token needs the scope read'),
  });
});

test.concurrent('reports a missing token', async () => {
  await using server = await recordedSandbox();
  expect(await examined(machine(), {PIXELCTL_SERVER: server.url})).toMatchObject({status: 3, bad: ['token']});
});

test.concurrent('reports an expired token', async () => {
  await using server = await recordedSandbox();
  const around = await machineWith([profileOn(server.url, {expiresAt: '2020-01-01T00:00:00.000Z'}), {accessToken: 'canary'}]);
  const {status, bad, checks} = await examined(around);
  expect({status, bad}).toEqual({status: 3, bad: ['token']});
  expect(checks['token']).toMatchObject({detail: 'The token of ana has expired', fix: expect.stringContaining('sign in again')});
});

test.concurrent.each([
  ['the secrets', ({secretsFile}: Machine) => secretsFile, 0o644, 600],
  ['the profiles', ({folder}: Machine) => `${folder}/profiles.json`, 0o640, 600],
] as const)('reports that others can read %s', async (_, pathIn, mode, mended) => {
  await using server = await recordedSandbox();
  const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  const path = pathIn(around);
  chmodSync(path, mode);
  const {status, bad, checks} = await examined(around);
  expect(status).toBe(9);
  expect(bad).toContain('profiles');
  expect(checks['profiles']).toMatchObject({detail: `Others can read or change ${path}`, fix: `run \`chmod ${mended} ${path}\``});
});

test.concurrent('makes a folder private that others can read, and says so', async () => {
  await using server = await recordedSandbox();
  const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  chmodSync(around.folder, 0o755);
  const {status, checks} = await examined(around);
  expect(status).toBe(0);
  expect(checks['profiles']).toMatchObject({
    ok: true,
    detail: expect.stringContaining(`, others could read ${around.folder}; it is private now`),
  });
  expect(statSync(around.folder).mode & 0o777).toBe(0o700);
});

test.concurrent.each([
  [3600, 'behind'],
  [-3600, 'ahead of'],
])('reports a clock that is wrong by %d s', async (seconds, word) => {
  await using sandbox = await recordedSandbox();
  await using server = await serverThat(async ({target, headers}) => {
    const answer = await fetch(sandbox.url + target, {
      headers: {authorization: headers['authorization'] ?? '', accept: 'application/json'},
    });
    return {status: answer.status, headers: {date: new Date(Date.now() + seconds * 1000).toUTCString()}, text: await answer.text()};
  });
  const {status, bad, checks} = await examined(machine(), {...server.env, PIXELCTL_TOKEN: sandbox.sandbox.tokens.all});
  expect({status, bad}).toEqual({status: 9, bad: ['clock']});
  expect(checks['clock']).toMatchObject({
    detail: expect.stringMatching(new RegExp(`^3\\d\\d\\d s ${word} the server$`)),
    fix: 'set the clock of this machine',
  });
});

test.concurrent('reports a server that is down', async () => {
  const around = await machineWith([profileOn('http://127.0.0.1:1'), {accessToken: 'canary'}]);
  const {status, bad, checks} = await examined(around);
  expect({status, bad}).toEqual({status: 7, bad: ['server']});
  expect(checks['server']).toMatchObject({
    detail: expect.stringContaining('Cannot connect to 127.0.0.1:1'),
    fix: expect.stringContaining('check the address'),
  });
});

test.concurrent.each([
  ['a web page', 200, '<!doctype html><title>Hello</title>', 8],
  ['nothing that is known', 404, '{"error":"Not found"}', 4],
])('reports another kind of server, which answers %s', async (_, code, text, exit) => {
  await using server = await serverThat(() => ({status: code, text}));
  const {status, bad, checks} = await examined(machine(), server.env);
  expect({status, bad}).toMatchObject({status: exit, bad: expect.arrayContaining(['server'])});
  expect(checks['server']?.fix).toBe('check that this is the address of a Pixelfed server');
});

test.concurrent('reports an untrusted certificate', async ({onTestFinished}) => {
  const folder = join(root, 'test/fixtures/tls');
  const [cert, key] = ['lists-certificate.pem', 'lists-key.pem'].map((name) => readFileSync(join(folder, name)));
  const host = await hostOf(createServer({cert, key}), onTestFinished);
  const {status, bad, checks} = await examined(machine(), {PIXELCTL_SERVER: `https://${host}`, PIXELCTL_TOKEN: 'canary'});
  expect({status, bad}).toEqual({status: 7, bad: ['server']});
  expect(checks['server']).toMatchObject({
    detail: expect.stringContaining('its certificate is not trusted'),
    fix: expect.stringContaining('--cacert FILE'),
  });
});

test.concurrent('reports an invalid proxy', async () => {
  const {status, bad, checks} = await examined(machine(), {
    PIXELCTL_SERVER: 'https://pix.example',
    PIXELCTL_TOKEN: 'canary',
    HTTPS_PROXY: '::nonsense',
  });
  expect({status, bad}).toEqual({status: 2, bad: ['server']});
  expect(checks['server']).toMatchObject({
    detail: 'HTTP_PROXY or HTTPS_PROXY is not the address of an http:// or https:// proxy',
    fix: expect.stringContaining('http://127.0.0.1:3128'),
  });
});

test.concurrent('names a proxy that is not there, or does not respond', async ({onTestFinished}) => {
  const silent = await startProxy({after: onTestFinished});
  for (const [host, why, flags] of [
    ['127.0.0.1:1', 'cannot be reached: connection refused', []],
    [silent.host, 'does not respond', ['--timeout', '1']],
  ] as const) {
    const env = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'canary', HTTPS_PROXY: `http://${host}`};
    const {status, bad, checks} = await examined(machine(), env, flags);
    expect({status, bad}).toEqual({status: 7, bad: ['server']});
    expect(checks['server']).toMatchObject({
      detail: `Cannot connect to pix.example: the proxy ${host} ${why}`,
      fix: expect.stringContaining('HTTPS_PROXY'),
    });
  }
});

test.concurrent('lists proxy and certificate variables', async () => {
  await using server = await recordedSandbox();
  const proxied = await examined(machine(), {...server.env, HTTPS_PROXY: 'http://ana:canary@127.0.0.1:1', NO_PROXY: '127.0.0.1'});
  expect(proxied.checks['proxy and TLS']).toMatchObject({ok: true, detail: 'HTTPS_PROXY, NO_PROXY are set'});
  // Node warns of that as well, before the program begins.
  const {stdout, status} = await machine().run(['doctor', '--json'], {env: {...server.env, NODE_EXTRA_CA_CERTS: '/nonexistent/ca.pem'}});
  expect(status).toBe(9);
  expect(JSON.parse(stdout).checks).toContainEqual({
    name: 'proxy and TLS',
    ok: false,
    detail: 'NODE_EXTRA_CA_CERTS names /nonexistent/ca.pem, which cannot be read',
    fix: 'set it to a certificate file, or unset it',
  });
});

test.concurrent('reports a corrupt store', async () => {
  await using server = await recordedSandbox();
  const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  writeFileSync(`${around.folder}/profiles.json`, '{"canary');
  const {status, bad, checks} = await examined(around);
  expect(status).toBe(9);
  expect(bad).toContain('profiles');
  expect(checks['profiles']).toMatchObject({
    detail: expect.stringContaining('profiles.json is corrupt'),
    fix: expect.stringContaining('auth login'),
  });
});
