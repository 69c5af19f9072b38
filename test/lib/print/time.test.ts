import {expect, test} from 'vitest';
import {relativeTime} from '../../../src/lib/print/time.js';

const now = new Date('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-20T11:59:30.000000Z', 'just now'],
  ['2026-11-20T12:00:30Z', 'just now'],
  ['2026-11-20T11:57:00+00:00', '3 min ago'],
  ['2026-11-20T12:59:00.000Z', 'in 59 min'],
  ['2026-11-20T12:59:59.000Z', 'in 1 h'],
  ['2026-11-27T11:59:59Z', 'in 7 days'],
  ['2026-11-20T11:00:00Z', '1 h ago'],
  ['2026-11-20T15:00:00+02:00', 'in 1 h'],
  ['2026-11-19T12:00:00Z', '1 day ago'],
  ['2026-11-22T12:00:00Z', 'in 2 days'],
  ['2026-10-22T12:00:00Z', '29 days ago'],
  ['2026-10-21T12:00:00Z', '2026-10-21'],
  ['2027-11-20T12:00:00Z', '2027-11-20'],
  ['2026-10-01', '2026-10-01'],
])('%s is %s', (iso, words) => {
  expect(relativeTime(iso, now)).toBe(words);
});

test.each(['', 'yesterday', '5', '2026-99-99T00:00:00Z'])('"%s" is no time and stays', (text) => {
  expect(relativeTime(text, now)).toBe(text);
});
