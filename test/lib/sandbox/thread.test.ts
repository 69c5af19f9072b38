import {describe, expect, test} from 'vitest';
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

describe('a thread of 2026', () => {
  test('a thread of 2026 has pages of eight, with one kind of id', async () => {
    const {say, page} = await talk('2026');
    for (const text of 'abcdefghij') await say(text);
    const first = await page();
    expect(texts(first)).toBe('jihgfedc');
    expect(first[0].id).toBe(first[0].reportId);
    expect(texts(await page(`&max_id=${first.at(-1).id}`))).toBe('ba');
    expect(texts(await page(`&min_id=${first.at(-1).id}`))).toBe('jihgfed');
  });

  test('a thread of 2026 is marked as read from a message on, once, by ids as strings', async () => {
    const {sandbox, bob, to, say} = await talk('2026');
    const ids: string[] = [];
    for (const text of 'abc') ids.push((await say(text)).body.id);
    const read = () => ask(sandbox, `POST ${thread}/read`, {token: bob, json: {pid: to.ana, sid: ids[1]}});
    expect((await read()).body).toEqual([ids[1], ids[2]]);
    expect((await read()).body).toEqual([]);
  });

  test('a thread of 2026 can be unmuted repeatedly', async () => {
    const {sandbox, to} = await talk('2026');
    const act = async (verb: string, id = to.bob) => (await ask(sandbox, `POST ${thread}/${verb}`, {json: {id}})).status;
    expect([await act('unmute'), await act('mute'), await act('unmute'), await act('unmute')]).toEqual([404, 200, 200, 200]);
    expect(await act('mute', '1')).toBe(404);
  });
});

describe('an older thread', () => {
  test('an older thread has row ids beside long ids, and accepts the long ones', async () => {
    const {sandbox, say, page} = await talk('0.12.6');
    const {body} = await say('Hi');
    expect(body).toMatchObject({id: '1', reportId: expect.stringMatching(/^\d{19}$/)});
    expect(body).not.toHaveProperty('created_at');
    const remove = (id: string) => ask(sandbox, `DELETE ${thread}/message`, {json: {id}});
    expect((await remove(body.id)).body).toEqual({error: 'No query results for model [App\\DirectMessage].'});
    expect((await remove(body.reportId)).body).toEqual([200]);
    expect(await page()).toEqual([]);
  });

  test('shows your own messages on every page, so that paging never ends', async () => {
    const {bob, say, page} = await talk('0.12.6');
    await say('A');
    for (const text of 'bcdef') await say(text, bob);
    expect(texts(await page('&max_id=3'))).toBe('bA');
    expect(texts(await page('&max_id=1'))).toBe('A');
  });

  test('an older thread is marked as read repeatedly, by ids as numbers', async () => {
    const {sandbox, bob, to, say} = await talk('0.12.6');
    const {reportId: sid} = (await say('a')).body;
    await say('b');
    const read = () => ask(sandbox, `POST ${thread}/read`, {token: bob, json: {pid: to.ana, sid}});
    expect((await read()).body).toEqual([1, 2]);
    expect((await read()).body).toEqual([1, 2]);
  });

  test('returns a number for media, and 500 for a second unmute', async () => {
    const {sandbox, to} = await talk('0.12.6');
    const form = new FormData();
    form.set('to_id', to.bob);
    form.set('file', new File([Buffer.from([0xff, 0xd8, 0xff])], 'x.jpg'));
    expect((await ask(sandbox, `POST ${thread}/media`, {form})).body).toMatchObject({
      id: 1,
      reportId: expect.any(String),
      type: 'photo',
    });
    const act = async (verb: string) => (await ask(sandbox, `POST ${thread}/${verb}`, {json: {id: to.bob}})).status;
    expect([await act('mute'), await act('unmute'), await act('unmute')]).toEqual([200, 200, 500]);
  });
});
