/** The messages of one's own: which they are, that none is deleted of which a server does not say whose it is, and what is gone. */
import {describe, expect, test} from 'vitest';
import {AccountDirectory, type OwnAccount} from '../../../src/lib/operations/accounts.js';
import {clearingRequests, ownMessagesWith} from '../../../src/lib/operations/own-messages.js';
import * as examples from '../../endpoints/examples.js';
import type {Client} from '../../../src/lib/client/client.js';
import {answeringServer, json, noRoute, type AnsweringServer} from './answering-server.js';

const via = (client: Client, own?: OwnAccount) => ({client, accounts: async () => new AccountDirectory(), ownAccount: async () => own});

const messages = '/api/v1.1/direct/conversations/6/messages';
const meta = {next_cursor: null, prev_cursor: null};

const message = (id: unknown, isOwn: unknown) => ({...examples.message, id, conversation_id: '6', is_author: isOwn});

interface Conversation {
  /** Pages. */
  readonly pages?: readonly (readonly unknown[])[];
  readonly deleted?: unknown;
  /** What stands at the place of a message, after it was not found. */
  readonly shown?: readonly unknown[];
  readonly participants?: readonly unknown[];
}

const conversationOf = ({pages = [], deleted, shown = [], participants = []}: Conversation): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    if (line.startsWith('DELETE')) return deleted;
    const {pathname, searchParams} = new URL(line.slice(4), 'http://x');
    if (!pathname.endsWith('/messages')) return {...examples.conversation, id: '6', participants};
    if (searchParams.get('limit') === '1') return {data: shown, meta};
    const at = Number(searchParams.get('cursor') ?? searchParams.get('max_id') ?? 0);
    return {data: pages[at] ?? [], meta: {...meta, next_cursor: at + 1 < pages.length ? String(at + 1) : null}};
  });

describe('in a conversation', () => {
  test('the others of a conversation are named, and one whom the server does not name is not left out', async () => {
    const [bob] = examples.conversation.participants;
    const {client} = await conversationOf({participants: [bob, {...bob, acct: 'eve@remote.example'}, {...bob, acct: undefined}]});
    const own = await ownMessagesWith('6', via(client));
    expect([own.conversationId, own.people]).toEqual(['6', ['bob', 'eve@remote.example', undefined]]);
  });

  test('one’s own messages are given once, and then all are known', async () => {
    const {client, asked} = await conversationOf({pages: [[message('3', true), message('2', false), message('1', true)]]});
    const own = await ownMessagesWith('6', via(client));
    expect(await own.more(client)).toEqual(['3', '1']);
    const before = asked.length;
    expect(await own.more(client)).toEqual([]);
    expect(asked).toHaveLength(before);
    expect(asked.at(-1)).toBe(`GET ${messages}?limit=50`);
    expect(own.unseen).toBeUndefined();
  });

  test('the command that shows a message of a conversation names the conversation', async () => {
    const {client} = await conversationOf({});
    expect((await ownMessagesWith('6', via(client))).lookWith('3')).toEqual({command: 'dm messages', args: ['6']});
  });

  test.each([
    ['whose it is', {is_author: null}],
    ['its id', {id: null}],
    ['a usable id', {id: '.'}],
  ])('nothing is deleted where a message does not say %s', async (_, odd) => {
    const {client} = await conversationOf({pages: [[message('3', true), {...message('2', true), ...odd}]]});
    const own = await ownMessagesWith('6', via(client));
    await expect(own.more(client)).rejects.toMatchObject({code: 'bad_answer'});
  });

  test.each([
    ['and is not', true, '1', []],
    ['and is', false, '9', []],
    ['where it is not known who one is', false, undefined, ['3']],
  ])('nothing is deleted where a message is said to be one’s own %s', async (_, isOther, id, given) => {
    const {client} = await conversationOf({pages: [[{...message('3', !isOther || id === undefined), sender_id: '1'}]]});
    const own = await ownMessagesWith('6', via(client, id === undefined ? undefined : {id, acct: 'ana'}));
    if (given.length > 0) expect(await own.more(client)).toEqual(given);
    else
      await expect(own.more(client)).rejects.toMatchObject({
        code: 'bad_answer',
        message: `${client.host}: is_author and sender_id of message 3 do not agree: nothing was deleted`,
      });
  });

  test('a message whose sender is oneself, or is not named, is one’s own', async () => {
    const pages = [
      [
        {...message('3', true), sender_id: '1'},
        {...message('2', true), sender_id: undefined},
        {...message('1', false), sender_id: '9'},
      ],
    ];
    const {client} = await conversationOf({pages});
    expect(await (await ownMessagesWith('6', via(client, {id: '1', acct: 'ana'}))).more(client)).toEqual(['3', '2']);
  });

  test('a message that is gone already is deleted', async () => {
    const {client, asked} = await conversationOf({shown: [message('2', true)]});
    const answer = await (await ownMessagesWith('6', via(client))).remove('3', client);
    expect(answer).toMatchObject({status: 404, text: '', value: undefined, mismatches: []});
    expect(asked.at(-1)).toMatch(/max_id=4&limit=1$/);
  });

  test('a large id is looked for with all its digits', async () => {
    const {client, asked} = await conversationOf({});
    await (await ownMessagesWith('6', via(client))).remove('9007199254740993', client);
    expect(asked.at(-1)).toContain('max_id=9007199254740994');
  });

  test.each([
    ['that is still shown', {shown: [message('3', true)]}, '3', 'not_found'],
    ['whose id is no number', {}, 'x3', 'not_found'],
    ['on a server that fails', {deleted: json({}, 500)}, '3', 'unavailable'],
    ['on a server without this', {deleted: noRoute}, '3', 'not_found'],
    ['that the server refuses to delete', {deleted: json({error: 'No'}, 422)}, '3', 'refused'],
  ])('a message %s is not deleted', async (_, server, id, code) => {
    const {client} = await conversationOf(server);
    const own = await ownMessagesWith('6', via(client));
    await expect(own.remove(id, client)).rejects.toMatchObject({code});
  });
});

/** A message of a thread, with its own id and the one by which it is deleted. */
const inThread = (id: number, isAuthor: unknown = true) => ({
  ...examples.thread.messages?.[0],
  id: String(id),
  reportId: String(1000 + id),
  isAuthor,
});

interface Thread {
  /** By what they are older than; `''` is the newest. */
  readonly pages?: Readonly<Record<string, readonly unknown[]>>;
  readonly facts?: object;
  readonly deleted?: unknown;
}

const threadOf = ({pages = {}, facts = {}, deleted}: Thread): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    if (line.startsWith('DELETE')) return deleted;
    const {pathname, searchParams} = new URL(line.slice(4), 'http://x');
    if (!pathname.endsWith('/thread')) return noRoute;
    const shown = pages[searchParams.get('max_id') ?? ''] ?? pages[''] ?? [];
    return {...examples.thread, id: '6', conversation_id: undefined, ...facts, messages: shown};
  });

const numbers = (from: number, count: number) => Array.from({length: count}, (_, index) => from - index);

describe('in a thread', () => {
  test.each([
    [{username: '@bo', domain: 'remote.example'}, 'bo@remote.example'],
    [{username: 'bo', domain: null}, 'bo'],
    [{username: 'bo@remote.example', domain: 'remote.example'}, 'bo@remote.example'],
  ])('the other one of %j is %s', async (facts, person) => {
    const {client} = await threadOf({facts});
    expect((await ownMessagesWith('6', via(client))).people).toEqual([person]);
  });

  test('pages are read to the one that is not full', async () => {
    const [newest, older] = [numbers(20, 8), numbers(12, 7)];
    const pages = {'': newest.map((id) => inThread(id, id % 2 === 0)), 13: older.map((id) => inThread(id))};
    const {client, asked} = await threadOf({pages});
    const own = await ownMessagesWith('6', via(client));
    const first = asked.length;
    expect(await own.more(client)).toEqual([...newest.filter((id) => id % 2 === 0), ...older].map((id) => String(1000 + id)));
    expect(asked.slice(first)).toHaveLength(2);
    expect(own.unseen).toBeUndefined();
    expect(await own.more(client)).toEqual([]);
  });

  test('a server that does not page is asked once more, and some may not have been seen', async () => {
    const {client, asked} = await threadOf({pages: {'': numbers(8, 8).map((id) => inThread(id))}});
    const own = await ownMessagesWith('6', via(client));
    const first = asked.length;
    expect(await own.more(client)).toHaveLength(8);
    expect(asked.slice(first)).toHaveLength(2);
    expect(own.unseen).toBe('the server shows only the last 8 messages of a thread');
    expect(own.conversationId).toBeUndefined();
    expect(own.lookWith('1')).toEqual({command: 'thread get', args: ['6']});
  });

  test('a thread without messages is whole', async () => {
    const {client} = await threadOf({});
    const own = await ownMessagesWith('6', via(client));
    expect(await own.more(client)).toEqual([]);
    expect(own.unseen).toBeUndefined();
  });

  test('nothing is deleted where a message does not say whose it is', async () => {
    const {client} = await threadOf({pages: {'': [inThread(1, null)]}});
    const own = await ownMessagesWith('6', via(client));
    await expect(own.more(client)).rejects.toMatchObject({
      code: 'bad_answer',
      message: `${client.host}: the response does not say which messages are yours: nothing more was deleted`,
    });
  });

  test('a message that is gone already is deleted, and one on a server without this is not', async () => {
    const gone = await threadOf({});
    expect(await (await ownMessagesWith('6', via(gone.client))).remove('1', gone.client)).toMatchObject({status: 404});
    expect(gone.asked.at(-1)).toBe('DELETE /api/v1.1/direct/thread/message {"id":"1"}');
    const none = await threadOf({deleted: noRoute});
    await expect((await ownMessagesWith('6', via(none.client))).remove('1', none.client)).rejects.toMatchObject({code: 'not_found'});
  });
});

test('a conversation that is not there is no thread', async () => {
  const {client, asked} = await answeringServer(() => undefined);
  await expect(ownMessagesWith('6', via(client))).rejects.toMatchObject({code: 'not_found'});
  expect(asked).toHaveLength(1);
});

test.each([
  [false, ['GET', 'DELETE']],
  [true, ['GET', 'DELETE', 'POST']],
])('a dry run of clearing a conversation, hidden then: %j', (isHidden, methods) => {
  const requests = clearingRequests('6', isHidden);
  expect(requests.map(({method}) => method)).toEqual(methods);
  expect(requests[0]?.query && Object.fromEntries(requests[0].query)).toEqual({limit: '50'});
  expect(decodeURIComponent(requests[1]?.path ?? '')).toContain('<id of each message of yours>');
});
