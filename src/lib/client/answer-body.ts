/** Reads the body of a response: decompresses it, and bounds its size and the time that it takes. */
import {keepParsingFlat} from '../files/memory.js';
import {systemCode} from '../files/system-error.js';
import {NetworkError, networkErrorOf} from './network-error.js';
import {withCommas} from '../json/text.js';

/** Bytes, at every layer of compression. Parsing takes several times that much memory. */
export const maxAnswerSize = 16 * 1024 * 1024;

const mebibytes = `${maxAnswerSize / 1024 / 1024} MiB`;

/** Values in a response; each takes about 60 bytes of memory. */
export const maxValues = 250_000;

/** Layers of compression. */
const maxCodings = 4;

/** Bytes. Smaller chunks are joined, because a chunk has an overhead of its own. */
const smallChunk = 16 * 1024;

function tooLarge(what: string): NetworkError {
  return new NetworkError('too_large', `the response is larger than ${what}`, {isSent: true});
}

/** Collects the chunks of a response. */
export class Body {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #last = Buffer.alloc(0);
  #used = 0;

  /** @throws NetworkError when the response is too large */
  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > maxAnswerSize) throw tooLarge(mebibytes);
    if (chunk.length >= smallChunk) {
      this.#flush();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#used + chunk.length > this.#last.length) {
      this.#flush();
      this.#last = Buffer.allocUnsafeSlow(smallChunk);
    }
    this.#used += chunk.copy(this.#last, this.#used);
  }

  get chunks(): readonly Buffer[] {
    this.#flush();
    return this.#chunks;
  }

  #flush(): void {
    if (this.#used > 0) this.#chunks.push(this.#last.subarray(0, this.#used));
    this.#last = this.#last.subarray(this.#used);
    this.#used = 0;
  }
}

type Decode = (body: Buffer, options: {maxOutputLength: number}) => Buffer;

async function decoderOf(coding: string): Promise<Decode> {
  const {brotliDecompressSync, gunzipSync, inflateSync} = await import('node:zlib');
  if (coding === 'gzip' || coding === 'x-gzip') return gunzipSync;
  if (coding === 'deflate') return inflateSync;
  if (coding === 'br') return brotliDecompressSync;
  throw new NetworkError('undecodable', `the response has an unsupported content encoding (${coding})`, {isSent: true});
}

function codingsOf(encoding: string): string[] {
  return encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

const joinChunks = (chunks: readonly Buffer[]): Buffer => {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
};

async function decompress(body: Buffer, codings: readonly string[]): Promise<Buffer> {
  if (codings.length > maxCodings) {
    throw new NetworkError('undecodable', `the response is compressed ${codings.length} times`, {isSent: true});
  }
  let plain = body;
  for (const coding of codings.toReversed()) plain = (await decoderOf(coding))(plain, {maxOutputLength: maxAnswerSize});
  return plain;
}

/** @throws NetworkError when there are too many values in it */
function textOf(whole: Buffer): string {
  // A value takes at least two bytes.
  if (whole.length > 2 * maxValues && valuesIn(whole) > maxValues) throw tooLarge(`${withCommas(maxValues)} values`);
  return whole.toString('utf8');
}

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** An upper bound for the number of values in a JSON text. */
function valuesIn(text: Buffer): number {
  let count = 1;
  // Not `of`, which takes three times as long.
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === comma || byte === bracket || byte === brace) count += 1;
  }
  return count;
}

/** @throws NetworkError when the body cannot be decompressed, or is too large */
export async function readAnswerBody(chunks: readonly Buffer[], encoding: string, status: number): Promise<string> {
  const codings = codingsOf(encoding);
  try {
    const body = joinChunks(chunks);
    keepParsingFlat(body.length);
    return textOf(codings.length === 0 ? body : await decompress(body, codings));
  } catch (error) {
    const advance = {status, isSent: true};
    const code = systemCode(error) ?? '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw networkErrorOf(tooLarge(mebibytes), advance);
    if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_PADDING')) {
      throw new NetworkError('undecodable', 'the response could not be decompressed', advance, error);
    }
    throw networkErrorOf(error, advance);
  }
}
