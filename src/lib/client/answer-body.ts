/** Reads the body of an answer: decompressed, and bounded in size whatever the server sends. */
import type {Transform} from 'node:stream';
import {Broken, brokenBy} from './broken.js';
import {systemCode} from './failure.js';

/** Bytes after decompression; an answer larger than this is not kept. */
export const largestAnswer = 64 * 1024 * 1024;

async function decoderOf(coding: string): Promise<Transform> {
  const {createBrotliDecompress, createGunzip, createInflate} = await import('node:zlib');
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'deflate') return createInflate();
  if (coding === 'br') return createBrotliDecompress();
  throw new Broken('undecodable', `the answer is compressed by an unknown method (${coding})`, undefined, undefined);
}

async function decompressed(body: AsyncIterable<unknown>, encoding: string): Promise<AsyncIterable<unknown>> {
  const codings = encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return body;
  const decoders = await Promise.all(codings.reverse().map(decoderOf));
  const {Readable, pipeline} = await import('node:stream');
  // Whoever reads the last decoder sees its error; the pipelines only pass it on.
  return decoders.reduce<Transform | InstanceType<typeof Readable>>(
    (source, decoder) => pipeline(source, decoder, () => {}),
    Readable.from(body),
  );
}

async function readBounded(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > largestAnswer) {
      throw new Broken('too_large', `the answer is larger than ${largestAnswer / 1024 / 1024} MiB`, undefined, undefined);
    }
    chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws Broken when the body ends early, cannot be decompressed, or is larger than {@link largestAnswer} */
export async function readAnswerBody(body: AsyncIterable<unknown>, encoding: string, status: number): Promise<string> {
  try {
    return await readBounded(await decompressed(body, encoding));
  } catch (error) {
    if (error instanceof Broken) throw new Broken(error.kind, error.message, status, error);
    const code = systemCode(error) ?? '';
    if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_PADDING')) {
      throw new Broken('undecodable', 'the answer could not be decompressed', status, error);
    }
    throw brokenBy(error, status);
  }
}
