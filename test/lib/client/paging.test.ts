import type {ServerResponse} from 'node:http';
import {describe, expect, test} from 'vitest';
import {firstPage, pagesOf} from '../../../src/lib/client/paging.js';
import {clientOf, SkippingClock, startServer} from '../../loopback-server.js';
import {everyPage, inTurn, items, listRequest, listServer, type PageAnswer} from './list-server.js';

const next = (address: string) => `<${address}>; rel="next"`;
const blocks = (query: string) => `https://pix.example/api/v1/blocks?${query}`;

describe('a list that never ends', () => {
  const linked = (id: number, query: string): PageAnswer => ({body: items(id), link: next(blocks(query))});

  test.each<[string, Parameters<typeof listRequest>[0], (before: number, page: number) => PageAnswer, string[], asked: number]>([
    ['a repeated cursor', 'mutuals', () => ({body: {data: items(2, 1), has_more: true, next_cursor: 7}}), ['2', '1'], 2],
    ['a link to itself', 'blocks', (_, page) => linked(page, 'page=2'), ['0', '2'], 2],
    ['pages that form a cycle', 'blocks', (_, page) => linked(page, `page=${(page + 1) % 3}`), ['0', '1', '2'], 4],
    ['new cursors where items repeat', 'blocks', (before) => linked(2, `cursor=${before}`), ['2'], 12],
  ])('ends at %s', async (_, name, answer, found, asked) => {
    const server = await listServer((query, _path, before) => answer(before, Number(query.get('page') ?? 0)));
    expect((await everyPage(server, listRequest(name))).flat()).toEqual(found);
    expect(server.targets).toHaveLength(asked);
  });

  const messages = (ids: readonly number[], meta: object) => ({body: {data: items(...ids), meta}});
  const conversation = (id: number, cursor: string) => ({body: {data: items(id), meta: {next_cursor: cursor}}});

  test.each([
    [
      'the same page at every place',
      () => messages([2, 1], {has_more: true, oldest_id: '1'}),
      'messages',
      {},
      'a page that was read already',
    ],
    [
      'the same page upwards',
      () => messages([9, 8], {has_more: true, newest_id: '9'}),
      'messages',
      {query: {min_id: '1'}},
      'a page that was read already',
    ],
    [
      'pages that form a cycle',
      (before: number) => messages([before % 2], {has_more: true, oldest_id: String((before % 2) + 1)}),
      'messages',
      {},
      'a page that was read already',
    ],
    [
      'the same messages at places that are new',
      (before: number) => messages([500], {has_more: true, oldest_id: String(400 - before)}),
      'messages',
      {},
      'pages that were read already',
    ],
    ['no place of the next page', () => messages([2, 1], {has_more: true, oldest_id: null}), 'messages', {}, 'does not say where'],
    ['the same cursor', () => conversation(1, 'a'), 'conversations', {}, 'a page that was read already'],
    [
      'cursors that form a cycle',
      (before: number) => conversation(before, `${before % 3}`),
      'conversations',
      {},
      'a page that was read already',
    ],
  ] as const)(
    'a list that says that there is more and names %s fails, and gives what was read',
    async (_, answer, name, input, message) => {
      const server = await listServer((_query, _path, before) => answer(before));
      const found: unknown[] = [];
      const reading = async () => {
        for await (const {items} of pagesOf(clientOf(server.url), listRequest(name, input))) found.push(...items);
      };
      await expect(reading()).rejects.toMatchObject({code: 'bad_answer', message: expect.stringContaining(message)});
      expect(found.length).toBe(new Set(found.map((item) => JSON.stringify(item))).size);
      expect(found.length).toBeGreaterThan(0);
      expect(server.targets.length).toBeLessThan(15);
    },
  );

  test.each([false, undefined])('a list of messages whose has_more is %s ends at a place that was read already', async (hasMore) => {
    const server = await listServer(() => messages([2, 1], {has_more: hasMore, oldest_id: '1'}));
    expect((await everyPage(server, listRequest('messages'))).flat()).toEqual(['2', '1']);
  });

  test.each([
    ['empty pages', 'blocks', (before: number) => ({body: [], link: next(blocks(`cursor=${before}`))})],
    ['pages of nothing but rows that are null', 'autospam', () => ({body: [null]})],
  ] as const)('fails after 1000 %s', async (_, name, answer) => {
    const server = await listServer((_query, _path, before) => answer(before));
    await expect(everyPage(server, listRequest(name))).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('1000 empty pages in a row'),
    });
    expect(server.targets).toHaveLength(1000);
  });
});

describe('no item is lost', () => {
  test('no item is lost after empty pages', async () => {
    const server = await listServer((query) => {
      const page = Number(query.get('page') ?? 1);
      return {body: page % 20 === 0 ? items(page) : [], ...(page < 60 && {link: next(blocks(`page=${page + 1}`))})};
    });
    expect((await everyPage(server, listRequest('blocks'))).flat()).toEqual(['20', '40', '60']);
  });

  test('no item is lost after pages that repeat earlier items', async () => {
    // Ten items, one a page; after the tenth page eight more come, at the head.
    const server = await listServer((query) => {
      const page = Number(query.get('page') ?? 1);
      const all = Array.from({length: page > 10 ? 20 : 12}, (_, index) => (page > 10 ? 108 : 100) - index);
      return {body: items(...all.slice(page - 1, page)), ...(page < all.length && {link: next(blocks(`page=${page + 1}`))})};
    });
    const found = (await everyPage(server, listRequest('blocks'))).flat().map(Number);
    expect(found.filter((id) => id <= 100)).toEqual(Array.from({length: 12}, (_, index) => 100 - index));
  });

  test('no item is lost when has_more is missing', async () => {
    const page = (...ids: number[]) => ({body: {data: items(...ids), meta: {oldest_id: ids.length === 0 ? null : String(ids.at(-1))}}});
    const server = await listServer(inTurn(page(2), page(1), page()));
    expect((await everyPage(server, listRequest('messages'))).flat()).toEqual(['2', '1']);
  });
});

describe('a repeated item is given once', () => {
  const twoPages = (first: unknown, second: unknown) => listServer(inTurn({body: first, link: next(blocks('page=2'))}, {body: second}));

  test('a repeated item is given once when its other fields changed', async () => {
    const server = await twoPages(
      [
        {id: '3', a: 1},
        {id: '2', a: 1},
      ],
      [
        {id: '2', a: 2},
        {id: '1', a: 1},
      ],
    );
    expect(await everyPage(server, listRequest('blocks'))).toEqual([['3', '2'], ['1']]);
  });

  test('a repeated item is given once when it is a string', async () => {
    const server = await twoPages(['a.example', 'b.example'], ['b.example', 'c.example']);
    expect(await everyPage(server, listRequest('blocks'))).toEqual([['a.example', 'b.example'], ['c.example']]);
  });
});

describe('a maximum', () => {
  const endless = (query: URLSearchParams) => {
    const page = Number(query.get('page') ?? 1);
    return {body: items(page * 2, page * 2 + 1), link: next(blocks(`page=${page + 1}`))};
  };

  test.each([
    [1, ['2'], 1],
    [2, ['2', '3'], 1],
    [3, ['2', '3', '4'], 2],
    [5, ['2', '3', '4', '5', '6'], 3],
  ])('a maximum of %d ends the list without another request', async (most, ids, requests) => {
    const server = await listServer(endless);
    expect((await everyPage(server, {...listRequest('blocks', {query: {limit: '2'}}), most})).flat()).toEqual(ids);
    expect(server.targets).toHaveLength(requests);
    expect(server.targets.every((target) => target.includes('limit=2'))).toBe(true);
  });
});

test('requests a page only when it is read', async () => {
  const server = await listServer((query) => ({
    body: items(query.get('page') ?? 1),
    link: next(blocks(`page=${Number(query.get('page') ?? 1) + 1}`)),
  }));
  const pages = pagesOf(clientOf(server.url), listRequest('blocks'));
  await pages.next();
  await pages.next();
  await pages.return();
  expect(server.targets).toHaveLength(2);
});

describe('notifications of a server that fills its cache at the first request', () => {
  const cold = () => listServer((_query, _path, before) => ({body: before === 0 ? [] : items(2, 1)}));

  test('notifications of a server that fills its cache at the first request are read once more, a second later, as one page and as all pages', async () => {
    for (const limit of [{}, {query: {limit: 5}}]) {
      const list = listRequest('notifications', limit);
      const [one, all] = [await cold(), await cold()];
      const clock = new SkippingClock();
      expect((await firstPage(clientOf(one.url, {clock}), list)).count).toBe(2);
      expect(clock.skipped).toBe(1000);
      expect(await everyPage(all, list)).toEqual([['2', '1']]);
      for (const {targets} of [one, all]) expect(targets).toHaveLength(2);
    }
  });

  test('notifications of a server that fills its cache at the first request are read no third time, and not at all where bounds, types or another list make an empty page likely', async () => {
    const read = async (list: ReturnType<typeof listRequest>, options = {}) => {
      const server = await listServer(() => ({body: []}));
      expect((await firstPage(clientOf(server.url, options), list)).count).toBe(0);
      return server.targets.length;
    };
    expect(await read(listRequest('notifications'))).toBe(2);
    expect(await read(listRequest('blocks'))).toBe(1);
    for (const query of [{types: ['follow']}, {max_id: '5'}, {min_id: '5'}, {since_id: '5'}])
      expect(await read(listRequest('notifications', {query})), JSON.stringify(query)).toBe(1);
    // No pause is allowed.
    expect(await read(listRequest('notifications'), {maxWait: 0})).toBe(1);
  });
});

describe('a Link header', () => {
  test('a Link header that is there twice is read as one', async () => {
    const send = (body: unknown, link: string[]) => (response: ServerResponse) =>
      response.writeHead(200, {'content-type': 'application/json', link}).end(JSON.stringify(body));
    const server = await startServer(send(items(2), [`<${blocks('page=1')}>; rel="prev"`, next(blocks('page=2'))]), send(items(1), []));
    expect(await everyPage({...server, targets: []}, listRequest('blocks'))).toEqual([['2'], ['1']]);
  });

  test('replaces the parameters of the page before', async () => {
    const server = await listServer(inTurn({body: items(2), link: next(blocks('cursor=a'))}, {body: items(1)}));
    await everyPage(server, listRequest('blocks', {query: {limit: '1', page: '7'}}));
    expect(server.targets).toEqual(['/api/v1/blocks?limit=1&page=7', '/api/v1/blocks?limit=1&cursor=a']);
  });
});
