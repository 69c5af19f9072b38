import {describe, expect, test} from 'vitest';
import {differenceOf, listEntries, isLoss} from '../../../src/lib/backup/entries.js';
import {parts} from '../../../src/lib/backup/parts.js';

function between(key: string, before: readonly unknown[], now: readonly unknown[]) {
  const section = parts.flatMap(({sections}) => sections).find((one) => one.key === key);
  if (section === undefined) throw new Error(key);
  return differenceOf(listEntries(JSON.stringify(before), section), listEntries(JSON.stringify(now, undefined, 1), section));
}

describe('entries are told apart', () => {
  test('domains by themselves, in any order', () => {
    expect(between('domain_blocks', ['a.example', 'b.example'], ['c.example', 'a.example'])).toEqual({
      added: 1,
      removed: 1,
      changed: 0,
      before: 2,
    });
  });

  test('accounts by their ids: another number of posts is no difference, another name is one', () => {
    const bob = {id: '7', acct: 'bob', statuses_count: 1};
    expect(between('blocks', [bob], [{...bob, statuses_count: 9}])).toMatchObject({added: 0, removed: 0, changed: 0});
    expect(between('blocks', [bob], [{...bob, acct: 'robert'}])).toMatchObject({changed: 1});
    expect(between('blocks', [bob], [{...bob, id: '8'}])).toMatchObject({added: 1, removed: 1});
  });

  test('filters by their ids, and what is in them counts', () => {
    const ads = {id: 1, title: 'Ads', keywords: []};
    expect(between('filters', [ads, {...ads, id: 2}], [ads, {...ads, id: 2, title: 'Cats'}])).toMatchObject({changed: 1, removed: 0});
  });

  test('a filter that comes back with another id is the same', () => {
    const keywords = [
      {id: 1, keyword: 'airdrop', whole_word: true},
      {id: 2, keyword: 'nft', whole_word: false},
    ];
    const one = {id: '1', title: 'Ads', context: ['home', 'tags'], filter_action: 'warn', expires_at: '2027-01-01T00:00:00.000Z', keywords};
    const back = {...one, id: '9', context: ['tags', 'home'], keywords: keywords.toReversed().map((word) => ({...word, id: word.id + 50}))};
    const none = {added: 0, removed: 0, changed: 0, before: 1};
    expect(between('filters', [one], [back])).toEqual(none);
    // A restore counts the seconds until it ends.
    expect(between('filters', [one], [{...back, expires_at: '2027-01-01T00:00:07Z'}])).toEqual(none);
    for (const other of [
      {title: 'Cats'},
      {context: ['home']},
      {filter_action: 'hide'},
      {expires_at: null},
      {expires_at: '2027-01-02T00:00:00Z'},
      {keywords: []},
      {keywords: [keywords[0], {...keywords[1], whole_word: true}]},
    ])
      expect(between('filters', [one], [{...back, ...other}])).toEqual({added: 1, removed: 1, changed: 0, before: 1});
    const cats = {...one, id: '2', title: 'Cats'};
    // Their ids are those of each other.
    expect(
      between(
        'filters',
        [one, cats],
        [
          {...one, id: '2'},
          {...cats, id: '1'},
        ],
      ),
    ).toMatchObject({added: 0, removed: 0, changed: 0});
    // Of two that are alike, one is gone.
    expect(between('filters', [one, {...one, id: '2'}], [{...one, id: '3'}])).toMatchObject({added: 0, removed: 1});
  });

  test('the blocks of a server by their domains: an id may be another one after a database was moved', () => {
    const block = {id: '1', domain: 'bad.example', severity: 'silence'};
    expect(between('admin_domain_blocks', [block], [{...block, severity: 'suspend'}])).toMatchObject({changed: 1, removed: 0});
  });

  test('what has no id by all of it, also twice', () => {
    expect(between('blocks', [{a: 1}, {a: 1}, null], [{a: 1}])).toEqual({added: 0, removed: 1, changed: 0, before: 2});
  });
});

test.each([
  [1, 1, true],
  [300, 300, true],
  [20, 20, true],
  [300, 301, true],
  [20, 21, false],
  [21, 22, true],
  [21, 105, true],
  [21, 106, false],
  [60, 300, true],
  [59, 300, false],
  [0, 0, false],
])('%i entries of %i that are gone: too many are %s', (removed, before, expected) => {
  expect(isLoss({added: 5, removed, changed: 0, before})).toBe(expected);
});
