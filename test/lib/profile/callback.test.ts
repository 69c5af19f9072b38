import {once} from 'node:events';
import {connect} from 'node:net';
import nock from 'nock';
import {describe, expect, onTestFinished, test} from 'vitest';
import {receiveCallback, type Callback, type CallbackOptions} from '../../../src/lib/profile/callback.js';

// nock keeps half a request back, and here the socket itself matters. Nothing here leaves loopback.
nock.restore();

async function callback(options: Partial<CallbackOptions> = {}): Promise<Callback> {
  const receiver = await receiveCallback({patience: 10_000, ...options});
  onTestFinished(() => receiver.close());
  return receiver;
}

const visit = async (url: string, init?: RequestInit): Promise<{status: number; page: string; headers: Headers}> => {
  const response = await fetch(url, init);
  return {status: response.status, page: await response.text(), headers: response.headers};
};

test('it listens on loopback, on a free port', async () => {
  const {redirectUri} = await callback();
  expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/callback$/);
  const {port} = new URL(redirectUri);
  await expect(fetch(`http://[::1]:${port}/callback?code=x`)).rejects.toThrow();
});

test('it hands over what the browser brings, and sends the person back to the terminal', async () => {
  const {redirectUri, answer} = await callback();
  const {status, page, headers} = await visit(`${redirectUri}?code=a%2Fb&state=s`);
  expect(status).toBe(200);
  expect(page).toContain('Go back to the terminal');
  expect([...(await answer)]).toEqual([['code', 'a/b'], ['state', 's']]);
  expect(page).not.toContain('a/b');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('it says that a refusal is one, without repeating it', async () => {
  const {redirectUri, answer} = await callback();
  const {page} = await visit(`${redirectUri}?error=${encodeURIComponent('<b>no</b>')}`);
  expect(page).toContain('did not approve');
  expect(page).not.toContain('<b>');
  expect((await answer).get('error')).toBe('<b>no</b>');
});

test.each([
  ['the icon', '/favicon.ico', 'GET'],
  ['another path', '/?code=x&state=s', 'GET'],
  ['a visit without an answer', '/callback', 'GET'],
  ['another method', '/callback?code=x&state=s', 'POST'],
])('%s is no answer', async (_name, target, method) => {
  const {redirectUri, answer} = await callback();
  expect((await visit(new URL(target, redirectUri).href, {method})).status).toBe(404);
  await visit(`${redirectUri}?code=right`);
  expect((await answer).get('code')).toBe('right');
});

test('the first answer is the only one', async () => {
  const {redirectUri, answer} = await callback();
  await visit(`${redirectUri}?code=first`);
  expect((await visit(`${redirectUri}?code=second`)).status).toBe(404);
  expect((await answer).get('code')).toBe('first');
});

test('a port that is taken is told as such', async () => {
  const port = Number(new URL((await callback()).redirectUri).port);
  await expect(receiveCallback({port, patience: 1000})).rejects.toMatchObject({
    code: 'local',
    message: `Port ${port} is taken: the browser could not come back to it`,
    details: {hint: expect.stringContaining('free one')},
  });
});

test('a port that was asked for is used', async () => {
  const first = await callback();
  await first.close();
  const {port} = new URL(first.redirectUri);
  expect((await callback({port: Number(port)})).redirectUri).toBe(first.redirectUri);
});

describe('the end', () => {
  test('comes when nobody does', async () => {
    const {redirectUri, answer} = await callback({patience: 50});
    await expect(answer).rejects.toMatchObject({code: 'auth', message: expect.stringContaining('Nobody approved')});
    expect((await visit(`${redirectUri}?code=late`)).status).toBe(404);
  });

  test('comes at once, with connections open that browsers make in advance', async () => {
    const {redirectUri, answer, close} = await callback();
    const socket = connect(Number(new URL(redirectUri).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /');
    await visit(`${redirectUri}?code=x`);
    await answer;
    const start = performance.now();
    await close();
    expect(performance.now() - start).toBeLessThan(500);
    socket.on('error', () => {}).destroy();
    await expect(fetch(redirectUri)).rejects.toThrow();
    await close();
  });

  test('is told to who still waits', async () => {
    const {answer, close} = await callback();
    await close();
    await expect(answer).rejects.toMatchObject({code: 'interrupted'});
  });
});
