import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {fetchLimits, maxAskingTime, unfitFile} from '../../../src/lib/operations/limits.js';
import {bytes, clientOf, drop, holdTimeOuts, json, startServer, type Reply} from '../../loopback-server.js';
import {newFolder} from '../../new-folder.js';

const configuration = {
  limits: {
    direct_messages: {max_characters: 2000, max_media_attachments: 4, group_chats: {enabled: true, max_participants: 10}},
    media: {image_size_limit: 15_360_000, video_size_limit: 40_960_000, supported_mime_types: ['image/jpeg']},
  },
};
const limits = {
  max_characters: 2000,
  max_media_attachments: 4,
  groups_enabled: true,
  max_participants: 10,
  image_size_limit: 15_360_000,
  video_size_limit: 40_960_000,
  supported_mime_types: ['image/jpeg'],
};

const ask = (url: URL) => fetchLimits(clientOf(url, {timeout: maxAskingTime, retries: 0}));

test('reads the limits of a server from its configuration, without a token', async () => {
  const server = await startServer(json(configuration));
  expect(await ask(server.url)).toEqual(limits);
  expect(server.received[0]).toMatchObject({method: 'GET', target: '/api/v2.1/config'});
  expect(server.received[0]?.headers.authorization).toBeUndefined();
});

describe('a configuration', () => {
  test.each<readonly [string, Reply]>([
    ['a fault of the server', json({error: 'Server Error'}, 500)],
    ['a limit of requests', json({error: 'Too Many Attempts.'}, 429, {'retry-after': '600'})],
    ['a lost connection', drop],
    ['a web page', bytes('<!doctype html>')],
    ['a server without one', json({error: 'The route api/v2.1/config could not be found.'}, 404)],
  ])('that is %s means no limits', async (_, reply) => {
    const server = await startServer(reply);
    expect(await ask(server.url)).toEqual({});
  });

  test('that never comes means no limits', async () => {
    const pass = holdTimeOuts();
    const server = await startServer(() => pass(maxAskingTime));
    expect(await ask(server.url)).toEqual({});
  });

  test.each([
    [{}],
    [{limits: null}],
    [{limits: []}],
    [{limits: {direct_messages: 'none', media: 7}}],
    [{limits: {direct_messages: {max_characters: '2000', group_chats: [], max_media_attachments: null}}}],
  ])('without readable limits has none: %j', async (answer) => {
    const server = await startServer(json(answer));
    const found = await ask(server.url);
    expect(Object.values(found).filter((value) => value !== undefined)).toEqual([]);
  });

  test('with one unreadable limit gives the others', async () => {
    const server = await startServer(json({limits: {direct_messages: {max_characters: 'many', max_media_attachments: 4}}}));
    const {max_characters, max_media_attachments} = await ask(server.url);
    expect({max_characters, max_media_attachments}).toEqual({max_characters: undefined, max_media_attachments: 4});
  });
});

describe('a file', () => {
  const megabyte = 1024 * 1024;
  let files: string;
  beforeAll(async () => {
    files = newFolder();
    await writeFile(join(files, 'a.jpg'), Buffer.alloc(1.5 * megabyte));
    await writeFile(join(files, 'a.mp4'), Buffer.alloc(1.5 * megabyte));
    await writeFile(join(files, 'photo'), Buffer.alloc(1.5 * megabyte));
    await writeFile(join(files, 'jpeg'), '\u00ff\u00d8\u00ff\u00e0', 'latin1');
    await writeFile(join(files, 'pdf.jpg'), '%PDF-1.7');
    await writeFile(join(files, 'empty.jpg'), '');
    await writeFile(join(files, 'clip.bin'), '\0\0\0 ftypisom\0\0\0\0');
  });

  test.each([
    ['a.jpg', {}, undefined],
    ['a.jpg', {image_size_limit: 1.5 * megabyte}, undefined],
    ['a.jpg', {image_size_limit: megabyte, video_size_limit: 9 * megabyte}, 'has 1.5 MiB; this server allows 1.0 MiB'],
    ['a.mp4', {image_size_limit: megabyte, video_size_limit: 9 * megabyte}, undefined],
    ['a.mp4', {image_size_limit: 9 * megabyte, video_size_limit: megabyte}, 'has 1.5 MiB; this server allows 1.0 MiB'],
    ['a.jpg', {supported_mime_types: ['image/png']}, 'is image/jpeg; this server allows image/png'],
    ['a.jpg', {supported_mime_types: ['image/png', 'image/jpeg']}, undefined],
    ['a.jpg', {supported_mime_types: []}, undefined],
    ['photo', {supported_mime_types: ['image/png']}, 'is no image or video of a known type; this server allows image/png'],
    [
      'photo',
      {supported_mime_types: ['image/jpeg', 'image/jpg']},
      'is no image or video of a known type; this server allows image/jpeg, image/jpg',
    ],
    ['pdf.jpg', {supported_mime_types: ['image/jpeg', 'image/jpg']}, 'is application/pdf; this server allows image/jpeg, image/jpg'],
    ['empty.jpg', {supported_mime_types: ['image/jpg']}, 'is no image or video of a known type; this server allows image/jpg'],
    ['jpeg', {supported_mime_types: ['image/jpg']}, undefined],
    ['empty.jpg', {supported_mime_types: []}, undefined],
    ['photo', {}, undefined],
    ['clip.bin', {supported_mime_types: ['video/mp4'], image_size_limit: 1, video_size_limit: megabyte}, undefined],
    ['clip.bin', {image_size_limit: 9 * megabyte, video_size_limit: 1}, 'has 0.0 MiB; this server allows 0.0 MiB'],
  ])('%s, where the server says %j', async (name, limits, complaint) => {
    const path = join(files, name);
    expect(await unfitFile(path, limits)).toBe(complaint === undefined ? undefined : `${path} ${complaint}`);
  });

  test('fails with `local` when the file is missing', async () => {
    await expect(unfitFile(join(files, 'missing'), {})).rejects.toMatchObject({code: 'local'});
  });
});
