import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import nock from 'nock';
import {beforeAll, describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand, server, serverWithoutLimits} from '../../run-command.js';
import {newFolder} from '../../new-folder.js';

const path = '/api/v1.1/direct/conversations/5/messages';
const message = {id: '9', conversation_id: '5', type: 'text', text: 'Hi', media: [], is_author: true};
const send = ['dm', 'send', '5'];

const takes = (body: nock.RequestBodyMatcher) => pixelfed().post(path, body).reply(201, message);

let folder: string;
beforeAll(() => void (folder = newFolder()));

/** The flags for these files, which are made. */
async function media(...names: readonly string[]): Promise<string[]> {
  for (const name of names) await writeFile(join(folder, name), Buffer.alloc(name.startsWith('large') ? 1_600_000 : 10, 'x'));
  return names.flatMap((name) => ['--media', join(folder, name)]);
}

const publishes = (limits: object) => nock(server).get('/api/v2.1/config').reply(200, {limits});

const uploads = (name: string) =>
  pixelfed().post('/api/v2/media', (body: unknown) => String(body).includes(`name="file"; filename="${name}"`));

test.each<[words: readonly string[], body: nock.DataMatcherMap, input?: string]>([
  [[' Ebbe – "low" tide\n🌊 '], {message: ' Ebbe – "low" tide\n🌊 '}],
  [['-'], {message: 'two lines\r\nof text'}, 'two lines\r\nof text\n'],
  [['-'], {message: 'ends in two\n'}, 'ends in two\n\n'],
  [['-'], {message: 'no end'}, 'no end'],
  [['--', '--no-limits'], {message: '--no-limits'}],
  [['--media-id', '1'], {media_ids: ['1']}],
  [
    ['Hi', '--media-id', '1,2', '--media-id', '3', '--in-reply-to', '7', '--sensitive', '--type', 'wave'],
    {message: 'Hi', media_ids: ['1', '2', '3'], in_reply_to_id: '7', sensitive: true, type: 'wave'},
  ],
])('%j sends %j', async (words, body, input) => {
  takes(body);
  expect(await runCommand([...send, '--no-limits', '--json', ...words], {input})).toMatchObject({
    status: 0,
    stdout: `${JSON.stringify(message)}\n`,
  });
});

test.each([[''], [' \n ']])('an empty message is not sent: %j', async (text) => {
  await expectFailure(2, 'The message is empty: nothing was sent', [...send, text]);
});

describe('files', () => {
  test('files are uploaded in order, and their ids follow those of --media-id', async () => {
    uploads('a.jpg').reply(200, '{"id":12345678901234567890}');
    uploads('b, c.jpg').reply(200, {id: '12'});
    takes({message: 'Hi', media_ids: ['1', '12345678901234567890', '12']});
    const words = [...send, 'Hi', ...(await media('a.jpg', 'b, c.jpg')), '--media-id', '1', '--no-limits'];
    expect(await runCommand(words)).toMatchObject({status: 0});
  });

  test.each([['table'], ['json']])(
    'files are named in the error when the message is refused, so that they need not be uploaded again (%s)',
    async (format) => {
      for (const [index, name] of ['a.jpg', 'b.jpg'].entries()) uploads(name).reply(200, {id: `1${index + 1}`});
      pixelfed().post(path).reply(403, {error: 'You cannot message this account.'});
      const says = 'You cannot message this account (uploaded already: --media-id=11 --media-id=12)';
      await expectFailure(5, says, [...send, 'Hi', ...(await media('a.jpg', 'b.jpg')), '--no-limits', '-o', format]);
    },
  );

  test('files are named in the error when a later upload is refused, and nothing is sent', async () => {
    uploads('a.jpg').reply(200, {id: '11'});
    uploads('b.jpg').reply(422, {message: 'The file is too large.', errors: {file: ['The file is too large.']}});
    const says = /The file is too large: the message was not sent[^]*--media-id=11/;
    await expectFailure(5, says, [...send, 'Hi', ...(await media('a.jpg', 'b.jpg')), '--no-limits']);
  });

  test.each([
    [422, {message: 'The file is too large.', errors: {file: ['The file is too large.']}}, 5],
    [502, {}, 7],
  ])('a first upload that fails with %i ends it, and the message was not sent', async (status, body, exit) => {
    uploads('a.jpg').reply(status, body);
    const words = [...send, 'Hi', ...(await media('a.jpg', 'b.jpg')), '--no-limits', '--json'];
    const {stderr, status: ended} = await runCommand(words);
    expect(ended).toBe(exit);
    expect(JSON.parse(stderr).error).toMatchObject({message: expect.stringMatching(/[^.]: the message was not sent$/)});
    expect(JSON.parse(stderr).error).not.toHaveProperty('fate');
  });

  test('files that cannot be read fail before anything is sent', async () => {
    const files = [...(await media('a.jpg')), '--media', join(folder, 'missing.jpg')];
    await expectFailure(9, 'missing.jpg: no such file', [...send, 'Hi', ...files, '--no-limits']);
  });

  test.each([{}, {id: null}, {id: ''}, {id: '3; touch pwned #'}])('fail when the upload response has no id: %j', async (answer) => {
    uploads('a.jpg').reply(200, answer);
    await expectFailure(8, '', [...send, 'Hi', ...(await media('a.jpg')), '--no-limits']);
  });

  test('files are placeholders in a dry run, and are not uploaded', async () => {
    const [flag = '', file = ''] = await media('a.jpg');
    const {status, stdout} = await runCommand([...send, 'Hi', flag, file, '--dry-run', '--json']);
    const request = (type: string) => ({
      method: 'POST',
      query: {},
      headers: {accept: 'application/json', 'content-type': type, authorization: 'Bearer $PIXELCTL_TOKEN'},
    });
    expect({status, ...JSON.parse(stdout)}).toEqual({
      status: 0,
      dry_run: true,
      requests: [
        {...request('multipart/form-data'), path: '/api/v2/media', body: {file: `@${file}`}},
        {...request('application/json'), path, body: {message: 'Hi', media_ids: [`<id of ${file}>`]}},
      ],
    });
  });
});

describe('the limits of the server', () => {
  const most = {direct_messages: {max_characters: 2000, max_media_attachments: 2}};
  const sizes = {
    media: {image_size_limit: 1024 * 1024, video_size_limit: 2 * 1024 * 1024, supported_mime_types: ['image/jpeg', 'video/mp4']},
  };
  const types = {media: {supported_mime_types: ['image/jpeg', 'image/jpg', 'image/png']}};
  const unknown = 'a.txt is no image or video of a known type; this server allows image/jpeg, image/jpg, image/png';

  test.each<[what: string, limits: object, words: readonly string[], files: readonly string[], says: RegExp | string]>([
    ['a long text', most, ['x'.repeat(2104)], [], /2,104 characters; this server allows 2,000[^]*--no-limits/],
    ['one code point too many', most, ['🌊'.repeat(2001)], [], '2,001 characters'],
    ['files and ids of media together', most, ['Hi', '--media-id', '1,2'], ['a.jpg'], '3 attachments; this server allows 2'],
    ['a large file', sizes, [], ['large.jpg'], 'has 1.5 MiB; this server allows 1.0 MiB'],
    ['a type that is not supported', sizes, [], ['a.webp'], 'is image/webp; this server allows image/jpeg, video/mp4'],
    ['an unknown type, before the first upload', types, [], ['ok.jpg', 'a.txt'], unknown],
  ])('refuse %s', async (_, limits, words, files, says) => {
    publishes(limits);
    await expectFailure(2, says, [...send, ...words, ...(await media(...files))]);
  });

  test('refuse a text and a file for a thread as well', async () => {
    const [, file = ''] = await media('a.txt');
    publishes(types);
    await expectFailure(2, unknown, ['thread', 'send-media', '5', file]);
    for (const words of [
      ['thread', 'send', '5', 'Hello'],
      ['thread', 'send-media', '5', file, '--message', 'Hello'],
    ]) {
      publishes({direct_messages: {max_characters: 4}});
      await expectFailure(2, '5 characters; this server allows 4', words);
    }
  });

  test('the limits of the server count code points of the trimmed text', async () => {
    const text = ` ${'🌊'.repeat(2000)}\n`;
    publishes(most);
    takes({message: text});
    expect((await runCommand([...send, text])).status).toBe(0);
  });

  test('the limits of the server are optional, and not requested with --no-limits or in a dry run', async () => {
    const text = 'x'.repeat(2104);
    serverWithoutLimits();
    takes({message: text});
    expect((await runCommand([...send, text])).status).toBe(0);
    takes({message: text});
    expect((await runCommand([...send, text, '--no-limits'])).status).toBe(0);
    expect((await runCommand([...send, text, '--dry-run'])).status).toBe(0);
  });
});

test('refuses to send nothing, and to an invalid conversation', async () => {
  await expectFailure(2, 'Nothing to send', send);
  for (const id of ['', '.', '..']) await expectFailure(2, '', ['dm', 'send', id, 'Hi']);
});
