import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {largeGroup, longMessage, manyAttachments, unfitFile} from '../../../../src/lib/cli/input/over-limit.js';

describe('a message', () => {
  test.each([
    ['x'.repeat(2000), undefined],
    ['x'.repeat(2001), '2,001 characters; this server takes 2,000'],
    ['🌊'.repeat(2000), undefined],
    ['🌊'.repeat(2104), '2,104 characters; this server takes 2,000'],
    [` ${'x'.repeat(2000)}\n`, undefined],
    ['👩‍👩‍👧'.repeat(401), '2,005 characters; this server takes 2,000'],
  ])('is counted in code points', (text, complaint) => {
    expect(longMessage(text, {max_characters: 2000})).toBe(complaint);
  });

  test('is as long as its code points', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), fc.nat({max: 200}), (text, most) => {
        const count = [...text.trim()].length;
        expect(longMessage(text, {max_characters: most}) === undefined).toBe(count <= most);
      }),
    );
  });

  test('is not looked at where there is no limit, or no text', () => {
    expect(longMessage('x'.repeat(9999), {})).toBeUndefined();
    expect(longMessage(undefined, {max_characters: 1})).toBeUndefined();
  });
});

test('attachments are counted', () => {
  expect(manyAttachments(4, {max_media_attachments: 4})).toBeUndefined();
  expect(manyAttachments(5, {max_media_attachments: 4})).toBe('5 attachments; this server takes 4');
  expect(manyAttachments(99, {})).toBeUndefined();
});

test.each([
  [1, {groups_enabled: false}, undefined],
  [2, {groups_enabled: false}, 'Group chats are off on this server'],
  [2, {groups_enabled: true}, undefined],
  [9, {groups_enabled: true, max_participants: 10}, undefined],
  [10, {groups_enabled: true, max_participants: 10}, '11 participants with you; this server takes 10'],
  [99, {}, undefined],
])('%i others, where the server says %j', (others, limits, complaint) => {
  expect(largeGroup(others, limits)).toBe(complaint);
});

describe('a file', () => {
  const megabyte = 1024 * 1024;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pixelctl-limit-'));
    await writeFile(join(folder, 'a.jpg'), Buffer.alloc(1.5 * megabyte));
    await writeFile(join(folder, 'a.mp4'), Buffer.alloc(1.5 * megabyte));
    await writeFile(join(folder, 'photo'), Buffer.alloc(1.5 * megabyte));
  });
  afterAll(() => rm(folder, {recursive: true}));

  test.each([
    ['a.jpg', {}, undefined],
    ['a.jpg', {image_size_limit: 1.5 * megabyte}, undefined],
    ['a.jpg', {image_size_limit: megabyte, video_size_limit: 9 * megabyte}, 'has 1.5 MiB; this server takes 1.0 MiB'],
    ['a.mp4', {image_size_limit: megabyte, video_size_limit: 9 * megabyte}, undefined],
    ['a.mp4', {image_size_limit: 9 * megabyte, video_size_limit: megabyte}, 'has 1.5 MiB; this server takes 1.0 MiB'],
    ['a.jpg', {supported_mime_types: ['image/png']}, 'is image/jpeg; this server takes image/png'],
    ['a.jpg', {supported_mime_types: ['image/png', 'image/jpeg']}, undefined],
    ['a.jpg', {supported_mime_types: []}, undefined],
    ['photo', {supported_mime_types: ['image/png']}, undefined],
  ])('%s, where the server says %j', async (name, limits, complaint) => {
    const path = join(folder, name);
    expect(await unfitFile(path, limits)).toBe(complaint === undefined ? undefined : `${path} ${complaint}`);
  });

  test('that is missing is a fault of this machine', async () => {
    await expect(unfitFile(join(folder, 'missing'), {})).rejects.toMatchObject({code: 'local'});
  });
});
