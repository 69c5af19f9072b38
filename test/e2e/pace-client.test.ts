import {expect, test} from 'vitest';
import {muteConversation, unreadCount} from '../../src/lib/api/direct.js';
import {clientOf, HeldClock, holdTimeOuts, json, listen, silence, startServer, type Reply} from '../loopback-server.js';

const counts = {primary: 1, requests: 0};
const limited = (seconds: number) => json({error: 'Too Many Attempts.'}, 429, {'retry-after': String(seconds)});

test('a 503 with Retry-After pauses later requests', async () => {
  const server = await startServer(json({}, 503, {'retry-after': '1'}), json(counts));
  const clock = new HeldClock();
  const client = clientOf(server.url, {clock});
  const first = client.call(unreadCount, {});
  await clock.begun();
  expect(client.pace.pausedFor).toBeGreaterThan(0);
  expect((await clock.pass(first)).value).toEqual(counts);
});

test('a request that times out frees its turn', async () => {
  const pass = holdTimeOuts();
  const replies: Reply[] = [limited(0), () => pass(100), json(counts)];
  const server = await startServer(...replies);
  const client = clientOf(server.url, {timeout: 100});
  // After a 429 one request goes at a time: the second waits for the end of the first.
  await expect(client.call(unreadCount, {})).rejects.toMatchObject({code: 'unavailable'});
  expect((await client.call(unreadCount, {})).value).toEqual(counts);
});

test('closing ends waits and drops requests under way without resending them', async () => {
  const server = await startServer(limited(60), silence);
  const clock = new HeldClock();
  const waiting = clientOf(server.url, {clock});
  const paused = expect(waiting.call(unreadCount, {})).rejects.toMatchObject({code: 'interrupted', details: {reason: 'unsent'}});
  await clock.begun();
  const busy = clientOf(server.url);
  const underWay = expect(busy.call(muteConversation, {path: {id: '5'}})).rejects.toMatchObject({code: 'unavailable'});
  await server.arrived(2);
  await Promise.all([waiting.close(), busy.close(), paused, underWay]);
});

test('finishes requests under way after an abort', async () => {
  const controller = new AbortController();
  const url = await listen((request, response) => {
    controller.abort();
    json(counts)(response, request);
  });
  expect((await clientOf(url, {signal: controller.signal}).call(unreadCount, {})).value).toEqual(counts);
});
