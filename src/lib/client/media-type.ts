/** Content types of media: by the first bytes of a file, else by the extension of its name. */
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

export const unknownContentType = 'application/octet-stream';

/** How files of a type begin, in hexadecimal. ISO media files name their kind behind `ftyp`, which follows the length of their first box. */
const byBeginning: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/jpeg', /^ffd8ff/],
  ['image/png', /^89504e470d0a1a0a/],
  ['image/gif', /^474946383[79]61/],
  ['image/bmp', /^424d/],
  ['image/svg+xml', /^(efbbbf)?3c(3f786d6c|737667)/],
  ['application/pdf', /^255044462d/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/avif', /^.{8}66747970617669(66|73)/],
  ['image/heic', /^.{8}66747970(6865(69|76)(63|6d|73|78)|6d696631|6d736631)/],
  ['audio/mp4', /^.{8}667479704d3441/],
  ['video/quicktime', /^.{8}6674797071742020/],
  ['video/mp4', /^.{8}66747970/],
  ['video/webm', /^1a45dfa3/],
  ['audio/flac', /^664c6143/],
  ['audio/ogg', /^4f676753/],
  ['audio/wav', /^52494646.{8}57415645/],
  ['audio/aac', /^fff[19]/],
  ['audio/mpeg', /^(494433|fff[23ab])/],
];

/** How many first bytes of a file show its type. */
export const maxBeginningLength = 16;

/** @param beginning the first bytes of a file, in hexadecimal @returns undefined where they do not show the type */
export function typeOfBeginning(beginning: string): string | undefined {
  return byBeginning.find(([, pattern]) => pattern.test(beginning))?.[0];
}

/** The first bytes of a file, in hexadecimal; undefined when it cannot be read, or is no regular file. */
function beginningOf(path: string): string | undefined {
  try {
    // Opening a pipe would wait.
    if (!statSync(path).isFile()) return undefined;
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(maxBeginningLength);
      return bytes.toString('hex', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** The name counts only where the bytes do not tell, because servers look at the bytes. An empty file is of no type. */
export function contentTypeOf(path: string): string {
  const beginning = beginningOf(path);
  if (beginning === '') return unknownContentType;
  const found = beginning === undefined ? undefined : typeOfBeginning(beginning);
  return found ?? byExtension[extname(path).toLowerCase()] ?? unknownContentType;
}
