import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  agreementText,
  countLists,
  neededLists,
  thresholdOf,
  unreachable,
  uselessAgree,
} from '../../../../src/lib/policy/lists/agreement.js';
import type {UsedList} from '../../../../src/lib/policy/lists/list.js';
import type {DomainRules} from '../../../../src/lib/policy/model/policy.js';
import {summariesIn} from '../../../../src/lib/policy/reading/read-policy.js';
import {wantedBy} from '../wanted.js';
import {used} from './used.js';

test.each<[number | string, total: number, needed: number]>([
  [2, 5, 2],
  ['50%', 1, 1],
  ['50%', 3, 2],
  ['50%', 4, 2],
  ['7%', 100, 7],
  ['67%', 3, 3],
  ['1%', 3, 1],
  ['100%', 7, 7],
  ['50%', 0, 1],
])('agree: %s of %i lists needs %i', (agree, total, needed) => {
  expect(neededLists(thresholdOf(agree), total)).toBe(needed);
});

test('a share that is shown as reached is reached', () => {
  const number = fc.integer({min: 1, max: 200});
  fc.assert(
    fc.property(number, number, fc.integer({min: 1, max: 100}), (one, other, percent) => {
      const [count, total] = [Math.min(one, other), Math.max(one, other)];
      const isReached = count >= neededLists({percent}, total);
      expect(isReached).toBe((count * 100) / Math.max(total, 1) >= percent);
    }),
  );
});

test('a list that is named twice counts once', () => {
  expect([[], ['a'], ['a', 'b', 'a', 'a']].map(countLists)).toEqual([0, 1, 2]);
});

test.each([
  [1, 'named by 1 list, 2 needed'],
  [3, 'named by 3 lists, 2 needed'],
])('how far %i lists agree: %s', (count, text) => {
  expect(agreementText(count, 2)).toBe(text);
});

test.each([
  [{count: 2}, 0, undefined],
  [{count: 2}, 2, undefined],
  [{count: 2}, 1, 'agree is 2, but there is 1 list: nothing would be blocked'],
  [{count: 4}, 3, 'agree is 4, but there are 3 lists: nothing would be blocked'],
  [{percent: 100}, 1, undefined],
])('the threshold %j of %i lists can be reached or not', (threshold, total, why) => {
  expect(unreachable(threshold, total)).toBe(why);
});

test('without a threshold one list is enough, and a share of nothing is none', () => {
  expect([neededLists(undefined, 5), neededLists({percent: 1}, 0)]).toEqual([1, 1]);
});

const location = {file: 'p.yml', line: 4};

const rules = (agree: number | string | undefined, lists: readonly UsedList[] = []): DomainRules => ({
  of: {key: 'domain_blocks', kind: 'domain_block'},
  must: [],
  mustNot: [],
  lists: lists.map(({reference}) => reference),
  agree: agree === undefined ? undefined : {value: thresholdOf(agree), location},
  merge: {comments: 'joined', severity: 'highest'},
});

test('agree is of no use without lists', () => {
  expect(uselessAgree([rules(undefined), rules(2)])).toEqual([{...location, message: 'agree is 2, but there are no lists'}]);
  expect(uselessAgree([rules(1)])).toEqual([]);
  expect(uselessAgree([rules('50%')])).toEqual([]);
  expect(uselessAgree([rules(undefined)])).toEqual([]);
  // Those of one account are enough.
  expect(uselessAgree([rules(2), rules(2, [used('a.csv', 'a.example\n')])])).toEqual([]);
});

const lists = {'a.csv': '#domain,#severity,#public_comment,#private_comment\na.example,silence,loud,see 12\n'};
const both = 'version: 1\ndomain_blocks: {must: [own.example]}\nadmin_domain_blocks: {must: [other.example]}\n';

test('each list is named once, however many sections use it', () => {
  const names = (text: string) => summariesIn(wantedBy(text, lists).domains).map(({list}) => list);
  expect(names(both)).toEqual(['a.csv']);
  expect(names('version: 1\ndomain_blocks: {must: [own.example]}\n')).toEqual(['a.csv']);
  expect(names('version: 1\nmutes: {must: [bo]}\n')).toEqual([]);
});
