import {expect, test} from 'vitest';
import {differencesBetween, moderationOfList, moderationOfPolicy, moderationOfState} from '../../../src/lib/policy/diff.js';
import {readList} from '../../../src/lib/policy/lists/read-list.js';
import {accountsOf, aFilter, emptyModel, now, stateOf} from './model-server.js';
import {wantedBy} from './wanted.js';

test('compares any two of a server, a policy and a list in the parts that both have', () => {
  const state = moderationOfState(
    stateOf(
      {...emptyModel, domains: ['a.example', 'b.example'], filters: [aFilter('A', {keywords: ['x']}), aFilter('B', {keywords: ['y']})]},
      {blocks: accountsOf('ana')},
    ),
    now,
  );
  const policy = moderationOfPolicy(
    wantedBy(
      'version: 1\ndomain_blocks: {must: [b.example, c.example]}\nfilters: {must: [{title: A, context: [home], keywords: [X]}, {title: B, context: [home], action: hide, keywords: [y]}, {title: C, context: [home], keywords: [z]}]}\nblocks: {must: [ana@pix.example]}',
    ),
    'pix.example',
  );
  expect(differencesBetween(state, policy)).toEqual([
    {kind: 'domain_block', subject: 'a.example', left: 'blocked', right: null},
    {kind: 'domain_block', subject: 'c.example', left: null, right: 'blocked'},
    {kind: 'filter', subject: 'B', left: 'warn; in home; keywords: y; never ends', right: 'hide; in home; keywords: y'},
    {kind: 'filter', subject: 'C', left: null, right: 'in home; keywords: z'},
  ]);
  const list = moderationOfList(readList('domain,severity\na.example,suspend\nb.example,silence\nd.example,noop\n', 'l'), 'pix.example');
  expect(differencesBetween(state, list)).toEqual([]);
  expect(differencesBetween(state, state)).toEqual([]);
  expect(
    differencesBetween(moderationOfList(readList('Account address\nana@pix.example\nbo@b.example\n', 'l'), 'pix.example'), state),
  ).toEqual([{kind: 'block', subject: 'bo@b.example', left: 'blocked', right: null}]);
});

test('a list of muted accounts is compared with the mutes, and one of blocked ones with the blocks', () => {
  const muted = readList('Account address,Hide notifications\nbo@b.example,true\n', 'l');
  const blocked = readList('Account address\nbo@b.example\n', 'l');
  expect([muted, blocked].map((list) => [...moderationOfList(list, 'pix.example').keys()])).toEqual([['mutes'], ['blocks']]);
});

const sideOf = (...filters: string[]) =>
  moderationOfPolicy(wantedBy(`version: 1\nfilters: {must: [${filters.map((rest) => `{title: A, ${rest}}`).join(', ')}]}`), 'pix.example');

test.each([
  ['keywords in another order', 'context: [home], keywords: [x, y]', 'context: [home], keywords: [Y, x]', true],
  ['another keyword', 'context: [home], keywords: [x]', 'context: [home], keywords: [y]', false],
  ['a keyword less, where others may be there', 'context: [home], keywords: [x, y]', 'context: [home], keywords_at_least: [x]', true],
  ['contexts in another order', 'context: [home, tags], keywords: [x]', 'context: [tags, home], keywords: [x]', true],
  ['another context', 'context: [home, tags], keywords: [x]', 'context: [home], keywords: [x]', false],
  ['an action and none', 'context: [home], keywords: [x], action: hide', 'context: [home], keywords: [x]', true],
  ['another action', 'context: [home], keywords: [x], action: hide', 'context: [home], keywords: [x], action: warn', false],
  ['an end and none', 'context: [home], keywords: [x], expires: never', 'context: [home], keywords: [x]', true],
  [
    'no end and one',
    'context: [home], keywords: [x], expires: never',
    'context: [home], keywords: [x], expires: 2027-01-01T00:00:00Z',
    false,
  ],
  [
    'ends a minute apart',
    'context: [home], keywords: [x], expires: 2027-01-01T00:01:00Z',
    'context: [home], keywords: [x], expires: 2027-01-01T00:00:00Z',
    true,
  ],
  [
    'ends a day apart',
    'context: [home], keywords: [x], expires: 2027-01-01T00:00:00Z',
    'context: [home], keywords: [x], expires: 2027-01-02T00:00:00Z',
    false,
  ],
  ['ends that depend on the day', 'context: [home], keywords: [x], expires: 90d', 'context: [home], keywords: [x], expires: 30d', true],
])('filters of two policies with %s', (_, one, other, areSame) => {
  for (const [left, right] of [
    [one, other],
    [other, one],
  ] as const)
    expect(differencesBetween(sideOf(left), sideOf(right))).toHaveLength(areSame ? 0 : 1);
});

test('filters with one title are numbered, and compared in their order', () => {
  const side = (...keywords: string[]) =>
    sideOf(...keywords.map((keyword, index) => `id: ${index + 1}, context: [home], keywords: [${keyword}]`));
  const [left, right] = [side('x', 'y', 'z'), side('x', 'w')];
  expect(differencesBetween(left, right).map(({subject, left: one, right: other}) => [subject, one, other])).toEqual([
    ['A (2)', 'in home; keywords: y', 'in home; keywords: w'],
    ['A (3)', 'in home; keywords: z', null],
  ]);
});
