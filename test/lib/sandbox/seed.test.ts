import {expect, test} from 'vitest';
import {ask, sandboxWith} from './asking.js';

test('accounts that are added have names that the seed does not have', async () => {
  const {tokens} = await sandboxWith({seed: {accounts: [{acct: 'ana'}, {acct: 'bob@far.example'}, {acct: 'user3'}]}, accounts: 4});
  expect(Object.keys(tokens.users)).toEqual(['ana', 'user3', 'user4', 'user5']);
});

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
