import type {ServerResponse} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {describe, expect, onTestFinished, test} from 'vitest';
import {GuardedFetcher, type FetchRequest, type FetchRules} from '../../../src/lib/client/guarded-fetch.js';
import {isLoopbackAddress} from '../../../src/lib/client/public-address.js';
import {bytes, drop, holdTimeOuts, redirect, silence, startServer, type Reply} from '../../loopback-server.js';

const rules: FetchRules = {isAllowed: isLoopbackAddress, isHttpAllowed: () => true};

function fetched(url: URL, own: Partial<FetchRequest<string>> = {}, ownRules: Partial<FetchRules> = {}): Promise<string> {
  const fetcher = new GuardedFetcher({...rules, ...ownRules});
  onTestFinished(() => fetcher[Symbol.asyncDispose]());
  return fetcher.fetch(url, {
    largest: 2048,
    timeout: 30_000,
    longest: 600_000,
    retries: 0,
    headers: () => ({}),
    take: async ({url: last, status, body}) => `${status} ${last.pathname} ${String(await buffer(body))}`,
    ...own,
  });
}

/** The address of a server by a name, which is looked up. */
const byName = ({port}: URL) => new URL(`http://localhost:${port}/list`);

describe('what strangers name', () => {
  test('is fetched without compression, with the headers that its URL gets', async () => {
    const server = await startServer(bytes('a.example\n'));
    expect(await fetched(new URL('/list', server.url), {headers: ({pathname}) => ({'x-for': pathname})})).toBe('200 /list a.example\n');
    expect(server.received[0]?.headers).toMatchObject({'accept-encoding': 'identity', 'x-for': '/list'});
  });

  test.each([
    ['http', new URL('http://127.0.0.1:1/list'), {isHttpAllowed: () => false}, 'only https:// URLs are allowed'],
    ['another scheme', new URL('ftp://127.0.0.1/list'), {}, 'only https:// URLs are allowed'],
    ['a name', new URL('http://ana@127.0.0.1:1/list'), {}, 'its URL contains a name or password'],
    ['a password', new URL('http://:secret@127.0.0.1:1/list'), {}, 'its URL contains a name or password'],
    ['an address that is not allowed', new URL('http://10.0.0.1/list'), {}, '10.0.0.1 is not a public address'],
    ['an address of version 6 that is not allowed', new URL('http://[fd00::1]/list'), {}, 'fd00::1 is not a public address'],
  ])('is refused without a connection where it has %s', async (_, url, own, message) => {
    await expect(fetched(url, {}, own)).rejects.toMatchObject({name: 'NotFetched', kind: 'refused', url, message});
  });

  test('is refused where its name leads to an address that is not allowed', async () => {
    const url = byName((await startServer()).url);
    const message = expect.stringMatching(/^(127\.0\.0\.1|::1) is not a public address$/);
    await expect(fetched(url, {}, {isAllowed: () => false})).rejects.toMatchObject({kind: 'refused', url, message});
  });

  test('is fetched where its name leads to an address that is allowed', async () => {
    const server = await startServer(bytes('a.example\n'));
    expect(await fetched(byName(server.url))).toBe('200 /list a.example\n');
  });

  test('is followed where it moved, and each step is checked', async () => {
    const server = await startServer(redirect('/there'), bytes('a.example\n'));
    expect(await fetched(new URL('/list', server.url))).toBe('200 /there a.example\n');
    const other = await startServer(redirect('http://10.0.0.1/there'));
    await expect(fetched(new URL('/list', other.url))).rejects.toMatchObject({
      kind: 'refused',
      message: '10.0.0.1 is not a public address',
    });
    const third = await startServer(redirect('/there'));
    const refusal = {redirectRefusal: (next: URL, from: URL) => `from ${from.pathname} to ${next.pathname}`};
    await expect(fetched(new URL('/list', third.url), {}, refusal)).rejects.toMatchObject({
      kind: 'refused',
      message: 'from /list to /there',
    });
  });

  test('is given up where it moves without an end', async () => {
    const server = await startServer(...Array.from({length: 6}, () => redirect('/list')));
    await expect(fetched(new URL('/list', server.url))).rejects.toMatchObject({kind: 'unreachable', message: 'more than 5 redirects'});
  });

  test('is read up to the size that is allowed, and no further', async () => {
    const server = await startServer(bytes('x'.repeat(2048)), bytes('x'.repeat(2049)));
    expect(await fetched(server.url)).toContain('x'.repeat(2048));
    await expect(fetched(server.url)).rejects.toMatchObject({kind: 'refused', message: 'it is larger than 2 KiB'});
  });

  /** A server that sends 100 bytes, and then what the test sends. */
  async function sending(own: Partial<FetchRequest<string>>) {
    const pass = holdTimeOuts();
    const parts = [1, 2].map(() => Promise.withResolvers<void>());
    const answers: ServerResponse[] = [];
    const server = await startServer((response) => void (answers.push(response), response.write('x'.repeat(100))));
    const whole = fetched(server.url, {
      async take({body}) {
        let read = 0;
        for await (const chunk of body) {
          read += Buffer.byteLength(chunk);
          parts[read > 100 ? 1 : 0]?.resolve();
        }
        return String(read);
      },
      ...own,
    });
    whole.catch(() => {});
    await parts[0]?.promise;
    return {whole, pass, answer: answers[0], another: parts[1]?.promise};
  }

  test('has more time with each part that arrives', async () => {
    const {whole, pass, answer, another} = await sending({});
    pass(29_999);
    answer?.write('x'.repeat(100));
    await another;
    pass(29_999);
    answer?.end('x');
    expect(await whole).toBe('201');
  });

  test('ends after the longest time, although parts arrive', async () => {
    const {whole, pass, answer, another} = await sending({timeout: 400_000});
    pass(399_999);
    answer?.write('x');
    await another;
    pass(200_001);
    await expect(whole).rejects.toMatchObject({kind: 'too_long', message: 'it took longer than 10 minutes'});
  });

  test('is refused with the largest size in MiB, where that is a MiB or more', async () => {
    const server = await startServer(bytes(Buffer.alloc(10 * 1024 ** 2 + 1)));
    await expect(fetched(server.url, {largest: 10 * 1024 ** 2})).rejects.toMatchObject({message: 'it is larger than 10 MiB'});
  });

  test('is not read where it is compressed all the same', async () => {
    const server = await startServer(bytes('x', {'content-encoding': 'gzip'}), bytes('x', {'content-encoding': 'identity'}));
    await expect(fetched(server.url)).rejects.toMatchObject({kind: 'unreachable', message: 'it is compressed, which was not requested'});
    expect(await fetched(server.url)).toBe('200 / x');
  });

  const busy = (status: number, wait: string): Reply => bytes('', {'retry-after': wait}, status);

  test.each<[string, readonly Reply[], number, least: number, most: number]>([
    ['the connection is lost, and once more after up to a second', [drop, drop], 2, 750, 1500],
    ['the server is busy, and after what it asks for', [busy(503, '2'), busy(503, '3')], 2, 5000, 5000],
    ['there are too many requests, however often', [busy(429, '2'), busy(429, '2')], 0, 4000, 5000],
  ])('is tried again where %s', async (_, failing, retries, least, most) => {
    const [pass, begun] = [holdTimeOuts(), performance.now()];
    const server = await startServer(...failing, bytes('a.example\n'));
    let isOver = false;
    const asked = fetched(server.url, {retries}).finally(() => (isOver = true));
    while (!isOver) await new Promise(setImmediate).then(() => pass(1));
    expect(await asked).toBe('200 / a.example\n');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(least);
    expect(performance.now() - begun).toBeLessThan(most + 1000);
  });

  test('is tried again only as often as that is wanted, and not where the wait would be too long or the host is unknown', async () => {
    const server = await startServer(drop, busy(503, '1'), busy(503, '30'), busy(429, '30'));
    await expect(fetched(server.url)).rejects.toMatchObject({name: 'NotFetched', kind: 'unreachable', url: server.url});
    expect(await fetched(server.url)).toBe('503 / ');
    expect(await fetched(server.url, {retries: 1})).toBe('503 / ');
    expect(await fetched(server.url, {retries: 1})).toBe('429 / ');
    const nobody = new URL('http://127.0.0.1:1/list');
    await expect(fetched(nobody, {retries: 9})).rejects.toMatchObject({kind: 'unreachable', message: 'connection refused'});
  });

  test('is given up when it takes too long, and at once when nobody wants it any more', async () => {
    const pass = holdTimeOuts();
    const server = await startServer(silence, silence);
    const late = fetched(server.url);
    late.catch(() => {});
    await server.arrived(1);
    pass(30_000);
    await expect(late).rejects.toMatchObject({kind: 'unreachable', message: 'it took longer than 30 s'});
    const stop = new AbortController();
    const unwanted = fetched(server.url, {signal: stop.signal});
    unwanted.catch(() => {});
    await server.arrived(2);
    stop.abort(new Error('no longer'));
    await expect(unwanted).rejects.toThrow('no longer');
  });
});
