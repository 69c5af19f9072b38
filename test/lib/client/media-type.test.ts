import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {contentTypeOf, unknownContentType} from '../../../src/lib/client/media-type.js';
import {newFolder} from '../../new-folder.js';

const folder = newFolder();

test.each([
  ['image/jpeg', '\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF'],
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\n\r\0\0WEBPVP8 '],
  ['image/avif', '\0\0\0\u001cftypavif'],
  ['image/heic', '\0\0\0\u0018ftypheic'],
  ['video/quicktime', '\0\0\0\u0014ftypqt  '],
  ['video/mp4', '\0\0\0 ftypisom'],
  ['application/pdf', '%PDF-1.7'],
  ['image/bmp', 'BM\u0096\0'],
  ['image/svg+xml', '<svg xmlns="'],
  ['image/svg+xml', '<?xml version="1.0"?>'],
  ['video/webm', '\u001aE\u00df\u00a3\u009fB'],
  ['audio/wav', 'RIFF\n\r\0\0WAVEfmt '],
  ['audio/mpeg', 'ID3\u0004'],
  ['audio/mpeg', '\u00ff\u00fb\u0090'],
  ['audio/aac', '\u00ff\u00f1P'],
  ['audio/flac', 'fLaC'],
  ['audio/ogg', 'OggS'],
  ['audio/mp4', '\0\0\0 ftypM4A '],
  [unknownContentType, 'RIFF\n\r\0\0AVI LIST'],
  [unknownContentType, 'plain text'],
  [unknownContentType, ''],
])('a file of type %s is recognised by its bytes, whatever its name', (type, bytes) => {
  const path = join(folder, 'upload');
  writeFileSync(path, bytes, 'latin1');
  expect(contentTypeOf(path)).toBe(type);
  writeFileSync(`${path}.AVI`, bytes, 'latin1');
  expect(contentTypeOf(`${path}.AVI`)).toBe(type);
  if (type === unknownContentType) return;
  writeFileSync(`${path}.JPG`, bytes, 'latin1');
  expect(contentTypeOf(`${path}.JPG`)).toBe(type);
});

test('the name of a file counts where its bytes do not tell, but not for an empty file', () => {
  const [path, empty] = [join(folder, 'named.PNG'), join(folder, 'empty.PNG')];
  writeFileSync(path, 'plain text');
  writeFileSync(empty, '');
  expect(contentTypeOf(path)).toBe('image/png');
  expect(contentTypeOf(empty)).toBe(unknownContentType);
});

test.each([
  ['image/avif', 'avif'],
  ['image/gif', 'gif'],
  ['image/heic', 'heic'],
  ['image/jpeg', 'jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/webm', 'webm'],
])('the name of a file that cannot be read says that it is %s', (type, ...extensions) => {
  for (const extension of extensions) expect(contentTypeOf(join(folder, `missing.${extension}`))).toBe(type);
});

test.runIf(process.platform !== 'win32')('a pipe, a folder and a missing file are of unknown type, and nothing waits', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, folder, join(folder, 'missing')]) expect(contentTypeOf(path)).toBe(unknownContentType);
});
