import {expect, test} from 'vitest';
import {nearest} from '../../../src/lib/json/nearest.js';

const known = ['blocks list', 'mutes list', 'dm send', 'filters update', 'send', 'start', 'list'];

test.each([
  ['blocks lst', 'blocks list'],
  ['block list', 'blocks list'],
  ['dm sned', 'dm send'],
  ['filter updat', 'filters update'],
  ['dm send', 'dm send'],
  ['sned', 'send'],
  ['lst', 'list'],
  ['stat', 'start'],
  ['stats', undefined],
  ['find', undefined],
  ['seen', undefined],
  ['sandbox', undefined],
  ['', undefined],
  ['dm', undefined],
])('the nearest word to %j is %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});

test('there is no nearest word among none', () => {
  expect(nearest('dm', [])).toBeUndefined();
});
