import {describe, expect, test, vi} from 'vitest';
import * as z from 'zod/mini';
import {listAdminDomainBlocks} from '../../../src/lib/api/admin-domain-blocks.js';
import {addDomainBlock, listBlocks} from '../../../src/lib/api/blocks.js';
import {getConversation, sendMessage, unreadCount} from '../../../src/lib/api/direct.js';
import {getAccountByName, uploadMedia} from '../../../src/lib/api/internal.js';
import {updatePushSettings} from '../../../src/lib/api/push.js';
import type {ClientOptions} from '../../../src/lib/client/client.js';
import {Failure, type WireEvent} from '../../../src/lib/operations/index.js';
import {requestFor} from '../../../src/lib/client/request.js';
import {maxAnswerSize} from '../../../src/lib/client/transport.js';
import {bytes, clientOf, holdTimeOuts, json, silence, SkippingClock, startServer, token, type Reply} from '../../loopback-server.js';

const counts = {primary: 1, requests: 0};
const deviceToken = 'ExponentPushToken[abcdefghijklmnopqrstuv]';

describe('a request', () => {
  test('accepts JSON, carries the token, and has no body where none is documented', async () => {
    const server = await startServer(json(counts));
    await clientOf(server.url, {userAgent: 'pixelctl/0.1.0'}).call(unreadCount, {});
    const [{headers, method, target, body} = {headers: {}}] = server.received;
    expect({method, target, body: String(body)}).toEqual({method: 'GET', target: '/api/v1.1/direct/unread_count', body: ''});
    expect(headers).toMatchObject({
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'user-agent': 'pixelctl/0.1.0',
    });
    // Servers take a request that names its origin for one of a browser, and want a session with it.
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['origin', 'referer', 'content-type', 'cookie']));
  });
});

test('requests of one client share a connection', async () => {
  const server = await startServer(json(counts), json([]), json({error: 'Not here'}, 404), json(counts));
  const client = clientOf(server.url);
  await client.call(unreadCount, {});
  await client.call(listBlocks, {});
  await expect(client.call(getConversation, {path: {id: '1'}})).rejects.toMatchObject({code: 'not_found'});
  await client.call(unreadCount, {});
  expect(server.received.map(({connection}) => connection)).toEqual([1, 1, 1, 1]);
});

test('no timer is left of a request that was answered', async () => {
  const server = await startServer(json(counts), json(counts), json(counts));
  const client = clientOf(server.url);
  holdTimeOuts();
  const left: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    await client.call(unreadCount, {});
    left.push(vi.getTimerCount());
  }
  // The connection that is kept has its own, from the first request on.
  expect(left[2]).toBe(left[1]);
});

test('a request under way ends when the client is closed', async () => {
  const server = await startServer(silence);
  const client = clientOf(server.url, {retries: 0});
  const asked = client.call(unreadCount, {}).catch((error: unknown) => error);
  await server.arrived(1);
  await client.close();
  expect(await asked).toMatchObject({code: 'unavailable', details: {reason: 'connection'}});
});

test('a wait is within the pauses that are allowed, or does not begin', async () => {
  const client = clientOf(new URL('http://127.0.0.1:1'), {maxWait: 1000});
  expect(await client.wait(0)).toBe(true);
  expect(await client.wait(1001)).toBe(false);
  await client.close();
  await expect(client.wait(1)).rejects.toMatchObject({code: 'interrupted', details: {reason: 'unsent'}});
  await expect(client.keepTurn()).rejects.toMatchObject({code: 'interrupted', details: {reason: 'unsent'}});
});

test('a pause of the server is told with its host, and when it is over', async () => {
  const server = await startServer(json({error: 'Too many'}, 429, {'retry-after': '2'}), json(counts));
  const told: unknown[] = [];
  const waiting: ClientOptions['waiting'] = ({host, for: pause}) => {
    if ('why' in pause) told.push(host);
    return () => void ('why' in pause && told.push('over'));
  };
  await clientOf(server.url, {waiting}).call(unreadCount, {});
  expect(told).toEqual([server.url.host, 'over']);
});

test('what fails in the program itself once a request was sent says that it may have been carried out', async () => {
  const server = await startServer(json([]));
  const observe = ({kind}: WireEvent) => {
    if (kind === 'answer') throw new TypeError('no such member');
  };
  const asked = clientOf(server.url, {observe}).call(addDomainBlock, {body: {domain: 'https://bad.example'}});
  await expect(asked).rejects.toMatchObject({code: 'internal', details: {fate: 'unknown'}});
});

test('ignores 1xx responses before the final one', async () => {
  const server = await startServer((response, request) => {
    response.writeProcessing();
    response.writeEarlyHints({link: '</style.css>; rel=preload'});
    json(counts)(response, request);
  });
  expect(await clientOf(server.url).call(unreadCount, {})).toMatchObject({status: 200, value: counts});
});

test('a response of more than 16 MiB is dropped', async () => {
  const server = await startServer(bytes(Buffer.alloc(maxAnswerSize + 1, ' ')));
  const message = `${server.url.host}: cannot read the response (200): the response is larger than 16 MiB`;
  await expect(clientOf(server.url).call(unreadCount, {})).rejects.toMatchObject({code: 'bad_answer', message});
});

test('keeps the text of a response unmodified', async () => {
  const text = ' {"primary" : 12345678901234567890,\n"requests": 2.50, "new": "\\/"}\n';
  const server = await startServer(bytes(text));
  const answer = await clientOf(server.url).call(unreadCount, {});
  expect(answer).toMatchObject({status: 200, text});
});

test('what is known of the pace is that of its requests, but for those that the server counts apart', async () => {
  const headers = {'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30'};
  const server = await startServer(json([], 200, headers), json([], 200, headers));
  const client = clientOf(server.url);
  await client.call(getAccountByName, {path: {name: 'ana'}});
  expect(client.pace).toEqual({pausedFor: undefined, rate: undefined});
  await client.call(listBlocks, {});
  expect(client.pace.pausedFor).toBeGreaterThan(29_000);
});

test('what people should know is passed on', () => {
  const told: string[] = [];
  clientOf(new URL('http://127.0.0.1:1'), {warn: (text) => told.push(text)}).warn('old');
  clientOf(new URL('http://127.0.0.1:1')).warn('lost');
  expect(told).toEqual(['old']);
});

test.each([
  ['an answer in its place', async () => ({status: 200, headers: {}, text: '[{"id":"7"}]'}), {value: [{id: '7'}]}],
  ['none', async () => undefined, {code: 'unavailable'}],
  ['another failure', () => Promise.reject(new Failure('auth', 'No')), {code: 'auth'}],
])('where a server cannot list its blocks and %s is found, that is given', async (_, standIn, found) => {
  const server = await startServer(json({}, 500), json([]), json({}, 500));
  const client = clientOf(server.url, {standIn});
  expect(await client.call(listAdminDomainBlocks, {}).catch((error: unknown) => error)).toMatchObject(found);
  expect(await client.call(listAdminDomainBlocks, {})).toMatchObject({value: []});
  await expect(client.call(unreadCount, {})).rejects.toMatchObject({code: 'unavailable'});
});

test.each([
  [403, 'scope:missing', 'the token lacks the scope admin:read (403)'],
  [403, 'another:scope', 'only for admins (403)'],
  [401, 'scope:missing', 'token not accepted (401)'],
])('%i for a token that lacks %s says: %s', async (status, lacking, message) => {
  const server = await startServer(json({}, status));
  const lacks = (scope: string, own: string) => lacking === 'scope:missing' && scope === 'admin:read' && own === token;
  const asked = clientOf(server.url, {lacks}).call(listAdminDomainBlocks, {});
  await expect(asked).rejects.toMatchObject({code: 'auth', message: `${server.url.host}: ${message}`});
});

describe('secrets', () => {
  async function eventsOf(send: (client: ReturnType<typeof clientOf>) => Promise<unknown>, ...replies: readonly Reply[]) {
    const events: WireEvent[] = [];
    const server = await startServer(...replies);
    const failure: unknown = await send(clientOf(server.url, {observe: (event) => events.push(event)})).catch((error: unknown) => error);
    return {events, shown: JSON.stringify(events), failure, server};
  }

  test('an answer says how long it took', async () => {
    const clock = new SkippingClock();
    clock.skipped = 1000;
    const events: WireEvent[] = [];
    const server = await startServer((...exchange) => {
      clock.skipped += 250;
      return json(counts)(...exchange);
    });
    await clientOf(server.url, {clock, observe: (event) => events.push(event)}).call(unreadCount, {});
    expect(events).toMatchObject([{kind: 'request'}, {kind: 'answer', status: 200, milliseconds: 250}]);
  });

  test('secrets are masked in error messages of the server', async () => {
    const {failure} = await eventsOf((client) => client.call(unreadCount, {}), json({error: `The token ${token} is no good`}, 401));
    expect(failure).toMatchObject({code: 'auth', message: expect.stringMatching(/: The token \*\*\* is no good$/)});
  });

  test('secrets are masked in wire events', async () => {
    const echo = json({error: `You said ${token}`}, 422, {'x-echo': `Bearer ${token}`, 'set-cookie': `session=${token}`});
    const {shown, server} = await eventsOf(
      (client) => client.call(sendMessage, {path: {id: token}, body: {message: `my token is ${token}`}}),
      echo,
    );
    expect(shown).not.toContain(token);
    expect(shown).toContain('***');
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  test('include device tokens', async () => {
    const {shown, failure, server} = await eventsOf(
      (client) => client.call(updatePushSettings, {body: {token: deviceToken, notify_enabled: true}}),
      json({message: `${deviceToken} is not valid`, errors: {token: [`${deviceToken} is not valid`]}}, 422),
    );
    expect(shown).not.toContain(deviceToken);
    expect(String(failure)).not.toContain(deviceToken);
    expect(String(server.received[0]?.body)).toContain(deviceToken);
  });

  test.each([
    ['HTML', '<!doctype html><meta name="csrf-token" content="unknown-secret">'],
    ['a part of JSON', '{"token": "unknown-secret"'],
  ])('a body that is %s is masked whole', async (_, text) => {
    const {shown, events} = await eventsOf((client) => client.call(unreadCount, {}), bytes(text));
    expect(shown).not.toContain('unknown-secret');
    expect(events[1]).toMatchObject({text: `*** (not JSON, ${text.length} characters)`});
  });

  test.each([
    ['/api/v1/admin/x', 'abc', '{"user":{"email":"***","app_register_ip":null}}'],
    ['/api/v1/users', 'abc', '{"user":{"email":"abc","app_register_ip":null}}'],
    ['/api/v1/admin/x', token, '{"user":{"email":"***","app_register_ip":null}}'],
  ])('private data of people in an answer to %s is masked: %s', async (path, email, text) => {
    const request = {...requestFor(listBlocks, {}), path};
    const answer = {user: {email, app_register_ip: null}};
    expect((await eventsOf((client) => client.send(request, z.unknown()), json(answer))).events[1]).toMatchObject({text});
  });

  test('a file that is sent is not shown, nor a page instead of an answer with private data', async () => {
    const {events} = await eventsOf((client) => client.call(uploadMedia, {body: {file: import.meta.filename}}), json({id: '1'}));
    expect(events[0]).toMatchObject({method: 'POST', body: '(streamed)'});
    const page = {...requestFor(listBlocks, {}), path: '/api/admin/x'};
    expect((await eventsOf((client) => client.send(page, z.unknown()), bytes('"email":'))).events[1]).toMatchObject({
      text: '*** (not JSON, 8 characters)',
    });
  });

  test('secrets are masked without hiding the status', async () => {
    const {events} = await eventsOf((client) => client.call(unreadCount, {}), json({}, 503, {'retry-after': '0'}), json(counts));
    expect(events.map(({kind}) => kind)).toEqual(['request', 'answer', 'wait', 'request', 'answer']);
    expect(events[0]).toMatchObject({method: 'GET', target: '/api/v1.1/direct/unread_count', headers: {authorization: 'Bearer ***'}});
    expect(events[4]).toMatchObject({status: 200, text: JSON.stringify(counts)});
  });
});
