/** How lists count towards what they must agree on, and what is said where they cannot. */
import {describe, expect, test} from 'vitest';
import {copyText, refuseUnreachable, thresholdOf, uselessAgree, voterOf} from '../../../../src/lib/policy/lists/agreement.js';
import type {UsedList} from '../../../../src/lib/policy/lists/list.js';
import {summariesIn} from '../../../../src/lib/policy/reading/read-policy.js';
import type {DomainRules} from '../../../../src/lib/policy/model/policy.js';
import {wantedBy} from '../wanted.js';
import {used} from './used.js';

const location = {file: 'p.yml', line: 4};

function list(name: string, content?: string): UsedList {
  return {...used(name, 'a.example\n'), content};
}

const rules = (agree: number | string | undefined, lists: readonly UsedList[] = []): DomainRules => ({
  of: {key: 'domain_blocks', kind: 'domain_block'},
  must: [],
  mustNot: [],
  lists: lists.map(({reference}) => reference),
  agree: agree === undefined ? undefined : {value: thresholdOf(agree), location},
  merge: {comments: 'joined', severity: 'highest'},
});

test('a list has its own name, unless it is said otherwise', () => {
  expect(voterOf(list('a.csv'))).toEqual({list: 'a.csv', content: 'a.csv'});
  expect(voterOf(list('a.csv', 'same'))).toEqual({list: 'a.csv', content: 'same'});
});

describe('agree where it cannot be reached', () => {
  const refused = (agree: number | undefined, lists: readonly UsedList[]) => () => refuseUnreachable(rules(agree, lists), lists);

  test('is refused at its line, with the copies that count once', () => {
    const lists = [list('b.csv', 'same'), list('a.csv', 'same'), list('a.csv', 'same')];
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
