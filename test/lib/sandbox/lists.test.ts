/** Filters and notifications, where the recordings do not show how one request changes the next, or how pages follow each other. */
import {afterEach, expect, test, vi} from 'vitest';
import type {SeedState} from '../../sandbox/seed.js';
import {ask, linked, sandboxWith} from './asking.js';

const filters = '/api/v2/filters';

async function emptyFilters() {
  const sandbox = await sandboxWith({seed: 'empty'});
  return {
    create: async (keyword: string, more: object = {}) => {
      const keywords_attributes = [{keyword, whole_word: true}];
      return (await ask(sandbox, `POST ${filters}`, {json: {title: keyword, context: ['home'], keywords_attributes, ...more}})).body;
    },
    update: (id: string, json: object) => ask(sandbox, `PUT ${filters}/${id}`, {json}),
    get: async (id = '') => (await ask(sandbox, `GET ${filters}${id && `/${id}`}`)).body,
  };
}

afterEach(() => {
  vi.useRealTimers();
});

test('filters expire, and never again with 0', async () => {
  const {create, update, get} = await emptyFilters();
  vi.useFakeTimers({toFake: ['Date']});
  const {id} = await create('word', {expires_in: 60});
  vi.setSystemTime(Date.now() + 61_000);
  expect(await get()).toEqual([]);
  expect(await get(id)).toMatchObject({id});
  expect((await update(id, {expires_in: 0, keywords_attributes: [{id: 1}]})).body.expires_at).toBeNull();
  expect(await get()).toHaveLength(1);
});

test('filters change keywords one by one, and change nothing when one is refused', async () => {
  const {create, update, get} = await emptyFilters();
  await create('taken');
  const before = await create('first');
  const {id} = before.keywords[0];
  expect(await update(before.id, {keywords_attributes: [{id, _destroy: true}, {keyword: 'Taken'}]})).toMatchObject({
    status: 422,
    body: {error: 'Duplicate keywords found', message: 'The following keywords already exist: taken'},
  });
  expect(await get(before.id)).toEqual(before);
  const keywords_attributes = [{id, keyword: 'Second', whole_word: false}, {keyword: 'third'}, {keyword: 'third'}];
  expect((await update(before.id, {keywords_attributes})).body.keywords).toEqual([
    {id, keyword: 'second', whole_word: false},
    {id: expect.any(Number), keyword: 'third', whole_word: true},
  ]);
});

const notifications = '/api/v1/notifications';

const noticed = (types: readonly string[]): SeedState => ({
  accounts: [{acct: 'ana'}, {acct: 'bob'}],
  posts: [{by: 'ana', text: 'A photo'}],
  notifications: types.map((type) => ({type, from: 'bob', ...(type === 'favourite' && {post: 0})})),
});

test('notifications are paged before they are filtered: pages can be short, and the last has a next link', async () => {
  // Ids 1 to 6, of which 4 is never shown.
  const sandbox = await sandboxWith({seed: noticed(['follow', 'favourite', 'favourite', 'direct', 'mention', 'favourite'])});
  const pages: number[][] = [];
  for (let next: string | null = `${notifications}?types[]=favourite&limit=2`; next !== null;) {
    const page = await ask(sandbox, `GET ${next}`);
    pages.push(page.body.map(({id}: {id: string}) => Number(id)));
    next = linked(page, 'next');
  }
  expect(pages).toEqual([[6], [3], [2], []]);
});

test.each(['0.12.6', '2026'] as const)('notifications like %s can have an empty page with a next link', async (like) => {
  const sandbox = await sandboxWith({like, seed: noticed([...Array<string>(5).fill('follow'), ...Array<string>(40).fill('direct')])});
  const first = await ask(sandbox, `GET ${notifications}`);
  const second = await ask(sandbox, `GET ${linked(first, 'next')}`);
  expect([first.body, second.body]).toEqual([[], []]);
  expect((await ask(sandbox, `GET ${linked(second, 'next')}`)).body).toHaveLength(5);
});
