/** Messages with files: all are uploaded before the message is sent, and a failure says what happened to it. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import * as examples from '../../../src/lib/api/examples.js';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import {conversationStart, messageSending, threadMediaSending, threadSending} from '../../../src/lib/operations/messages.js';
import {perform} from '../../../src/lib/operations/operation.js';
import type {Client} from '../../../src/lib/client/client.js';
import {answeringServer, drop, json} from './answering-server.js';

const upload = 'POST /api/v2/media';
const sending = 'POST /api/v1.1/direct/conversations/6/messages';

let files: string[];

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-messages-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  files = ['a.jpg', 'b.jpg'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'));
});

const send = (body: object, client: Client) =>
  perform(messageSending, {path: {id: '6'}, body: {...body}}, {client, accounts: async () => new AccountDirectory()});

const message = {...examples.message, conversation_id: '6'};

/** @param replies to uploads and to the message, in turn */
const serverOf = (...replies: readonly unknown[]) => answeringServer((_, before) => replies[before]);

/** Requests without what files are made of. */
const lines = (asked: readonly string[]) => asked.map((line) => (line.startsWith(upload) ? upload : line));

test.each<[string, object, object]>([
  ['alone', {message: 'Hi'}, {message: 'Hi'}],
  ['with ids', {message: 'Hi', media_ids: ['9']}, {message: 'Hi', media_ids: ['9']}],
  ['with no files', {message: 'Hi', media: [], media_ids: []}, {message: 'Hi', media_ids: []}],
])('a message %s is sent in one request', async (_, body, sent) => {
  const {client, asked} = await serverOf(message);
  await send(body, client);
  expect(asked).toEqual([`${sending} ${JSON.stringify(sent)}`]);
});

test('files are uploaded in order, and come after the ids that are given', async () => {
  const {client, asked} = await serverOf({id: '21'}, {id: 22}, message);
  await send({message: 'Hi', media_ids: ['9'], media: files}, client);
  expect(lines(asked)).toEqual([upload, upload, `${sending} {"message":"Hi","media_ids":["9","21","22"]}`]);
  expect(asked[0]).toContain('a.jpg');
  expect(asked[1]).toContain('b.jpg');
});

test('nothing is uploaded where one of the files cannot be read', async () => {
  const {client, asked} = await serverOf();
  await expect(send({message: 'Hi', media: [files[0], '/nowhere/c.jpg']}, client)).rejects.toMatchObject({
    message: expect.stringContaining('c.jpg'),
  });
  expect(asked).toEqual([]);
});

test.each([
  ['refused', json({error: 'Too large.'}, 422), 'refused'],
  ['not answered', drop, 'unavailable'],
])('a first upload that is %s ends it: the message was not sent', async (_, reply, code) => {
  const {client, asked} = await serverOf(reply);
  const sent = send({message: 'Hi', media: files}, client);
  await expect(sent).rejects.toMatchObject({code, message: expect.stringMatching(/[^.]: the message was not sent$/)});
  await expect(sent).rejects.not.toMatchObject({details: {fate: 'unknown'}});
  expect(asked).toHaveLength(1);
});

test.each([{}, {id: null}, {id: '..'}])('an upload that is answered with %j has no id', async (answer) => {
  const {client} = await serverOf(answer);
  await expect(send({message: 'Hi', media: files}, client)).rejects.toMatchObject({code: 'bad_answer'});
});

test('a failure after uploads names them, so that they can be attached', async () => {
  const {client} = await serverOf({id: '21'}, {id: 'a b'.replace(' ', "'")}, json({error: 'No'}, 422));
  await expect(send({message: 'Hi', media: files}, client)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/ \(uploaded already: --media-id=21 --media-id='a'\\''b'\)$/),
    details: {status: 422},
  });
});

test('a second upload that fails names the first', async () => {
  const {client} = await serverOf({id: '21'}, json({error: 'No'}, 422));
  await expect(send({message: 'Hi', media: files}, client)).rejects.toMatchObject({
    message: expect.stringMatching(/: the message was not sent \(uploaded already: --media-id=21\)$/),
  });
});

test('a failure without uploads names none', async () => {
  const {client} = await serverOf(json({error: 'No'}, 422));
  await expect(send({message: 'Hi', media_ids: ['9']}, client)).rejects.toMatchObject({message: expect.not.stringContaining('uploaded')});
});

describe('published limits of messages', () => {
  const types = {supported_mime_types: ['image/png']};
  const over = (body: object, limits: object) => messageSending.overLimit?.({body: {...body}}, limits);

  test('a message of too many characters is over a limit', async () => {
    expect(await over({message: 'Hello'}, {max_characters: 4})).toBe('5 characters; this server allows 4');
    expect(await over({message: 'Hello'}, {max_characters: 5})).toBeUndefined();
  });

  test('files count as attachments together with ids', async () => {
    expect(await over({media: files, media_ids: ['9']}, {max_media_attachments: 2})).toBe('3 attachments; this server allows 2');
    expect(await over({media: files, media_ids: ['9']}, {max_media_attachments: 3})).toBeUndefined();
    expect(await over({media_ids: ['9']}, {max_media_attachments: 0})).toBe('1 attachments; this server allows 0');
  });

  test('a file that does not fit is over a limit, after what is simpler', async () => {
    expect(await over({message: 'Hi', media: files}, types)).toBe(`${files[0]} is image/jpeg; this server allows image/png`);
    expect(await over({message: 'Hi', media: files}, {...types, max_characters: 1})).toBe('2 characters; this server allows 1');
    expect(await over({message: 'Hi'}, types)).toBeUndefined();
  });

  test('a group of too many is over a limit, counted with oneself', () => {
    const start = (recipients: unknown, limits: object) => conversationStart.overLimit?.({body: {recipient_ids: recipients}}, limits);
    expect(start(['1', '2', '3'], {max_participants: 3})).toBe('4 participants with you; this server allows 3');
    expect(start(['1', '2'], {max_participants: 3})).toBeUndefined();
    expect(start('1', {max_participants: 0})).toBeUndefined();
  });

  test('a message to a thread has a limit, and so has its file', async () => {
    expect(threadSending.overLimit?.({body: {message: 'Hello'}}, {max_characters: 4})).toBe('5 characters; this server allows 4');
    expect(await threadMediaSending.overLimit?.({body: {file: files[0], message: 'Hello'}}, {max_characters: 4})).toBe(
      '5 characters; this server allows 4',
    );
    expect(await threadMediaSending.overLimit?.({body: {file: files[0], message: 'Hello'}}, {...types, max_characters: 4})).toMatch(
      /a\.jpg is image\/jpeg/,
    );
    expect(await threadMediaSending.overLimit?.({body: {file: files[0]}}, {max_characters: 4})).toBeUndefined();
  });
});
