import {describe, expect, test} from 'vitest';
import {createFilter, listFilters, report, sendMessage, unreadCount, updateFilter} from '../../../src/lib/client/index.js';
import {clientOf, json, SkippingClock, startServer} from '../../loopback-server.js';

const limited = (headers: Readonly<Record<string, string>>) => json({error: 'Too Many Attempts.'}, 429, headers);
const counts = {primary: 1, requests: 0};
const message = {id: '7', conversation_id: '5', text: 'Hi'};

test.each([
  {name: 'a read', send: (url: URL, clock: SkippingClock) => clientOf(url, {clock}).call(unreadCount, {}), answer: counts},
  {
    name: 'a message',
    send: (url: URL, clock: SkippingClock) => clientOf(url, {clock}).call(sendMessage, {path: {id: '5'}, body: {message: 'Hi'}}),
    answer: message,
  },
  {
    name: 'a report',
    send: (url: URL, clock: SkippingClock) =>
      clientOf(url, {clock}).call(report, {body: {object_type: 'post', object_id: '1', report_type: 'spam'}}),
    answer: {msg: 'Successfully sent report', code: 200},
  },
])('resends $name after a 429, when Retry-After has passed', async ({send, answer}) => {
  const server = await startServer(limited({'retry-after': '1'}), json(answer));
  const clock = new SkippingClock();
  expect((await send(server.url, clock)).value).toEqual(answer);
  expect(clock.skipped).toBeGreaterThanOrEqual(1000);
  const [first, second] = server.received;
  expect(second?.body).toEqual(first?.body);
});

test('parses Retry-After as an HTTP date', async () => {
  const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
  const server = await startServer(limited({'retry-after': inTenMinutes}));
  const asked = clientOf(server.url, {maxWait: 60_000}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({code: 'rate_limited', message: expect.stringMatching(/asks to wait (59\d|600) s$/)});
});

test('treats a Retry-After date in the past as now', async () => {
  const server = await startServer(limited({'retry-after': new Date(Date.now() - 60_000).toUTCString()}), json(counts));
  expect((await clientOf(server.url).call(unreadCount, {})).value).toEqual(counts);
});

test('uses X-RateLimit-Reset without Retry-After', async () => {
  const inTenMinutes = String(Math.floor(Date.now() / 1000) + 600);
  const server = await startServer(limited({'x-ratelimit-reset': inTenMinutes}));
  const asked = clientOf(server.url, {maxWait: 60_000}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({code: 'rate_limited', message: expect.stringMatching(/asks to wait (59\d|600) s$/)});
});

test('prefers Retry-After to X-RateLimit-Reset', async () => {
  const inTenMinutes = String(Math.floor(Date.now() / 1000) + 600);
  const server = await startServer(limited({'retry-after': '0', 'x-ratelimit-reset': inTenMinutes}), json(counts));
  expect((await clientOf(server.url).call(unreadCount, {})).value).toEqual(counts);
});

test('retries after a 429 without headers', async () => {
  const server = await startServer(limited({}), json(counts));
  expect((await clientOf(server.url).call(unreadCount, {})).value).toEqual(counts);
});

describe('the maximum wait', () => {
  test('fails at once when Retry-After exceeds it', async () => {
    const server = await startServer(limited({'retry-after': '121'}));
    await expect(clientOf(server.url).call(unreadCount, {})).rejects.toMatchObject({
      code: 'rate_limited',
      details: {status: 429, reason: 'wait_too_long'},
    });
  });

  test('the maximum wait counts all waits of a request together', async () => {
    const server = await startServer(limited({'retry-after': '1'}), limited({'retry-after': '1'}));
    const asked = clientOf(server.url, {maxWait: 1500}).call(unreadCount, {});
    await expect(asked).rejects.toMatchObject({code: 'rate_limited', details: {reason: 'wait_too_long'}});
  });

  test('the maximum wait counts over the requests of one client', async () => {
    const server = await startServer(limited({'retry-after': '1'}), json(counts), limited({'retry-after': '1'}));
    const client = clientOf(server.url, {maxWait: 1500});
    await client.call(unreadCount, {});
    await expect(client.call(unreadCount, {})).rejects.toMatchObject({details: {reason: 'wait_too_long'}});
  });

  test('the maximum wait holds for a 503 with Retry-After', async () => {
    const server = await startServer(json({error: 'Maintenance'}, 503, {'retry-after': '3600'}));
    await expect(clientOf(server.url).call(unreadCount, {})).rejects.toMatchObject({code: 'unavailable', details: {status: 503}});
  });
});

test('gives up repeated 429s at the maximum wait', async () => {
  const server = await startServer(...Array.from({length: 3}, () => limited({'retry-after': '0'})));
  // 1 to 1.5 s, then 2 to 3 s, then 4 s at least.
  const asked = clientOf(server.url, {maxWait: 5500}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({code: 'rate_limited', details: {status: 429, reason: 'wait_too_long'}});
});

test('waits for 429s more often than --retries', async () => {
  const server = await startServer(limited({'retry-after': '0'}), limited({'retry-after': '0'}), json(counts));
  expect((await clientOf(server.url, {retries: 0}).call(unreadCount, {})).value).toEqual(counts);
});

test('fails at once on a 429 with a maximum wait of 0', async () => {
  const server = await startServer(limited({'retry-after': '0'}));
  await expect(clientOf(server.url, {maxWait: 0}).call(unreadCount, {})).rejects.toMatchObject({code: 'rate_limited'});
});

test.each(['0', 'soon', '-5', new Date(0).toUTCString()])('waits at least a second for Retry-After: %s', async (value) => {
  const server = await startServer(limited({'retry-after': value}));
  const asked = clientOf(server.url, {maxWait: 999}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({message: expect.stringMatching(/asks to wait 2 s$/), details: {reason: 'wait_too_long'}});
});

test('compares a Retry-After date with the Date of the server', async () => {
  const theirs = Date.UTC(2040, 0, 1);
  const headers = {date: new Date(theirs).toUTCString(), 'retry-after': new Date(theirs + 600_000).toUTCString()};
  const server = await startServer(limited(headers));
  const asked = clientOf(server.url, {maxWait: 60_000}).call(unreadCount, {});
  await expect(asked).rejects.toMatchObject({message: expect.stringMatching(/asks to wait 600 s$/)});
});

describe('the hourly quota of filters', () => {
  const body = {title: 'Spoilers', context: ['home'], keywords_attributes: [{keyword: 'spoiler', whole_word: true}]};

  test.each([
    {name: 'creating', send: (url: URL) => clientOf(url).call(createFilter, {body})},
    {name: 'updating', send: (url: URL) => clientOf(url).call(updateFilter, {path: {id: '5'}, body})},
    {name: 'listing', send: (url: URL) => clientOf(url).call(listFilters, {})},
  ])('the hourly quota of filters is not waited for when $name', async ({send}) => {
    const server = await startServer(json({error: 'Rate limit', message: 'Only 20 an hour'}, 429));
    await expect(send(server.url)).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('Rate limit: Only 20 an hour'),
    });
  });

  test('the hourly quota of filters is waited for when it has Retry-After', async () => {
    const server = await startServer(limited({'retry-after': '0'}), json([]));
    expect((await clientOf(server.url).call(listFilters, {})).value).toEqual([]);
  });
});
