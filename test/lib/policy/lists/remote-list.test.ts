import {readFileSync} from 'node:fs';
import {createServer as createPlainServer, type RequestListener} from 'node:http';
import {createServer} from 'node:https';
import {join} from 'node:path';
import nock from 'nock';
import {expect, test} from 'vitest';
import {isPublicAddress} from '../../../../src/lib/client/public-address.js';
import {hostOf} from '../../../loopback-server.js';
import {fetchRemoteList, type RemoteListOptions} from '../../../../src/lib/policy/lists/remote-list.js';

// Addresses are looked at where connections are made, which nock takes over. Nothing here leaves loopback.
nock.restore();

const folder = join(import.meta.dirname, '../../../fixtures/tls');
const cert = readFileSync(join(folder, 'lists-certificate.pem'), 'utf8');
const key = readFileSync(join(folder, 'lists-key.pem'), 'utf8');

async function listen(listener: RequestListener): Promise<{url: string; asked: string[]}> {
  const asked: string[] = [];
  const server = createServer({cert, key}, (request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  const {port} = new URL(`https://${await hostOf(server)}`);
  return {url: `https://localhost:${port}`, asked};
}

/** As a list of this machine, which only a test may fetch from. */
async function fetched(url: string, options: RemoteListOptions = {}): Promise<string> {
  return String(await fetchRemoteList(url, {ca: cert, isAllowed: () => true, timeout: 5000, ...options}));
}

test('fetches a list unmodified', async () => {
  const {url} = await listen((request, response) => {
    const {authorization, cookie, 'accept-encoding': encoding} = request.headers;
    response.end(`a.example ${authorization} ${cookie} ${encoding}`);
  });
  expect(await fetched(url)).toBe('a.example undefined undefined identity');
});

test('follows redirects on the same host, and no other', async () => {
  const here = await listen((request, response) => {
    if (request.url === '/list') response.end('a.example');
    else
      response
        .writeHead(302, {
          location:
            request.url === '/away' ? 'https://elsewhere.example/list' : request.url === '/down' ? `http://localhost/list` : '/list',
        })
        .end();
  });
  expect(await fetched(`${here.url}/moved`)).toBe('a.example');
  await expect(fetched(`${here.url}/away`)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('it redirects to another host, elsewhere.example'),
  });
  await expect(fetched(`${here.url}/down`)).rejects.toMatchObject({code: 'usage'});
  expect(here.asked).toEqual(['/moved', '/list', '/away', '/down']);
});

test('stops at the size limit, and after the timeout', async () => {
  const {url} = await listen((request, response) => (request.url === '/long' ? response.end('x'.repeat(65 * 1024)) : response.write('a')));
  await expect(fetched(`${url}/long`, {largest: 64 * 1024})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('it is larger than 64 KiB'),
  });
  await expect(fetched(url, {timeout: 200})).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('it took longer than 0.2 s'),
  });
});

test.each([404, 204, 304])('refuses status %i, whatever the body', async (status) => {
  const {url} = await listen((_, response) => response.writeHead(status).end(status === 404 ? 'x'.repeat(1_000_000) : ''));
  await expect(fetched(url)).rejects.toMatchObject({code: 'unavailable', message: expect.stringContaining(`status ${status}`)});
});

test('fetches from this machine only where that is allowed, by http too, and no other address under its name', async () => {
  const {port} = new URL(`http://${await hostOf(createPlainServer((_, response) => response.end('a.example')))}`);
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await fetched(`http://${host}:${port}/l`, {isLoopbackAllowed: true})).toBe('a.example');
    await expect(fetchRemoteList(`http://${host}:${port}/l`)).rejects.toMatchObject({code: 'usage'});
  }
  for (const other of ['http://10.0.0.1/l', 'https://10.0.0.1/l', 'https://[fe80::1]/l', 'http://lists.example/l']) {
    await expect(fetchRemoteList(other, {isLoopbackAllowed: true})).rejects.toMatchObject({code: 'usage'});
  }
});

test('refuses an invalid URL', async () => {
  await expect(fetchRemoteList('https://')).rejects.toMatchObject({code: 'usage', message: '"https://" is not the address of a list'});
});

test('a name that resolves to this machine is not connected to', async () => {
  const {url, asked} = await listen((_, response) => response.end('secret'));
  await expect(fetched(url, {isAllowed: isPublicAddress})).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/(127\.0\.0\.1|::1) is not a public address/),
  });
  expect(asked).toEqual([]);
});

test.each([
  'https://127.0.0.1/l',
  'https://[::1]/l',
  'https://10.1.2.3/l',
  'https://2130706433/l',
  'https://[::ffff:192.168.0.1]/l',
  'http://lists.example/l',
  'https://me:secret@lists.example/l',
])('sends nothing to %s', async (url) => {
  await expect(fetchRemoteList(url)).rejects.toMatchObject({code: 'usage', message: expect.stringContaining('is not fetched')});
});

test('refuses an untrusted certificate', async () => {
  const {url} = await listen((_, response) => response.end('a.example'));
  await expect(fetched(url, {ca: undefined})).rejects.toMatchObject({code: 'unavailable', message: expect.stringContaining('certificate')});
});

test('tries again after 503, as other reads do', async () => {
  const {url, asked} = await listen((_, response) => {
    if (asked.length < 3) response.writeHead(503, {'retry-after': '0'}).end();
    else response.end('a.example');
  });
  expect(await fetched(url, {timeout: 30_000})).toBe('a.example');
});

test.each([
  ['no retries are left', {retries: 1, timeout: 30_000}, 503, {}, 2],
  ['the wait would take longer than the time', {timeout: 2000}, 503, {'retry-after': '60'}, 1],
  ['it is no passing trouble', {timeout: 30_000}, 404, {}, 1],
] as const)('gives up where %s', async (_, options, status, headers, most) => {
  const {url, asked} = await listen((__, response) => response.writeHead(status, headers).end());
  await expect(fetched(url, options)).rejects.toMatchObject({code: 'unavailable', message: expect.stringContaining(`status ${status}`)});
  expect(asked.length).toBe(most);
});
