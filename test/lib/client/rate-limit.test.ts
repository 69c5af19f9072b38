import {expect, test} from 'vitest';
import type {ClientOptions} from '../../../src/lib/client/client.js';
import {sendMessage, unreadCount} from '../../../src/lib/api/direct.js';
import {clientOf, json, SkippingClock, startServer} from '../../loopback-server.js';

const limited = (headers: Readonly<Record<string, string>>) => json({error: 'Too Many Attempts.'}, 429, headers);
const counts = {primary: 1, requests: 0};

test('a message too is resent after a 429, when Retry-After has passed', async () => {
  const server = await startServer(limited({'retry-after': '1'}), json({id: '7', conversation_id: '5', text: 'Hi'}));
  const clock = new SkippingClock();
  await clientOf(server.url, {clock}).call(sendMessage, {path: {id: '5'}, body: {message: 'Hi'}});
  expect(clock.skipped).toBeGreaterThanOrEqual(1000);
  const [first, second] = server.received;
  expect(second?.body).toEqual(first?.body);
});

const theirs = Date.UTC(2040, 0, 1);
const times = (count: number, headers: Readonly<Record<string, string>>) => Array.from({length: count}, () => limited(headers));

test.each<[string, ReturnType<typeof json>[], Partial<ClientOptions>?]>([
  ['there are no headers', [limited({})]],
  ['there are more of them than --retries', times(2, {'retry-after': '0'}), {retries: 0}],
])('a 429 is waited for where %s', async (_, refusals, options) => {
  const server = await startServer(...refusals, json(counts));
  expect((await clientOf(server.url, options).call(unreadCount, {})).value).toEqual(counts);
});

const tooLong = {code: 'rate_limited', details: {status: 429, reason: 'wait_too_long'}};
const asks = (wait: string) => ({...tooLong, message: expect.stringMatching(new RegExp(`asks to wait ${wait} s$`))});

test.each<[string, ReturnType<typeof json>[], number | undefined, object]>([
  [
    'Retry-After is a date by the clock of the server',
    [limited({date: new Date(theirs).toUTCString(), 'retry-after': new Date(theirs + 600_000).toUTCString()})],
    60_000,
    asks('600'),
  ],
  ['it asks for more than two minutes', [limited({'retry-after': '121'})], undefined, tooLong],
  ['the waits of a request are too long together', times(2, {'retry-after': '1'}), 1500, tooLong],
  // 1 to 1.5 s, then 2 to 3 s, then 4 s at least.
  ['waits that become longer are too long together', times(3, {'retry-after': '0'}), 5500, tooLong],
  ['no wait is allowed', [limited({'retry-after': '0'})], 0, {code: 'rate_limited'}],
  ['Retry-After is 0: a second at least', [limited({'retry-after': '0'})], 999, asks('2')],
  [
    'a 503 has Retry-After',
    [json({error: 'Maintenance'}, 503, {'retry-after': '3600'})],
    undefined,
    {code: 'unavailable', details: {status: 503}},
  ],
])('the maximum wait ends a request where %s', async (_, refusals, maxWait, failure) => {
  const server = await startServer(...refusals);
  await expect(clientOf(server.url, {maxWait}).call(unreadCount, {})).rejects.toMatchObject(failure);
});

test('the maximum wait counts over the requests of one client', async () => {
  const server = await startServer(limited({'retry-after': '1'}), json(counts), limited({'retry-after': '1'}));
  const client = clientOf(server.url, {maxWait: 1500});
  await client.call(unreadCount, {});
  await expect(client.call(unreadCount, {})).rejects.toMatchObject({details: {reason: 'wait_too_long'}});
});
