import fc from 'fast-check';
import {expect, test} from 'vitest';
import {neededLists} from '../../../../src/lib/policy/lists/merge.js';
import {summariesIn} from '../../../../src/lib/policy/reading/read-policy.js';
import {wantedBy} from '../wanted.js';

test.each<[agree: number | string | undefined, total: number, needed: number]>([
  [undefined, 5, 1],
  [2, 5, 2],
  [2, 0, 2],
  ['50%', 1, 1],
  ['50%', 3, 2],
  ['50%', 4, 2],
  ['7%', 100, 7],
  ['67%', 3, 3],
  ['100%', 7, 7],
  ['50%', 0, 1],
])('agree: %s of %i lists needs %i', (agree, total, needed) => {
  expect(neededLists(agree, total)).toBe(needed);
});

test('a share that is shown as reached is reached', () => {
  const number = fc.integer({min: 1, max: 200});
  fc.assert(
    fc.property(number, number, fc.integer({min: 1, max: 100}), (one, other, percent) => {
      const [count, total] = [Math.min(one, other), Math.max(one, other)];
      const isReached = count >= neededLists(`${percent}%`, total);
      expect(isReached).toBe((count * 100) / Math.max(total, 1) >= percent);
    }),
  );
});

test('a list is named once, however many sections use it', () => {
  const lists = {'a.csv': 'a.example\n'};
  const names = (text: string) => summariesIn(wantedBy(`version: 1\n${text}`, lists).domains).map(({list}) => list);
  expect(names('domain_blocks: {must: [own.example]}\nadmin_domain_blocks: {must: [other.example]}\n')).toEqual(['a.csv']);
  expect(names('mutes: {must: [bo]}\n')).toEqual([]);
});
