import {expect, test} from 'vitest';
import {nearest} from '../../../../src/lib/cli/failure/nearest.js';

const known = ['blocks list', 'mutes list', 'dm send', 'filters update'];

test.each([
  ['blocks lst', 'blocks list'],
  ['block list', 'blocks list'],
  ['dm sned', 'dm send'],
  ['filter updat', 'filters update'],
  ['dm send', 'dm send'],
  ['sandbox', undefined],
  ['', undefined],
  ['dm', undefined],
])('%j was probably meant to be %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});

test('of nothing known nothing is near', () => {
  expect(nearest('dm', [])).toBeUndefined();
});
