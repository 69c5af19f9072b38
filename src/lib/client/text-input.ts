/** Text from files and pipes: UTF-8, of bounded size, without byte order marks. */
import {keepMemoryFlat} from '../files/memory.js';
import {readBytes, type ReadableKind} from '../files/read-file.js';
import {absent, isAbsent} from '../files/system-error.js';
import {Failure, localFailure} from './failure.js';

/** Bytes. */
const largest = 256 * 1024 * 1024;

function refuseLarge(size: number, source: string): void {
  if (size > largest) throw new Failure('usage', `${source} is larger than ${largest / 1024 / 1024} MiB`, {hint: 'split it'});
}

/** The first bytes of compressed files. */
const compressions = {
  gzip: [0x1f, 0x8b],
  xz: [0xfd, 0x37, 0x7a, 0x58],
  zip: [0x50, 0x4b, 0x03, 0x04],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/** The line of the first byte that is not UTF-8, from 1. */
function wrongLine(bytes: Uint8Array): number {
  const [good = ''] = new TextDecoder('utf-8').decode(bytes).split('\ufffd', 1);
  return good.split('\n').length;
}

/**
 * @param source the name of the text in messages: `standard input`, or the name of a file
 * @throws Failure `usage` for what is not UTF-8 text, or larger than 256 MiB; the message does not quote it
 */
export function textOfBytes(bytes: Uint8Array, source: string): string {
  refuseLarge(bytes.length, source);
  keepMemoryFlat(bytes.length);
  const refuse = (what: string): never => {
    throw new Failure('usage', `${source} is ${what}`, {hint: 'convert it to UTF-8, for example with iconv'});
  };
  const [compression] = Object.entries(compressions).find(([, magic]) => magic.every((byte, index) => bytes[index] === byte)) ?? [];
  if (compression !== undefined) {
    throw new Failure('usage', `${source} is compressed with ${compression}, not text`, {hint: 'decompress it first'});
  }
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) refuse('UTF-16, not UTF-8 text');
  if (bytes.includes(0)) refuse('not UTF-8 text: it contains null bytes');
  try {
    // The decoder removes one mark; files that were put together or saved twice begin with several.
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes).replace(/^\ufeff+/, '');
  } catch {
    return refuse(`not UTF-8 text (line ${wrongLine(bytes)})`);
  }
}

/** @throws Failure as {@link textOfBytes} does, without reading on */
export async function textFrom(stream: AsyncIterable<unknown>, source: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk));
    refuseLarge((size += bytes.length), source);
    chunks.push(bytes);
  }
  return textOfBytes(Buffer.concat(chunks), source);
}

/**
 * The text of a file; undefined when there is none.
 * @param what the file as messages name it: `the policy moderation.yml`
 * @param kind what may be read
 * @throws Failure `local` when it cannot be read, else as {@link textOfBytes} does
 */
export async function readTextIfThere(path: string, what: string, kind: ReadableKind = 'file or pipe'): Promise<string | undefined> {
  const bytes = await readBytes(path, kind)
    .catch(absent)
    .catch((error: unknown) => {
      throw localFailure(`Cannot read ${what}`, error);
    });
  return bytes && textOfBytes(bytes, path);
}

/** @param hint where there is no such file @throws Failure as {@link readTextIfThere} does; `local` when there is no such file */
export async function readTextFile(path: string, what: string, hint?: string): Promise<string> {
  const bytes = await readBytes(path, 'file or pipe').catch((error: unknown) => {
    throw localFailure(`Cannot read ${what}`, error, isAbsent(error) ? hint : undefined);
  });
  return textOfBytes(bytes, path);
}
