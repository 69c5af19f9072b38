/** How long to wait, as answers say it, and which answers are asked for again. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  backOff,
  pauseOf,
  rateLimitReset,
  readWait,
  resending,
  retryAfter,
  serverTime,
  sleepOn,
  systemClock,
} from '../../../src/lib/client/retry.js';
import {HeldClock} from '../../loopback-server.js';

const now = Date.UTC(2026, 0, 1);
const clock = {...systemClock, time: () => now};
const answer = (status: number, headers: Readonly<Record<string, string>> = {}) => ({status, headers, text: ''});
const none = {pauses: 0, retries: 0};
const filters = {own: {hourlyQuota: 'filters'}, path: {}};
const alone = {after: expect.any(Number), isForAll: false};
const inSeconds = (seconds: number) => String(now / 1000 + seconds);

describe('the wait of a header', () => {
  test.each([
    ['Retry-After', retryAfter, '0', 0],
    ['Retry-After', retryAfter, ' 7 ', 7000],
    ['Retry-After', retryAfter, '1.5', 1500],
    ['Retry-After', retryAfter, 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Retry-After', retryAfter, 'Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['Retry-After', retryAfter, 'Thu Jan  1 00:00:30 2026', undefined],
    ...[undefined, '', 'soon', 'NaN', '-', '1.', '5 seconds', 'May 2001', '2026-13', '9'.repeat(309)].map(
      (header) => ['Retry-After', retryAfter, header, undefined] as const,
    ),
    ...[undefined, '', 'soon', '9'.repeat(309)].map((header) => ['X-RateLimit-Reset', rateLimitReset, header, undefined] as const),
    ['Retry-After', retryAfter, '9'.repeat(15), 999_999_999_999_999_000],
    ['Retry-After', retryAfter, '9'.repeat(16), undefined],
    ['X-RateLimit-Reset', rateLimitReset, '1.5', undefined],
    ['X-RateLimit-Reset', rateLimitReset, ' 7 ', 7000],
    ['X-RateLimit-Reset', rateLimitReset, '0', 0],
    ['X-RateLimit-Reset', rateLimitReset, '999999999', 999_999_999_000],
    ['X-RateLimit-Reset', rateLimitReset, '1000000000', 0],
    ['X-RateLimit-Reset', rateLimitReset, inSeconds(7), 7000],
    ['X-RateLimit-Reset', rateLimitReset, inSeconds(-7), 0],
    ['X-RateLimit-Reset', rateLimitReset, '2026-01-01T00:00:07Z', 7000],
    ['X-RateLimit-Reset', rateLimitReset, '2025-01-01T00:00:07Z', 0],
    ['X-RateLimit-Reset', rateLimitReset, '2026-99-01T00:00:07Z', undefined],
    ['X-RateLimit-Reset', rateLimitReset, 'at 2026-01-01T00:00:07Z', undefined],
    ['X-RateLimit-Reset', rateLimitReset, '2026-01-01', undefined],
    ['X-RateLimit-Reset', rateLimitReset, '9'.repeat(16), undefined],
  ] as const)('%s of which %o reads %j', (_, read, header, wait) => {
    expect(read(header, now)).toBe(wait);
  });

  test('is never negative', () => {
    fc.assert(fc.property(fc.string(), (header) => (retryAfter(header, now) ?? 0) >= 0));
  });

  test('is measured by the time of the server, where it says that', () => {
    const date = 'Thu, 01 Jan 2026 01:00:00 GMT';
    expect(serverTime({date}, clock)).toBe(now + 3_600_000);
    expect(serverTime({date: 'now'}, clock)).toBe(now);
    expect(serverTime({}, clock)).toBe(now);
    expect(readWait({date, 'retry-after': 'Thu, 01 Jan 2026 01:00:05 GMT'}, clock)).toBe(5000);
    expect(readWait({date, 'x-ratelimit-reset': inSeconds(3605)}, clock)).toBe(5000);
  });

  test('is that of Retry-After before others', () => {
    expect(readWait({}, clock)).toBeUndefined();
    expect(readWait({'retry-after': '0', 'x-ratelimit-reset': '9'}, clock)).toBe(0);
    expect(readWait({'retry-after': 'soon', 'x-ratelimit-reset': '9', 'x-rate-limit-reset': '8'}, clock)).toBe(9000);
    expect(readWait({'x-rate-limit-reset': '8'}, clock)).toBe(8000);
  });
});

test('waits double from half a second and from a second to 30 seconds', () => {
  const least = (wait: typeof backOff) => [0, 1, 2, 4, 5, 6, 7].map((count) => wait(count, () => 0));
  const most = (wait: typeof backOff) => [0, 1, 2, 4, 5, 6, 7].map((count) => wait(count, () => 1));
  expect(least(backOff)).toEqual([250, 500, 1000, 4000, 8000, 15_000, 15_000]);
  expect(most(backOff)).toEqual([500, 1000, 2000, 8000, 16_000, 30_000, 30_000]);
  expect(least(pauseOf)).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000, 30_000]);
  expect(most(pauseOf)).toEqual([1500, 3000, 6000, 24_000, 45_000, 45_000, 45_000]);
});

test('waits are random, and never longer than 30 seconds, or 45 after a 429', () => {
  expect(new Set(Array.from({length: 20}, () => backOff(3))).size).toBeGreaterThan(1);
  const chance = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true});
  fc.assert(
    fc.property(fc.nat({max: 2000}), chance, (count, random) => {
      const [retry, pause] = [backOff, pauseOf].map((wait) => wait(count, () => random));
      const [half, whole] = [Math.min(250 * 2 ** count, 15_000), Math.min(1000 * 2 ** count, 30_000)];
      expect(retry).toBeCloseTo(half * (1 + random), 6);
      expect(pause).toBeCloseTo(whole * (1 + random / 2), 6);
    }),
  );
});

test.each<[string, Parameters<typeof resending>, ReturnType<typeof resending>]>([
  ['a 503 for all, as it says', [answer(503, {'retry-after': '7'}), {repeat: 'harmless'}, none, 1, clock], {after: 7000, isForAll: true}],
  ['a 503 for itself where it does not say how long', [answer(503), {repeat: 'harmless'}, none, 1, clock], alone],
  [
    'a 503 for itself, whatever another header says',
    [answer(503, {'x-ratelimit-reset': '7'}), {repeat: 'harmless'}, none, 1, clock],
    alone,
  ],
  ['a 429 for all', [answer(429, {'retry-after': '7'}), {repeat: 'never'}, none, 0, clock], {after: 7000, isForAll: true}],
  ['a 429 for itself where the request is counted apart', [answer(429), {repeat: 'never', countedApart: true}, none, 0, clock], alone],
  ['no hourly quota', [answer(429), {repeat: 'never', errors: filters}, none, 9, clock], undefined],
  [
    'an hourly quota that says how long',
    [answer(429, {'retry-after': '7'}), {repeat: 'never', errors: filters}, none, 9, clock],
    {after: 7000, isForAll: true},
  ],
  ['no 429 where nobody waits', [answer(429), {repeat: 'never', neverWaits: true}, none, 9, clock], undefined],
])('a request waits after %s', (_, given, expected) => {
  expect(resending(...given)).toEqual(expected);
});

test('a wait that becomes longer does so by the number of waits of its kind', () => {
  const waits = (status: number, tries: {pauses: number; retries: number}) =>
    resending(answer(status), {repeat: 'harmless'}, tries, 9, clock)?.after;
  expect(waits(503, {pauses: 5, retries: 3})).toBeGreaterThanOrEqual(2000);
  expect(waits(503, {pauses: 5, retries: 0})).toBeLessThanOrEqual(500);
  expect(waits(429, {pauses: 3, retries: 0})).toBeGreaterThanOrEqual(8000);
  expect(waits(429, {pauses: 0, retries: 8})).toBeLessThanOrEqual(1500);
});

test('a sleep ends when its time has passed, or at once with the reason of an abort', async () => {
  const {signal} = new AbortController();
  const clock = new HeldClock();
  await clock.pass(sleepOn(clock, 500, signal));
  expect(clock.now()).toBe(500);
  const leaving = new AbortController();
  const asleep = sleepOn(clock, 500, leaving.signal);
  leaving.abort(new Error('enough'));
  await expect(asleep).rejects.toThrow('enough');
  await expect(sleepOn(clock, 500, leaving.signal)).rejects.toThrow('enough');
  await clock.pass(sleepOn(clock, 200, signal));
  // What was given up waits no more.
  expect(clock.now()).toBe(700);
});
