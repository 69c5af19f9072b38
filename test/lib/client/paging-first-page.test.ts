/** One page of a list: the first that has items, and whether more follow. */
import {describe, expect, test} from 'vitest';
import {firstPage} from '../../../src/lib/client/paging.js';
import {clientOf} from '../../loopback-server.js';
import {everyPage, items, listRequest, listServer} from './list-server.js';

const next = (query: string) => `<https://pix.example/api/v1/blocks?${query}>; rel="next"`;
const numbers = (count: number, from = 1) => Array.from({length: count}, (_, index) => from + index);

/** Its pages have so many items each, and link to the next one. */
const serverOf = (...sizes: readonly number[]) =>
  listServer((_query, _path, before) => ({
    body: items(...numbers(sizes[before] ?? 0, 1000 * before)),
    ...(before + 1 < sizes.length && {link: next(`cursor=c${before + 1}`)}),
  }));

const first = async ({url}: {readonly url: URL}) => {
  const {count, passedOver, more} = await firstPage(clientOf(url), listRequest('blocks'));
  return {count, passedOver, more};
};

describe('the first page of a list', () => {
  test.each([
    ['full, with a next one', [40, 1], 'yes'],
    ['short, with a next one', [39, 1], 'maybe'],
    ['full, and the last one', [40], 'no'],
    ['empty, and the last one', [0], 'no'],
  ] as const)('is %s: whether more follow: %s', async (_, sizes, more) => {
    const server = await serverOf(...sizes);
    expect(await first(server)).toEqual({count: sizes[0], passedOver: 0, more});
    expect(server.targets).toHaveLength(1);
  });

  test.each([
    [1, {count: 2, passedOver: 1, more: 'no'}],
    [10, {count: 2, passedOver: 10, more: 'no'}],
    [11, {count: 0, passedOver: 10, more: 'maybe'}],
  ])('is looked for behind %d empty ones, and not behind more than ten', async (empty, found) => {
    const server = await serverOf(...numbers(empty).map(() => 0), 2);
    expect(await first(server)).toEqual(found);
    expect(server.targets).toHaveLength(found.passedOver + 1);
  });

  test('has no more where the next one is itself', async () => {
    const server = await listServer(() => ({body: items(1), link: next('')}));
    expect(await first(server)).toEqual({count: 1, passedOver: 0, more: 'no'});
  });
});

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
