/** A list that Pixelfed pages by `Link` with the words of the header exchanged. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {linkHeader, pageByCursor} from '../../../src/lib/sandbox/collection.js';
import {everyPage, items, listRequest, listServer, type PageAnswer} from './list-server.js';

const path = '/api/v1/admin/domain_blocks';
const list = listRequest('adminDomainBlocks');

interface Asked {
  readonly ids: readonly number[];
  readonly limit: number;
  readonly query: URLSearchParams;
}

/** Oldest first; the page that follows is called `prev`. */
function exchanged({ids, limit, query}: Asked): PageAnswer {
  const rows = ids.map((id) => ({id}));
  const page = pageByCursor(rows, (row) => row, {cursor: query.get('cursor'), limit, ascends: true});
  const at = (cursor: string) => `https://pix.example${path}?limit=${limit}&cursor=${cursor}`;
  const {link} = linkHeader({next: page.prev && at(page.prev), prev: page.next && at(page.next)});
  return {body: items(...page.items.map(({id}) => id)), ...(link !== undefined && {link})};
}

describe('a list with the words exchanged', () => {
  const arbitrary = fc.record({
    ids: fc.uniqueArray(fc.integer({min: 1, max: 10_000}), {maxLength: 60}).map((ids) => ids.toSorted((one, other) => one - other)),
    limit: fc.integer({min: 1, max: 20}),
  });

  test('a list is read whole, each item once, whatever its length and its pages', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async ({ids, limit}) => {
        const server = await listServer((query) => exchanged({ids, limit, query}));
        const found = (await everyPage(server, list)).flat().map(Number);
        expect(found.toSorted((one, other) => one - other)).toEqual(ids);
        expect(server.targets.length).toBeLessThanOrEqual(Math.floor(ids.length / limit) + 1);
      }),
      {numRuns: 30},
    );
  });

  test('a list that is cut short meanwhile ends', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.nat({max: 5}), async ({ids, limit}, after) => {
        const server = await listServer((query, _path, before) => exchanged({ids: before > after ? [] : ids, limit, query}));
        await everyPage(server, list);
        expect(server.targets.length).toBeLessThanOrEqual(Math.min(after + 2, Math.floor(ids.length / limit) + 1));
      }),
      {numRuns: 20},
    );
  });
});

test('a page without a new item ends the list, whatever it links to', async () => {
  const link = (mark: number) => `<https://pix.example${path}?max_id=${mark}>; rel="next"`;
  const server = await listServer((_query, _path, before) => ({body: items(3, 2), link: link(before)}));
  expect(await everyPage(server, list)).toEqual([['3', '2'], []]);
  expect(server.targets).toHaveLength(2);
});
