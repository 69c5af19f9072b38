/** Bodies of responses: in any chunks, in any compression, within limits. */
import {brotliCompressSync, gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Body, maxAnswerSize, maxValues, readAnswerBody} from '../../../src/lib/client/transport.js';

const read = (body: Buffer, encoding = '') => readAnswerBody(body, encoding, 200);

function bodyOf(chunks: readonly Buffer[]): Body {
  const body = new Body();
  for (const chunk of chunks) body.add(chunk);
  return body;
}

describe('the chunks of a body', () => {
  test('are all there, in order, whatever their sizes', () => {
    const size = fc.oneof(fc.nat(40), fc.constantFrom(65_535, 65_536, 65_537, 50_000));
    fc.assert(
      fc.property(fc.array(size, {maxLength: 30}), (sizes) => {
        const chunks = sizes.map((length, index) => Buffer.alloc(length, 97 + (index % 26)));
        expect(bodyOf(chunks).bytes.equals(Buffer.concat(chunks))).toBe(true);
      }),
      {numRuns: 50},
    );
  });

  test('may be 16 MiB together, and no byte more', () => {
    const mebibyte = Buffer.alloc(1024 * 1024);
    const body = bodyOf(Array.from({length: 16}, () => mebibyte));
    expect(() => body.add(Buffer.from('a'))).toThrow(
      expect.objectContaining({kind: 'too_large', message: 'the response is larger than 16 MiB', isSent: true}),
    );
  });
});

describe('a compressed body', () => {
  const text = '{"a":"søren"}';
  const plain = Buffer.from(text);

  test.each([
    ['', plain],
    ['identity', plain],
    [' Identity ', plain],
    ['gzip', gzipSync(plain)],
    [' GZIP ', gzipSync(plain)],
    ['br', brotliCompressSync(plain)],
  ])('in %j is decompressed', async (encoding, body) => {
    expect(await read(body, encoding)).toBe(text);
  });

  test.each([
    ['zstd', 'the response has an unsupported content encoding (zstd)'],
    ['gzip', 'the response could not be decompressed'],
    ['br', 'the response could not be decompressed'],
    ['gzip, br', 'the response has an unsupported content encoding (gzip, br)'],
  ])('in %s that is none is undecodable', async (encoding, message) => {
    await expect(read(plain, encoding)).rejects.toMatchObject({kind: 'undecodable', message, isSent: true, status: 200});
  });

  test('that is cut is undecodable', async () => {
    for (const [encoding, whole] of [
      ['gzip', gzipSync(plain)],
      ['br', brotliCompressSync(plain)],
    ] as const)
      await expect(read(whole.subarray(0, -3), encoding)).rejects.toMatchObject({kind: 'undecodable', isSent: true, status: 200});
  });

  test.each(['gzip', 'br'] as const)('in %s that grows beyond 16 MiB is too large', async (encoding) => {
    const compress = {gzip: gzipSync, br: brotliCompressSync}[encoding];
    const options = encoding === 'br' ? {params: {1: 1}} : {level: 1};
    await expect(read(compress(Buffer.alloc(maxAnswerSize + 1), options), encoding)).rejects.toMatchObject({
      kind: 'too_large',
      message: 'the response is larger than 16 MiB',
      isSent: true,
      status: 200,
    });
  });
});

/** Each of these begins a value, and an answer is one value to begin with. */
test.each([',', '[', '{'])('a body has at most 250,000 values: %s', async (mark) => {
  const text = (values: number, length: number) => Buffer.from(mark.repeat(values - 1).padEnd(length, ' '));
  const most = text(maxValues, 2 * maxValues + 1);
  expect((await read(most)) === most.toString()).toBe(true);
  await expect(read(text(maxValues + 1, 2 * maxValues + 1)).then(() => 'it was read')).rejects.toMatchObject({
    kind: 'too_large',
    message: 'the response is larger than 250,000 values',
    isSent: true,
    status: 200,
  });
});
