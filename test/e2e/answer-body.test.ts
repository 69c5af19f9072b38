import {describe, expect, test} from 'vitest';
import {listBlocks} from '../../src/lib/api/blocks.js';
import {unreadCount} from '../../src/lib/api/direct.js';
import {maxAnswerSize} from '../../src/lib/client/transport.js';
import {bytes, clientOf, listen, startServer} from '../loopback-server.js';

const text = '{"primary":12345678901234567890,"requests":2.50,"name":"Ærø 🌊"}';
const megabyte = 1024 * 1024;

describe('a compressed response', () => {
  test('a compressed response is requested with the encodings that can be read', async () => {
    const server = await startServer(bytes(text));
    await clientOf(server.url).call(unreadCount, {});
    expect(server.received[0]?.headers['accept-encoding']).toBe('gzip, br');
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
});
