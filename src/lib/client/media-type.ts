/** Content types of media: by the extension of a file's name, else by its first bytes. */
import {closeSync, openSync, readSync, statSync} from 'node:fs';
import {extname} from 'node:path';

/** Content types that servers accept, by file extension. Servers check the content as well. */
const byExtension: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.heic': 'image/heic',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.mov': 'video/quicktime',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
};

/** For what neither name nor bytes show. */
export const unknownContentType = 'application/octet-stream';

/** How files of a type begin, in hexadecimal. ISO media files name their kind behind `ftyp`, which follows the length of their first box. */
const byBeginning: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/jpeg', /^ffd8ff/],
  ['image/png', /^89504e470d0a1a0a/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/avif', /^.{8}66747970617669(66|73)/],
  ['image/heic', /^.{8}66747970(6865(69|76)(63|6d|73|78)|6d696631|6d736631)/],
  ['video/quicktime', /^.{8}6674797071742020/],
  ['video/mp4', /^.{8}66747970/],
  ['video/webm', /^1a45dfa3/],
];

const maxBeginningLength = 16;

/** The first bytes, in hexadecimal; empty for what is no file, or cannot be read. */
function beginningOf(path: string): string {
  try {
    // Opening a pipe would wait.
    if (!statSync(path).isFile()) return '';
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(maxBeginningLength);
      return bytes.toString('hex', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** The file is read only where its name does not tell. */
export function contentTypeOf(path: string): string {
  const named = byExtension[extname(path).toLowerCase()];
  if (named !== undefined) return named;
  const beginning = beginningOf(path);
  return byBeginning.find(([, pattern]) => pattern.test(beginning))?.[0] ?? unknownContentType;
}

/** Whether files of this type are recognised by their bytes. */
export function isRecognised(type: string): boolean {
  return byBeginning.some(([known]) => known === type);
}
