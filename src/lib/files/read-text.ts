/** Reads text from files and pipes: UTF-8 of bounded size, without byte order marks. */
import {keepMemoryFlat} from './memory.js';
import {readBytes, type ReadableKind} from './read-file.js';

/** A file is not text, or is too large. */
export class NotText extends Error {
  override readonly name = 'NotText';
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

/** The most bytes of a text. */
const largest = 256 * 1024 * 1024;

function refuseLarge(size: number, source: string): void {
  if (size > largest) throw new NotText(`${source} is larger than ${largest / 1024 / 1024} MiB`, 'split it');
}

/** The line of the first byte that is not UTF-8, from 1. */
function wrongLine(bytes: Uint8Array): number {
  const [good = ''] = new TextDecoder('utf-8').decode(bytes).split('\ufffd', 1);
  return good.split('\n').length;
}

/**
 * @param source the name of the text in messages: `standard input`, or the name of a file
 * @throws NotText for a file that is not UTF-8 text, or larger than 256 MiB; the message does not quote it
 */
export function textOfBytes(bytes: Uint8Array, source: string): string {
  refuseLarge(bytes.length, source);
  keepMemoryFlat(bytes.length);
  const refuse = (what: string): never => {
    throw new NotText(`${source} is ${what}`, 'convert it to UTF-8, for example with iconv');
  };
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

/** Stops reading when the text is too large. @throws NotText as {@link textOfBytes} does */
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

/** @throws NotText as {@link textOfBytes} does; the system's error as {@link readBytes} does */
export async function readGivenText(path: string, kind: ReadableKind = 'file or pipe'): Promise<string> {
  return textOfBytes(await readBytes(path, kind), path);
}
