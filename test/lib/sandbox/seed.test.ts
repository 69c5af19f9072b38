import {describe, expect, test} from 'vitest';
import {ask, sandboxWith} from './asking.js';

const accounts = [{acct: 'ana'}, {acct: 'bob@far.example'}];

test('accounts that are added have names that the seed does not have', async () => {
  const {tokens} = await sandboxWith({seed: {accounts: [...accounts, {acct: 'user3'}]}, accounts: 4});
  expect(Object.keys(tokens.users)).toEqual(['ana', 'user3', 'user4', 'user5']);
});

test('messages of a seed have files, which the server serves, and replies', async () => {
  const messages = [
    {from: 'bob@far.example', media: ['image/png' as const, 'video/mp4' as const]},
    {from: 'ana', text: 'Nice', inReplyTo: 0},
  ];
  const sandbox = await sandboxWith({seed: {accounts, conversations: [{id: '7', between: ['ana', 'bob@far.example'], messages}]}});
  const {data} = (await ask(sandbox, 'GET /api/v1.1/direct/conversations/7/messages')).body;
  expect(data).toMatchObject([
    {in_reply_to_id: data[1].id},
    {type: 'media', text: null, media: [{mime: 'image/png'}, {mime: 'video/mp4'}]},
  ]);
  const [{url}] = data[1].media;
  const file = await fetch(sandbox.url + new URL(url).pathname);
  expect(file.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await file.arrayBuffer()).toString('latin1')).toMatch(/^\u0089PNG/);
  expect((await fetch(`${sandbox.url}/storage/m/_v2/1/000001.png`)).status).toBe(404);
});

describe('the demo', () => {
  const whole = async () => {
    const sandbox = await sandboxWith({publicUrl: 'https://pix.example'});
    const paths = [
      '/api/v1/blocks',
      '/api/v1/mutes',
      '/api/v1/domain_blocks',
      '/api/v2/filters',
      '/api/v1/notifications',
      '/api/v1.1/direct/conversations',
      '/api/v1.1/direct/conversations?filter=requests',
      '/api/v1.1/direct/unread_count',
    ];
    return Promise.all(paths.map(async (path) => (await ask(sandbox, `GET ${path}`)).body));
  };

  test('the demo has a bit of everything', async () => {
    const [blocks, mutes, domains, filters, notifications, conversations, requests, unread] = await whole();
    expect([blocks, mutes, domains, filters].map(({length}) => length)).toEqual([3, 2, 3, 3]);
    expect(new Set(notifications.map(({type}: {type: string}) => type))).toEqual(new Set(['follow', 'favourite', 'mention', 'reblog']));
    expect(conversations.data.map(({type}: {type: string}) => type)).toEqual(['dm', 'group', 'dm']);
    expect(requests.data).toHaveLength(1);
    expect(unread).toEqual({primary: 2, requests: 1});
  });

  test('the demo has the same ids each time', async () => {
    const idsOf = (answers: unknown) => JSON.stringify(answers).match(/"id":"?\d+"?/g);
    expect(idsOf(await whole())).toEqual(idsOf(await whole()));
  });
});
