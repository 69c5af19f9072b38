/** Reads the body of a response: decompresses it, and bounds its size and the time that it takes. */
import {keepParsingFlat} from '../files/memory.js';
import {systemCode} from '../files/system-error.js';
import {NetworkError, networkErrorOf} from './network-error.js';
import {withCommas} from '../json/text.js';

/** The most bytes of a response, compressed or not. Parsing takes several times that much memory. */
export const maxAnswerSize = 16 * 1024 * 1024;

const mebibytes = `${maxAnswerSize / 1024 / 1024} MiB`;

/** The most values in a response; each takes about 60 bytes of memory. */
export const maxValues = 250_000;

function tooLarge(what: string): NetworkError {
  return new NetworkError('too_large', `the response is larger than ${what}`, {isSent: true});
}

/** The bytes of a response, in one buffer: many small chunks would take more memory than their bytes. */
export class Body {
  #buffer = Buffer.alloc(64 * 1024);
  #size = 0;

  /** @throws NetworkError when the response is too large */
  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > maxAnswerSize) throw tooLarge(mebibytes);
    if (size > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(2 * size, maxAnswerSize));
      this.#buffer.copy(grown);
      this.#buffer = grown;
    }
    this.#size += chunk.copy(this.#buffer, this.#size);
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }
}

/** @throws NetworkError for anything but the two encodings that requests accept, each alone */
async function decode(body: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === '' || encoding === 'identity') return body;
  const {brotliDecompressSync, gunzipSync} = await import('node:zlib');
  const decompress = encoding === 'gzip' ? gunzipSync : encoding === 'br' ? brotliDecompressSync : undefined;
  if (decompress !== undefined) return decompress(body, {maxOutputLength: maxAnswerSize});
  throw new NetworkError('undecodable', `the response has an unsupported content encoding (${encoding})`, {isSent: true});
}

/** @throws NetworkError when the text has too many values */
function textOf(whole: Buffer): string {
  // A value takes at least two bytes.
  if (whole.length > 2 * maxValues && valuesIn(whole) > maxValues) throw tooLarge(`${withCommas(maxValues)} values`);
  return whole.toString('utf8');
}

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** An upper bound for the number of values in a JSON text. */
function valuesIn(text: Buffer): number {
  let count = 1;
  // A loop with `of` takes three times as long.
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === comma || byte === bracket || byte === brace) count += 1;
  }
  return count;
}

/** @throws NetworkError when the body cannot be decompressed, or is too large */
export async function readAnswerBody(body: Buffer, encoding: string, status: number): Promise<string> {
  try {
    keepParsingFlat(body.length);
    return textOf(await decode(body, encoding.trim().toLowerCase()));
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
