import {chmodSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:https';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {hostOf, startProxy} from '../loopback-server.js';
import {root} from './program.js';
import {recordedSandbox, serverThat, type RecordedSandbox} from './server.js';
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
    detail: `Cannot read ${join(around.folder, 'profiles.json')}: it is a folder`,
    fix: 'set PIXELCTL_CONFIG_DIR to use another folder',
  });
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

test.concurrent('names a proxy that does not respond', async ({onTestFinished}) => {
  const {host} = await startProxy({after: onTestFinished});
  const env = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'canary', HTTPS_PROXY: `http://${host}`};
  const {status, checks} = await examined(machine(), env, ['--timeout', '1']);
  expect(status).toBe(7);
  expect(checks['server']?.detail).toBe(`Cannot connect to pix.example: the proxy ${host} does not respond`);
});

/** How something comes to be wrong: the environment, and where it is not an empty one, the machine. */
type Circumstances = readonly [env: Readonly<Record<string, string>>, around?: Machine];

const signedIn = async (url: string, own: object = {}, accessToken = 'canary') =>
  [{}, await machineWith([profileOn(url, own), {accessToken}])] as const satisfies Circumstances;

/** Somebody who is signed in, one of whose files was changed. */
const spoilt = async ({url, sandbox}: RecordedSandbox, change: (around: Machine) => void) => {
  const [env, around] = await signedIn(url, {}, sandbox.tokens.all);
  change(around);
  return [env, around] as const satisfies Circumstances;
};

const serverThatSays = async (status: number, text: string): Promise<Circumstances> => [(await serverThat(() => ({status, text}))).env];

const proxied = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'canary'};

type Wrong = readonly [
  what: string,
  how: (server: RecordedSandbox) => Circumstances | Promise<Circumstances>,
  status: number,
  check: string,
  detail: RegExp,
  fix: RegExp,
];

const wrong: readonly Wrong[] = [
  ['no server', () => [{}], 2, 'server', /^No server given/, /pixelctl auth login/],
  ['a server that is down', () => signedIn('http://127.0.0.1:1'), 7, 'server', /^Cannot connect to 127\.0\.0\.1:1/, /check the address/],
  [
    'a web page',
    () => serverThatSays(200, '<!doctype html><title>Hello</title>'),
    8,
    'server',
    /./,
    /^check that this is the address of a/,
  ],
  ['another kind of server', () => serverThatSays(404, '{"error":"Not found"}'), 4, 'server', /./, /^check that this is the address of a/],
  [
    'a proxy that is none',
    () => [{...proxied, HTTPS_PROXY: '::nonsense'}],
    2,
    'server',
    /^HTTP_PROXY or HTTPS_PROXY is not the address of an http:\/\/ or https:\/\/ proxy$/,
    /http:\/\/127\.0\.0\.1:3128/,
  ],
  [
    'a proxy that is not there',
    () => [{...proxied, HTTPS_PROXY: 'http://127.0.0.1:1'}],
    7,
    'server',
    /^Cannot connect to pix\.example: the proxy 127\.0\.0\.1:1 cannot be reached: connection refused$/,
    /HTTPS_PROXY/,
  ],
  ['a token that is not accepted', ({url}) => signedIn(url), 3, 'token', /token not accepted/, /pixelctl auth login/],
  [
    'a token without the read scope',
    ({env, sandbox}) => [{...env, PIXELCTL_TOKEN: sandbox.grant('ana', ['write'])}],
    3,
    'token',
    /accepted, but not allowed to read/,
    /the token needs the scope read/,
  ],
  ['no token', ({url}) => [{PIXELCTL_SERVER: url}], 3, 'token', /./, /./],
  [
    'an expired token',
    ({url}) => signedIn(url, {expiresAt: '2020-01-01T00:00:00.000Z'}),
    3,
    'token',
    /^The token of ana has expired$/,
    /sign in again/,
  ],
  [
    'secrets that others can read',
    (server) => spoilt(server, ({secretsFile}) => chmodSync(secretsFile, 0o644)),
    9,
    'profiles',
    /^Others can read or change \S+secrets\.json$/,
    /^run `chmod 600 \S+secrets\.json`$/,
  ],
  [
    'profiles that others can read',
    (server) => spoilt(server, ({folder}) => chmodSync(`${folder}/profiles.json`, 0o640)),
    9,
    'profiles',
    /^Others can read or change \S+profiles\.json$/,
    /^run `chmod 600 \S+profiles\.json`$/,
  ],
  [
    'a corrupt store',
    (server) => spoilt(server, ({folder}) => writeFileSync(`${folder}/profiles.json`, '{"canary')),
    9,
    'profiles',
    /profiles\.json is corrupt/,
    /auth login/,
  ],
  ['another storage', ({env}) => [{...env, PIXELCTL_STORAGE: 'clay'}], 2, 'keyring', /^PIXELCTL_STORAGE must be file or keyring$/, /./],
];

test.concurrent.each(wrong)('reports %s', async (_, how, status, check, detail, fix) => {
  await using server = await recordedSandbox();
  const [env, around = machine()] = await how(server);
  const {bad, checks, ...ended} = await examined(around, env);
  expect(ended.status).toBe(status);
  if (check === 'token') expect(bad).toEqual([check]);
  expect(checks[check]).toMatchObject({ok: false, detail: expect.stringMatching(detail), fix: expect.stringMatching(fix)});
});

test.concurrent('lists variables, certificates and the storage that are set', async () => {
  await using server = await serverThat(() => ({text: '{"version": "4.5.0"}', headers: {date: ''}}));
  const env = {...server.env, HTTPS_PROXY: 'http://ana:canary@127.0.0.1:1', NO_PROXY: '127.0.0.1', PIXELCTL_STORAGE: 'file'};
  const {checks} = await examined(machine(), env);
  expect(checks['proxy and TLS']).toMatchObject({ok: true, detail: 'HTTPS_PROXY, NO_PROXY are set'});
  expect(checks['keyring']?.detail).toMatch(/^not tried: with PIXELCTL_STORAGE=file/);
  expect(checks['clock']).toMatchObject({ok: true, detail: 'the server does not send its time'});
  const NODE_EXTRA_CA_CERTS = join(root, 'test/fixtures/tls/lists-certificate.pem');
  expect(await found({NODE_EXTRA_CA_CERTS}, 'proxy and TLS')).toMatchObject({ok: true, detail: 'NODE_EXTRA_CA_CERTS is set'});
  // Node warns of that as well, before the program begins.
  expect(await found({NODE_EXTRA_CA_CERTS: '/nonexistent/ca.pem'}, 'proxy and TLS')).toEqual({
    name: 'proxy and TLS',
    ok: false,
    detail: 'NODE_EXTRA_CA_CERTS names /nonexistent/ca.pem, which cannot be read',
    fix: 'set it to a certificate file, or unset it',
  });
});
