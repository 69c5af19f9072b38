import {describe, expect, test} from 'vitest';
import {muteConversation, sendMessage, unreadCount} from '../../../src/lib/api/direct.js';
import {clientOf, drop, HeldClock, json, startServer} from '../../loopback-server.js';

const counts = {primary: 1, requests: 0};
const summary = {id: '5', state: 'active', muted: true, hidden: false, unread_count: 0, last_read_message_id: null};
const passing = (status: number) => json({error: 'Back soon'}, status, {'retry-after': '0'});

const harmless = {
  name: 'a write that is harmless to repeat',
  send: (url: URL, retries?: number) => clientOf(url, {retries}).call(muteConversation, {path: {id: '5'}}),
  answer: summary,
};
const read = {name: 'a read', send: (url: URL, retries?: number) => clientOf(url, {retries}).call(unreadCount, {}), answer: counts};

describe.each([read, harmless])('$name', ({send, answer}) => {
  test.each([502, 503, 504])('the request is resent after %i', async (status) => {
    const server = await startServer(passing(status), passing(status), json(answer));
    expect((await send(server.url)).value).toEqual(answer);
  });

  test('the request is resent when the connection is lost', async () => {
    const server = await startServer(drop, json(answer));
    expect((await send(server.url)).value).toEqual(answer);
  });

  test('the request is resent when its response breaks off', async () => {
    const server = await startServer(
      (response) => response.writeHead(200, {'content-length': '100'}).write('{"pri', () => response.destroy()),
      json(answer),
    );
    expect((await send(server.url)).value).toEqual(answer);
  });

  test.each([400, 404, 500, 501])('the request is not resent after %i', async (status) => {
    const server = await startServer(passing(status));
    await expect(send(server.url)).rejects.toMatchObject({details: {status}});
  });

  test('the request is sent at most 4 times', async () => {
    const server = await startServer(...Array.from({length: 4}, () => passing(503)));
    await expect(send(server.url)).rejects.toMatchObject({code: 'unavailable', details: {status: 503}});
  });

  test('the request is sent once with 0 retries', async () => {
    const server = await startServer(passing(503));
    await expect(send(server.url, 0)).rejects.toMatchObject({code: 'unavailable', details: {status: 503}});
  });
});

test('a request that waits after a lost connection holds no other one back', async () => {
  const server = await startServer(drop, json(counts));
  const clock = new HeldClock();
  const client = clientOf(server.url, {clock});
  const asked = client.call(unreadCount, {});
  await clock.begun();
  expect(client.pace.pausedFor).toBeUndefined();
  expect((await clock.pass(asked)).value).toEqual(counts);
});

test('a refused connection is not retried', async () => {
  const events: string[] = [];
  const client = clientOf(new URL('http://127.0.0.1:1'), {observe: ({kind}) => events.push(kind)});
  await expect(client.call(unreadCount, {})).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Cannot connect to 127.0.0.1:1: connection refused',
    details: {reason: 'connection'},
  });
  expect(events).toEqual(['request', 'broken']);
});

test('names plain HTTP as the cause of a failed TLS handshake', async () => {
  const server = await startServer();
  const client = clientOf(new URL(server.url.href.replace('http:', 'https:')), {retries: 0});
  await expect(client.call(sendMessage, {path: {id: '5'}, body: {message: 'Hi'}})).rejects.toMatchObject({
    code: 'unavailable',
    message: `Cannot connect to ${server.url.host}: it does not use HTTPS; it may use plain HTTP`,
    details: {reason: 'plain_http'},
  });
});

test('an unexpected 100 Continue leaves a message of unknown fate', async () => {
  const server = await startServer((response) => response.socket?.write('HTTP/1.1 100 Continue\r\n\r\n'));
  const sent = clientOf(server.url).call(sendMessage, {path: {id: '5'}, body: {message: 'Hi'}});
  await expect(sent).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('the server sent an unexpected 100 Continue'),
    details: {fate: 'unknown'},
  });
});

test('an error whose body breaks off is reported by its status', async () => {
  const server = await startServer((response) =>
    response.writeHead(404, {'content-length': '100'}).write('{"err', () => response.destroy()),
  );
  await expect(clientOf(server.url, {retries: 0}).call(unreadCount, {})).rejects.toMatchObject({
    code: 'not_found',
    details: {status: 404},
  });
});

test('a server that does not speak HTTP is unavailable', async () => {
  const server = await startServer((response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'));
  await expect(clientOf(server.url, {retries: 0}).call(unreadCount, {})).rejects.toMatchObject({code: 'unavailable'});
});

describe.each([401, 500])('a token that is refused with %i', (status) => {
  const refused = json({error: 'Unauthenticated.'}, status);
  const clientWith = (url: URL, tokens: readonly string[]) => {
    const asked: (string | undefined)[] = [];
    const token = async (old?: string) => (asked.push(old), tokens[asked.length - 1]);
    return {asked, client: clientOf(url, {retries: 0, token})};
  };
  const message = {path: {id: '5'}, body: {message: 'Hi'}};

  test('a token that was renewed meanwhile is replaced once, for a message too', async () => {
    const server = await startServer(refused, json({id: '1'}, 201));
    const {client, asked} = clientWith(server.url, ['old', 'new']);
    expect((await client.call(sendMessage, message)).status).toBe(201);
    expect(asked).toEqual([undefined, 'old']);
    expect(server.received.map(({headers}) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('a refused token is not sent again when no other one is stored, or that cannot be found out', async () => {
    const server = await startServer(refused, refused);
    const {client} = clientWith(server.url, ['old', 'old']);
    await expect(client.call(sendMessage, message)).rejects.toMatchObject({code: 'auth'});
    const token = (old?: string) => (old === undefined ? Promise.resolve('old') : Promise.reject(new Error('locked')));
    await expect(clientOf(server.url, {token}).call(sendMessage, message)).rejects.toMatchObject({code: 'auth'});
  });

  test('twice is an error', async () => {
    const server = await startServer(refused, refused);
    const {client, asked} = clientWith(server.url, ['old', 'new', 'newer']);
    await expect(client.call(sendMessage, message)).rejects.toMatchObject({code: 'auth'});
    expect(asked).toHaveLength(2);
  });
});
