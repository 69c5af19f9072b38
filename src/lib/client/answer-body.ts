/** Reads the body of an answer: decompressed, and bounded in size whatever the server sends. */
import type {Transform} from 'node:stream';
import {Broken, brokenBy} from './broken.js';
import {systemCode} from './failure.js';

/** Bytes after decompression; an answer larger than this is not kept. */
export const largestAnswer = 64 * 1024 * 1024;

/** @param status the status that came with it, where one did */
export function tooLarge(status?: number): Broken {
  return new Broken('too_large', `the answer is larger than ${largestAnswer / 1024 / 1024} MiB`, {status, isSent: true});
}

async function decoderOf(coding: string): Promise<Transform> {
  const {createBrotliDecompress, createGunzip, createInflate} = await import('node:zlib');
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'deflate') return createInflate();
  if (coding === 'br') return createBrotliDecompress();
  throw new Broken('undecodable', `the answer is compressed by an unknown method (${coding})`, {isSent: true});
}

function codingsOf(encoding: string): string[] {
  return encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

async function decompress(chunks: readonly Buffer[], codings: readonly string[]): Promise<Buffer[]> {
  const decoders = await Promise.all(codings.toReversed().map(decoderOf));
  const {Readable, pipeline} = await import('node:stream');
  // Whoever reads the last decoder sees its error; the pipelines only pass it on.
  const last = decoders.reduce<Transform | InstanceType<typeof Readable>>(
    (source, decoder) => pipeline(source, decoder, () => {}),
    Readable.from(chunks),
  );
  const plain: Buffer[] = [];
  let size = 0;
  for await (const chunk of last) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > largestAnswer) throw tooLarge();
    plain.push(chunk);
  }
  return plain;
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  return whole.toString('utf8');
}

/** @throws Broken when the body cannot be decompressed, or is then larger than {@link largestAnswer} */
export async function readAnswerBody(chunks: readonly Buffer[], encoding: string, status: number): Promise<string> {
  const codings = encoding === '' ? [] : codingsOf(encoding);
  if (codings.length === 0) return textOf(chunks);
  try {
    return textOf(await decompress(chunks, codings));
  } catch (error) {
    const advance = {status, isSent: true};
    if (error instanceof Broken) throw new Broken(error.kind, error.message, advance, error);
    const code = systemCode(error) ?? '';
    if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_PADDING')) {
      throw new Broken('undecodable', 'the answer could not be decompressed', advance, error);
    }
    throw brokenBy(error, advance);
  }
}
