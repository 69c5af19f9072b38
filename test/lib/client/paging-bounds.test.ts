import {describe, expect, test} from 'vitest';
import {everyPage, inTurn, items, listRequest, listServer} from './list-server.js';

const next = (address: string) => `<${address}>; rel="next"`;

describe('min_id, max_id and since_id', () => {
  const all = Array.from({length: 20}, (_, index) => 20 - index);
  /** As real servers: the upper bound wins, and links forget the others. */
  const forgetful = (query: URLSearchParams) => {
    const [below, above] = [Number(query.get('max_id') ?? 21), Number(query.get('min_id') ?? query.get('since_id') ?? 0)];
    const found = all.filter((id) => (query.has('max_id') ? id < below : id > above)).slice(0, 3);
    return {
      body: items(...found),
      ...(found.length > 0 && {link: next(`https://pix.example/api/v1/notifications?limit=3&max_id=${found.at(-1)}`)}),
    };
  };

  test.each([
    [{min_id: '11'}, [20, 19, 18, 17, 16, 15, 14, 13, 12]],
    [{since_id: '15'}, [20, 19, 18, 17, 16]],
    [{max_id: '6', min_id: '2'}, [5, 4, 3]],
    [{since_id: '4', min_id: '17'}, [20, 19, 18]],
  ])('hold on every page: %j', async (query, ids) => {
    const server = await listServer(forgetful);
    expect((await everyPage(server, listRequest('notifications', {query}))).flat().map(Number)).toEqual(ids);
  });

  test('min_id, max_id and since_id are sent with every request, with the other parameters', async () => {
    const server = await listServer((query) =>
      query.has('max_id')
        ? {body: []}
        : {body: items(9), link: next('https://pix.example/api/v1/notifications?types[0]=poll&limit=40&max_id=9')},
    );
    await everyPage(server, listRequest('notifications', {query: {limit: '3', min_id: '2', types: ['mention', 'follow']}}));
    const query = 'limit=3&min_id=2&types%5B%5D=mention&types%5B%5D=follow';
    expect(server.targets).toEqual([`/api/v1/notifications?${query}`, `/api/v1/notifications?${query}&max_id=9`]);
  });

  test('end a list whose further pages are out of bounds', async () => {
    const server = await listServer((query) => {
      const below = Number(query.get('max_id') ?? 100);
      return {body: [], link: next(`https://pix.example/api/v1/notifications?max_id=${below - 10}`)};
    });
    expect((await everyPage(server, listRequest('notifications', {query: {min_id: '70'}}))).flat()).toEqual([]);
    expect(server.targets).toHaveLength(3);
  });

  test('leave out items out of bounds, and no others', async () => {
    const page = (...ids: number[]) => items(...ids);
    const server = await listServer(
      inTurn({body: page(12, 11, 10, 9), link: next('https://pix.example/api/v1/notifications?max_id=9')}, {body: page(8)}),
    );
    expect(await everyPage(server, listRequest('notifications', {query: {max_id: '11'}}))).toEqual([['10', '9'], ['8']]);
  });

  test('hold for lists that page upwards', async () => {
    const page = (...ids: number[]) => ({
      body: {data: items(...ids), meta: {has_more: true, newest_id: String(ids[0]), oldest_id: String(ids.at(-1))}},
    });
    const server = await listServer(inTurn(page(4, 3), page(6, 5)));
    expect(await everyPage(server, listRequest('messages', {query: {min_id: '2', max_id: '6'}}))).toEqual([['4', '3'], ['5']]);
    expect(server.targets).toHaveLength(2);
  });
});
