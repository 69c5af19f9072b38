/** Reads the body of an answer: decompressed, and bounded in size and in time whatever the server sends. */
import {systemCode} from '../files/system-error.js';
import {NetworkError, networkErrorOf, timedOut} from './network-error.js';

/** Bytes, at every layer of compression: what is read costs several times that. */
export const largestAnswer = 16 * 1024 * 1024;

/** Values in an answer: each one costs some 60 bytes of memory, whatever it is. */
export const mostValues = 250_000;

/** Layers of compression. */
const mostCodings = 4;

/** Bytes; smaller chunks are put together, as each one costs more than these. */
const smallChunk = 16 * 1024;

function tooLarge(what: string): NetworkError {
  return new NetworkError('too_large', `the answer is larger than ${what}`, {isSent: true});
}

/** The chunks of an answer while they come. */
export class Body {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #last = Buffer.alloc(0);
  #used = 0;

  /** @throws NetworkError when there are too many */
  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > largestAnswer) throw tooLarge(`${largestAnswer / 1024 / 1024} MiB`);
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

async function decoderOf(coding: string): Promise<NodeJS.ReadWriteStream> {
  const {createBrotliDecompress, createGunzip, createInflate} = await import('node:zlib');
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'deflate') return createInflate();
  if (coding === 'br') return createBrotliDecompress();
  throw new NetworkError('undecodable', `the answer is compressed by an unknown method (${coding})`, {isSent: true});
}

function codingsOf(encoding: string): string[] {
  return encoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** @param timeLeft milliseconds */
async function decompress(chunks: readonly Buffer[], codings: readonly string[], timeLeft: number): Promise<readonly Buffer[]> {
  if (codings.length > mostCodings) {
    throw new NetworkError('undecodable', `the answer is compressed ${codings.length} times`, {isSent: true});
  }
  const {pipeline} = await import('node:stream/promises');
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeLeft)));
  let plain = chunks;
  // One layer after the other: each is bounded before the next one begins.
  for (const coding of codings.toReversed()) {
    const layer = new Body();
    const take = async (decoded: AsyncIterable<Buffer>) => {
      for await (const chunk of decoded) layer.add(chunk);
    };
    await pipeline(plain, await decoderOf(coding), take, {signal});
    plain = layer.chunks;
  }
  return plain;
}

/** @throws NetworkError when there are too many values in it */
function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  // A value has two bytes at least.
  if (whole.length > 2 * mostValues && valuesIn(whole) > mostValues) throw tooLarge(`${mostValues.toLocaleString('en')} values`);
  return whole.toString('utf8');
}

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** At least as many as there are values in a JSON text. */
function valuesIn(text: Buffer): number {
  let count = 1;
  for (const byte of text) if (byte === comma || byte === bracket || byte === brace) count += 1;
  return count;
}

/**
 * @param timeLeft milliseconds
 * @throws NetworkError when the body cannot be decompressed in time, or is larger than an answer may be
 */
export async function readAnswerBody(chunks: readonly Buffer[], encoding: string, status: number, timeLeft: number): Promise<string> {
  const codings = encoding === '' ? [] : codingsOf(encoding);
  try {
    return textOf(codings.length === 0 ? chunks : await decompress(chunks, codings, timeLeft));
  } catch (error) {
    const advance = {status, isSent: true};
    if (error instanceof Error && error.name === 'AbortError') throw timedOut(advance);
    const code = systemCode(error) ?? '';
    if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_PADDING')) {
      throw new NetworkError('undecodable', 'the answer could not be decompressed', advance, error);
    }
    throw networkErrorOf(error, advance);
  }
}
