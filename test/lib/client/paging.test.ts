import {describe, expect, test} from 'vitest';
import {pagesOf} from '../../../src/lib/client/paging.js';
import {clientOf} from '../../loopback-server.js';
import {everyPage, inTurn, items, listRequest, listServer} from './list-server.js';

const next = (address: string) => `<${address}>; rel="next"`;
const blocks = (query: string) => `https://pix.example/api/v1/blocks?${query}`;

describe('a list that does not end by itself', () => {
  test('ends with a cursor that comes again', async () => {
    const server = await listServer(() => ({body: {data: items(2, 1), has_more: true, next_cursor: 7}}));
    expect(await everyPage(server, listRequest('mutuals'))).toEqual([['2', '1'], []]);
    expect(server.targets).toHaveLength(2);
  });

  test('ends with a link to itself', async () => {
    const server = await listServer((query) => ({body: items(query.get('page') ?? '1'), link: next(blocks('page=2'))}));
    expect(await everyPage(server, listRequest('blocks'))).toEqual([['1'], ['2']]);
  });

  test('ends with pages that lead back in a circle', async () => {
    const server = await listServer((query) => {
      const page = Number(query.get('page') ?? 0);
      return {body: items(page), link: next(blocks(`page=${(page + 1) % 3}`))};
    });
    expect((await everyPage(server, listRequest('blocks'))).flat()).toEqual(['0', '1', '2']);
  });

  test('ends when cursors are ever new, and items never', async () => {
    const server = await listServer((_query, _path, before) => ({body: items(2, 1), link: next(blocks(`cursor=${before}`))}));
    expect((await everyPage(server, listRequest('blocks'))).flat()).toEqual(['2', '1']);
    expect(server.targets.length).toBeLessThan(15);
  });

  test('ends with a failure when there are only empty pages', async () => {
    const server = await listServer((_query, _path, before) => ({body: [], link: next(blocks(`cursor=${before}`))}));
    await expect(everyPage(server, listRequest('blocks'))).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('1000 empty pages in a row'),
    });
    expect(server.targets).toHaveLength(1000);
  });
});

describe('nothing is lost', () => {
  test('behind empty pages', async () => {
    const server = await listServer((query) => {
      const page = Number(query.get('page') ?? 1);
      return {body: page % 20 === 0 ? items(page) : [], ...(page < 60 && {link: next(blocks(`page=${page + 1}`))})};
    });
    expect((await everyPage(server, listRequest('blocks'))).flat()).toEqual(['20', '40', '60']);
  });

  test('behind pages that repeat what came before', async () => {
    // Ten items, one a page; after the tenth page eight more come, at the head.
    const server = await listServer((query) => {
      const page = Number(query.get('page') ?? 1);
      const all = Array.from({length: page > 10 ? 20 : 12}, (_, index) => (page > 10 ? 108 : 100) - index);
      return {body: items(...all.slice(page - 1, page)), ...(page < all.length && {link: next(blocks(`page=${page + 1}`))})};
    });
    const found = (await everyPage(server, listRequest('blocks'))).flat().map(Number);
    expect(found.filter((id) => id <= 100)).toEqual(Array.from({length: 12}, (_, index) => 100 - index));
  });

  test('though has_more is not said', async () => {
    const page = (...ids: number[]) => ({body: {data: items(...ids), meta: {oldest_id: ids.length === 0 ? null : String(ids.at(-1))}}});
    const server = await listServer(inTurn(page(2), page(1), page()));
    expect((await everyPage(server, listRequest('messages'))).flat()).toEqual(['2', '1']);
  });
});

describe('what comes twice is given once', () => {
  const twoPages = (first: unknown, second: unknown) => listServer(inTurn({body: first, link: next(blocks('page=2'))}, {body: second}));

  test('though the rest of it has changed', async () => {
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

  test('when it is plain text', async () => {
    const server = await twoPages(['a.example', 'b.example'], ['b.example', 'c.example']);
    expect(await everyPage(server, listRequest('blocks'))).toEqual([['a.example', 'b.example'], ['c.example']]);
  });

  test('and numbers are told apart digit for digit', async () => {
    const server = await twoPages('[{"id":9007199254740993},{"id":9007199254740992}]', '[{"id":9007199254740993},{"id":9007199254740994}]');
    const pages: (readonly string[])[] = [];
    for await (const page of pagesOf(clientOf(server.url), listRequest('blocks'))) pages.push(page.items);
    expect(pages).toEqual([['{"id":9007199254740993}', '{"id":9007199254740992}'], ['{"id":9007199254740994}']]);
  });

  test('as long as it is among the last 10,000', async () => {
    const many = Array.from({length: 10_000}, (_, index) => String(index + 1));
    const pages = [items(0), items(...many.slice(0, -1)), items(0, 10_000), items(0, 9999)];
    const server = await listServer((_query, _path, before) => ({
      body: pages[before],
      ...(before < 3 && {link: next(blocks(`page=${before + 2}`))}),
    }));
    const found = await everyPage(server, listRequest('blocks'));
    // The 10,000th after 0 makes it forgotten.
    expect([found[0], found[1]?.length, found[2], found[3]]).toEqual([['0'], 9999, ['10000'], ['0']]);
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
  ])('of %d ends the list there, and asks for no page more', async (most, ids, requests) => {
    const server = await listServer(endless);
    expect((await everyPage(server, {...listRequest('blocks', {query: {limit: '2'}}), most})).flat()).toEqual(ids);
    expect(server.targets).toHaveLength(requests);
    expect(server.targets.every((target) => target.includes('limit=2'))).toBe(true);
  });
});

test('no page is asked for before it is wanted', async () => {
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
