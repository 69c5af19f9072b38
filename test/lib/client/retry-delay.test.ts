import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {backOff, pauseOf, rateLimitReset, retryAfter} from '../../../src/lib/client/retry.js';

const now = Date.UTC(2026, 0, 1);

describe('backOff', () => {
  const attempt = fc.nat({max: 2000});
  const chance = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true});

  test('backOff is between a quarter of a second and thirty seconds', () => {
    fc.assert(
      fc.property(attempt, chance, (count, random) => {
        const delay = backOff(count, () => random);
        expect(delay).toBeGreaterThanOrEqual(250);
        expect(delay).toBeLessThanOrEqual(30_000);
      }),
    );
  });

  test('backOff is half to all of a time that doubles', () => {
    fc.assert(
      fc.property(attempt, chance, (count, random) => {
        const full = Math.min(500 * 2 ** count, 30_000);
        expect(backOff(count, () => 0)).toBe(full / 2);
        expect(backOff(count, () => random)).toBeGreaterThanOrEqual(full / 2);
        expect(backOff(count, () => random)).toBeLessThanOrEqual(full);
      }),
    );
  });

  test('backOff is random', () => {
    expect(new Set(Array.from({length: 20}, () => backOff(3))).size).toBeGreaterThan(1);
  });
});

test('a pause for a 429 is at least a second, doubles, and has up to 50% jitter', () => {
  const chance = fc.double({min: 0, max: 1, maxExcluded: true, noNaN: true});
  fc.assert(
    fc.property(fc.nat({max: 2000}), chance, (count, random) => {
      const full = Math.min(1000 * 2 ** count, 30_000);
      expect(pauseOf(count, () => 0)).toBe(full);
      expect(pauseOf(count, () => random)).toBeGreaterThanOrEqual(full);
      expect(pauseOf(count, () => random)).toBeLessThanOrEqual(1.5 * full);
    }),
  );
});

describe('retryAfter', () => {
  test.each([
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
    ['Thu Jan  1 00:00:30 2026', 30_000],
  ])('reads %j as %i ms', (header, milliseconds) => {
    expect(retryAfter(header, now)).toBe(milliseconds);
  });

  test.each([undefined, '', 'soon', 'NaN', '-', '1.', '5 seconds', 'May 2001', '2026-13', '9'.repeat(309)])(
    'knows nothing from %j',
    (header) => {
      expect(retryAfter(header, now)).toBeUndefined();
    },
  );

  test('retryAfter is never negative', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const wait = retryAfter(header, now);
        expect(wait === undefined || wait >= 0).toBe(true);
      }),
    );
  });
});

describe('rateLimitReset', () => {
  test.each([
    [String(now / 1000 + 60), 60_000],
    [String(now / 1000 - 60), 0],
    ['9'.repeat(309), undefined],
    [undefined, undefined],
    ['soon', undefined],
    ['', undefined],
  ])('reads %j as %s ms', (header, milliseconds) => {
    expect(rateLimitReset(header, now)).toBe(milliseconds);
  });
});
