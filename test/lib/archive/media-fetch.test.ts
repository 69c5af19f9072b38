/** From where media are fetched, by where the server is. */
import {mkdtempSync, rmSync} from 'node:fs';
import dns from 'node:dns';
import {syncBuiltinESMExports} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {MediaFetcher} from '../../../src/lib/archive/media-fetch.js';
import {ConversationPlace} from '../../../src/lib/archive/places.js';

async function errorOf(server: string, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-fetch-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const none = async () => undefined;
  await using fetcher = new MediaFetcher({server: new URL(server), token: none, ownHost: none, retries: 0}, 0);
  return (await fetcher.fetch(new ConversationPlace(folder, '7'), {id: '1', url, description: undefined}, 'now')).error;
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
