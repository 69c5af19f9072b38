/** What takes little memory whatever its size: measured in processes that do nothing else, because files of tests share theirs. */
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {bytes, json, listen, startServer} from '../loopback-server.js';
import {builtModule, runChild} from './child-process.js';
import {newFolder} from './program.js';

const megabyte = 1024 * 1024;

/** Buffers are no part of the heap: the most memory that the process ever had is told. */
const callAndTell = (url: URL, call: string): string => `
  import {openClient} from '${builtModule('client/client.js')}';
  import {listBlocks} from '${builtModule('api/blocks.js')}';
  import {uploadMedia} from '${builtModule('api/internal.js')}';
  import {readFileSync} from 'node:fs';
  const client = openClient({server: new URL(${JSON.stringify(url)}), token: async () => 'token-of-a-test'});
  const {code, message} = await client.call(${call}).then(() => ({}), (failure) => failure);
  await client.close();
  // On Linux not \`maxRSS\`, which starts at what the parent had when it started this process.
  const kibibytes = process.platform === 'linux' ? /^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1] : process.resourceUsage().maxRSS;
  process.stdout.write(JSON.stringify({code, message, most: kibibytes * 1024}));`;

/** What Node and the client take before they do anything. */
const alone = 120 * megabyte;

test('a response of 1 GiB is rejected while it is decompressed, with bounded memory', async () => {
  const member = gzipSync(Buffer.alloc(16 * megabyte));
  const bomb = Buffer.concat(Array.from({length: 64}, () => member));
  const server = await startServer(bytes(bomb, {'content-encoding': 'gzip'}));
  const {code, message, most} = JSON.parse(await runChild(callAndTell(server.url, 'listBlocks, {}')));
  expect({code, message}).toEqual({code: 'bad_answer', message: expect.stringContaining('larger than 16 MiB')});
  // Kept are 16 MiB, and what the collector has not taken yet.
  expect(most).toBeLessThan(alone + 200 * megabyte);
});

test('a large file is sent from disk with flat memory', async () => {
  const size = 120 * megabyte;
  const path = join(newFolder(), 'large.mp4');
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
  let taken = 0;
  const url = await listen((request, response) => {
    request.on('data', (chunk: Buffer) => (taken += chunk.length));
    request.on('end', () => json({id: '9'})(response, request));
  });
  const {code, most} = JSON.parse(await runChild(callAndTell(url, `uploadMedia, {body: {file: ${JSON.stringify(path)}}}`)));
  expect(code).toBeUndefined();
  expect(taken).toBeGreaterThan(size);
  expect(most).toBeLessThan(alone + size / 2);
});
