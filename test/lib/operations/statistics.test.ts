/** The numbers that servers show admins: what a rounded one is at least, and what is over a threshold. */
import {assert, nat, oneof, property} from 'fast-check';
import {expect, test} from 'vitest';
import {leastCount} from '../../../src/lib/operations/statistics.js';

test.each([
  [0, 0],
  [35, 35],
  ['35', 35],
  ['0', 0],
  ['1.0K', 1000],
  ['1.1K', 1050],
  ['1,234', 1234],
])('%j stands for at least %d', (written, least) => {
  expect(leastCount(written)).toBe(least);
});

test.each([[null], [undefined], [''], ['many'], ['-3'], ['1.K'], ['K'], ['1,0K'], ['1e3'], [true], [[35]], [{count: 35}]])(
  '%j is no count',
  (written) => {
    expect(leastCount(written)).toBeUndefined();
  },
);

const scales = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** As servers write a count for people: `35`, `1.0K`, `120K`. */
function roundCount(count: number): string {
  const [scale, unit] = scales.find(([least]) => count >= least) ?? [1, ''];
  const digits = scale > 1 && Math.round(count / scale) < 100 ? 1 : 0;
  // In whole numbers: a half goes up.
  const steps = Math.floor((count * 10 ** digits + scale / 2) / scale);
  const [whole, tenths] = [Math.floor(steps / 10 ** digits), steps % 10 ** digits];
  return `${whole.toLocaleString('en-US')}${digits === 0 ? '' : `.${tenths}`}${unit}`;
}

test('a rounded count is the least number that a server writes like this', () => {
  const counts = oneof(nat(2000), nat(200_000), nat(2_000_000), nat(2_000_000_000));
  assert(
    property(counts, (count) => {
      const written = roundCount(count);
      const least = leastCount(written) ?? Number.NaN;
      expect(least).toBeLessThanOrEqual(count);
      expect(roundCount(least)).toBe(written);
      if (least > 0) expect(roundCount(least - 1)).not.toBe(written);
    }),
  );
});
