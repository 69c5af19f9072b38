/** The messages of one's own: which they are, that none is deleted of which a server does not say whose it is, and what is gone. */
import {describe, expect, test} from 'vitest';
import {clearingRequests, deleteOwnMessage, fetchOwnMessages} from '../../../src/lib/operations/own-messages.js';
import * as examples from '../../endpoints/examples.js';
import {answeringServer, json, noRoute, type AnsweringServer} from './answering-server.js';

const messages = '/api/v1.1/direct/conversations/6/messages';
const meta = {next_cursor: null, prev_cursor: null};

const message = (id: unknown, isOwn: unknown) => ({...examples.message, id, conversation_id: '6', is_author: isOwn});

interface Conversation {
  /** Pages. */
  readonly pages?: readonly (readonly unknown[])[];
  readonly deleted?: unknown;
  /** What stands at the place of a message, after it was not found. */
  readonly shown?: readonly unknown[];
}

const conversationOf = ({pages = [], deleted, shown = []}: Conversation): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    if (line.startsWith('DELETE')) return deleted;
    const {pathname, searchParams} = new URL(line.slice(4), 'http://x');
    if (!pathname.endsWith('/messages')) return {...examples.conversation, id: '6'};
    if (searchParams.get('limit') === '1') return {data: shown, meta};
    const at = Number(searchParams.get('cursor') ?? searchParams.get('max_id') ?? 0);
    return {data: pages[at] ?? [], meta: {...meta, next_cursor: at + 1 < pages.length ? String(at + 1) : null}};
  });

describe('in a conversation', () => {
  test('one’s own messages are those that the server says', async () => {
    const {client, asked} = await conversationOf({pages: [[message('3', true), message('2', false), message('1', true)]]});
    expect(await fetchOwnMessages('6', undefined, client)).toEqual(['3', '1']);
    expect(asked).toEqual([`GET ${messages}?limit=50`]);
  });

  test.each([
    ['whose it is', {is_author: null}],
    ['its id', {id: null}],
    ['a usable id', {id: '.'}],
    ['that it is of this conversation', {conversation_id: '7'}],
  ])('nothing is deleted where a message does not say %s', async (_, odd) => {
    const {client} = await conversationOf({pages: [[message('3', true), {...message('2', true), ...odd}]]});
    await expect(fetchOwnMessages('6', undefined, client)).rejects.toMatchObject({code: 'bad_answer'});
  });

  test.each([
    ['and is not', true, '1', []],
    ['and is', false, '9', []],
    ['where it is not known who one is', false, undefined, ['3']],
  ])('nothing is deleted where a message is said to be one’s own %s', async (_, isOther, id, given) => {
    const {client} = await conversationOf({pages: [[{...message('3', !isOther || id === undefined), sender_id: '1'}]]});
    if (given.length > 0) expect(await fetchOwnMessages('6', id, client)).toEqual(given);
    else
      await expect(fetchOwnMessages('6', id, client)).rejects.toMatchObject({
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
    expect(await fetchOwnMessages('6', '1', client)).toEqual(['3', '2']);
  });

  test('a message that is gone already is deleted', async () => {
    const {client, asked} = await conversationOf({shown: [message('2', true)]});
    const answer = await deleteOwnMessage('6', '3', client);
    expect(answer).toMatchObject({status: 404, text: '', value: undefined, mismatches: []});
    expect(asked.at(-1)).toMatch(/max_id=4&limit=1$/);
  });

  test('a large id is looked for with all its digits', async () => {
    const {client, asked} = await conversationOf({});
    await deleteOwnMessage('6', '9007199254740993', client);
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
    await expect(deleteOwnMessage('6', id, client)).rejects.toMatchObject({code});
  });
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
