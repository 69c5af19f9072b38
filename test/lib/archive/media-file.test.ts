/** Files of messages: what they are called, by the bytes that they begin with. */
import {createHash} from 'node:crypto';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isLinkable, MediaFolder, writeMedium} from '../../../src/lib/archive/media-file.js';
import {ConversationPlace} from '../../../src/lib/archive/archive-places.js';
import {newFolder} from '../../new-folder.js';

const place = () => new ConversationPlace(newFolder(), '17');

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
async function* chunks(...all: readonly Buffer[]) {
  yield* all;
}

test.each([
  ['image/jpeg', 'jpg', hex('ff d8 ff e0')],
  ['image/png', 'png', hex('89 50 4e 47 0d 0a 1a 0a')],
  ['image/gif', 'gif', Buffer.from('GIF89a')],
  ['image/webp', 'webp', Buffer.from('RIFF\u0000\u0000\u0000\u0000WEBPVP8 ')],
  ['video/mp4', 'mp4', Buffer.from('\u0000\u0000\u0000\u0018ftypisom')],
  ['video/webm', 'webm', hex('1a 45 df a3 01 00 00 00 00 00 00 1f 42 86 81 01 42 82 84 77 65 62 6d')],
  ['application/octet-stream', 'bin', Buffer.from('<svg onload="alert(1)">')],
  ['application/octet-stream', 'bin', Buffer.alloc(0)],
])('%s is kept as .%s, whatever pieces it comes in', async (type, extension, bytes) => {
  const at = place();
  const entry = {
    file: `media/5.${extension}`,
    type,
    length: bytes.length + 2,
    sha256: createHash('sha256').update(bytes).update('xy').digest('hex'),
  };
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  expect(await writeMedium(at, '5', chunks(...pieces, Buffer.from('xy')))).toEqual(entry);
  const path = join(at.folder, entry.file);
  expect(readFileSync(path)).toEqual(Buffer.concat([bytes, Buffer.from('xy')]));
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  const kept = await MediaFolder.in(at);
  expect(await kept.fileOf('5')).toEqual(entry);
  expect([kept.has(entry.file), kept.has('media/6.jpg'), await kept.fileOf('6')]).toEqual([true, false, undefined]);
  expect(isLinkable(type)).toBe(extension !== 'bin');
});

test('a page links to no file of an unknown type', () => {
  expect([undefined, 'image/svg+xml', 'text/html', 'audio/wav'].map(isLinkable)).toEqual([false, false, false, true]);
});

test('what is there under the name of a file is never replaced', async () => {
  const at = place();
  await writeMedium(at, '5', chunks(Buffer.from('GIF89a')));
  writeFileSync(join(at.media, '5.gif'), 'damaged');
  expect(await writeMedium(at, '5', chunks(Buffer.from('GIF89a')))).toMatchObject({file: 'media/5-2.gif'});
  expect(await writeMedium(at, '5', chunks(Buffer.from('GIF89a')))).toMatchObject({file: 'media/5-3.gif'});
  expect(readFileSync(join(at.media, '5.gif'), 'utf8')).toBe('damaged');
});
