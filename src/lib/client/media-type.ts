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

/** How files of a type begin, in Latin-1. ISO media files name their kind behind the length of their first box. */
const byBeginning: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/avif', /^[^]{4}ftypavi[fs]/],
  ['image/heic', /^[^]{4}ftyp(he(i[cmsx]|v[cmsx])|mif1|msf1)/],
  ['video/quicktime', /^[^]{4}ftypqt /],
  ['video/mp4', /^[^]{4}ftyp/],
  ['video/webm', /^\x1a\x45\xdf\xa3/],
];

const longestBeginning = 16;

/** The first bytes; empty for what is no file, or cannot be read. */
function beginningOf(path: string): string {
  try {
    // Opening a pipe would wait.
    if (!statSync(path).isFile()) return '';
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(longestBeginning);
      return bytes.toString('latin1', 0, readSync(file, bytes));
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
