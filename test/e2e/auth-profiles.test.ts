import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {conversation} from './demo-world.js';
import {newFolder, type Ended} from './program.js';
import {jwt} from '../lib/auth/jwt.js';
import {pass, recordedSandbox, serverThat, type RecordedSandbox, requestsTo} from './server.js';
import {machine, machineWith, profileOn, type Machine} from './signing-in.js';
import {failing, failureIn} from './told.js';

const withBob = conversation('bob').id;
const mute = ['dm', 'mute', withBob];
const reading = [
  ['blocks', 'list'],
  ['dm', 'lookup', 'clara'],
  [...mute, '--dry-run'],
];

/** Ana, and bob, who is active, with tokens of the sandbox. */
function anaAndBob({url, sandbox: {tokens}}: RecordedSandbox, ofBob: {isProtected?: boolean} = {}): Promise<Machine> {
  return machineWith(
    [profileOn(url, {name: 'ana'}), {accessToken: tokens.users['ana'] ?? ''}],
    [profileOn(url, {name: 'bob', account: {id: '2', acct: 'bob'}, ...ofBob}), {accessToken: tokens.users['bob'] ?? ''}],
  );
}

const writes = (server: RecordedSandbox): string[] => requestsTo(server).filter((line) => !line.startsWith('GET '));

describe('auth status', () => {
  test.concurrent('lists every profile, which one is active and why, without tokens', async () => {
    await using server = await recordedSandbox();
    await using older = await recordedSandbox({like: '0.12.6'});
    await using other = await recordedSandbox();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const around = await machineWith(
      [profileOn(server.url, {expiresAt}), {accessToken: server.sandbox.tokens.all}],
      [profileOn(older.url, {name: 'older', scopes: null}), {accessToken: older.sandbox.tokens.all}],
      [profileOn(other.url, {name: 'refused'}), {accessToken: 'canary-of-a-wrong-token'}],
    );
    const refusal = {code: 'auth', message: expect.stringMatching(/token not accepted \(401\)/)};
    const profiles = (active: string, source: string) =>
      [
        {name: 'ana', server: server.url, scopes: ['read', 'write', 'push'], admin: false, expires_at: expiresAt, ok: true, error: null},
        {name: 'older', server: older.url, scopes: null, admin: null, expires_at: null, ok: true, error: null},
        {name: 'refused', server: other.url, scopes: ['read', 'write', 'push'], admin: false, expires_at: null, ok: false, error: refusal},
      ].map((one) => ({
        ...one,
        storage: 'file',
        protected: false,
        account: `@${one.name}`,
        active: one.name === active,
        source: one.name === active ? source : null,
      }));
    const shown = async (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
      const {stdout, stderr, status} = await around.run(['auth', 'status', '--json', ...args], {env});
      expect({stderr, status}).toEqual({stderr: '', status: 0});
      return JSON.parse(stdout);
    };
    const refused = await around.run(['auth', 'status', '--json']);
    expect(failureIn(refused.stderr)).toMatchObject({exit: 3, message: expect.stringMatching(/token not accepted \(401\)/)});
    expect(refused.status).toBe(3);
    const byDefault: unknown = JSON.parse(refused.stdout);
    const codes = await around.run(['auth', 'status', '-o', 'tsv', '--fields', 'profile,error.code']);
    expect(codes.stdout).toBe('profile\terror.code\nana\t\nolder\t\nrefused\tauth\n');
    const cells = (await around.run(['auth', 'status', '-o', 'csv'])).stdout.split('\r\n').map((line) => line.split(',').slice(-2));
    expect(cells).toEqual([['storage', 'protected'], ...Array.from({length: 3}, () => ['file', 'false']), ['']]);
    const [byEnvironment, byFlag, byToken] = await Promise.all([
      shown([], {PIXELCTL_PROFILE: 'older'}),
      shown(['--profile', 'ana'], {PIXELCTL_PROFILE: 'older'}),
      shown([], server.env),
    ]);
    expect(byDefault).toEqual({profiles: profiles('refused', 'default')});
    expect(byEnvironment).toEqual({profiles: profiles('older', 'environment')});
    expect(byFlag).toEqual({profiles: profiles('ana', 'flag')});
    expect(byToken.profiles.slice(0, 3)).toEqual(profiles('', ''));
    const token = {name: null, source: 'PIXELCTL_TOKEN', account: '@ana', scopes: null, admin: null, active: true, ok: true};
    expect(byToken.profiles[3]).toMatchObject({...token, server: server.url});
    const {stdout, stderr, status} = await around.run(['auth', 'status']);
    expect(status).toBe(3);
    expect(stdout).toMatch(/^profile +active +server +account +scopes +expires +stored in +protected +admin +works\n/);
    expect(stdout).toMatch(/^ana +http\S+ +@ana +read, write, push +\S+Z +file +no +no +yes$/m);
    expect(stdout).toMatch(/^older +http\S+ +@older +unknown +unknown +file +no +unknown +yes$/m);
    expect(stdout).toMatch(/^refused +default +.* +no$/m);
    expect(stderr).toMatch(/^Error: .* token not accepted \(401\).*\nHint: sign in with /);
    expect(stdout + stderr).not.toMatch(/canary|sandbox-ana/);
  });

  test.concurrent('prints the claims of a token, which have no effect', async () => {
    await using sandbox = await recordedSandbox();
    await using server = await serverThat((received) =>
      pass({...received, headers: {...received.headers, authorization: `Bearer ${sandbox.sandbox.tokens.all}`}}, sandbox.url),
    );
    const token = jwt({scopes: ['read', 'write'], exp: 1_000_000_000});
    const around = await machineWith([profileOn(server.url, {scopes: ['read', 'write', 'push']}), {accessToken: token}]);
    const {stdout, stderr, status} = await around.run(['auth', 'status', '--json']);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(JSON.parse(stdout).profiles).toMatchObject([{scopes: ['read', 'write'], expires_at: '2001-09-09T01:46:40.000Z', ok: true}]);
    expect(stdout).not.toContain(token);
  });

  test.concurrent('shows the token of the environment: its account, server and variable, and whether it works', async () => {
    await using server = await recordedSandbox();
    const {all} = server.sandbox.tokens;
    const file = join(newFolder(), 'token');
    writeFileSync(file, `${all}\n`);
    const around = await anaAndBob(server);
    const shown = async (env: Readonly<Record<string, string>>, args: readonly string[] = []) => {
      const {stdout, stderr, status} = await around.run(['auth', 'status', '--json', ...args], {env});
      return {shown: JSON.parse(stdout).profiles.at(-1), error: status === 0 ? undefined : failureIn(stderr).message, status};
    };
    const ana = {name: null, server: server.url, account: '@ana', active: true, ok: true, error: null};
    const at = {PIXELCTL_SERVER: server.url};
    expect(await shown({...at, PIXELCTL_TOKEN: all})).toMatchObject({shown: {...ana, source: 'PIXELCTL_TOKEN'}, status: 0});
    expect(await shown({...at, PIXELCTL_TOKEN_FILE: file})).toMatchObject({shown: {...ana, source: 'PIXELCTL_TOKEN_FILE'}, status: 0});
    // Without a server of its own it goes to that of the active profile.
    expect(await shown({PIXELCTL_TOKEN: all})).toMatchObject({shown: {...ana, source: 'PIXELCTL_TOKEN'}, status: 0});
    expect(await shown({...at, PIXELCTL_TOKEN: 'canary'})).toMatchObject({
      shown: {name: null, account: null, ok: false, source: 'PIXELCTL_TOKEN', error: {code: 'auth'}},
      error: expect.stringContaining('token not accepted (401)'),
      status: 3,
    });
    expect(await shown({...at, PIXELCTL_TOKEN_FILE: `${file}.gone`})).toMatchObject({shown: {server: server.url, ok: false}, status: 9});
    expect(await shown({...at, PIXELCTL_TOKEN: all}, ['-s', 'http://127.0.0.1:1'])).toMatchObject({
      error: expect.stringContaining('is not sent to 127.0.0.1:1'),
      status: 3,
    });
    expect(await shown({...at, PIXELCTL_TOKEN: 'canary'}, ['-p', 'bob'])).toMatchObject({shown: {name: 'bob', active: true}, status: 0});
  });

  test.concurrent('says when the token of the environment has no server', async () => {
    const words = ['auth', 'status', '--fields', 'source,server,ok', '-o', 'csv'];
    expect(await machine().run(words, {env: {PIXELCTL_TOKEN: 'x'}})).toMatchObject({
      stdout: expect.stringMatching(/\bPIXELCTL_TOKEN,,false\b/),
      stderr: expect.stringContaining('Error: No server given\n'),
      status: 2,
    });
  });

  test.concurrent('reports that there are no profiles', async () => {
    const stderr = 'No profiles: sign in with `pixelctl auth login`.\n';
    expect(await machine().run(['auth', 'status'])).toMatchObject({stdout: '', stderr, status: 0});
    expect(await machine().run(['auth', 'status', '--json'])).toMatchObject({stdout: '{"profiles":[]}\n', stderr: '', status: 0});
  });

  test.concurrent('reports servers that are down or not allowed', async () => {
    const around = await machineWith(
      [profileOn('http://127.0.0.1:1'), {accessToken: 'x'}],
      [profileOn('http://192.0.2.1', {name: 'readable'}), {accessToken: 'x'}],
    );
    const {stdout, stderr, status} = await around.run(['auth', 'status']);
    expect({stdout, status}).toEqual({status: 2, stdout: expect.stringMatching(/^ana .* no\nreadable .* no$/m)});
    expect(stderr).toMatch(/^ana: Cannot connect to 127\.0\.0\.1:1: .*\nError: Profile readable is plain http: /);
    const ofAna = await around.run(['auth', 'status', '--profile', 'ana']);
    expect(ofAna).toMatchObject({status: 7, stdout: expect.stringMatching(/^ana .* no\nreadable .* no$/m)});
    expect(ofAna.stderr).toMatch(/^readable: Profile readable is plain http: .*\nError: Cannot connect to 127\.0\.0\.1:1: /);
  });

  test.concurrent('shows a profile that is removed while its server is asked', async () => {
    await using server = await serverThat(async () => {
      await around.store.remove('ana');
      return {text: '{"id": "1", "acct": "ana", "version": "4.5.0"}'};
    });
    const around = await machineWith([profileOn(server.url), {accessToken: 'x'}]);
    const stdout = expect.stringMatching(/^ana +default .* @ana .* yes$/m);
    expect(await around.run(['auth', 'status'])).toMatchObject({status: 0, stdout});
  });
});

describe.each([
  {name: 'work', isAdmin: false, again: '--profile=work'},
  {name: 'work', isAdmin: true, again: '--profile=work --admin'},
])('a refused token of the profile %j', ({name, isAdmin, again}) => {
  test.concurrent.each([
    ['blocks', 'list'],
    ['admin', 'stats'],
    ['api', '/api/v1/blocks'],
    ['dm', 'send', 'clara', 'hello'],
    ['dm', 'export', '--to', 'FOLDER'],
    ['export'],
    ['diff', 'work', 'other'],
    ['domain-blocks', 'contains', 'bad.example'],
    ['backup', '--to', 'FOLDER'],
    ['blocks', 'list', '-p', 'work,other'],
    ['auth', 'status'],
  ])('%s %s: the hint signs in to that profile and server', async (...command) => {
    await using server = await serverThat(({headers, target}) =>
      headers['authorization'] === 'Bearer refused'
        ? {status: 401, text: '{"error": "Unauthenticated."}'}
        : {text: target.includes('blocks') ? '[]' : '{"id": "2", "acct": "other", "version": "4.5.0"}'},
    );
    const around = await machineWith(
      [profileOn(server.url, {name: 'other', account: {id: '2', acct: 'other'}}), {accessToken: 'fine'}],
      [profileOn(server.url, {name, isAdmin}), {accessToken: 'refused'}],
    );
    await around.store.activate(name);
    const args = command.map((word) => (word === 'FOLDER' ? join(newFolder(), 'new') : word));
    const {stderr} = await around.run([...args, '--retries', '0', '--json']);
    expect(failureIn(stderr.slice(stderr.indexOf('{"error"'))).hint).toContain(`\`pixelctl auth login ${again} --server=${server.url}\``);
  });
});

describe('what the environment overrides', () => {
  const refusing = () => serverThat(() => ({status: 401, text: '{"error": "Unauthenticated."}'}));
  const down = 'http://127.0.0.1:1';

  test.concurrent.each<[string, Readonly<Record<string, string>>, number, string, ...string[]]>([
    ['a token', {PIXELCTL_TOKEN: 'x'}, 3, 'the token is from PIXELCTL_TOKEN; correct or unset PIXELCTL_TOKEN; '],
    ['a server and a token', {PIXELCTL_TOKEN: 'x', PIXELCTL_SERVER: 'SERVER'}, 3, 'the token is from PIXELCTL_TOKEN; '],
    ['a server without a token', {PIXELCTL_SERVER: 'http://127.0.0.1:2'}, 3, 'the server is from PIXELCTL_SERVER; '],
    [
      'a server of another token',
      {PIXELCTL_SERVER: 'http://127.0.0.1:2', PIXELCTL_PROFILE: 'refused'},
      3,
      'the server is from PIXELCTL_SERVER; ',
    ],
    ['a server that does not answer', {PIXELCTL_SERVER: down, PIXELCTL_TOKEN: 'x'}, 7, 'the server is from PIXELCTL_SERVER; check '],
    ['a profile whose token is refused', {PIXELCTL_PROFILE: 'refused'}, 3, 'the profile refused is from PIXELCTL_PROFILE; '],
    ['a profile whose server does not answer', {PIXELCTL_PROFILE: 'down'}, 7, 'the profile down is from PIXELCTL_PROFILE; '],
    ['a profile that a flag names', {PIXELCTL_TOKEN: 'x'}, 3, 'sign in with ', '--profile=refused'],
    ['a token for a server that a flag names', {PIXELCTL_TOKEN: 'x'}, 7, 'check the address', '--server', down],
  ])('is named by errors of sign-in and connection: %s', async (_, env, status, hint, ...args) => {
    await using server = await refusing();
    const around = await machineWith(
      [profileOn(server.url, {name: 'refused'}), {accessToken: 'x'}],
      [profileOn(down, {name: 'down'}), {accessToken: 'x'}],
      [profileOn(server.url, {name: 'clara'}), {accessToken: 'x'}],
    );
    const set = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value === 'SERVER' ? server.url : value]));
    const commands = [
      ['blocks', 'list'],
      ...(('PIXELCTL_PROFILE' in env && !('PIXELCTL_SERVER' in env)) || args.includes('--profile=refused') ? [['auth', 'status']] : []),
    ];
    for (const command of commands) {
      const ended = await around.run([...command, '--retries', '0', '--json', ...args], {env: set});
      expect(failureIn(ended.stderr).hint?.slice(0, hint.length)).toBe(hint);
      expect(ended.status).toBe(status);
    }
  });

  test.concurrent('is named when a profile is saved, and when one is chosen', async () => {
    await using server = await recordedSandbox();
    const around = machine();
    const env = {PIXELCTL_TOKEN: 'x', PIXELCTL_SERVER: down};
    const note = 'Set in the environment, which overrides the active profile: PIXELCTL_TOKEN, PIXELCTL_SERVER.\n';
    const token = {stdin: server.sandbox.tokens.all};
    for (const profile of [[], ['--profile', 'clara']]) {
      const login = ['auth', 'login', server.url, '--with-token', ...profile];
      expect((await around.run(login, {...token, env})).stderr).toContain(note);
      expect((await around.run(login, token)).stderr).not.toContain('overrides');
    }
    expect((await around.run(['auth', 'switch', 'clara'], {env})).stderr).toContain(note);
    expect((await around.run(['auth', 'status'], {env})).stderr).toContain(note);
    expect((await around.run(['auth', 'status', '--profile', 'clara'], {env})).stderr).toBe('');
  });
});

describe('the profile in use', () => {
  const whose = ({stdout}: Ended): unknown => JSON.parse(stdout).acct;
  const ask = ['api', 'GET', '/api/v1/accounts/verify_credentials', '--json'];

  test.concurrent('the profile in use is the active one, which can be switched', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server);
    expect(whose(await around.run(ask))).toBe('bob');
    const stderr = `Active profile: ana on ${server.url}.\n`;
    expect(await around.run(['auth', 'switch', 'ana'])).toMatchObject({status: 0, stdout: '', stderr});
    expect(whose(await around.run(ask))).toBe('ana');
    expect(whose(await around.run([...ask, '-p', 'bob']))).toBe('bob');
    expect(whose(await around.run(ask, {env: {PIXELCTL_PROFILE: 'bob'}}))).toBe('bob');
    const {failure} = await failing(['auth', 'switch', 'gone'], {env: around.env});
    expect(failure).toMatchObject({exit: 2, message: 'No profile named gone', hint: 'profiles: ana, bob'});
    expect(whose(await around.run(ask))).toBe('ana');
  });

  test.concurrent('the profile in use is printed by --verbose, with its source', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server);
    const said = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      (await around.run(['config', '-v', ...args], {env})).stderr.split('\n')[0];
    expect(await said([])).toBe(`* ${server.url} (from the active profile), token of bob (from the active profile)`);
    expect(await said(['-p', 'ana'])).toBe(`* ${server.url} (from --profile), token of ana (from --profile)`);
    expect(await said([], {PIXELCTL_PROFILE: 'ana'})).toBe(`* ${server.url} (from PIXELCTL_PROFILE), token of ana (from PIXELCTL_PROFILE)`);
    expect(await said(['-s', server.url])).toBe(`* ${server.url} (from --server), token of bob (from the active profile)`);
    expect(await said([], server.env)).toBe(`* ${server.url} (from PIXELCTL_SERVER), token (from PIXELCTL_TOKEN)`);
    expect(await said(['-s', 'http://127.0.0.1:1', '--retries', '0'], server.env)).toBe('* http://127.0.0.1:1 (from --server), no token');
  });

  test.concurrent('the profile in use is not used on another server', async () => {
    await using server = await recordedSandbox();
    await using other = await serverThat(() => ({text: '[]'}));
    const around = await anaAndBob(server);
    const named = await failing(['blocks', 'list', '-p', 'ana', '-s', other.url], {env: around.env});
    const message = expect.stringMatching(/^The token of profile ana belongs to .* and is not sent to /);
    expect(named.failure).toMatchObject({exit: 3, message});
    const active = await failing(['blocks', 'list', '-s', other.url], {env: around.env});
    expect(active.failure).toMatchObject({exit: 3, message: expect.stringMatching(/^No access token for /)});
    const ofEnvironment = await failing(['blocks', 'list'], {env: {...around.env, PIXELCTL_SERVER: other.url, PIXELCTL_PROFILE: 'ana'}});
    expect(ofEnvironment.failure).toMatchObject({exit: 3, message: expect.stringContaining('is not sent to')});
    expect(other.exchanges).toEqual([]);
  });
});

describe('auth logout', () => {
  test.concurrent('forgets a profile and its token, and says where to revoke it', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server);
    const stderr = `Removed profile bob. Active profile: ana.\nThe token is still valid. Revoke it at ${server.url}/settings/applications\n`;
    expect(await around.run(['auth', 'logout'])).toMatchObject({stdout: '', status: 0, stderr});
    expect(readFileSync(around.secretsFile, 'utf8')).toContain(server.sandbox.tokens.users['ana']);
    expect(readFileSync(around.secretsFile, 'utf8')).not.toContain(server.sandbox.tokens.users['bob']);
    expect((await around.run(['auth', 'logout', 'ana'])).stderr).toMatch(/^Removed profile ana\.\n/);
    const {failure} = await failing(['auth', 'logout'], {env: around.env});
    expect(failure).toMatchObject({exit: 2, message: 'No profile is active'});
    expect(server.exchanges).toEqual([]);
  });

  test.concurrent('uses the profile of the flag or environment', async () => {
    const profiles = ['a', 'b', 'c'].map((name) => [profileOn('https://pix.example', {name}), {accessToken: name}] as const);
    const {run} = await machineWith(...profiles);
    expect((await run(['auth', 'logout', '-p', 'a'])).stderr).toMatch(/^Removed profile a\. Active profile: c\.\n/);
    const byEnvironment = await run(['auth', 'logout'], {env: {PIXELCTL_PROFILE: 'b'}});
    expect(byEnvironment.stderr).toMatch(/^Removed profile b\. Active profile: c\.\n/);
  });
});

describe('auth token', () => {
  test.concurrent('prints only the token in use', async () => {
    await using server = await recordedSandbox();
    const {users} = server.sandbox.tokens;
    const around = await anaAndBob(server);
    for (const [words, env, stdout] of [
      [[], {}, `${users['bob']}\n`],
      [['-p', 'ana', '--json'], {}, `{"token":"${users['ana']}"}\n`],
      [[], server.env, `${server.sandbox.tokens.all}\n`],
    ] as const)
      expect(await around.run(['auth', 'token', ...words], {env})).toMatchObject({stdout, stderr: '', status: 0});
    expect((await around.run(['auth', 'token', '-v'])).stderr).not.toContain(users['bob']);
    expect(server.exchanges).toEqual([]);
  });
});

describe('with several profiles, a note names the account of a write', () => {
  // That of each command: test/contract/acting-account.test.ts.
  test.concurrent('also with a token of the environment', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server);
    const {host} = new URL(server.url);
    expect((await around.run([...mute, '--json'], {env: server.env})).stderr).toBe(`using PIXELCTL_TOKEN on ${host}\n`);
  });

  test.concurrent('no note names the account of reads and dry runs, nor with one profile or none', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server);
    for (const args of reading) expect((await around.run([...args, '--json'])).stderr).toBe('');
    const one = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
    expect(await one.run([...mute, '--json'])).toMatchObject({stderr: '', status: 0});
    expect(await machine().run([...mute, '--json'], {env: server.env})).toMatchObject({stderr: '', status: 0});
  });
});

describe('a protected profile', () => {
  test.concurrent('writes nothing without a terminal, unless --yes is given', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server, {isProtected: true});
    const {host} = new URL(server.url);
    const {failure} = await failing(mute, {env: around.env});
    expect(failure).toMatchObject({
      exit: 2,
      message: 'The profile bob is protected, and confirmation needs a terminal: nothing was sent',
      hint: `pass --yes to act as @bob on ${host}`,
    });
    expect(writes(server)).toEqual([]);
    expect(await around.run([...mute, '--yes'])).toMatchObject({status: 0});
    expect(await around.run([...mute, '-p', 'ana'])).toMatchObject({status: 0});
    expect(writes(server)).toHaveLength(2);
  });

  test.concurrent('reads and prints dry runs without confirmation', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server, {isProtected: true});
    for (const args of reading) expect(await around.run(args)).toMatchObject({status: 0});
  });

  test.concurrent('auth login --protected protects a profile, also one that is there', async () => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server);
    const muted = async () => (await around.run([...mute, '--json'])).status;
    expect(await muted()).toBe(0);
    for (const name of ['bob', 'new']) {
      const login = ['auth', 'login', '--with-token', '-s', server.url, '-p', name, '--protected'];
      expect(await around.run(login, {stdin: server.sandbox.tokens.all})).toMatchObject({status: 0});
      expect(await muted()).toBe(2);
    }
  });

  test.concurrent.each([
    ['dm mute', `dm mute ${withBob}`, /\? This is @bob on 127\.0\.0\.1:\d+, a protected profile\./],
    ['dm send', `dm send ${withBob} Hello`, /Send a message to a conversation\? This is @bob on [^]*protected[^]*profile/],
    [
      'what asks anyway',
      'domain-blocks add bad.example',
      /Block bad\.example on [^]*This is @bob on 127\.0\.0\.1:\d+, a[^]*protected[^]*profile/,
    ],
  ])('%s asks for confirmation at a terminal', async (_, args, question) => {
    await using server = await recordedSandbox();
    const around = await anaAndBob(server, {isProtected: true});
    const answered = (typing: string) => around.run(args.split(' '), {typing, columns: 200});
    expect(await answered('n\r')).toMatchObject({status: 2, stderr: expect.stringMatching(question)});
    expect(writes(server)).toEqual([]);
    expect(await answered('y\r')).toMatchObject({status: 0});
    expect(writes(server)).toHaveLength(1);
  });
});
