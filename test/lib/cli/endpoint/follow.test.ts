import {describe, expect, test} from 'vitest';
import {untilNext} from '../../../../src/lib/cli/endpoint/follow.js';

describe('the time between two requests', () => {
  test.each([
    [30, 0, 30],
    [30, 1, 60],
    [30, 3, 240],
    [30, 20, 900],
    [30, 5000, 900],
    [3600, 0, 3600],
    [3600, 9, 3600],
  ])('the time between two requests of %d seconds after %d failures is about %d', (interval, failures, seconds) => {
    expect(untilNext(interval, failures, 0.5)).toBeCloseTo(seconds * 1000);
  });

  test('the time between two requests is random, so that clients do not stay together', () => {
    expect([0, 1].map((random) => Math.round(untilNext(30, 0, random)))).toEqual([27_000, 33_000]);
  });
});
