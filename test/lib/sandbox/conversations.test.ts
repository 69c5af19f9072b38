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

test('recipients are the first ten mutuals whatever the cursor, which exceeds 2^53', async () => {
  const sandbox = await sandboxWith();
  const first = await ask(sandbox, 'GET /api/v1.1/direct/compose/mutuals');
  const digits = /"next_cursor":(\d+),/.exec(first.text)?.[1] ?? '';
  expect(digits).toBe(first.body.data.at(-1).id);
  expect(String(first.body.next_cursor)).not.toBe(digits);
  expect(first.body).toMatchObject({has_more: true, total_count: 14});
  expect((await ask(sandbox, `GET /api/v1.1/direct/compose/mutuals?cursor=${digits}`)).text).toBe(first.text);
});
