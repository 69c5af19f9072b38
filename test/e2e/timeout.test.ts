import {createServer} from 'node:net';
import {mkdtemp, open, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {setImmediate} from 'node:timers/promises';
import {expect, onTestFinished, test} from 'vitest';
import {unreadCount} from '../../src/lib/api/direct.js';
import {uploadMedia} from '../../src/lib/api/internal.js';
import {clientOf, holdTimeOuts, hostOf, json, listen, startServer, type Reply} from '../loopback-server.js';

async function largeFile(size: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pixelctl-upload-'));
  onTestFinished(() => rm(folder, {recursive: true}));
  const path = join(folder, 'photo.jpg');
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
  return path;
}

test('fails when a server accepts a connection and never serves it', async () => {
  const pass = holdTimeOuts();
  const deaf = await hostOf(createServer(() => pass(200)));
  const asked = clientOf(new URL(`https://${deaf}`), {timeout: 200}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({code: 'unavailable'});
});

test('covers the whole response, however slowly it arrives', async () => {
  const pass = holdTimeOuts();
  const {promise: isBegun, resolve: begin} = Promise.withResolvers<unknown>();
  const headers = 'undici:request:headers';
  subscribe(headers, begin);
  onTestFinished(() => void unsubscribe(headers, begin));
  const server = await startServer(async (response) => {
    response.writeHead(200, {'content-type': 'application/json'}).write(' ');
    await isBegun;
    while (!response.destroyed) {
      response.write(' ');
      pass(20);
      await setImmediate();
    }
  });
  await expect(clientOf(server.url, {timeout: 300}).call(unreadCount, {})).rejects.toMatchObject({
    code: 'unavailable',
    details: {status: 200},
  });
});

test('applies to every attempt', async () => {
  const pass = holdTimeOuts();
  const after =
    (reply: Reply): Reply =>
    (response, request) => (pass(250), reply(response, request));
  const server = await startServer(after(json({}, 503, {'retry-after': '0'})), after(json({primary: 1, requests: 0})));
  expect((await clientOf(server.url, {timeout: 450}).call(unreadCount, {})).status).toBe(200);
});

test('lets an upload take longer while it makes progress', async () => {
  const pass = holdTimeOuts();
  const timeout = 1500;
  const size = 48 * 1024 * 1024;
  let [taken, passed] = [0, 0];
  const url = await listen(async (request, response) => {
    let untilPause = 0;
    for await (const chunk of request) {
      taken += chunk.length;
      untilPause += chunk.length;
      if (untilPause < size / 10) continue;
      untilPause = 0;
      pass(200);
      passed += 200;
    }
    json({id: '9'})(response, request);
  });
  const file = await largeFile(size);
  const {value} = await clientOf(url, {timeout}).call(uploadMedia, {body: {file}});
  expect(value).toEqual({id: '9'});
  expect(taken).toBeGreaterThan(size);
  expect(passed).toBeGreaterThan(timeout);
});

test('fails an upload without progress', async () => {
  const pass = holdTimeOuts();
  const url = await listen((request) => {
    request.pause();
    pass(500);
  });
  const file = await largeFile(48 * 1024 * 1024);
  const sent = clientOf(url, {timeout: 500}).call(uploadMedia, {body: {file}});
  await expect(sent).rejects.toMatchObject({code: 'unavailable', details: {fate: 'unknown'}});
});
