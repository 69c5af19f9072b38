/** Conversations and legacy threads, where the recordings do not show how one request changes the next. */
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Generation} from '../../sandbox/start.js';
import {ask, idOf, sandboxWith} from './asking.js';

const conversations = '/api/v1.1/direct/conversations';
const thread = '/api/v1.1/direct/thread';

/** A server on which ana follows bob and clara, and they follow her. */
async function talk(like: Generation = '2026') {
  const accounts = ['ana', 'bob', 'clara', 'stranger'].map((acct) => ({acct}));
  const sandbox = await sandboxWith({like, seed: {accounts, mutuals: ['bob', 'clara']}});
  const asked = (who: string, line: string, json?: unknown) => ask(sandbox, line, {token: sandbox.tokens.users[who] ?? '', json});
  return {
    me: async (): Promise<string> => (await asked('ana', 'GET /api/v1/accounts/verify_credentials')).body.id,
    id: (name: string) => idOf(sandbox, name),
    start: async (...names: string[]) =>
      asked('ana', `POST ${conversations}`, {recipient_ids: await Promise.all(names.map((name) => idOf(sandbox, name)))}),
    say: (who: string, id: string, message: string) => asked(who, `POST ${conversations}/${id}/messages`, {message}),
    act: (who: string, id: string, verb: string, json?: unknown) => asked(who, `POST ${conversations}/${id}/${verb}`, json),
    unread: async (who: string) => (await asked(who, 'GET /api/v1.1/direct/unread_count')).body,
    listed: async (who: string, query: string): Promise<readonly string[]> =>
      (await asked(who, `GET ${conversations}?${query}`)).body.data.map(({id}: {id: string}) => id),
    tell: (who: string, to_id: string, message: string) => asked(who, `POST ${thread}/send`, {to_id, message, type: 'text'}),
    page: async (pid: string, query = '') => (await asked('ana', `GET ${thread}?pid=${pid}${query}`)).body.messages,
  };
}

test('of conversations that went on at the same moment, the newer one comes first', async () => {
  vi.useFakeTimers({toFake: ['Date']});
  onTestFinished(() => void vi.useRealTimers());
  const {start, say, listed} = await talk();
  const ids: string[] = [];
  for (const name of ['bob', 'clara']) {
    const {body} = await start(name);
    await say('ana', body.id, 'Hi');
    ids.unshift(body.id);
  }
  expect(await listed('ana', 'filter=primary')).toEqual(ids);
  expect(await listed('ana', `cursor=${Buffer.from('5').toString('base64url')}`)).toEqual(ids);
});

test('a conversation is a request for accounts that do not follow: one message until it is accepted', async () => {
  const {start, say, act, unread, listed} = await talk();
  const {id} = (await start('stranger')).body;
  await say('ana', id, 'Hello?');
  expect(await say('ana', id, 'Hello??')).toMatchObject({
    status: 403,
    body: {error: 'You can send more messages once your request is accepted.'},
  });
  expect([await unread('stranger'), await listed('stranger', 'filter=requests')]).toEqual([{primary: 0, requests: 1}, [id]]);
  expect((await act('stranger', id, 'accept')).body).toMatchObject({state: 'active', unread_count: 1});
  expect((await say('ana', id, 'Thanks')).status).toBe(201);
  expect(await unread('stranger')).toEqual({primary: 1, requests: 0});
});

test('a conversation counts unread messages; the read marker only moves forward', async () => {
  const {start, say, act, unread} = await talk();
  const {id} = (await start('bob')).body;
  const sent = [];
  for (const text of ['one', 'two', 'three']) sent.push((await say('ana', id, text)).body.id);
  const read = async (message_id?: string) => (await act('bob', id, 'read', {message_id})).body;
  expect(await unread('bob')).toEqual({primary: 1, requests: 0});
  expect(await read(sent[1])).toMatchObject({unread_count: 1, last_read_message_id: sent[1]});
  expect(await read(sent[0])).toMatchObject({unread_count: 1, last_read_message_id: sent[1]});
  expect(await read()).toMatchObject({unread_count: 0, last_read_message_id: sent[2]});
  expect(await unread('bob')).toEqual({primary: 0, requests: 0});
});

test('a conversation can be muted and hidden; sending unhides it, receiving does not', async () => {
  const {start, say, act, unread, listed} = await talk();
  const {id} = (await start('bob')).body;
  await say('ana', id, 'Hi');
  expect((await act('ana', id, 'mute')).body).toMatchObject({muted: true, hidden: false});
  expect((await act('ana', id, 'hide')).body).toMatchObject({muted: true, hidden: true});
  await say('bob', id, 'Hey');
  const lists = [await listed('ana', 'filter=primary'), await listed('ana', 'filter=hidden')];
  expect([...lists, await unread('ana')]).toEqual([[], [id], {primary: 0, requests: 0}]);
  await say('ana', id, 'Back');
  expect(await listed('ana', 'filter=primary')).toEqual([id]);
  expect((await act('ana', id, 'unmute')).body).toMatchObject({muted: false, hidden: false});
});

test('a conversation can be left when it is a group, and joined again by starting it', async () => {
  const {start, say, act, listed} = await talk();
  const {id} = (await start('bob', 'clara')).body;
  await say('bob', id, 'Hi');
  const dm = (await start('bob')).body.id;
  expect(await act('ana', dm, 'leave')).toMatchObject({status: 422, body: {error: 'Only group conversations can be left.'}});
  expect((await act('ana', id, 'leave')).body).toMatchObject({state: 'left', unread_count: 0});
  expect(await act('ana', id, 'leave')).toMatchObject({status: 404, body: {error: ''}});
  expect(await listed('ana', 'filter=primary')).toEqual([]);
  expect(await start('bob', 'clara')).toMatchObject({status: 200, body: {id, state: 'active'}});
});

test('recipients are the first ten mutuals whatever the cursor, which exceeds 2^53', async () => {
  const sandbox = await sandboxWith();
  const first = await ask(sandbox, 'GET /api/v1.1/direct/compose/mutuals');
  const digits = /"next_cursor":(\d+),/.exec(first.text)?.[1] ?? '';
  expect(digits).toBe(first.body.data.at(-1).id);
  expect(String(first.body.next_cursor)).not.toBe(digits);
  expect(first.body).toMatchObject({has_more: true, total_count: 14});
  expect((await ask(sandbox, `GET /api/v1.1/direct/compose/mutuals?cursor=${digits}`)).text).toBe(first.text);
});

const texts = (messages: readonly {text: string}[]) => messages.map(({text}) => text).join('');

test('a thread of 2026 has pages of eight, with one kind of id', async () => {
  const {id, tell, page} = await talk();
  const bob = await id('bob');
  for (const text of 'abcdefghij') await tell('ana', bob, text);
  const first = await page(bob);
  expect(texts(first)).toBe('jihgfedc');
  expect(first[0].id).toBe(first[0].reportId);
  expect(texts(await page(bob, `&max_id=${first.at(-1).id}`))).toBe('ba');
  expect(texts(await page(bob, `&min_id=${first.at(-1).id}`))).toBe('jihgfed');
});

test('an older thread shows your own messages on every page, so that paging never ends', async () => {
  const {me, id, tell, page} = await talk('0.12.6');
  const [ana, bob] = [await me(), await id('bob')];
  await tell('ana', bob, 'A');
  for (const text of 'bcdef') await tell('bob', ana, text);
  expect(texts(await page(bob, '&max_id=3'))).toBe('bA');
  expect(texts(await page(bob, '&max_id=1'))).toBe('A');
});
