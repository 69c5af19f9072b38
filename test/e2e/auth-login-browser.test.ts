import {connect} from 'node:net';
import {text} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import type {Generation} from '../sandbox/start.js';
import {freePort} from '../free-port.js';
import {hasTerminal, startAtTerminal, type Ended} from './program.js';
import {recordedSandbox, serverThat, type RecordingServer} from './server.js';
import {browse, machine, printedAddress, shownAfter, type Machine} from './signing-in.js';
import {expectDiscreet, failureIn} from './told.js';

const login = ['auth', 'login', '--profile', 'ana'];
const loginTo = ({url}: RecordingServer, ...flags: readonly string[]): string[] => [...login, '--server', url, ...flags];
const requests = ({exchanges}: RecordingServer): string[] =>
  exchanges.map(({received: {method, target}}) => `${method} ${target.split('?')[0]}`);

/** Everything that a sign-in has kept and that must not be told. */
async function secretsOf({store}: Machine): Promise<string[]> {
  const {accessToken, refreshToken = '', clientSecret = ''} = (await store.current('ana')).secret;
  expect([accessToken, refreshToken, clientSecret]).not.toContain('');
  return [accessToken, refreshToken, clientSecret];
}

/** A failed sign-in with --json: no profile and no token is kept, and the failure follows the address that was to be opened. */
function failureAfter({stderr, stdout}: Ended, around: Machine): ReturnType<typeof failureIn> {
  expect([stdout, around.isSignedIn()]).toEqual(['', false]);
  return failureIn(`${stderr.trimEnd().split('\n').at(-1)}\n`);
}

describe.each<Generation>(['2026', '0.12.6'])('with a server like %s', (like) => {
  test.concurrent('opens the browser, and keeps and uses the token after approval', async () => {
    await using server = await recordedSandbox({like});
    const around = machine();
    const running = around.begin(loginTo(server, '-v'));
    const url = await around.opened();
    expect(await printedAddress(running)).toBe(url);
    const asked = new URL(url);
    expect(asked.origin).toBe(server.url);
    const parameters = {response_type: 'code', scope: 'read write push', code_challenge_method: 'S256'};
    expect(Object.fromEntries(asked.searchParams)).toMatchObject(parameters);
    expect(asked.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(asked.searchParams.get('state')?.length).toBeGreaterThan(20);
    const page = await browse(url, {decision: 'approve', account: 'bob'});
    expect(await page.text()).toContain('Go back to the terminal');
    const ended = await running.ended;
    expect(ended).toMatchObject({stdout: '', status: 0, stderr: expect.stringContaining('as @bob. Active profile: ana.')});
    expectDiscreet(ended, await secretsOf(around));
    const asks = [
      'POST /api/v1/apps',
      'GET /oauth/authorize',
      'POST /oauth/authorize',
      'POST /oauth/token',
      'GET /api/v1/accounts/verify_credentials',
    ];
    expect(requests(server)).toEqual(asks);
    const {stdout} = await around.run(['auth', 'status', '--json']);
    const kept = {name: 'ana', server: server.url, account: '@bob', admin: false, scopes: ['read', 'write', 'push'], ok: true};
    expect(JSON.parse(stdout).profiles).toMatchObject([{...kept, expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)}]);
  });

  test.concurrent('reports a denied approval', async () => {
    await using server = await recordedSandbox({like});
    const around = machine();
    const running = around.begin(loginTo(server, '--json'));
    const page = await browse(await around.opened(), {decision: 'deny'});
    expect(await page.text()).toContain('was not approved');
    const message = `The sign-in on ${new URL(server.url).host} was not approved; nothing was saved`;
    expect(failureAfter(await running.ended, around)).toMatchObject({code: 'auth', exit: 3, message});
    expect(requests(server)).not.toContain('POST /oauth/token');
  });

  test.concurrent('ignores requests with a wrong state, and invalid requests', async () => {
    await using server = await recordedSandbox({like});
    const around = machine();
    const running = around.begin(loginTo(server));
    const url = await around.opened();
    const redirect = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
    const stray = await fetch(`${redirect.href}?code=canary&state=of-somebody-else`);
    expect([stray.status, await stray.text()]).toEqual([400, expect.stringContaining('Open the newest link')]);
    await fetch(`${redirect.href}?error=${encodeURIComponent('\u001B[2J no word')}`);
    await running.seen(/^Received an error that may not belong to this sign-in\. Still waiting/m);
    const socket = connect(Number(redirect.port), redirect.hostname);
    socket.end(`GET //%zz HTTP/1.1\r\nHost: ${redirect.host}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    await browse(url, {decision: 'approve'});
    expect(await running.ended).toMatchObject({status: 0});
  });

  test.concurrent('reports an expired code, without printing it', async () => {
    await using server = await recordedSandbox({like, codeLifetime: 0});
    const around = machine();
    const running = around.begin(loginTo(server, '--json', '-v'));
    let code = '';
    await browse(await around.opened(), {decision: 'approve'}, ({searchParams}) => (code = searchParams.get('code') ?? ''));
    const ended = await running.ended;
    const told = {message: expect.stringContaining('rejected the code'), hint: expect.stringContaining('a code works once')};
    expect(failureAfter(ended, around)).toMatchObject({code: 'auth', exit: 3, ...told});
    expectDiscreet(ended, [code]);
  });

  test.concurrent('reports a server without OAuth', async () => {
    await using server = await recordedSandbox({like, oauth: false});
    const around = machine();
    const ended = await around.run(loginTo(server, '--json'));
    expect(failureAfter(ended, around)).toMatchObject({
      code: 'not_found',
      exit: 4,
      message: `${new URL(server.url).host} does not offer sign-in for programs (OAuth); nothing was saved`,
      hint: expect.stringContaining(`auth login --with-token --profile=ana --server=${server.url}\``),
    });
  });

  test.concurrent('reports an unknown scope', async () => {
    await using server = await recordedSandbox({like});
    const around = machine();
    const running = around.start(loginTo(server, '--json', '--scope', 'read,wurst'));
    const refused = await fetch(await around.opened(), {redirect: 'manual'});
    const back = await fetch(refused.headers.get('location') ?? '');
    if (like === '2026') {
      expect(failureAfter(await running.ended, around)).toMatchObject({
        code: 'refused',
        exit: 5,
        message: expect.stringContaining('scopes: read wurst'),
      });
      return;
    }
    // Older servers lose the state with that, so that it could be anybody's.
    expect(back.status).toBe(400);
    await running.seen(/Received the error invalid_scope that may not belong to this sign-in/);
    running.child.kill('SIGINT');
    await running.ended;
    expect(around.isSignedIn()).toBe(false);
  });

  describe('without a browser, the pasted code', () => {
    const pasted: readonly (readonly [string, (shown: string, url: string) => string])[] = [
      ['all of it', (shown) => shown],
      ['with space around it', (shown) => `\n  ${shown}\r\n`],
      ['the code alone', (shown) => JSON.parse(shown).code],
      ['the whole address', (shown, url) => `${new URL(url).origin}/oauth/authorize/native?${new URLSearchParams(JSON.parse(shown))}`],
    ];

    test.concurrent.each(pasted)('without a browser, the pasted code is accepted as %s', async (_, paste) => {
      await using server = await recordedSandbox({like});
      const around = machine();
      const running = around.begin(loginTo(server, '--no-browser'));
      const url = await printedAddress(running);
      const shown = await shownAfter(url, {decision: 'approve'});
      running.stdin.end(paste(shown, url));
      const ended = await running.ended;
      expect(ended).toMatchObject({
        stdout: '',
        status: 0,
        stderr: expect.stringMatching(/^Open this address in a browser \(--no-browser\):\n {2}http/),
      });
      expectDiscreet(ended, [...(await secretsOf(around)), JSON.parse(shown).code]);
      expect(await around.run(['filters', 'list'])).toMatchObject({status: 0});
    });

    type Wrong = readonly [string, 'approve' | 'deny', (shown: string) => string, told: Readonly<Record<string, unknown>>];
    const wrong: readonly Wrong[] = [
      [
        'a wrong state',
        'approve',
        (shown) => JSON.stringify({...JSON.parse(shown), state: 'x'}),
        {exit: 3, message: expect.stringContaining('not the response of')},
      ],
      ['another text', 'approve', () => 'I have no idea', {exit: 2, message: expect.stringContaining('not what the browser shows')}],
      ['nothing', 'approve', () => '\n', {exit: 2, message: 'Nothing was pasted'}],
      [
        'a code that was never given out',
        'approve',
        () => 'canary-of-a-code',
        {exit: 3, message: expect.stringContaining('rejected the code')},
      ],
      ['a denial', 'deny', (shown) => shown, {exit: 3, message: expect.stringContaining('was not approved')}],
    ];

    test.concurrent.each(wrong)('without a browser, the pasted code is refused with %s', async (_, decision, paste, told) => {
      await using server = await recordedSandbox({like});
      const around = machine();
      const running = around.begin(loginTo(server, '--no-browser', '--json', '-v'));
      const shown = await shownAfter(await printedAddress(running), {decision});
      running.stdin.end(paste(shown));
      const ended = await running.ended;
      expect(failureAfter(ended, around)).toMatchObject(told);
      expectDiscreet(ended, [JSON.parse(shown).code ?? 'canary-of-a-code', 'canary-of-a-code']);
    });
  });
});

describe('the callback port', () => {
  test.concurrent.each(['--port', '--callback-port'])('the callback port is the one of %s', async (flag) => {
    await using server = await recordedSandbox();
    const around = machine();
    const port = await freePort();
    const running = around.begin(loginTo(server, flag, String(port)));
    const url = await around.opened();
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`http://127.0.0.1:${port}/callback`);
    await browse(url, {decision: 'approve'});
    expect(await running.ended).toMatchObject({status: 0});
  });

  test.concurrent('the callback port is used over SSH when it was given, because a tunnel may lead there', async () => {
    await using server = await recordedSandbox();
    const around = machine();
    const env = {BROWSER: '', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22'};
    const running = around.begin(loginTo(server, '--port', String(await freePort())), {env});
    const url = await printedAddress(running);
    await browse(url, {decision: 'approve'});
    expect(await running.ended).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Open this address in a browser (this is an SSH session):'),
    });
  });

  test.concurrent('the callback port must be free, before anything is registered', async () => {
    await using server = await recordedSandbox();
    const around = machine();
    await using taken = await serverThat(() => ({text: ''}));
    const {port} = new URL(taken.url);
    const failure = failureAfter(await around.run(loginTo(server, '--json', '--port', port)), around);
    const message = `Port ${port} is in use, so it cannot receive the redirect`;
    expect(failure).toMatchObject({exit: 9, message, hint: 'use another --port, or leave the flag out'});
    expect(server.exchanges).toEqual([]);
  });

  test.concurrent.each(['0', '65536', '-1', 'x', '80.5'])('the callback port cannot be %s', async (port) => {
    const around = machine();
    const ended = await around.run(['auth', 'login', '--server', 'pix.example', '--json', `--port=${port}`]);
    expect(failureAfter(ended, around)).toMatchObject({exit: 2, message: expect.stringContaining('--port')});
  });
});

test.concurrent.each<Generation>(['2026', '0.12.6'])(
  'registers the program for the address that is used, with a server like %s',
  async (like) => {
    await using server = await recordedSandbox({like});
    const around = machine();
    const running = around.begin(['auth', 'login', server.url, '--profile', 'ana', '--no-browser']);
    running.stdin.end(await shownAfter(await printedAddress(running), {decision: 'approve'}));
    expect(await running.ended).toMatchObject({status: 0});
    const port = await freePort();
    const second = around.begin(loginTo(server, '--port', String(port)));
    await browse(await around.opened(), {decision: 'approve'});
    expect(await second.ended).toMatchObject({status: 0});
    const registered = server.exchanges
      .filter(({received: {target}}) => target === '/api/v1/apps')
      .map(({received: {body}}) => JSON.parse(body.toString()).redirect_uris);
    expect(registered).toEqual(['urn:ietf:wg:oauth:2.0:oob', `http://127.0.0.1:${port}/callback`]);
    expect((await around.store.current('ana')).secret.clientSecret).toBeDefined();
  },
);

describe.skipIf(!hasTerminal)('at a terminal', () => {
  test.concurrent('asks again for an invalid code', async () => {
    await using server = await recordedSandbox();
    const around = machine();
    const {child, seen, ended} = startAtTerminal(`pixelctl ${loginTo(server, '--no-browser').join(' ')}`, 200, {env: around.env});
    const said = await seen(/Paste what the browser shows:/);
    const shown = await shownAfter(/^ {2}(http\S+)\r?$/m.exec(said)?.[1] ?? '', {decision: 'approve'});
    /** Pastes something of no use, and waits for the next question: what is typed before that is shown. */
    const paste = async (text: string, problem: string): Promise<void> => {
      child.stdin?.write(`${text}\r`);
      await seen(new RegExp(`${problem}[^]*Paste what the browser shows:`));
    };
    await paste('', 'shows:[^]*✔');
    await paste('I have no idea', 'This is not what the browser shows after the approval. Copy all');
    await paste(
      JSON.stringify({...JSON.parse(shown), state: 'another'}),
      String.raw`This is not the response of \S+ to this sign-in. Copy all`,
    );
    await paste('a-code-that-was-never-given-out', 'rejected the code');
    child.stdin?.write(`${shown}\r`);
    const {status, stdout} = await ended;
    expect(status, stdout).toBe(0);
    expect(stdout).toContain('Signed in to');
    expectDiscreet({...(await ended), stdout: stdout.replaceAll('\u001B', '')}, [JSON.parse(shown).code, ...(await secretsOf(around))]);
  });
});

test.concurrent('accepts the server as an argument', async () => {
  await using server = await recordedSandbox();
  const around = machine();
  const signIn = (...args: readonly string[]) => around.run(['auth', 'login', ...args, '--with-token'], {stdin: server.sandbox.tokens.all});
  expect(await signIn(server.url)).toMatchObject({status: 0});
  expect(await signIn(server.url, '--server', server.url)).toMatchObject({status: 0});
  expect(await signIn(server.url, '--server', 'pix.example')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('SERVER and --server name different servers'),
  });
  expect(await signIn('pix.example/path')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('SERVER must be a server address without'),
  });
});

test.concurrent('prints the address when the browser cannot be started', async () => {
  await using server = await recordedSandbox();
  const around = machine();
  const running = around.begin(loginTo(server), {env: {BROWSER: 'false'}});
  await browse(await printedAddress(running), {decision: 'approve'});
  expect(await running.ended).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Open this address in a browser \(no browser was found\)/),
  });
});

test.concurrent('starts the browser without the tokens of the environment, and keeps nothing when interrupted meanwhile', async () => {
  await using server = await recordedSandbox();
  const around = machine();
  const secrets = {PIXELCTL_TOKEN: 'secret-one', PIXELCTL_TOKEN_FILE: '/secret-two', PIXELCTL_TOKEN_NAME: 'secret-three'};
  const running = around.start(loginTo(server), {env: {...secrets, PIXELCTL_TEST: 'kept'}});
  await around.opened();
  running.child.kill('SIGINT');
  const {status, signal} = await running.ended;
  expect([status ?? signal, around.isSignedIn()]).toEqual([expect.toBeOneOf([130, 'SIGINT']), false]);
  expect(around.browserEnvironment()).toContain('PIXELCTL_TEST=kept');
  expect(around.browserEnvironment()).not.toMatch(/secret-|PIXELCTL_TOKEN/);
});

test.concurrent('keeps no profile and no token when the token does not work', async () => {
  await using server = await recordedSandbox({}, (moment, {target}) =>
    moment === 'before' && target === '/api/v1/accounts/verify_credentials'
      ? {status: 401, text: '{"error":"Unauthenticated."}'}
      : undefined,
  );
  const around = machine();
  const running = around.begin(loginTo(server, '--json'));
  await browse(await around.opened(), {decision: 'approve'});
  expect(failureAfter(await running.ended, around)).toMatchObject({exit: 3, message: expect.stringContaining('token not accepted')});
});
