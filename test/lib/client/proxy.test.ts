import {once} from 'node:events';
import {createServer} from 'node:http';
import {connect} from 'node:net';
import {afterEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {unreadCount} from '../../../src/lib/client/index.js';
import {clientOf, json, listen, startServer, token} from '../../loopback-server.js';

const counts = {primary: 1, requests: 0};

afterEach(() => vi.unstubAllEnvs());

/** A proxy that sends every request on to one server, and keeps what it was asked for. */
async function startProxy(to: URL) {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    json(counts)(response, request);
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const upstream = connect(Number(to.port), to.hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on('error', () => {});
    onTestFinished(() => void upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const address = proxy.address();
  return {asked, host: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`};
}

describe.each(['HTTP_PROXY', 'http_proxy'])('%s', (name) => {
  test('takes requests to plain http servers', async () => {
    const proxy = await startProxy(new URL('http://127.0.0.1:1'));
    vi.stubEnv(name, `http://${proxy.host}`);
    const {value} = await clientOf(new URL('http://pix.localhost:8080')).call(unreadCount, {});
    expect(value).toEqual(counts);
    expect(proxy.asked).toEqual(['GET http://pix.localhost:8080/api/v1.1/direct/unread_count']);
  });

  test('may be written without http://', async () => {
    const proxy = await startProxy(new URL('http://127.0.0.1:1'));
    vi.stubEnv(name, proxy.host);
    await clientOf(new URL('http://pix.localhost:8080')).call(unreadCount, {});
    expect(proxy.asked).toHaveLength(1);
  });

  test('that cannot be used is a wrong setting, not a fault of the program', async () => {
    vi.stubEnv(name, 'socks9://nowhere');
    const asked = clientOf(new URL('http://127.0.0.1:1')).call(unreadCount, {});
    await expect(asked).rejects.toMatchObject({code: 'usage', message: expect.stringMatching(/proxy/i)});
  });
});

test('HTTPS_PROXY makes a tunnel to https servers, in which the proxy sees nothing', async () => {
  const seen: string[] = [];
  const server = await listen(() => {});
  const proxy = await startProxy(server);
  vi.stubEnv('HTTPS_PROXY', `http://ana:secret@${proxy.host}`);
  const client = clientOf(new URL('https://pix.localhost'), {retries: 0, observe: (event) => seen.push(JSON.stringify(event))});
  await expect(client.call(unreadCount, {})).rejects.toMatchObject({code: 'unavailable'});
  expect(proxy.asked).toEqual([`CONNECT pix.localhost:443 Basic ${btoa('ana:secret')}`]);
  expect(JSON.stringify(proxy.asked)).not.toContain(token);
  expect(seen.join()).not.toContain('secret');
});

test.each(['127.0.0.1', 'other.example,127.0.0.1', '*'])('NO_PROXY=%s goes to the server itself', async (exceptions) => {
  const server = await startServer(json(counts));
  const proxy = await startProxy(server.url);
  vi.stubEnv('HTTP_PROXY', `http://${proxy.host}`);
  vi.stubEnv('NO_PROXY', exceptions);
  expect((await clientOf(server.url).call(unreadCount, {})).value).toEqual(counts);
  expect(proxy.asked).toEqual([]);
});

test('a proxy that is not there makes the server unavailable', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
  const asked = clientOf(new URL('http://pix.localhost'), {retries: 0}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({code: 'unavailable'});
});

test('an empty setting is none', async () => {
  const server = await startServer(json(counts));
  vi.stubEnv('HTTP_PROXY', '');
  expect((await clientOf(server.url).call(unreadCount, {})).value).toEqual(counts);
});
