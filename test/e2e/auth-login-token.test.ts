import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Generation} from '../sandbox/start.js';
import {run} from './in-process.js';
import {hasTerminal, newFolder, runShell, startAtTerminal} from './program.js';
import {recordedSandbox, serverThat, requestsTo} from './server.js';
import {machine, machineWith, profileOn} from './signing-in.js';
import {failing} from './told.js';

const loginTo = (url: string): string[] => ['auth', 'login', '--with-token', '--server', url];

describe.each<Generation>(['2026', '0.12.6'])('with a server like %s', (like) => {
  test.concurrent('checks, keeps and uses a token from standard input', async () => {
    await using server = await recordedSandbox({like});
    const {env, secretsFile, folder, run: runHere} = machine();
    const token = server.sandbox.tokens.all;
    const login = `umask 000; pixelctl ${loginTo(server.url).join(' ')}`;
    const {stdout, stderr, status} = await runShell(login, {env, stdin: ` ${token}\n`});
    const {host} = new URL(server.url);
    const name = `ana@${host.replace(':', '-')}`;
    expect({stdout, stderr, status}).toEqual({
      stdout: '',
      stderr: `Signed in to ${host} as @ana. Active profile: ${name}.\n`,
      status: 0,
    });
    expect(requestsTo(server)).toEqual(['GET /api/v1/accounts/verify_credentials']);
    expect(readFileSync(secretsFile, 'utf8')).toContain(token);
    expect(readFileSync(join(folder, 'profiles.json'), 'utf8')).not.toContain(token);
    expect([folder, secretsFile, join(folder, 'profiles.json')].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '700',
      '600',
      '600',
    ]);
    expect(await runHere(['filters', 'list', '--json'])).toMatchObject({status: 0, stdout: expect.stringContaining('Crypto')});
    expect(await runHere(['auth', 'token'])).toMatchObject({status: 0, stdout: `${token}\n`, stderr: ''});
  });

  test.concurrent('a token that the server does not accept is not kept', async () => {
    await using server = await recordedSandbox({like});
    const {env, isSignedIn} = machine();
    const {failure} = await failing(loginTo(server.url), {env, stdin: 'canary-of-a-wrong-token'});
    expect(failure).toMatchObject({
      code: 'auth',
      exit: 3,
      message: expect.stringContaining('token not accepted'),
      hint: `copy the whole token; it may have expired or been revoked: ${server.url}/settings/applications lists them`,
    });
    expect(isSignedIn()).toBe(false);
  });

  test.concurrent('a token from the environment or a token file is not kept', async () => {
    await using server = await recordedSandbox({like});
    const file = join(newFolder(), 'token');
    writeFileSync(file, `${server.sandbox.tokens.all}\n`);
    const {isSignedIn, run: runHere} = machine();
    for (const token of [{PIXELCTL_TOKEN: server.sandbox.tokens.all}, {PIXELCTL_TOKEN_FILE: file}]) {
      const ended = await runHere(['filters', 'list', '--json'], {env: {PIXELCTL_SERVER: server.url, ...token}});
      expect(ended).toMatchObject({status: 0, stderr: '', stdout: expect.stringContaining('Crypto')});
    }
    expect(isSignedIn()).toBe(false);
  });
});

test.concurrent('accepts a token when the server does not name its account', async () => {
  await using server = await serverThat(({target}) =>
    target.endsWith('/instance') ? {text: '{"version":"3.5.3"}'} : {status: 404, text: '{"error":"Not found"}'},
  );
  const {run: runHere, store} = machine();
  const {stderr, status} = await runHere(loginTo(server.url), {stdin: 'some-token'});
  expect({status, stderr}).toEqual({status: 0, stderr: expect.stringMatching(/does not tell which account the token belongs to\.\n$/)});
  expect(await store.list()).toMatchObject({profiles: [{account: null, name: new URL(server.url).host.replace(':', '-')}]});
});

test.concurrent('keeps a token without the read scope', async () => {
  await using server = await recordedSandbox();
  const {run: runHere} = machine();
  const {stderr, status} = await runHere(loginTo(server.url), {stdin: server.sandbox.grant('ana', ['write'])});
  expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('The token has no read scope, so its account is unknown.')});
});

test.concurrent('--json prints only the new profile', async () => {
  await using server = await recordedSandbox();
  const {stdout, stderr, status} = await machine().run([...loginTo(server.url), '--json', '-p', 'work'], {
    stdin: server.sandbox.tokens.all,
  });
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  expect(JSON.parse(stdout).profiles).toMatchObject([
    {name: 'work', server: server.url, account: '@ana', active: true, scopes: null, ok: true},
  ]);
});

test.concurrent('notes that a profile is replaced, and uses its server', async () => {
  await using server = await recordedSandbox();
  const {run: runHere, store} = await machineWith([profileOn(server.url, {name: 'work', isProtected: true}), {accessToken: 'old'}]);
  const {stderr, status} = await runHere(['auth', 'login', '--with-token', '-p', 'work'], {
    stdin: server.sandbox.tokens.users['bob'] ?? '',
  });
  const {host} = new URL(server.url);
  expect({stderr, status}).toEqual({
    stderr: `Signed in to ${host} as @bob. Active profile: work.\nIt replaces @work on ${host}.\n`,
    status: 0,
  });
  expect((await store.current('work')).secret).toEqual({accessToken: server.sandbox.tokens.users['bob']});
  expect(await store.get('work')).toMatchObject({isProtected: true});
});

describe('fails before anything is sent or asked for', () => {
  const readable = 'http://192.0.2.1';
  test.concurrent.each<[string[], Readonly<Record<string, string>>, RegExp, string?]>([
    [['--server', readable], {}, /--server is plain http: others on the network could read the token sent to 192\.0\.2\.1/],
    [[], {PIXELCTL_SERVER: readable}, /PIXELCTL_SERVER is plain http/],
    [[], {PIXELCTL_SERVER: 'https://pix.example/path'}, /PIXELCTL_SERVER must be a server address without/],
    [
      ['-p', 'work', '--admin', '--protected', '--insecure-storage'],
      {},
      /No server given/,
      'for example: `pixelctl auth login pix.example --profile=work --with-token --admin --protected --insecure-storage`',
    ],
    [['--server', 'pix.example', '-p', 'a b'], {}, /Invalid profile name/],
    [['--server', 'pix.example', '--scope', 'read'], {}, /--with-token and --scope cannot be used together/],
    [['--server', 'pix.example'], {PIXELCTL_STORAGE: 'flie'}, /PIXELCTL_STORAGE must be file or keyring/],
  ])('%j with %j', async (args, env, message, hint) => {
    const around = machine();
    const {failure} = await failing(['auth', 'login', '--with-token', ...args], {env: {...around.env, ...env}, stdin: 'canary-token'});
    expect(failure).toMatchObject({exit: 2, message: expect.stringMatching(message), ...(hint && {hint})});
    expect(around.isSignedIn()).toBe(false);
  });

  test.concurrent.each<[string, string, RegExp, ((url: string) => string)?]>([
    [
      'nothing',
      '',
      /No token given/,
      (url) =>
        `for example: \`pixelctl auth login --profile=work --with-token --protected --insecure-storage --server=${url} < token.txt\``,
    ],
    ['space', ' \n', /No token given/],
    ['two words', 'canary one', /is not an access token/],
    ['a file of something else', '{"access_token": "canary"}\n', /is not an access token/],
  ])('a token that is %s', async (_, stdin, message, hintFor = () => expect.any(String)) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const around = machine();
    const {failure, people} = await failing(
      ['auth', 'login', server.url, '--with-token', '--protected', '--insecure-storage', '-p', 'work'],
      {env: around.env, stdin},
    );
    expect(failure).toMatchObject({exit: 2, message: expect.stringMatching(message), hint: hintFor(server.url)});
    expect(people.stderr).not.toContain('canary');
    expect([around.isSignedIn(), server.exchanges]).toEqual([false, []]);
  });
});

test.concurrent('--allow-http prints a warning', async () => {
  const {stderr, status} = await machine().run(
    ['auth', 'login', '--with-token', '--server', 'http://192.0.2.1', '--allow-http', '--retries', '0', '--quiet'],
    // Nothing leaves the machine.
    {stdin: 'x', env: {http_proxy: 'http://127.0.0.1:1'}},
  );
  expect({stderr, status}).toEqual({
    status: 7,
    stderr: expect.stringMatching(/^Warning: 192\.0\.2\.1 is plain http: others on the network can read it\n/),
  });
  expect((await run(['config', '--server', 'http://127.0.0.1:1', '--allow-http', '--retries', '0'])).stderr).not.toContain('Warning');
});

describe.runIf(hasTerminal)(`at a terminal${hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)'}`, () => {
  test.concurrent('asks for the server, and for the token without echo', async () => {
    await using server = await recordedSandbox();
    const around = machine();
    const running = startAtTerminal('pixelctl auth login --with-token', 200, {env: around.env});
    await running.seen(/Server:/);
    running.child.stdin?.write(`${server.url}\r`);
    await running.seen(/Access token \(from .*\/settings\/applications\):/);
    running.child.stdin?.write(`${server.sandbox.tokens.all}\r`);
    const {stdout, status} = await running.ended;
    expect({stdout, status}).toEqual({status: 0, stdout: expect.stringContaining('as @ana. Active profile')});
    expect(stdout).not.toContain(server.sandbox.tokens.all);
    expect(readFileSync(around.secretsFile, 'utf8')).toContain(server.sandbox.tokens.all);
  });

  test.concurrent('Ctrl-C keeps nothing', async () => {
    const around = machine();
    const running = startAtTerminal('pixelctl auth login --with-token --server http://127.0.0.1:1', 200, {env: around.env});
    await running.seen(/Access token/);
    running.child.stdin?.write('\u0003');
    expect(await running.ended).toMatchObject({status: 130});
    expect(around.isSignedIn()).toBe(false);
  });

  test.concurrent('a token that would be echoed is not asked for', async () => {
    const around = machine();
    const {stdout, status} = await startAtTerminal(
      'pixelctl auth login --with-token --server http://127.0.0.1:1 2> said; cat said; exit 2',
      200,
      {env: around.env, folder: newFolder()},
    ).ended;
    expect({stdout, status}).toEqual({status: 2, stdout: expect.stringContaining('Cannot hide what you type')});
  });
});
