import {describe, expect, test} from 'vitest';
import {ask, linked, sandboxWith} from './asking.js';

const domains = '/api/v1/domain_blocks';

test('blocks and mutes have numbered pages, with links to another origin', async () => {
  const sandbox = await sandboxWith({publicUrl: 'https://pix.example'});
  const first = await ask(sandbox, 'GET /api/v1/blocks?limit=2');
  expect(first.headers.get('link')).toBe('<https://pix.example/api/v1/blocks?limit=2&page=2>; rel="next"');
  const second = await ask(sandbox, `GET ${linked(first, 'next')}`);
  expect(second.body.map(({username}: {username: string}) => username)).toEqual(['grumpy']);
  expect([linked(second, 'next'), linked(second, 'prev')]).toEqual([null, '/api/v1/blocks?limit=2&page=1']);
});

describe('blocking and muting', () => {
  const people = (count: number) =>
    Array.from({length: count}, (_, index) => ({acct: `p${index}`, id: String(1029249417440595971n + BigInt(index))}));

  test.each([
    ['block', 'blocks', '0.12.6', 50, 'You cannot block more than 50 accounts'],
    ['mute', 'mutes', '0.12.6', 50, 'You cannot mute more than 50 accounts'],
    ['block', 'blocks', '2026', 200, 'You cannot block more than 200 accounts'],
    ['mute', 'mutes', '2026', 500, 'You cannot mute more than 500 accounts'],
  ] as const)('%s is refused at the limit of %s like %s, a repeat too', async (verb, relation, like, most, error) => {
    const accounts: {acct: string; id?: string}[] = [{acct: 'ana'}, ...people(most + 1)];
    const sandbox = await sandboxWith({like, seed: {accounts, [relation]: people(most).map(({acct}) => acct)}});
    for (const one of [accounts.at(1), accounts.at(-1)])
      expect(await ask(sandbox, `POST /api/v1/accounts/${one?.id}/${verb}`), one?.acct).toMatchObject({status: 422, body: {error}});
  });

  test('followers and followed accounts come with the next page as prev', async () => {
    const accounts = ['ana', 'bob', 'clara', 'dan@far.example'].map((acct) => ({acct}));
    const sandbox = await sandboxWith({seed: {accounts, following: ['bob', 'dan@far.example'], followers: ['bob', 'clara']}});
    const {id} = (await ask(sandbox, 'GET /api/v1/accounts/verify_credentials')).body;
    const pages = async (verb: string) => {
      const first = await ask(sandbox, `GET /api/v1/accounts/${id}/${verb}?limit=1`);
      const second = await ask(sandbox, `GET ${linked(first, 'prev')}`);
      expect([linked(first, 'next'), linked(second, 'prev')]).toEqual([null, null]);
      expect((await ask(sandbox, `GET ${linked(second, 'next')}`)).body).toEqual(first.body);
      return [...first.body, ...second.body].map(({acct}) => acct);
    };
    expect(await pages('following')).toEqual(['dan@far.example', 'bob']);
    expect(await pages('followers')).toEqual(['clara', 'bob']);
    expect((await ask(sandbox, 'GET /api/v1/accounts/1/followers')).status).toBe(404);
    expect((await ask(sandbox, `GET /api/v1/accounts/${id}/followers?limit=0`)).status).toBe(422);
  });
});

describe('domain blocks', () => {
  test('domain blocks have pages with a cursor in both directions', async () => {
    const sandbox = await sandboxWith({
      seed: {
        accounts: [{acct: 'ana'}],
        domainBlocks: ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'],
      },
    });
    const first = await ask(sandbox, `GET ${domains}?limit=2`);
    const second = await ask(sandbox, `GET ${linked(first, 'next')}`);
    const third = await ask(sandbox, `GET ${linked(second, 'next')}`);
    expect([first.body, second.body, third.body]).toEqual([['e.example', 'd.example'], ['c.example', 'b.example'], ['a.example']]);
    expect(second.headers.get('link')).toContain('rel="next", <');
    expect(linked(third, 'next')).toBeNull();
    expect((await ask(sandbox, `GET ${linked(third, 'prev')}`)).body).toEqual(second.body);
    expect((await ask(sandbox, `GET ${domains}?limit=2&cursor=zzz`)).body).toEqual(first.body);
  });

  test.each([
    ['2026', undefined, 100],
    ['0.12.6', undefined, 50],
    ['2026', 7, 7],
  ] as const)('domain blocks like %s with the limit %s are %d at most, even when one is added again', async (like, domainLimit, most) => {
    const domainBlocks = Array.from({length: most - 1}, (_, index) => `x${index}.example.com`);
    const sandbox = await sandboxWith({like, ...(domainLimit && {domainLimit}), seed: {accounts: [{acct: 'ana'}], domainBlocks}});
    const add = async (domain: string) => (await ask(sandbox, `POST ${domains}`, {json: {domain}})).status;
    expect([await add('https://x0.example.com'), await add('https://new.example.com'), await add('https://x0.example.com')]).toEqual([
      200, 200, 400,
    ]);
  });
});
