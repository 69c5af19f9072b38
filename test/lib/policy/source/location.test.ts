import {expect, test} from 'vitest';
import {compareLocations, compareText, locationText} from '../../../../src/lib/policy/source/location.js';

test('a location is written as a file and a line', () => {
  expect(locationText({file: 'p.yml', line: 3})).toBe('p.yml:3');
});

test('texts are ordered by their code units, the same everywhere', () => {
  expect(['é', 'b', 'B', '', 'a'].sort(compareText)).toEqual(['', 'B', 'a', 'b', 'é']);
  expect([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')]).toEqual([-1, 1, 0]);
});

test('locations are ordered by file, and then by line', () => {
  const at = (file: string, line: number) => ({file, line});
  expect([at('b', 1), at('a', 10), at('a', 9)].sort(compareLocations)).toEqual([at('a', 9), at('a', 10), at('b', 1)]);
});
