import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, openSync, readFileSync, writeFileSync, writeSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import nock from 'nock';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {type Callback, openBrowser, receiveCallback, whyNoBrowser} from '../../../src/lib/auth/browser.js';
import {newFolder} from '../../new-folder.js';

// A launcher has as long as the machine takes for it, and a sign-in as long as the test says.
beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test.each([
  ['over SSH', {SSH_CONNECTION: '1', DISPLAY: ':0'}, 'linux', 'this is an SSH session'],
  ['over SSH to a Mac', {SSH_CONNECTION: '1'}, 'darwin', 'this is an SSH session'],
  ['over SSH to a Mac with a way back', {SSH_CONNECTION: '1', BROWSER: 'code'}, 'darwin', undefined],
  ['over SSH to Windows with a way back', {SSH_CONNECTION: '1', BROWSER: 'code'}, 'win32', undefined],
  ['over SSH with a way back', {SSH_CONNECTION: '1', BROWSER: 'code'}, 'linux', undefined],
  ['without a display', {DISPLAY: ''}, 'linux', 'this machine has no display'],
  ['with a display', {DISPLAY: ':0'}, 'linux', undefined],
  ['with a newer display', {WAYLAND_DISPLAY: 'wayland-0'}, 'linux', undefined],
  ['inside Windows', {WSL_DISTRO_NAME: 'Debian'}, 'linux', undefined],
  ['on a Mac', {}, 'darwin', undefined],
  ['on Windows', {}, 'win32', undefined],
])('%s', (_name, environment, platform, why) => {
  expect(whyNoBrowser(environment, platform)).toBe(why);
});

describe.runIf(process.platform !== 'win32')('BROWSER', () => {
  /** A browser that writes down its arguments. */
  function browserIn(name: string) {
    const folder = newFolder();
    const [browser, opened] = [join(folder, name), join(folder, 'opened')];
    writeFileSync(browser, `#!/bin/sh\nprintf '<%s>' "$@" > '${opened}'\n`);
    chmodSync(browser, 0o755);
    // No other program can open anything: neither xdg-open nor open.
    vi.stubEnv('PATH', '/nowhere');
    return {browser, opened: () => readFileSync(opened, 'utf8')};
  }
  const url = "http://127.0.0.1:9/oauth/authorize?scope=read+write&state=a'b%20c&x=$HOME";

  test('that names nothing which works is told as such, and others are not tried', async () => {
    const {opened} = browserIn('xdg-open');
    for (const value of ['/bin/false', '/nowhere/browser', '/bin/false:/nowhere/browser', '/bin/false %s']) {
      vi.stubEnv('BROWSER', value);
      vi.stubEnv('SSH_CONNECTION', '1');
      expect(await openBrowser(url)).toBe('no browser was found');
    }
    expect(opened).toThrow('ENOENT');
  });

  test.each([
    ['a program', 'browser', (path: string) => path, `<${url}>`],
    ['a program with arguments', 'browser', (path: string) => `${path} --new  x`, `<--new><x><${url}>`],
    ['a program with a place for the address', 'browser', (path: string) => `${path} --url=%s last`, `<--url=${url}><last>`],
    ['a program with a space in its path', 'my browser', (path: string) => path, `<${url}>`],
    ['programs of which the first is not there', 'browser', (path: string) => `/nowhere/one:${path}`, `<${url}>`],
    ['a program between empty ones', 'browser', (path: string) => `: : ${path} :`, `<${url}>`],
    ['a program with two places for the address', 'browser', (path: string) => `${path} %s --at=%s`, `<${url}><--at=${url}>`],
    ['programs of which the first works', 'browser', (path: string) => `${path}:/bin/false`, `<${url}>`],
    ['programs of which the first fails', 'browser', (path: string) => `/bin/false:${path}`, `<${url}>`],
  ])('names %s on every platform', async (_, name, value, args) => {
    for (const platform of ['linux', 'darwin', 'win32']) {
      const {browser, opened} = browserIn(name);
      vi.stubEnv('BROWSER', value(browser));
      expect(await openBrowser(url, process.env, platform)).toBeUndefined();
      expect(opened(), platform).toBe(args);
    }
  });
});

test.runIf(process.platform === 'linux')('a launcher that keeps running has become the browser', async () => {
  const folder = newFolder();
  const [browser, pipe] = [join(folder, 'browser'), join(folder, 'pipe')];
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  // It runs until something is written. What is written stays there for it, because this is not closed.
  const end = openSync(pipe, 'r+');
  onTestFinished(() => void writeSync(end, 'end\n'));
  writeFileSync(browser, `#!/bin/sh\nread line < '${pipe}'\nexit 1\n`);
  chmodSync(browser, 0o755);
  vi.stubEnv('BROWSER', browser);
  let isOver = false;
  const opening = openBrowser('http://127.0.0.1:9/').finally(() => (isOver = true));
  vi.advanceTimersByTime(1499);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await opening).toBeUndefined();
});

test.runIf(process.platform === 'linux').each([
  ['a desktop without any browser is told as such', {PATH: '/nowhere'}, 'http://127.0.0.1:9/', 'no browser was found'],
  ['an address that cannot be passed to a program starts no browser', {}, 'http://127.0.0.1:9/\0', 'the browser could not be started'],
])('%s', async (_, environment, url, why) => {
  for (const [name, value] of Object.entries({DISPLAY: ':0', BROWSER: '', SSH_CONNECTION: '', ...environment})) vi.stubEnv(name, value);
  expect(await openBrowser(url)).toBe(why);
});

// nock keeps half a request back, and here the socket itself matters. Nothing here leaves loopback.
nock.restore();

const state = 'the-state-of-this-sign-in';

async function callback(timeout = 10_000): Promise<Callback> {
  const receiver = await receiveCallback(timeout);
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

interface Visited {
  readonly status: number;
  readonly page: string;
  readonly headers: Headers;
}

const visit = async (url: string, init?: RequestInit): Promise<Visited> => {
  const response = await fetch(url, init);
  return {status: response.status, page: await response.text(), headers: response.headers};
};

const portOf = ({redirectUri}: Callback): number => Number(new URL(redirectUri).port);

/** What comes back for these bytes, as nothing that is well behaved would send them. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(bytes);
  return text(socket).catch(() => '');
}

test('listens on a free loopback port', async () => {
  const {redirectUri} = await callback();
  expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/callback$/);
  const {port} = new URL(redirectUri);
  await expect(fetch(`http://[::1]:${port}/callback?code=x`)).rejects.toThrow();
});

/** What people read on a page. */
const textOf = (page: string) => /<h1>(.*)<\/h1><p>(.*)<\/p>/.exec(page)?.slice(1);

const readable = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

test.each([
  ['an approval', `/callback?code=a%2Fb&state=${state}`, 200, ['Approved', 'Go back to the terminal to finish. You can close this page.']],
  [
    'a denied approval',
    `/callback?error=${encodeURIComponent('<b>no</b>')}&state=${state}`,
    200,
    ['Not signed in', 'The sign-in was not approved. Go back to the terminal for details. You can close this page.'],
  ],
  [
    'the answer to another sign-in',
    '/callback?code=x&state=another',
    400,
    ['Not this sign-in', 'This is not the response that the terminal is waiting for. Open the newest link that the terminal shows.'],
  ],
  [
    'another address',
    '/',
    404,
    ['Not this sign-in', 'This is not the response that the terminal is waiting for. Open the newest link that the terminal shows.'],
  ],
] as const)('shows a page for %s, without what was sent', async (_, path, status, text) => {
  const {redirectUri, answer} = await callback();
  const answered = answer(state);
  const url = new URL(path, redirectUri);
  const visited = await visit(url.href);
  expect([visited.status, textOf(visited.page)]).toEqual([status, text]);
  expect(visited.page).toContain(`<title>${text[0]} · pixelctl</title>`);
  expect(visited.page).toMatch(/<style>[^]*color-scheme[^]*<\/style>/);
  expect(visited.page).toContain('http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-');
  expect(visited.page).not.toMatch(/<b>|a\/b/);
  expect(Object.fromEntries(visited.headers)).toMatchObject(readable);
  const right = new URL(`${redirectUri}?code=right&state=${state}`);
  if (status !== 200) await visit(right.href);
  expect([...(await answered)]).toEqual([...(status === 200 ? url : right).searchParams]);
});

describe('rejects other requests and still accepts the right redirect:', () => {
  const own = (port: number): string => `127.0.0.1:${port}`;
  const get =
    (target: string, host: (port: number) => string = own) =>
    (port: number) =>
      `GET ${target} HTTP/1.1\r\nHost: ${host(port)}\r\nConnection: close\r\n\r\n`;
  const right = `/callback?code=x&state=${state}`;

  test.each<[string, (port: number) => string, number]>([
    ['the icon', get('/favicon.ico'), 404],
    ['another path', get(`/?code=x&state=${state}`), 404],
    ['a visit without an answer', get('/callback'), 404],
    ['another method', (port) => get(right)(port).replace('GET', 'POST'), 404],
    ['the head alone', (port) => get(right)(port).replace('GET', 'HEAD'), 404],
    ['a wrong state', get('/callback?code=x&state=another'), 400],
    ['two states', get(`${right}&state=${state}`), 400],
    ['a state and nothing else', get('/callback?state=another'), 400],
    ['an empty code', get(`/callback?code=&state=${state}`), 400],
    ['an empty error', get(`/callback?error=&state=${state}`), 400],
    ['an empty code before another', get(`/callback?code=&code=x&state=${state}`), 400],
    ['no state', get('/callback?code=x'), 400],
    ['an error with a wrong state', get('/callback?error=access_denied&state=another'), 400],
    ['an error without a state', get('/callback?error=access_denied'), 400],
    ['a path that is no path', get('//%zz'), 400],
    ['the address of another place', (port) => get(`//evil.example${right}`)(port), 400],
    ['a whole address', (port) => get(`http://127.0.0.1:${port}${right}`)(port), 400],
    ['the whole address of another place', get(`http://evil.example${right}`), 400],
    ['another host', get(right, () => 'evil.example'), 400],
    ['the port of another', get(right, (port) => `127.0.0.1:${port + 1}`), 400],
    ['no port', get(right, () => '127.0.0.1'), 400],
    ['a host that is none', get(right, () => '[%zz'), 400],
    ['no host', (port) => get(right)(port).replace(/Host: [^\r]*\r\n/, ''), 400],
    ['no host, in the old way', () => `GET ${right} HTTP/1.0\r\n\r\n`, 400],
    ['a proxy', (port) => `CONNECT ${own(port)} HTTP/1.1\r\nHost: ${own(port)}\r\n\r\n`, 0],
    ['no HTTP', () => '\x16\x03\x01\x02\x00\r\n\r\n', 400],
  ])('%s', async (_name, bytes, status) => {
    const receiver = await callback();
    const answered = receiver.answer(state);
    const reply = await send(portOf(receiver), bytes(portOf(receiver)));
    expect(reply.split('\r\n', 1)[0] ?? '').toMatch(status === 0 ? /^$/ : new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply).not.toContain(state);
    await visit(`${receiver.redirectUri}?code=right&state=${state}`);
    expect((await answered).get('code')).toBe('right');
  });

  test('a redirect before the sign-in, and a second one', async () => {
    const {redirectUri, answer} = await callback();
    expect((await visit(`${redirectUri}?code=early&state=${state}`)).status).toBe(400);
    expect((await visit(`${redirectUri}?code=early&state=undefined`)).status).toBe(400);
    const answered = answer(state);
    await visit(`${redirectUri}?code=right&state=${state}`);
    expect((await visit(`${redirectUri}?code=second&state=${state}`)).status).toBe(400);
    expect((await answered).get('code')).toBe('right');
  });

  test('an error without a state, which is reported once', async () => {
    const {redirectUri, answer} = await callback();
    const tell = vi.fn<(error: string) => void>();
    const answered = answer(state, tell);
    for (const query of ['error=invalid_scope&state=another', 'error=invalid_scope', 'error=invalid_scope', 'error=other'])
      await visit(`${redirectUri}?${query}`);
    expect(tell.mock.calls).toEqual([['invalid_scope']]);
    await visit(`${redirectUri}?code=right&state=${state}`);
    await answered;
  });
});

test('reports a port that cannot be', async () => {
  await expect(receiveCallback(1000, 70_000)).rejects.toMatchObject({
    code: 'local',
    message: 'Cannot listen on port 70000: ERR_SOCKET_BAD_PORT',
  });
});

describe('ends waiting', () => {
  test('the wait for the browser ends after the timeout', async () => {
    const {redirectUri, answer} = await callback(1600);
    const answered = expect(answer(state)).rejects.toMatchObject({
      code: 'auth',
      message: 'The sign-in was not approved within 2 s',
      details: {hint: 'sign in again; use --no-browser when the browser is on another machine'},
    });
    vi.advanceTimersByTime(1599);
    expect((await visit(`${redirectUri}?error=early`)).status).toBe(400);
    vi.advanceTimersByTime(1);
    await answered;
    expect((await visit(`${redirectUri}?code=late&state=${state}`)).status).toBe(400);
  });

  test('the wait for the browser ends at once when disposed, even with open connections', async () => {
    const receiver = await callback();
    const {redirectUri, answer} = receiver;
    const socket = connect(portOf(receiver), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /');
    const answered = answer(state);
    await visit(`${redirectUri}?code=x&state=${state}`);
    await answered;
    await receiver[Symbol.asyncDispose]();
    socket.on('error', () => {}).destroy();
    await expect(fetch(redirectUri)).rejects.toThrow();
    await receiver[Symbol.asyncDispose]();
  });

  test('the wait for the browser ends with a failure when disposed before the redirect', async () => {
    const receiver = await callback();
    const answered = receiver.answer(state);
    answered.catch(() => {});
    await receiver[Symbol.asyncDispose]();
    await expect(answered).rejects.toMatchObject({code: 'interrupted', message: 'The sign-in was cancelled'});
    expect(vi.getTimerCount()).toBe(0);
  });
});
