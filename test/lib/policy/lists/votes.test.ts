/** How lists count towards what they must agree on, and what is said where they cannot. */
import {describe, expect, test} from 'vitest';
import {
  agreementText,
  copyText,
  refuseUnreachable,
  thresholdOf,
  unreachable,
  uselessAgree,
  voterOf,
} from '../../../../src/lib/policy/lists/agreement.js';
import type {UsedList} from '../../../../src/lib/policy/lists/list.js';
import {summariesIn} from '../../../../src/lib/policy/lists/wanted.js';
import type {DomainRules} from '../../../../src/lib/policy/model/policy.js';
import {wantedBy} from '../wanted.js';
import {used} from './used.js';

const location = {file: 'p.yml', line: 4};

function list(name: string, {content, weight}: {content?: string; weight?: number} = {}): UsedList {
  return {...used(name, 'a.example\n', {weight}), content};
}

const rules = (agree: number | string | undefined, lists: readonly UsedList[] = []): DomainRules => ({
  of: {key: 'domain_blocks', kind: 'domain_block'},
  must: [],
  mustNot: [],
  lists: lists.map(({reference}) => reference),
  agree: agree === undefined ? undefined : {value: thresholdOf(agree), location},
  merge: {comments: 'joined', severity: 'highest'},
});

test('a list has the weight 1 and its own name, unless it is said otherwise', () => {
  expect(voterOf(list('a.csv'))).toEqual({list: 'a.csv', content: 'a.csv', weight: 1});
  expect(voterOf(list('a.csv', {content: 'same', weight: 3}))).toEqual({list: 'a.csv', content: 'same', weight: 3});
});

test.each([
  [{count: 1, weight: 1}, {count: 3, weight: 3}, 'named by 1 list, 2 needed'],
  [{count: 2, weight: 2}, {count: 3, weight: 3}, 'named by 2 lists, 2 needed'],
  [{count: 1, weight: 1}, {count: 2, weight: 4}, 'total weight of the lists: 1, needed: 2'],
])('%j of %j lists agree: %s', (tally, total, text) => {
  expect(agreementText(tally, {needed: 2, total})).toBe(text);
});

test.each([
  [1, [], undefined],
  [3, [1, 1, 1], undefined],
  [3, [1, 2], undefined],
  ['100%', [1], undefined],
  [2, [1], 'agree is 2, but there is 1 list: nothing would be blocked'],
  [3, [1, 1], 'agree is 3, but there are 2 lists: nothing would be blocked'],
  [9, [3, 2], 'agree is 9, but there are 2 lists, which weigh 5: nothing would be blocked'],
  [9, [3], 'agree is 9, but there is 1 list, which weighs 3: nothing would be blocked'],
] as const)('agree: %s cannot be reached by lists of the weights %j: %s', (agree, weights, message) => {
  expect(unreachable(thresholdOf(agree), weights)).toBe(message);
});

describe('agree where it cannot be reached', () => {
  const refused = (agree: number | undefined, lists: readonly UsedList[]) => () => refuseUnreachable(rules(agree, lists), lists);

  test('is refused at its line, with the copies that count once', () => {
    const lists = [list('b.csv', {content: 'same'}), list('a.csv', {content: 'same'}), list('a.csv', {content: 'same'})];
    expect(refused(2, lists)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message:
          'p.yml:4: agree is 2, but there is 1 list: nothing would be blocked; a.csv is named more than once, and counts once; b.csv has the same entries as a.csv, and counts once',
      }),
    );
    expect(refused(2, [list('a.csv')])).toThrow('p.yml:4: agree is 2, but there is 1 list: nothing would be blocked');
  });

  test('is not refused where it can be, or is not there', () => {
    expect(refused(2, [list('a.csv'), list('b.csv')])).not.toThrow();
    expect(refused(2, [list('a.csv', {weight: 2})])).not.toThrow();
    expect(refused(undefined, [list('a.csv')])).not.toThrow();
  });

  test('is of no use without lists', () => {
    expect(uselessAgree([rules(undefined), rules(2)])).toEqual([{...location, message: 'agree is 2, but there are no lists'}]);
    expect(uselessAgree([rules(1)])).toEqual([]);
    expect(uselessAgree([rules('50%')])).toEqual([]);
    expect(uselessAgree([rules(undefined)])).toEqual([]);
    // Those of one account are enough.
    expect(uselessAgree([rules(2), rules(2, [list('a.csv')])])).toEqual([]);
  });

  test('is said with what a list is a copy of', () => {
    expect(copyText('a.csv', 'a.csv')).toBe('a.csv is named more than once, and counts once');
    expect(copyText('b.csv', 'a.csv')).toBe('b.csv has the same entries as a.csv, and counts once');
  });
});

describe('what all sections want', () => {
  const lists = {'a.csv': '#domain,#severity,#public_comment,#private_comment\na.example,silence,loud,see 12\n'};
  const both = 'version: 1\ndomain_blocks: {must: [own.example]}\nadmin_domain_blocks: {must: [other.example]}\n';

  test('names each list once', () => {
    const names = (text: string) => summariesIn(wantedBy(text, lists).domains).map(({list}) => list);
    expect(names(both)).toEqual(['a.csv']);
    expect(names('version: 1\ndomain_blocks: {must: [own.example]}\n')).toEqual(['a.csv']);
    expect(names('version: 1\nmutes: {must: [bo]}\n')).toEqual([]);
  });
});
