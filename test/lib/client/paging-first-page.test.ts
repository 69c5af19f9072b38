/** The first page that has items, and how long pages without news are followed. */
import {describe, expect, test} from 'vitest';
import {listFilters} from '../../../src/lib/api/filters.js';
import {firstPage, type FirstPage, type ListRequest} from '../../../src/lib/client/paging.js';
import {requestFor} from '../../../src/lib/client/request.js';
import {clientOf} from '../../loopback-server.js';
import {everyPage, inTurn, items, listRequest, listServer, type PageAnswer} from './list-server.js';

const next = (query: string) => `<https://pix.example/api/v1/blocks?${query}>; rel="next"`;

describe('pages without news', () => {
  /** Pages by what is on each: new items, items of the first page, or none. */
  const read = async (...pages: readonly ('empty' | 'new' | 'old')[]) => {
    const server = await listServer((_query, _path, before) => {
      const kind = pages[before];
      const body = kind === 'new' ? items(1000 + before) : kind === 'old' ? items(1000) : [];
      return {body, ...(before + 1 < pages.length && {link: next(`cursor=c${before + 1}`)})};
    });
    return {found: (await everyPage(server, listRequest('blocks'))).flat().length, asked: server.targets.length};
  };
  const times = <Kind>(count: number, kind: Kind): Kind[] => Array.from({length: count}, () => kind);

  test('are followed ten times, and from each page with news on again', async () => {
    expect(await read('new', ...times(10, 'old' as const), 'new')).toEqual({found: 2, asked: 12});
    expect(await read('new', ...times(11, 'old' as const), 'new')).toEqual({found: 1, asked: 12});
    const again = times(10, 'old' as const);
    expect(await read('new', ...again, 'new', ...again, 'new')).toEqual({found: 3, asked: 23});
    expect(await read('new', ...again, 'new', ...again, 'old', 'new')).toEqual({found: 2, asked: 23});
  });

  test('are followed as often as there were pages with news, where these were more', async () => {
    const news = times(15, 'new' as const);
    expect(await read(...news, ...times(15, 'old' as const), 'new')).toEqual({found: 16, asked: 31});
    expect(await read(...news, ...times(16, 'old' as const), 'new')).toEqual({found: 15, asked: 31});
  });

  test('are followed where they are empty', async () => {
    expect(await read('new', ...times(30, 'empty' as const), 'new')).toEqual({found: 2, asked: 32});
  });
});

describe('the first page', () => {
  const linked = (count: number): PageAnswer => ({
    body: items(...Array.from({length: count}, (_, index) => index + 1)),
    link: next('cursor=a'),
  });
  const blocks = (limit?: number) => listRequest('blocks', {query: {limit}});
  const several = (count: number, page: PageAnswer) =>
    Array.from({length: count}, (_, index) => ({...page, link: next(`cursor=${index}`)}));
  const filters: ListRequest = {request: requestFor(listFilters, {}), endpoint: listFilters};
  const mutuals = (total: unknown) => ({body: {data: items(1), has_more: false, total_count: total}});
  const {paging: _, ...onePage} = listRequest('messages').endpoint;

  test.each<[string, ListRequest, PageAnswer[], Partial<FirstPage>]>([
    ['without another', blocks(), [{body: items(2, 1)}], {count: 2, more: 'no', passedOver: 0, nulls: 0, total: undefined}],
    ['that is full, before another', blocks(2), [linked(2)], {count: 2, more: 'yes'}],
    ['that is not full, before another', blocks(3), [linked(2)], {count: 2, more: 'maybe'}],
    ['as large as it can be, before another', blocks(), [linked(40)], {count: 40, more: 'yes'}],
    ['smaller than was asked for, because it can be no larger', blocks(80), [linked(40)], {count: 40, more: 'yes'}],
    ['not as large as it can be, before another', blocks(), [linked(39)], {count: 39, more: 'maybe'}],
    ['of no fixed size, before another', listRequest('notifications'), [linked(40)], {count: 40, more: 'maybe'}],
    ['after ten without items', blocks(), [...several(10, {body: []}), linked(1)], {count: 1, passedOver: 10}],
    ['without items after ten others', blocks(), several(11, {body: []}), {count: 0, passedOver: 10, more: 'maybe'}],
    [
      'after rows that are null',
      listRequest('autospam'),
      [{body: [null, null]}, {body: [null, {id: 1}]}],
      {count: 1, passedOver: 1, nulls: 3},
    ],
    ['with the total of its list', listRequest('mutuals'), [mutuals(70)], {count: 1, total: 70}],
    ['with a total that is no number', listRequest('mutuals'), [mutuals('70')], {count: 1, total: undefined}],
    ['of a list without pages', filters, [{body: items(1, 2)}], {count: 2, passedOver: 0, nulls: 0, more: 'no', total: undefined}],
    ['of a list without pages, inside the answer', {...listRequest('messages'), endpoint: onePage}, [{body: {data: items(1)}}], {count: 1}],
  ])('is one %s', async (_, list, pages, found) => {
    const server = await listServer(inTurn(...pages));
    expect(await firstPage(clientOf(server.url), list)).toMatchObject(found);
    expect(server.targets).toHaveLength(pages.length);
  });

  test('that cannot be read fails as its request, after others too', async () => {
    const server = await listServer(inTurn({body: [], link: next('cursor=a')}));
    const failing = firstPage(clientOf(server.url, {retries: 0}), blocks());
    await expect(failing).rejects.toMatchObject({code: 'not_found'});
    await expect(failing).rejects.not.toHaveProperty('cursor');
  });

  test('of a list that the server fills is not read again where another page follows', async () => {
    const server = await listServer(inTurn({body: [], link: next('max_id=5')}, {body: items(4)}));
    expect(await firstPage(clientOf(server.url), listRequest('notifications'))).toMatchObject({count: 1, passedOver: 1});
  });
});
