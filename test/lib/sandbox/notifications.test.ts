import {expect, test} from 'vitest';
import type {SeedState} from '../../sandbox/seed.js';
import type {Generation} from '../../sandbox/start.js';
import {ask, linked, sandboxWith} from './asking.js';

const path = '/api/v1/notifications';

/** Ids 1 to 6, of which 4 is never shown. */
const seed: SeedState = {
  accounts: [{acct: 'ana'}, {acct: 'bob'}],
  posts: [{by: 'ana', text: 'A photo'}],
  notifications: ['follow', 'favourite', 'favourite', 'direct', 'mention', 'favourite'].map((type) => ({
    type,
    from: 'bob',
    ...(type === 'favourite' && {post: 0}),
  })),
};

async function asking(like: Generation = '2026') {
  const sandbox = await sandboxWith({seed, like});
  return async (query: string) => {
    const asked = await ask(sandbox, `GET ${query.startsWith('/') ? query : path + query}`);
    return {...asked, ids: asked.body.map?.(({id}: {id: string}) => Number(id))};
  };
}

test('notifications are paged before they are filtered: pages can be short, and the last has a next link', async () => {
  const get = await asking();
  const pages: number[][] = [];
  let next: string | null = '?types[]=favourite&limit=2';
  while (next !== null) {
    const page = await get(next);
    pages.push(page.ids);
    next = linked(page, 'next');
  }
  expect(pages).toEqual([[6], [3], [2], []]);
});

test.each(['0.12.6', '2026'] as const)('notifications like %s can have an empty page with a next link', async (like) => {
  const notices = Array.from({length: 45}, (_, index) => ({type: index < 5 ? 'follow' : 'direct', from: 'bob'}));
  const sandbox = await sandboxWith({like, seed: {...seed, notifications: notices}});
  const first = await ask(sandbox, `GET ${path}`);
  expect(first.body).toEqual([]);
  const second = await ask(sandbox, `GET ${linked(first, 'next')}`);
  expect(second.body).toEqual([]);
  expect((await ask(sandbox, `GET ${linked(second, 'next')}`)).body).toHaveLength(5);
});
