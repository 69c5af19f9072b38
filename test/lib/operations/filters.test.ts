import {expect, test} from 'vitest';
import {expiresIn} from '../../../src/lib/operations/filters.js';

const now = new Date('2026-09-01T12:00:00Z');

test.each([
  ['new filter', undefined, {}],
  ['new filter', 'never', {}],
  ['existing filter', undefined, {}],
  ['existing filter', 'never', {expires_in: 0}],
  ['new filter', 604_800, {expires_in: 604_800}],
  ['existing filter', 0, {expires_in: 0}],
  ['existing filter', new Date('2026-09-01T12:00:00.001Z'), {expires_in: 1}],
  ['existing filter', new Date('2026-09-02T12:00:00Z'), {expires_in: 86_400}],
  ['existing filter', new Date('2020-01-01T00:00:00Z'), {expires_in: 1}],
] as const)('the end of a filter of a %s that ends %s is sent as %j', (of, end, sent) => {
  expect(expiresIn(end, of, now)).toEqual(sent);
});
