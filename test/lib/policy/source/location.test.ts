import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {compareLocations, compareText, inOrderOfFiles, type Location, locationText} from '../../../../src/lib/policy/source/location.js';

const location: fc.Arbitrary<Location> = fc.record({
  file: fc.constantFrom('', 'B.yml', 'a.yml', 'é.csv'),
  line: fc.integer({min: 1, max: 4}),
});
const placed = fc.record({source: location, subject: fc.constantFrom('', 'a', 'b', 'é'), id: fc.nat()});

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

test('what is in files is ordered by file, line and subject, and otherwise stays as it came', () => {
  fc.assert(
    fc.property(fc.array(placed), (items) => {
      const expected = items.toSorted(
        (one, other) => compareLocations(one.source, other.source) || compareText(one.subject, other.subject),
      );
      expect(inOrderOfFiles(items)).toEqual(expected);
    }),
  );
});
