import {createServer} from 'node:net';
import {mkdtemp, open, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {muteConversation, sendMessage, unreadCount, uploadMedia} from '../../src/lib/client/index.js';
import {clientOf, hostOf, json, listen, silence, startServer} from '../loopback-server.js';

async function largeFile(size: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pixelctl-upload-'));
  onTestFinished(() => rm(folder, {recursive: true}));
  const path = join(folder, 'photo.jpg');
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
  return path;
}

test('fails when a server never responds', async () => {
  const server = await startServer(silence);
  const asked = clientOf(server.url, {timeout: 200}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({
    code: 'unavailable',
    message: `No response from ${server.url.host}: timed out`,
  });
});

test('fails when a server accepts a connection and never serves it', async () => {
  const deaf = await hostOf(createServer(() => {}));
  const asked = clientOf(new URL(`https://${deaf}`), {timeout: 200}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({code: 'unavailable'});
});

test('covers the whole response, however slowly it arrives', async () => {
  const server = await startServer(async (response) => {
    response.writeHead(200, {'content-type': 'application/json'});
    while (!response.destroyed) {
      response.write(' ');
      await sleep(20);
    }
  });
  await expect(clientOf(server.url, {timeout: 300}).call(unreadCount, {})).rejects.toMatchObject({
    code: 'unavailable',
    details: {status: 200},
  });
});

test('a message that times out has an unknown fate', async () => {
  const server = await startServer(silence);
  const sent = clientOf(server.url, {timeout: 200}).call(sendMessage, {path: {id: '5'}, body: {message: 'Hi'}});
  await expect(sent).rejects.toMatchObject({code: 'unavailable', details: {fate: 'unknown'}});
});

test('a request that timed out is not retried', async () => {
  const server = await startServer(silence);
  const asked = clientOf(server.url, {timeout: 200}).call(muteConversation, {path: {id: '5'}});
  await expect(asked).rejects.toMatchObject({code: 'unavailable', details: {reason: 'connection'}});
});

test('applies to every attempt', async () => {
  const slow = async () => sleep(250);
  const server = await startServer(
    async (response) => (await slow(), json({}, 503, {'retry-after': '0'})(response, response.req)),
    async (response) => (await slow(), json({primary: 1, requests: 0})(response, response.req)),
  );
  expect((await clientOf(server.url, {timeout: 450}).call(unreadCount, {})).status).toBe(200);
});

test('lets an upload take longer while it makes progress', async () => {
  const timeout = 1500;
  const size = 48 * 1024 * 1024;
  let taken = 0;
  const url = await listen(async (request, response) => {
    let untilPause = 0;
    for await (const chunk of request) {
      taken += chunk.length;
      untilPause += chunk.length;
      if (untilPause < size / 10) continue;
      untilPause = 0;
      await sleep(200);
    }
    json({id: '9'})(response, request);
  });
  const file = await largeFile(size);
  const start = performance.now();
  const {value} = await clientOf(url, {timeout}).call(uploadMedia, {body: {file}});
  expect(value).toEqual({id: '9'});
  expect(taken).toBeGreaterThan(size);
  expect(performance.now() - start).toBeGreaterThan(timeout);
});

test('fails an upload without progress', async () => {
  const url = await listen((request) => request.pause());
  const file = await largeFile(48 * 1024 * 1024);
  const sent = clientOf(url, {timeout: 500}).call(uploadMedia, {body: {file}});
  await expect(sent).rejects.toMatchObject({code: 'unavailable', details: {fate: 'unknown'}});
});

test('fails an upload without a response', async () => {
  const file = await largeFile(1024);
  const server = await startServer(silence);
  const sent = clientOf(server.url, {timeout: 200}).call(uploadMedia, {body: {file}});
  await expect(sent).rejects.toMatchObject({code: 'unavailable', message: expect.stringMatching(/: timed out$/)});
});
