import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  agreementText,
  contentKeys,
  countLists,
  copyText,
  duplicatesAmong,
  neededLists,
  thresholdOf,
  unreachable,
  type Voter,
} from '../../../../src/lib/policy/lists/agreement.js';
import type {DomainList} from '../../../../src/lib/policy/lists/list.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';

function listOf(name: string, text: string): DomainList {
  const list = readList(text, name);
  if (list.kind !== 'domains') throw new Error('Not a list of domains');
  return list;
}

/** How many lists are left when copies count once. */
function different(texts: readonly string[]): number {
  return new Set(contentKeys(texts.map((text, index) => listOf(`l${index}`, text))).values()).size;
}

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

test('a list and its copies count once', () => {
  const votersOf = (...contents: string[]) => contents.map((content, index): Voter => ({list: String(index), content}));
  expect([votersOf(), votersOf('a'), votersOf('a', 'b', 'a', 'a')].map(countLists)).toEqual([0, 1, 2]);
});

test.each([
  ['the same rows in another order', ['a.example\nb.example', 'b.example\na.example\n# end'], 1],
  ['a repeated row', ['a.example\nb.example', 'a.example\nb.example\na.example'], 1],
  ['another format', ['a.example', '[{"domain": "a.example", "severity": "suspend"}]', 'domain,severity\na.example,suspend'], 1],
  ['another domain', ['a.example\nb.example', 'a.example\nc.example'], 2],
  ['another severity', ['domain,severity\na.example,suspend', 'domain,severity\na.example,silence'], 2],
  ['another comment', ['domain,public_comment\na.example,spam', 'domain,public_comment\na.example,hate'], 2],
  ['a wildcard', ['*.a.example', 'a.example'], 2],
  ['other masked entries', ['a.example\nb*d.example', 'a.example'], 1],
  ['no entries', ['', '# none'], 2],
])('tells copies from other lists: %s', (_, texts, expected) => {
  expect(different(texts)).toBe(expected);
});

test('a list that is named twice is one list', () => {
  const list = listOf('l', 'a.example');
  expect(new Set(contentKeys([list, listOf('l', 'a.example'), listOf('m', 'b.example')]).values()).size).toBe(2);
  expect(new Set(contentKeys([listOf('l', ''), listOf('l', '')]).values()).size).toBe(1);
});

test('finds a copy among ten lists of 50,000 domains', () => {
  const rows = (list: number) => Array.from({length: 50_000}, (_, index) => `d${index}.l${list}.example`);
  const texts = Array.from({length: 9}, (_, list) => rows(list).join('\n'));
  expect(different([...texts, rows(4).reverse().join('\n')])).toBe(9);
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

test('copies are told with the first list by name', () => {
  const voters = [
    {list: 'c', content: 'x'},
    {list: 'a', content: 'x'},
    {list: 'b', content: 'y'},
  ];
  expect([...duplicatesAmong(voters)].map(([{list}, original]) => [list, original])).toEqual([['c', 'a']]);
  expect(copyText('c', 'a')).toBe('c has the same entries as a, and counts once');
  expect(copyText('a', 'a')).toBe('a is named more than once, and counts once');
});

test('without a threshold one list is enough, and a share of nothing is none', () => {
  expect([neededLists(undefined, 5), neededLists({percent: 1}, 0)]).toEqual([1, 1]);
});
