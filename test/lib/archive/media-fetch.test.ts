/** From where media are fetched, by where the server is. */
import type {ServerResponse} from 'node:http';
import dns from 'node:dns';
import {syncBuiltinESMExports} from 'node:module';
import {expect, onTestFinished, test, vi} from 'vitest';
import {type FetchedMedium, MediaFetcher, type MediaOptions, type WantedMedium} from '../../../src/lib/archive/media-fetch.js';
import {ConversationPlace} from '../../../src/lib/archive/archive-places.js';
import {Tally} from '../../events.js';
import {holdTimeOuts, listen} from '../../loopback-server.js';
import {newFolder} from '../../new-folder.js';

type Options = Omit<MediaOptions, 'server'>;

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** A server that answers a request when it is told to. */
async function heldServer() {
  const waiting: ServerResponse[] = [];
  const arrivals = new Tally();
  let [now, most] = [0, 0];
  const asked: string[] = [];
  const {origin} = await listen(({url = ''}, response) => {
    asked.push(url);
    waiting.push(response);
    now += 1;
    most = Math.max(most, now);
    arrivals.add();
  });
  return {
    asked,
    arrived: (count: number) => arrivals.reached(count),
    answer() {
      now -= 1;
      waiting.shift()?.end(png);
    },
    /** At the same time. */
    most: () => most,
    media: (...names: readonly string[]): Wanted[] => names.map((id) => ({id, url: `${origin}/${id}`, wasTried: false})),
  };
}

type Wanted = Omit<WantedMedium, 'of'>;

/** @returns what became of each, in the order in which they were over */
async function fetched(
  wanted: readonly Wanted[],
  {isAccepted = true, server = 'http://127.0.0.1', ...options}: {readonly isAccepted?: boolean; server?: string} & Partial<Options> = {},
): Promise<({readonly id: string} & FetchedMedium)[]> {
  const none = async () => undefined;
  await using fetcher = await MediaFetcher.open({token: none, ownHost: none, retries: 0, ...options, server: new URL(server)}, 0);
  const entries: ({readonly id: string} & FetchedMedium)[] = [];
  await fetcher.fetchAll(
    wanted.map((one) => ({...one, of: ['1']})),
    {place: new ConversationPlace(newFolder(), '7'), isAccepted, done: async ({id}, one) => void entries.push({id, ...one})},
  );
  return entries;
}

async function errorOf(server: string, url: string) {
  const [entry] = await fetched([{id: '1', url, wasTried: false}], {server});
  return entry?.error;
}

test.each([
  ['on the public internet', 'https://93.184.216.34', 'https://10.0.0.1/a', '10.0.0.1 is not a public address'],
  ['on the network of a home', 'https://192.168.0.2', 'https://127.0.0.1/a', '127.0.0.1 is not a public address'],
])('of a server %s, nothing is fetched from a network that is closer', async (_, server, url, error) => {
  expect(await errorOf(server, url)).toBe(error);
});

test.each<[string, Error | null, string[], string, string]>([
  ['that cannot be found', new Error('no answer'), [], 'https://192.168.0.2/a', '192.168.0.2 is not a public address'],
  ['that cannot be found', new Error('no answer'), [], 'http://127.0.0.1/a', 'only https:// URLs are allowed'],
  ['that are not all private', null, ['10.0.0.1', '93.184.216.34'], 'https://10.0.0.2/a', '10.0.0.2 is not a public address'],
])('of a server with addresses %s, nothing is fetched from a private network', async (_, failure, addresses, url, error) => {
  vi.spyOn(dns, 'lookup').mockImplementation((...given: readonly unknown[]) => {
    const answer = given.at(-1);
    if (typeof answer === 'function')
      answer(
        failure,
        addresses.map((address) => ({address, family: 4})),
      );
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  expect(await errorOf('https://pix.example', url)).toBe(error);
});

test('two files at a time are fetched from a host, and meanwhile those of others', async () => {
  const [slow, other] = [await heldServer(), await heldServer()];
  const all = fetched([...slow.media('1', '2', '3', '4', '5'), ...other.media('6', '7')]);
  await slow.arrived(2);
  await other.arrived(2);
  other.answer();
  other.answer();
  for (let count = 3; count <= 5; count += 1) {
    slow.answer();
    await slow.arrived(count);
  }
  slow.answer();
  slow.answer();
  const entries = await all;
  expect(entries.every(({file}) => file !== undefined)).toBe(true);
  expect([slow.most(), other.most()]).toEqual([2, 2]);
});

test('a host of which three files took the longest time is left alone, whatever else it sent', async () => {
  const pass = holdTimeOuts();
  const server = await heldServer();
  const all = fetched(server.media('1', '2', '3', '4', '5', '6'), {timeout: 700_000});
  await server.arrived(2);
  pass(600_000);
  await server.arrived(4);
  server.asked.length = 0;
  pass(600_000);
  const entries = await all;
  const slow = {error: 'it took longer than 10 minutes', isUntried: undefined};
  const [host] = server.media('').map(({url}) => new URL(url ?? '').host);
  const left = {error: `${host} took too long 3 times before`, isUntried: true};
  expect(Object.fromEntries(entries.map(({id, error, isUntried}) => [id, {error, isUntried}]))).toEqual({
    1: slow,
    2: slow,
    3: slow,
    4: slow,
    5: left,
    6: left,
  });
});

/** A server whose files are what their paths say, and what was asked of it: `/a`, or `/a with the token`. */
async function sayingServer(other = '') {
  const asked: string[] = [];
  const {origin} = await listen(({url = '', headers: {authorization}, socket}, response) => {
    asked.push(authorization === undefined ? url : `${url} with ${authorization}`);
    const [, kind = '', rest = ''] = /^\/([a-z]+)(\d*)/.exec(url) ?? [];
    if (kind === 'lost') socket.destroy();
    else if (kind === 'away') response.writeHead(302, {location: `${other}/photo`}).end();
    else if (kind === 'status' || (kind === 'closed' && authorization === undefined)) response.writeHead(Number(rest)).end();
    else if (kind === 'long') response.writeHead(200, {'content-length': rest}).write(png);
    else {
      // No length is told.
      response.write(png);
      response.end(Buffer.alloc(Number(rest)));
    }
  });
  return {origin, asked};
}

const ownToken = async () => 'x';

test.each<
  [string, Partial<Options> & {isAccepted?: boolean}, readonly (string | null)[], readonly string[], readonly (string | undefined)[]]
>([
  ['without the token where it is not asked for', {}, ['/photo', 'SERVER/photo?x=1'], ['/photo', '/photo?x=1'], [undefined, undefined]],
  [
    'with it where it is',
    {},
    ['/closed401', '/closed403'],
    ['/closed401', '/closed401 with Bearer x', '/closed403', '/closed403 with Bearer x'],
    [undefined, undefined],
  ],
  ['without one that there is not', {token: async () => undefined}, ['/closed401'], ['/closed401'], ['status 401']],
  [
    'once where it fails',
    {},
    ['/status404', '/status403'],
    ['/status404', '/status403', '/status403 with Bearer x'],
    ['status 404', 'status 403'],
  ],
  [
    'from no address',
    {},
    [null, '', 'http://'],
    [],
    ['the server names no address', 'the server names no address', 'the server names no address'],
  ],
  [
    'by its own name from this machine',
    {ownHost: async () => 'pix.invalid'},
    ['https://pix.invalid/photo?x=1'],
    ['/photo?x=1'],
    [undefined],
  ],
  [
    'by no other name',
    {ownHost: () => Promise.reject(new Error('x'))},
    ['http://pix.invalid/photo'],
    [],
    ['only https:// URLs are allowed'],
  ],
  ['up to a size', {maxSize: 100}, ['/photo84', '/photo'], ['/photo84'], [undefined, 'over --max-size']],
  [
    'not over it',
    {maxSize: 99},
    ['/photo84', '/long100', '/photo83'],
    ['/photo84', '/long100', '/photo83'],
    ['over --max-size', 'over --max-size', undefined],
  ],
  [
    'of a stranger up to 100 MiB',
    {isAccepted: false},
    ['/long104857601'],
    ['/long104857601'],
    ['over 100 MiB, in a conversation that was not accepted'],
  ],
  ['of a stranger within the size', {isAccepted: false, maxSize: 99}, ['/long100'], ['/long100'], ['over --max-size']],
])('a file is fetched %s', async (_, options, urls, asked, errors) => {
  const server = await sayingServer();
  const wanted = urls.map((url, index) => ({id: String(index), url: url?.replace('SERVER', server.origin), wasTried: false}));
  const entries = await fetched(wanted, {server: server.origin, token: ownToken, maxSize: 10 ** 9, ...options});
  expect(server.asked).toEqual(asked);
  expect(entries.map(({error}) => error)).toEqual(errors);
  expect(entries.map(({isSkipped}) => isSkipped)).toEqual(errors.map((error) => error?.startsWith('over') || undefined));
});

test('no other server is sent the token, not by a redirect either', async () => {
  const other = await sayingServer();
  const server = await sayingServer(other.origin);
  const urls = [`${other.origin}/closed401`, '/away'];
  await fetched(
    urls.map((url, index) => ({id: String(index), url, wasTried: false})),
    {server: server.origin, token: ownToken, maxSize: 100},
  );
  expect([server.asked, other.asked]).toEqual([['/away'], ['/closed401', '/photo']]);
});

test('a host that does not answer three times in a row is left alone', async () => {
  const server = await sayingServer();
  const urls = ['/lost', '/lost', '/status404', '/lost', '/lost', '/lost', '/photo'];
  const wanted = urls.map((url, index) => ({id: String(index), url, wasTried: false}));
  const entries = await fetched(wanted, {server: server.origin, maxSize: 100});
  expect(server.asked).toEqual(urls.slice(0, -1));
  expect(entries.at(-1)).toMatchObject({error: `${new URL(server.origin).host} did not answer 3 times before`, isUntried: true});
});

test('what was never asked for comes first, and the others by chance, so that each has its turn', async () => {
  const server = await heldServer();
  const all = fetched(
    server.media('1', '2', '3', '4').map((one) => ({...one, wasTried: one.id !== '3'})),
    {maxSize: 1000},
  );
  for (let count = 1; count <= 4; count += 1) {
    await server.arrived(count);
    server.answer();
  }
  await all;
  expect(server.asked[0]).toBe('/3');
  expect(server.asked.toSorted()).toEqual(['/1', '/2', '/3', '/4']);
});
