import {expect, test} from 'vitest';
import type {Generation, Sandbox} from '../../sandbox/start.js';
import {ask, idOf, sandboxWith} from './asking.js';

const thread = '/api/v1.1/direct/thread';

async function talk(like: Generation) {
  const sandbox: Sandbox = await sandboxWith({
    like,
    seed: {accounts: [{acct: 'ana'}, {acct: 'bob'}], mutuals: ['bob']},
  });
  const bob = sandbox.tokens.users['bob'] ?? '';
  const to = {
    ana: (await ask(sandbox, 'GET /api/v1/accounts/verify_credentials')).body.id,
    bob: await idOf(sandbox, 'bob'),
  };
  const say = (message: string, token = sandbox.tokens.all) =>
    ask(sandbox, `POST ${thread}/send`, {token, json: {to_id: token === bob ? to.ana : to.bob, message, type: 'text'}});
  const page = async (query = '') => (await ask(sandbox, `GET ${thread}?pid=${to.bob}${query}`)).body.messages;
  return {sandbox, bob, to, say, page};
}

const texts = (messages: readonly {text: string}[]) => messages.map(({text}) => text).join('');

test('a thread of 2026 has pages of eight, with one kind of id', async () => {
  const {say, page} = await talk('2026');
  for (const text of 'abcdefghij') await say(text);
  const first = await page();
  expect(texts(first)).toBe('jihgfedc');
  expect(first[0].id).toBe(first[0].reportId);
  expect(texts(await page(`&max_id=${first.at(-1).id}`))).toBe('ba');
  expect(texts(await page(`&min_id=${first.at(-1).id}`))).toBe('jihgfed');
});

test('an older thread shows your own messages on every page, so that paging never ends', async () => {
  const {bob, say, page} = await talk('0.12.6');
  await say('A');
  for (const text of 'bcdef') await say(text, bob);
  expect(texts(await page('&max_id=3'))).toBe('bA');
  expect(texts(await page('&max_id=1'))).toBe('A');
});
