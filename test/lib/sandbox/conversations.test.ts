import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {SeedState} from '../../sandbox/seed.js';
import type {Sandbox} from '../../sandbox/start.js';
import {ask, idOf, sandboxWith} from './asking.js';

const conversations = '/api/v1.1/direct/conversations';

const people: SeedState = {
  accounts: [{acct: 'ana'}, {acct: 'bob'}, {acct: 'clara'}, {acct: 'stranger'}, {acct: 'far@away.example'}],
  mutuals: ['bob', 'clara'],
};

const tokenOf = (sandbox: Sandbox, name: string): string => sandbox.tokens.users[name] ?? '';

async function start(sandbox: Sandbox, ...names: string[]) {
  const recipient_ids = await Promise.all(names.map((name) => idOf(sandbox, name)));
  return ask(sandbox, `POST ${conversations}`, {json: {recipient_ids}});
}

const say = (sandbox: Sandbox, id: string, message: string, token?: string) =>
  ask(sandbox, `POST ${conversations}/${id}/messages`, {json: {message}, ...(token && {token})});

const unread = async (sandbox: Sandbox, token?: string) =>
  (await ask(sandbox, 'GET /api/v1.1/direct/unread_count', token ? {token} : {})).body;

const listed = async (sandbox: Sandbox, filter: string, token?: string): Promise<readonly string[]> =>
  (await ask(sandbox, `GET ${conversations}?filter=${filter}`, token ? {token} : {})).body.data.map((one: {id: string}) => one.id);

describe('a conversation', () => {
  test('a conversation is identified by its participants', async () => {
    const sandbox = await sandboxWith({seed: people});
    const first = await start(sandbox, 'bob', 'clara');
    const again = await start(sandbox, 'clara', 'bob');
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({
      type: 'group',
      state: 'active',
      unread_count: 0,
      muted: false,
      hidden: false,
      last_message: null,
      participant_count: 3,
    });
  });

  test('a conversation is listed only when it has messages', async () => {
    const sandbox = await sandboxWith({seed: people});
    const {body} = await start(sandbox, 'bob');
    expect(await listed(sandbox, 'primary')).toEqual([]);
    expect((await say(sandbox, body.id, 'Hi')).status).toBe(201);
    expect(await listed(sandbox, 'primary')).toEqual([body.id]);
  });

  test('of conversations that went on at the same moment, the newer one comes first', async () => {
    vi.useFakeTimers({toFake: ['Date']});
    onTestFinished(() => void vi.useRealTimers());
    const sandbox = await sandboxWith({seed: people});
    const ids: string[] = [];
    for (const name of ['bob', 'clara']) {
      const {body} = await start(sandbox, name);
      await say(sandbox, body.id, 'Hi');
      ids.unshift(body.id);
    }
    expect(await listed(sandbox, 'primary')).toEqual(ids);
    const odd = `?cursor=${Buffer.from('5').toString('base64url')}`;
    expect((await ask(sandbox, `GET ${conversations}${odd}`)).body.data.map(({id}: {id: string}) => id)).toEqual(ids);
  });

  test('a conversation is a request for accounts that do not follow: one message until it is accepted', async () => {
    const sandbox = await sandboxWith({seed: people});
    const stranger = tokenOf(sandbox, 'stranger');
    const {id} = (await start(sandbox, 'stranger')).body;
    await say(sandbox, id, 'Hello?');
    expect(await say(sandbox, id, 'Hello??')).toMatchObject({
      status: 403,
      body: {error: 'You can send more messages once your request is accepted.'},
    });
    expect([await unread(sandbox, stranger), await listed(sandbox, 'requests', stranger)]).toEqual([{primary: 0, requests: 1}, [id]]);
    const accepted = await ask(sandbox, `POST ${conversations}/${id}/accept`, {token: stranger});
    expect(accepted.body).toMatchObject({state: 'active', unread_count: 1});
    expect((await say(sandbox, id, 'Thanks')).status).toBe(201);
    expect(await unread(sandbox, stranger)).toEqual({primary: 1, requests: 0});
  });

  test('a conversation is accepted by a reply, and is never a request on other servers', async () => {
    const sandbox = await sandboxWith({seed: people});
    const {id} = (await start(sandbox, 'stranger')).body;
    await say(sandbox, id, 'Hello?');
    await say(sandbox, id, 'Yes?', tokenOf(sandbox, 'stranger'));
    expect((await say(sandbox, id, 'Hi!')).status).toBe(201);
    const remote = (await start(sandbox, 'far@away.example')).body.id;
    await say(sandbox, remote, 'one');
    expect((await say(sandbox, remote, 'two')).status).toBe(201);
  });

  test('a conversation counts unread messages; the read marker only moves forward', async () => {
    const sandbox = await sandboxWith({seed: people});
    const bob = tokenOf(sandbox, 'bob');
    const {id} = (await start(sandbox, 'bob')).body;
    const sent = [];
    for (const text of ['one', 'two', 'three']) sent.push((await say(sandbox, id, text)).body.id);
    const read = async (message_id?: string) =>
      (await ask(sandbox, `POST ${conversations}/${id}/read`, {token: bob, json: {message_id}})).body;
    expect(await unread(sandbox, bob)).toEqual({primary: 1, requests: 0});
    expect(await read(sent[1])).toMatchObject({unread_count: 1, last_read_message_id: sent[1]});
    expect(await read(sent[0])).toMatchObject({unread_count: 1, last_read_message_id: sent[1]});
    expect(await read()).toMatchObject({unread_count: 0, last_read_message_id: sent[2]});
    expect(await unread(sandbox, bob)).toEqual({primary: 0, requests: 0});
  });

  test('a conversation can be muted and hidden; sending unhides it, receiving does not', async () => {
    const sandbox = await sandboxWith({seed: people});
    const {id} = (await start(sandbox, 'bob')).body;
    await say(sandbox, id, 'Hi');
    const act = async (verb: string) => (await ask(sandbox, `POST ${conversations}/${id}/${verb}`)).body;
    expect(await act('mute')).toMatchObject({muted: true, hidden: false});
    expect(await act('hide')).toMatchObject({muted: true, hidden: true});
    await say(sandbox, id, 'Hey', tokenOf(sandbox, 'bob'));
    expect([await listed(sandbox, 'primary'), await listed(sandbox, 'hidden'), await unread(sandbox)]).toEqual([
      [],
      [id],
      {primary: 0, requests: 0},
    ]);
    await say(sandbox, id, 'Back');
    expect(await listed(sandbox, 'primary')).toEqual([id]);
    expect(await act('unmute')).toMatchObject({muted: false, hidden: false});
  });

  test('a conversation can be left when it is a group, and joined again by starting it', async () => {
    const sandbox = await sandboxWith({seed: people});
    const group = (await start(sandbox, 'bob', 'clara')).body.id;
    const dm = (await start(sandbox, 'bob')).body.id;
    await say(sandbox, group, 'Hi', tokenOf(sandbox, 'bob'));
    const leave = (id: string) => ask(sandbox, `POST ${conversations}/${id}/leave`);
    expect(await leave(dm)).toMatchObject({status: 422, body: {error: 'Only group conversations can be left.'}});
    expect((await leave(group)).body).toMatchObject({state: 'left', unread_count: 0});
    expect(await leave(group)).toMatchObject({status: 404, body: {error: ''}});
    expect(await listed(sandbox, 'primary')).toEqual([]);
    expect(await start(sandbox, 'bob', 'clara')).toMatchObject({status: 200, body: {id: group, state: 'active'}});
  });
});

describe('messages', () => {
  async function fiveMessages() {
    const sandbox = await sandboxWith({seed: people});
    const {id} = (await start(sandbox, 'bob')).body;
    const ids: string[] = [];
    for (const text of ['1', '2', '3', '4', '5']) ids.push((await say(sandbox, id, text)).body.id);
    const page = async (query: string) => {
      const {data, meta} = (await ask(sandbox, `GET ${conversations}/${id}/messages?${query}`)).body;
      return [data.map(({text}: {text: string}) => text).join(''), meta.has_more, meta.newest_id, meta.oldest_id];
    };
    return {sandbox, id, ids, page};
  }

  test('messages come newest first, and page back by max_id', async () => {
    const {ids, page} = await fiveMessages();
    expect(await page('limit=2')).toEqual(['54', true, ids[4], ids[3]]);
    expect(await page(`limit=2&max_id=${ids[3]}`)).toEqual(['32', true, ids[2], ids[1]]);
    expect(await page(`limit=2&max_id=${ids[1]}`)).toEqual(['1', false, ids[0], ids[0]]);
    expect(await page(`max_id=${ids[0]}`)).toEqual(['', false, null, null]);
  });

  test('page forward by min_id, which wins over max_id', async () => {
    const {ids, page} = await fiveMessages();
    expect(await page(`limit=2&min_id=${ids[0]}`)).toEqual(['32', true, ids[2], ids[1]]);
    expect(await page(`limit=2&min_id=${ids[2]}&max_id=${ids[1]}`)).toEqual(['54', false, ids[4], ids[3]]);
  });
});

describe('recipients', () => {
  test('recipients are the first ten mutuals whatever the cursor, which exceeds 2^53', async () => {
    const sandbox = await sandboxWith();
    const first = await ask(sandbox, 'GET /api/v1.1/direct/compose/mutuals');
    const digits = /"next_cursor":(\d+),/.exec(first.text)?.[1] ?? '';
    expect(digits).toBe(first.body.data.at(-1).id);
    expect(String(first.body.next_cursor)).not.toBe(digits);
    expect(first.body).toMatchObject({has_more: true, total_count: 14});
    expect((await ask(sandbox, `GET /api/v1.1/direct/compose/mutuals?cursor=${digits}`)).text).toBe(first.text);
  });

  test.each([
    ['@kenji@photos.example.jp', {}, ['kenji@photos.example.jp']],
    ['fe', {}, ['felix']],
    ['mir', {}, ['mirjam']],
    ['ee', {}, []],
    ['li', {}, ['elif.film', 'elif.trams', 'elif.tides', 'elif.moss', 'elif.cats', 'elif.bread', 'elif.piers', 'elif.clouds']],
    ['bob', {remote: true}, []],
    ['grumpy', {}, []],
    ['@b', {}, []],
  ])('recipients are looked up: %s %o', async (q, more, names) => {
    const {body} = await ask(await sandboxWith(), 'POST /api/v1.1/direct/lookup', {json: {q, ...more}});
    expect(body.map(({name}: {name: string}) => name)).toEqual(names);
  });
});
