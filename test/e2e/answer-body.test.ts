import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Body, maxAnswerSize, maxValues} from '../../src/lib/client/answer-body.js';
import {listBlocks, sendMessage, unreadCount} from '../../src/lib/client/index.js';
import {bytes, clientOf, listen, startServer} from '../loopback-server.js';

const text = '{"primary":12345678901234567890,"requests":2.50,"name":"Ærø 🌊"}';
const megabyte = 1024 * 1024;

describe('a compressed response', () => {
  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['GZIP', gzipSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
  ])('a compressed response with the content encoding %j is read unmodified', async (encoding, body) => {
    const server = await startServer(bytes(body, {'content-encoding': encoding}));
    expect((await clientOf(server.url).call(unreadCount, {})).text).toBe(text);
  });

  test('a compressed response is requested with the encodings that can be read', async () => {
    const server = await startServer(bytes(text));
    await clientOf(server.url).call(unreadCount, {});
    expect(server.received[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
  });

  test.each([
    ['gzip', Buffer.from(text)],
    ['deflate', gzipSync(text)],
    ['br', Buffer.from(text)],
    ['gzip', gzipSync(text).subarray(0, 30)],
    ['br', brotliCompressSync(text).subarray(0, 10)],
    ['gzip', Buffer.alloc(0)],
    ['zstd', Buffer.from(text)],
    ['gzip', Buffer.concat([gzipSync(text), Buffer.from('and something else')])],
  ])('a compressed response that is not valid %s is a bad answer', async (encoding, body) => {
    const server = await startServer(bytes(body, {'content-encoding': encoding}));
    await expect(clientOf(server.url).call(unreadCount, {})).rejects.toMatchObject({code: 'bad_answer', details: {status: 200}});
  });
});

describe('a response that is too large', () => {
  test('a response that is too large is rejected before its end is read', async () => {
    let sent = 0;
    const url = await listen(async (_, response) => {
      response.writeHead(200, {'content-type': 'application/json'});
      const chunk = Buffer.alloc(megabyte, ' ');
      while (!response.destroyed && sent < 4 * maxAnswerSize) {
        sent += chunk.length;
        await new Promise((resolve) => response.write(chunk, resolve));
      }
    });
    await expect(clientOf(url).call(listBlocks, {})).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('larger than 16 MiB'),
    });
    expect(sent).toBeLessThan(2 * maxAnswerSize);
  });

  test('a response that is too large is detected at every layer of compression', async () => {
    // Every layer but the last is small; the one in the middle is what is too large.
    const bomb = gzipSync(gzipSync(Buffer.alloc(64 * megabyte, '0')));
    for (const encoding of ['gzip, gzip', 'gzip, gzip, gzip']) {
      const server = await startServer(bytes(encoding === 'gzip, gzip' ? bomb : gzipSync(bomb), {'content-encoding': encoding}));
      await expect(clientOf(server.url).call(listBlocks, {})).rejects.toMatchObject({
        message: expect.stringContaining('larger than 16 MiB'),
      });
    }
  });

  test('a response that is too large is rejected when it has more than 4 layers of compression', async () => {
    const server = await startServer(bytes(gzipSync('[]'), {'content-encoding': 'gzip, gzip, gzip, gzip, gzip'}));
    await expect(clientOf(server.url).call(listBlocks, {})).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('compressed 5 times'),
    });
  });

  test.each(['{}', '[]', '0', '""', 'null'])(
    'a response that is too large is rejected when it has more than 250,000 values: %s',
    async (value) => {
      const server = await startServer(bytes(`[${`${value},`.repeat(maxValues)}${value}]`));
      await expect(clientOf(server.url).call(listBlocks, {})).rejects.toMatchObject({
        code: 'bad_answer',
        message: expect.stringContaining('larger than 250,000 values'),
      });
    },
  );

  test('a response that is too large is reported by its status when that is an error', async () => {
    const server = await startServer(bytes(`[${'0,'.repeat(maxValues)}0]`, {}, 404));
    await expect(clientOf(server.url).call(listBlocks, {})).rejects.toMatchObject({code: 'not_found', details: {status: 404}});
  });

  test('a response that is too large is accepted at exactly the size limit', async () => {
    const url = await listen((_, response) => response.end(`[${' '.repeat(maxAnswerSize - 2)}]`));
    expect((await clientOf(url).call(listBlocks, {})).value).toEqual([]);
  });
});

test.each([
  ['an HTML page', '<!DOCTYPE html><title>Pixelfed</title>', 'expected JSON, got HTML (200)'],
  ['nothing', '', 'expected JSON, got an empty response (200)'],
  ['half of an answer', '{"primary": 1', 'expected JSON, got something else, or only a part of it (200)'],
])('reports %s where JSON was expected', async (_, body, words) => {
  const server = await startServer(bytes(body));
  await expect(clientOf(server.url).call(unreadCount, {})).rejects.toMatchObject({
    code: 'bad_answer',
    message: `${server.url.host}: ${words}`,
  });
});

test('a message whose response cannot be read has an unknown fate', async () => {
  const server = await startServer(bytes('', {}, 201));
  const sent = clientOf(server.url).call(sendMessage, {path: {id: '5'}, body: {message: 'Hi'}});
  await expect(sent).rejects.toMatchObject({
    code: 'bad_answer',
    details: {fate: 'unknown'},
  });
});

test('rejects a response that decompresses to nothing', async () => {
  // As many empty blocks as an answer may have bytes.
  const deflated = Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.alloc(15 * megabyte, Buffer.from([0, 0, 0, 0xff, 0xff]))]);
  const server = await startServer(bytes(deflated, {'content-encoding': 'deflate'}));
  await expect(clientOf(server.url).call(unreadCount, {})).rejects.toMatchObject({code: 'bad_answer'});
});

test('joins tiny chunks of a response into large ones', () => {
  const body = new Body();
  const text = Array.from({length: 100_000}, (_, index) => String(index % 10)).join('');
  for (const letter of text) body.add(Buffer.from(letter));
  expect(Buffer.concat(body.chunks).toString()).toBe(text);
  expect(body.chunks.length).toBeLessThan(10);
});

test('keeps chunks of any size in order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat({max: 40}), fc.integer({min: 10_000, max: 40_000})), {maxLength: 20}), (sizes) => {
      const body = new Body();
      const chunks = sizes.map((size, index) => Buffer.alloc(size, index));
      for (const chunk of chunks) body.add(chunk);
      expect(Buffer.concat(body.chunks).equals(Buffer.concat(chunks))).toBe(true);
    }),
  );
});
