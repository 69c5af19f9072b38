import fc from 'fast-check';
import {expect, test} from 'vitest';
import {countLists, neededLists, unreachable, uselessAgree} from '../../../../src/lib/policy/lists/agreement.js';
import type {UsedList} from '../../../../src/lib/policy/lists/list.js';
import type {DomainRules} from '../../../../src/lib/policy/model/policy.js';
import {summariesIn} from '../../../../src/lib/policy/reading/read-policy.js';
import {wantedBy} from '../wanted.js';
import {used} from './used.js';

test.each<[agree: number | string | undefined, total: number, needed: number, why?: string]>([
  [undefined, 5, 1],
  [2, 5, 2],
  [2, 0, 2],
  [2, 1, 2, 'agree is 2, but there is 1 list: nothing would be blocked'],
  [4, 3, 4, 'agree is 4, but there are 3 lists: nothing would be blocked'],
  ['50%', 1, 1],
  ['50%', 3, 2],
  ['50%', 4, 2],
  ['7%', 100, 7],
  ['67%', 3, 3],
  ['100%', 7, 7],
  ['50%', 0, 1],
])('agree: %s of %i lists needs %i', (agree, total, needed, why) => {
  expect([neededLists(agree, total), unreachable(agree ?? 1, total)]).toEqual([needed, why]);
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

const location = {file: 'p.yml', line: 4};

const rules = (agree: number | string | undefined, lists: readonly UsedList[] = []): DomainRules => ({
  of: {key: 'domain_blocks', kind: 'domain_block'},
  must: [],
  mustNot: [],
  lists: lists.map(({reference}) => reference),
  agree: agree === undefined ? undefined : {value: agree, location},
  merge: {comments: 'joined', severity: 'highest'},
});

test('agree is of no use without lists', () => {
  expect(uselessAgree([rules(undefined), rules(2)])).toEqual([{...location, message: 'agree is 2, but there are no lists'}]);
  for (const agree of [1, '50%', undefined]) expect(uselessAgree([rules(agree)])).toEqual([]);
  // Those of one account are enough.
  expect(uselessAgree([rules(2), rules(2, [used('a.csv', 'a.example\n')])])).toEqual([]);
});

test('a list that is named twice counts once, and is named once, however many sections use it', () => {
  expect([[], ['a'], ['a', 'b', 'a', 'a']].map(countLists)).toEqual([0, 1, 2]);
  const lists = {'a.csv': 'a.example\n'};
  const names = (text: string) => summariesIn(wantedBy(`version: 1\n${text}`, lists).domains).map(({list}) => list);
  expect(names('domain_blocks: {must: [own.example]}\nadmin_domain_blocks: {must: [other.example]}\n')).toEqual(['a.csv']);
  expect(names('mutes: {must: [bo]}\n')).toEqual([]);
});
