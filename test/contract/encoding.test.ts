import fc from 'fast-check';
import {afterAll, describe, expect, test} from 'vitest';
import {listBlocks, listConversations, listMutuals, listNotifications, sendMessage} from '../../src/lib/client/index.js';
import {isAccountName, isIdentifier} from '../../src/lib/client/request.js';
import type {Row} from '../endpoints/row.js';
import {failureOf, jsonAnswer, startServer} from './scripted-server.js';
import {table} from '../endpoints/table.js';
import {codePoint} from '../arbitraries.js';

const server = await startServer();
const client = server.client();
afterAll(() => server.stop());

describe('an id in a path', () => {
  const byId = table.filter(({endpoint}) => Object.keys(endpoint.pathFields).length > 0);

  test('occurs in some requests', () => {
    expect(byId.length).toBeGreaterThan(0);
  });

  const pathWith = ({endpoint}: Row, id: string) => Object.fromEntries(Object.keys(endpoint.pathFields).map((name) => [name, id]));

  /** The ids that came out of the request line, by the URL standard's own parser. */
  async function idsSent(row: Row, id: string): Promise<string[]> {
    const {endpoint, requests, answer} = row;
    server.answers(jsonAnswer(answer));
    await client.call(endpoint, {...requests[0].input, path: pathWith(row, id), query: {}});
    const {pathname, search, hash} = new URL(server.origin + (server.received[0]?.target ?? ''));
    expect(search + hash).toBe('');
    const template = endpoint.path.split('/');
    const segments = pathname.split('/');
    expect(segments).toHaveLength(template.length);
    return segments.filter((_, index) => template[index]?.startsWith('{')).map(decodeURIComponent);
  }

  test.each(['../x', 'a/b', '1?x=1', '1#f', 'é', '%2f', '%2e%2e', '..%2f', 'a+b', 'a\\b', ';', '...', '{id}', '$&'])(
    '%j stays one segment',
    async (id) => {
      for (const row of byId) expect(new Set(await idsSent(row, id)), row.command).toEqual(new Set([id]));
    },
  );

  test.each(['', '.', '..', '\ud800', 'a b', 'a,b', 'a\tb'])('rejects %j and sends nothing', async (id) => {
    for (const row of byId) {
      server.answers(jsonAnswer(row.answer));
      const failure = await failureOf(client.call(row.endpoint, {...row.requests[0].input, path: pathWith(row, id)}));
      expect(failure.code, row.command).toBe('usage');
      expect(server.received).toEqual([]);
    }
  });

  test('keeps any other text', async () => {
    const ids = fc.string({unit: codePoint}).filter((id) => isIdentifier(id) && !isAccountName(id));
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        for (const row of byId) expect(new Set(await idsSent(row, id)), row.command).toEqual(new Set([id]));
      }),
    );
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

  test('rejects text that cannot be encoded, and sends nothing', async () => {
    server.answers(jsonAnswer({}));
    const failure = await failureOf(client.call(listConversations, {query: {filter: '\ud800'}}));
    expect(failure.code).toBe('usage');
    expect(server.received).toEqual([]);
  });

  test('keeps the digits of numbers beyond 2^53', async () => {
    const digits = '12345678901234567890';
    server.answers(jsonAnswer({data: [], has_more: false, next_cursor: null, total_count: 0}));
    await client.call(listMutuals, {query: {cursor: digits}});
    expect(server.received.map(({target}) => target)).toEqual([`/api/v1.1/direct/compose/mutuals?cursor=${digits}`]);
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

  test('sends unknown fields unchanged', async () => {
    server.answers(jsonAnswer({}));
    await client.call(sendMessage, {path: {id: '1'}, body: {message: 'a', story: {id: 7, tags: [null]}}});
    expect(server.received.map(({body}) => JSON.parse(body.toString()))).toEqual([{message: 'a', story: {id: 7, tags: [null]}}]);
  });
});
