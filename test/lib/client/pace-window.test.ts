import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {RateWindow} from '../../../src/lib/client/pace.js';

const now = Date.UTC(2026, 0, 1);
const inSeconds = (seconds: number) => String(now / 1000 + seconds);

function windowOf(headers: Readonly<Record<string, number | string>>, underWay = 0, at = now): RateWindow {
  const window = new RateWindow();
  window.learn(Object.fromEntries(Object.entries(headers).map(([name, value]) => [`x-ratelimit-${name}`, String(value)])), underWay, {
    now: at,
    serverTime: at,
  });
  return window;
}

describe('the distance between requests', () => {
  test.each([
    {name: 'there are no headers', headers: {}, gap: 0},
    {name: 'there is plenty', headers: {limit: 512, remaining: 511}, gap: 0},
    {name: 'a bit more than a quarter is left', headers: {limit: 512, remaining: 129}, gap: 0},
    {name: 'a quarter is left of a minute', headers: {limit: 512, remaining: 120}, gap: 500},
    {name: 'a quarter is left until a time', headers: {limit: 512, remaining: 120, reset: inSeconds(12)}, gap: 100},
    {name: 'the reset is in seconds from now', headers: {limit: 512, remaining: 120, reset: 12}, gap: 100},
    {name: 'the reset is an ISO time', headers: {limit: 300, remaining: 10, reset: '2026-01-01T00:00:05.000Z'}, gap: 500},
    {name: 'the time has passed', headers: {limit: 512, remaining: 1, reset: inSeconds(-1)}, gap: 0},
    {name: 'there is no limit and much remains', headers: {remaining: 17}, gap: 0},
    {name: 'there is no limit and little remains', headers: {remaining: 10}, gap: 6000},
    {name: 'nothing is left', headers: {limit: 512, remaining: 0}, gap: 0},
    {name: 'a header is not a number', headers: {limit: 512, remaining: 'few'}, gap: 0},
  ])('the distance between requests is $gap ms when $name', ({headers, gap}) => {
    expect(windowOf(headers).gap(now)).toBe(gap);
  });

  test('leaves room for requests under way', () => {
    expect(windowOf({limit: 512, remaining: 120}, 20).gap(now)).toBe(600);
  });

  test('spreads the remaining requests to the end of the window', () => {
    const left = fc.integer({min: 1, max: 1000});
    fc.assert(
      fc.property(left, fc.integer({min: 1, max: 3600}), (remaining, seconds) => {
        const gap = windowOf({limit: 4 * remaining, remaining, reset: inSeconds(seconds)}).gap(now);
        expect(gap * remaining).toBeCloseTo(seconds * 1000, 3);
      }),
    );
  });

  test('the distance between requests counts a window from its first response while the remaining count falls', () => {
    const window = new RateWindow();
    for (let second = 0; second <= 30; second++) {
      window.learn({'x-ratelimit-limit': '512', 'x-ratelimit-remaining': String(150 - second)}, 0, {
        now: now + second * 1000,
        serverTime: now + second * 1000,
      });
    }
    expect(window.gap(now + 30_000)).toBe(30_000 / 120);
  });

  test('starts a new window when the remaining count rises', () => {
    const window = windowOf({limit: 512, remaining: 20});
    window.learn({'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '511'}, 0, {now: now + 10_000, serverTime: now + 10_000});
    expect(window.gap(now + 10_000)).toBe(0);
    window.learn({'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '100'}, 0, {now: now + 20_000, serverTime: now + 20_000});
    expect(window.gap(now + 20_000)).toBe(500);
  });

  test('keeps the window when responses arrive out of order', () => {
    const window = windowOf({limit: 512, remaining: 20});
    window.learn({'x-ratelimit-limit': '512', 'x-ratelimit-remaining': '35'}, 0, {now: now + 25_000, serverTime: now + 25_000});
    expect(window.gap(now + 25_000)).toBe(1000);
  });

  test('the distance between requests is 0 after the window', () => {
    expect(windowOf({limit: 512, remaining: 1}).gap(now + 60_000)).toBe(0);
  });

  test('the distance between requests is 0 after a reset', () => {
    const window = windowOf({limit: 512, remaining: 1});
    window.forget();
    expect(window.gap(now)).toBe(0);
  });
});

describe('an empty window', () => {
  test('an empty window ends at X-RateLimit-Reset', () => {
    expect(windowOf({limit: 60, remaining: 0, reset: inSeconds(7)}).empty()).toEqual({until: now + 7000, isExact: true});
  });

  test('an empty window is assumed to end after a minute without X-RateLimit-Reset', () => {
    expect(windowOf({limit: 60, remaining: 0}).empty()).toEqual({until: now + 60_000, isExact: false});
  });

  test('an empty window is over when requests remain', () => {
    expect(windowOf({limit: 60, remaining: 1, reset: inSeconds(7)}).empty().until).toBeLessThan(now);
  });

  test('an empty window ends by the Date of the server', () => {
    const window = new RateWindow();
    const headers = {'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(7)};
    window.learn(headers, 0, {now: 500, serverTime: now});
    expect(window.empty()).toEqual({until: 7500, isExact: true});
  });
});
