import {afterEach, describe, expect, test, vi} from 'vitest';
import {sendMessage, unreadCount} from '../../../src/lib/api/direct.js';
import {Failure} from '../../../src/lib/operations/index.js';
import {clientOf, holdTimeOuts, json, listen, startProxy, startServer, token, tunnelTo} from '../../loopback-server.js';

const counts = {primary: 1, requests: 0};

afterEach(() => vi.unstubAllEnvs());

const answeringProxy = () => startProxy({reply: json(counts)});

describe.each(['HTTP_PROXY', 'http_proxy'])('%s', (name) => {
  test('receives requests to plain http servers', async () => {
    const proxy = await answeringProxy();
    vi.stubEnv(name, `http://${proxy.host}`);
    const {value} = await clientOf(new URL('http://pix.example:8080')).call(unreadCount, {});
    expect(value).toEqual(counts);
    expect(proxy.asked).toEqual(['GET http://pix.example:8080/api/v1.1/direct/unread_count']);
  });

  test('a proxy may be given without http://', async () => {
    const proxy = await answeringProxy();
    vi.stubEnv(name, proxy.host);
    await clientOf(new URL('http://pix.example:8080')).call(unreadCount, {});
    expect(proxy.asked).toHaveLength(1);
  });

  test.each(['socks9://nowhere', 'socks5://ana:secret@127.0.0.1:1', 'socks://127.0.0.1:1', 'ftp://127.0.0.1:1', 'http://[x'])(
    '%s is rejected before anything is sent',
    async (address) => {
      vi.stubEnv(name, address);
      for (const scheme of ['http', 'https']) {
        const asked = clientOf(new URL(`${scheme}://pix.example`)).call(unreadCount, {});
        const message = 'HTTP_PROXY or HTTPS_PROXY is not the address of an http:// or https:// proxy';
        await expect(asked).rejects.toMatchObject({code: 'usage', message});
      }
    },
  );
});

test('HTTPS_PROXY tunnels to https servers without seeing the content', async () => {
  const seen: string[] = [];
  const server = await listen(() => {});
  const proxy = await startProxy({tunnel: tunnelTo(server)});
  vi.stubEnv('HTTPS_PROXY', `http://ana:secret@${proxy.host}`);
  const client = clientOf(new URL('https://pix.example'), {retries: 0, observe: (event) => seen.push(JSON.stringify(event))});
  await expect(client.call(unreadCount, {})).rejects.toMatchObject({code: 'unavailable'});
  expect(proxy.asked).toEqual([`CONNECT pix.example:443 Basic ${btoa('ana:secret')}`]);
  expect(JSON.stringify(proxy.asked)).not.toContain(token);
  expect(seen.join()).not.toContain('secret');
});

test.each(['pix.invalid', 'other.example, PIX.invalid', '.invalid', '*.invalid', 'invalid:80', '*'])(
  'NO_PROXY=%s goes to the server itself',
  async (exceptions) => {
    const proxy = await answeringProxy();
    vi.stubEnv('HTTP_PROXY', `http://${proxy.host}`);
    vi.stubEnv('NO_PROXY', exceptions);
    const asked = clientOf(new URL('http://pix.invalid'), {retries: 0}).call(unreadCount, {});
    await expect(asked).rejects.toMatchObject({code: 'unavailable', message: expect.stringContaining('Cannot connect to pix.invalid: ')});
    expect(proxy.asked).toEqual([]);
  },
);

test.each([
  ['ix.invalid', 'http://pix.invalid'],
  ['pix.invalid:81', 'http://pix.invalid'],
  ['www.pix.invalid', 'http://pix.invalid'],
  ['pix.invalid:443', 'http://pix.invalid'],
  ['pix.invalid:80', 'http://pix.invalid:81'],
  ['pix.invalid:80', 'https://pix.invalid'],
])('NO_PROXY=%s is about other servers than %s', async (exceptions, server) => {
  const proxy = await startProxy({reply: json(counts), tunnel: (socket) => socket.destroy()});
  vi.stubEnv('HTTP_PROXY', `http://${proxy.host}`);
  vi.stubEnv('NO_PROXY', exceptions);
  await clientOf(new URL(server), {retries: 0})
    .call(unreadCount, {})
    .catch(() => {});
  expect(proxy.asked).toHaveLength(1);
});

describe.each(['127.0.0.1', 'localhost', '[::1]', '127.1.2.3', 'pix.localhost'])('a server on %s', (host) => {
  test.each(['http', 'https'])('a server on this machine is never asked through a proxy, by %s', async (scheme) => {
    const proxy = await answeringProxy();
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, `http://${proxy.host}`);
    const asked = clientOf(new URL(`${scheme}://${host}:1`), {retries: 0}).call(unreadCount, {});
    await expect(asked).rejects.toMatchObject({code: 'unavailable'});
    expect(proxy.asked).toEqual([]);
  });
});

describe('a proxy error is reported as such, and nothing was sent:', () => {
  const message = {path: {id: '5'}, body: {message: 'Hi'}};

  /** How a message fails; nothing of it was sent. */
  async function failing(server: string, limits: Parameters<typeof clientOf>[1] = {}): Promise<string> {
    const failure = await clientOf(new URL(server), limits)
      .call(sendMessage, message)
      .catch((error: unknown) => error);
    if (!(failure instanceof Failure)) throw new Error('it did not fail');
    expect(failure).toMatchObject({code: 'unavailable', details: {reason: 'proxy'}});
    expect(failure.details.fate).toBeUndefined();
    return failure.message;
  }

  test.each(['http', 'https'])('it is not there, for %s', async (scheme) => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, 'http://ana:secret@127.0.0.1:1');
    expect(await failing(`${scheme}://pix.example`)).toBe(
      'Cannot connect to pix.example: the proxy 127.0.0.1:1 cannot be reached: connection refused',
    );
  });

  test.each([
    [407, 'responded with 407: it requires a user name and a password'],
    [403, 'responded with 403'],
    [502, 'responded with 502'],
  ])('it responds with %i to CONNECT', async (status, words) => {
    const {host} = await startProxy({tunnel: (socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)});
    vi.stubEnv('HTTPS_PROXY', `http://${host}`);
    expect(await failing('https://pix.example')).toBe(`Cannot connect to pix.example: the proxy ${host} ${words}`);
  });

  test('it takes the connection and does not respond to CONNECT', async () => {
    const pass = holdTimeOuts();
    const {host} = await startProxy({tunnel: () => pass(300)});
    vi.stubEnv('HTTPS_PROXY', `http://ana:secret@${host}`);
    expect(await failing('https://pix.example', {timeout: 300, retries: 0})).toBe(
      `Cannot connect to pix.example: the proxy ${host} does not respond`,
    );
  });

  test('it requires a password for plain http', async () => {
    const proxy = await listen((_, response) => response.writeHead(407).end());
    vi.stubEnv('HTTP_PROXY', proxy.origin);
    expect(await failing('http://pix.example')).toBe(
      `Cannot connect to pix.example: the proxy ${proxy.host} responded with 407: it requires a user name and a password`,
    );
  });

  test('it closes the connection', async () => {
    const {host} = await startProxy({tunnel: (socket) => socket.destroy()});
    vi.stubEnv('HTTPS_PROXY', `http://${host}`);
    expect(await failing('https://pix.example')).toBe(`Cannot connect to pix.example: the proxy ${host} closed the connection`);
  });
});

test('ignores an empty setting', async () => {
  const server = await startServer(json(counts));
  vi.stubEnv('HTTP_PROXY', '');
  expect((await clientOf(server.url).call(unreadCount, {})).value).toEqual(counts);
});
