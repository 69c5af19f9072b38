import fc from 'fast-check';
import {afterAll, describe, expect, test} from 'vitest';
import {listBlocks} from '../../src/lib/api/blocks.js';
import {sendMessage} from '../../src/lib/api/direct.js';
import {listNotifications} from '../../src/lib/api/notifications.js';
import {isAccountName, isIdentifier} from '../../src/lib/client/request.js';
import type {Endpoint} from '../../src/lib/api/endpoint.js';
import {records} from '../../src/lib/api/endpoints.js';
import {factsOf} from '../../src/lib/api/schema.js';
import {failureOf} from '../failure-of.js';
import {jsonAnswer, startServer} from './scripted-server.js';
import {table} from '../endpoints/table.js';
import {codePoint} from '../arbitraries.js';

const server = await startServer();
const client = server.client();
afterAll(() => server.stop());

describe('a field of a path', () => {
  const byPath = records.filter(({pathFields}) => Object.keys(pathFields).length > 0);

  test('is in records with and without a command, as an id and as a name', () => {
    const names = byPath.map(({name}) => name);
    expect(names).toEqual(expect.arrayContaining(['get filter', 'get account', 'get account by name']));
  });

  const pathWith = ({pathFields}: Endpoint, value: string) => Object.fromEntries(Object.keys(pathFields).map((name) => [name, value]));

  /** Sends a request with a value in every field of its path. */
  async function send(endpoint: Endpoint, value: string): Promise<void> {
    const row = table.find((one) => one.endpoint.name === endpoint.name);
    server.answers(jsonAnswer(row?.answer ?? {}));
    // Internal records are reads without other fields.
    await client.call(endpoint, {...row?.requests[0].input, path: pathWith(endpoint, value), query: {}});
  }

  /** The values that came out of the request line, by the URL standard's own parser. */
  async function valuesSent(endpoint: Endpoint, value: string): Promise<string[]> {
    // Whatever the answer is.
    await send(endpoint, value).catch((error: unknown) => expect(error).toMatchObject({code: 'bad_answer'}));
    const {pathname, search, hash} = new URL(server.origin + (server.received[0]?.target ?? ''));
    expect(search + hash).toBe('');
    const template = endpoint.path.split('/');
    const segments = pathname.split('/');
    expect(segments).toHaveLength(template.length);
    return segments.filter((_, index) => template[index]?.startsWith('{')).map(decodeURIComponent);
  }

  const odd = ['../x', 'a/b', '1?x=1', '1#f', 'é', '%2f', '%2e%2e', '..%2f', 'a+b', 'a\\b', ';', '...', '{id}', '$&'];

  test.each(odd)('%j stays one segment', async (value) => {
    for (const endpoint of byPath) expect(new Set(await valuesSent(endpoint, value)), endpoint.name).toEqual(new Set([value]));
  });

  const refused = ['', ' ', '.', '..', '\ud800', 'a b', 'a\tb', '\u2028', 'a\u0000', '\u0085'];

  test.each(refused)('%j is refused, and nothing is sent', async (value) => {
    for (const endpoint of byPath) {
      const failure = await failureOf(send(endpoint, value));
      expect(failure, endpoint.name).toMatchObject({code: 'usage', message: expect.stringMatching(/cannot be|is not an id/)});
      expect(server.received).toEqual([]);
    }
  });

  test('keeps any other text', async () => {
    const ids = fc.string({unit: codePoint}).filter((id) => isIdentifier(id) && !isAccountName(id));
    await fc.assert(
      fc.asyncProperty(ids, fc.constantFrom(...byPath), async (id, endpoint) => {
        expect(new Set(await valuesSent(endpoint, id)), endpoint.name).toEqual(new Set([id]));
      }),
    );
  });

  test('that is an id has no comma', async () => {
    for (const {endpoint} of table.filter((row) => Object.keys(row.endpoint.pathFields).length > 0)) {
      const isId = Object.values(endpoint.pathFields).every((schema) => factsOf(schema)?.isId !== undefined);
      if (isId) expect(await failureOf(send(endpoint, 'a,b'))).toMatchObject({code: 'usage'});
    }
  });
});

describe('a query', () => {
  test('keeps any text', async () => {
    const texts = fc.string({unit: codePoint});
    await fc.assert(
      fc.asyncProperty(
        // Blank ones are refused.
        fc.array(texts.filter((type) => type.trim() !== '')),
        texts.filter((id) => isIdentifier(id) && !isAccountName(id)),
        async (types, bound) => {
          server.answers(jsonAnswer([]));
          await client.call(listNotifications, {query: {max_id: bound, types}});
          const {searchParams, hash} = new URL(server.origin + (server.received[0]?.target ?? ''));
          expect([...searchParams]).toEqual([['max_id', bound], ...types.map((type) => ['types[]', type])]);
          expect(hash).toBe('');
        },
      ),
    );
  });

  test.each([1.5, 'many', ''])('rejects a limit of %j and sends nothing', async (limit) => {
    server.answers(jsonAnswer([]));
    const failure = await failureOf(client.call(listBlocks, {query: {limit}}));
    expect(failure.code).toBe('usage');
    expect(server.received).toEqual([]);
  });
});

describe('a body', () => {
  test('keeps any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({unit: codePoint}), async (message) => {
        server.answers(jsonAnswer({}));
        await client.call(sendMessage, {path: {id: '1'}, body: {message}});
        expect(server.received.map(({body}) => JSON.parse(body.toString()))).toEqual([{message}]);
      }),
    );
  });
});
