/** Plans in words: what is counted, what several accounts have in common, and lines that fit a screen. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import type {FindingJson} from '../../../../src/lib/policy/model/documents.js';
import {
  AccountSet,
  changeName,
  lineCounts,
  countsText,
  planClosing,
  PlanLines,
  planSections,
  shownChange,
  summaryText,
  totalText,
  whoText,
} from '../../../../src/lib/policy/plan/plan-text.js';
import {columnsOf} from '../../../../src/lib/print/width.js';

const change = (action: 'add' | 'remove', subject: string, kind: 'block' | 'domain_block' = 'domain_block'): Change => ({
  action,
  kind,
  subject,
  details: {},
  reason: 'must',
  because: 'p.yml:1',
});
const update: Change = {
  action: 'update',
  kind: 'filter',
  subject: 'Spoilers',
  details: {id: '1', add: [{keyword: 'ending', whole_word: true}], remove: [], change: []},
  reason: 'must',
  because: 'p.yml:2',
};
const cannot = (more: Partial<FindingJson> = {}): FindingJson => ({
  rule: 'filters.must',
  kind: 'filter',
  subject: 'Empty',
  wanted: '2',
  actual: '1',
  source: 'p.yml:3',
  fix: 'ask the admin',
  ...more,
});
const unchecked = cannot({
  rule: 'domain_blocks.protect_followed',
  kind: 'unchecked',
  subject: 'protect_followed',
  wanted: '2',
  actual: 'unknown',
});

test('a change has a name for programs, and one for people', () => {
  expect([changeName(change('add', 'bo@pix.example', 'block')), shownChange(change('add', 'bo', 'block'))]).toEqual([
    'add account block bo@pix.example',
    'add account block @bo',
  ]);
});

test.each([
  [[], [], 'nothing to do', 'Plan: 0 to add, 0 to change, 0 to remove.'],
  [[change('add', 'a.example')], [], '1 to add', 'Plan: 1 to add, 0 to change, 0 to remove.'],
  [
    [change('remove', 'a.example'), update, change('add', 'b.example'), change('add', 'c.example')],
    [cannot(), unchecked, cannot({kind: 'unchecked'})],
    '2 to add, 1 to change, 1 to remove, 1 that pixelctl cannot change, 2 that cannot be checked',
    'Plan: 2 to add, 1 to change, 1 to remove, 1 that pixelctl cannot change, 2 that cannot be checked.',
  ],
  [[], [unchecked], '1 that cannot be checked', 'Plan: 0 to add, 0 to change, 0 to remove, 1 that cannot be checked.'],
])('changes %j with %j are counted', (changes, left, counts, closing) => {
  expect(countsText([{changes, cannot: left}])).toBe(counts);
  expect(planClosing([{changes, cannot: left}])).toBe(closing);
  expect(lineCounts(new PlanLines({color: false, width: 80}).of({changes, cannot: left}))).toBe(counts === 'nothing to do' ? '' : counts);
});

test('plans are counted together, with commas, and with another reason where it is given', () => {
  const many = Array.from({length: 1234}, (_, index) => change('add', `d${index}.example`));
  expect(countsText([{changes: many}, {changes: [], cannot: [cannot()]}], 'that a restore leaves')).toBe(
    '1,234 to add, 1 that a restore leaves',
  );
  expect(planClosing([{changes: many}, {changes: many}])).toBe('Plan: 2,468 to add, 0 to change, 0 to remove.');
});

const named = (...accounts: readonly string[]) => accounts.map((account) => ({account}));

test.each([
  [[0, 1], ['a', 'b'], 'in both accounts'],
  [[0, 1, 2], ['a', 'b', 'c'], 'in all 3 accounts'],
  [[1], ['a', 'b', 'c'], 'in b'],
  [[0, 2], ['a', 'b', 'c'], 'in 2 of 3 accounts, not in b'],
  [[0, 2], ['a', 'b', 'c', 'd'], 'in 2 of 4 accounts, a, c'],
  [[0, 2, 3], ['a', 'b', 'c', 'd'], 'in 3 of 4 accounts, not in b'],
])('%j of %j are told as %s', (indexes, accounts, text) => {
  expect(whoText(indexes, named(...accounts))).toBe(text);
});

test('sets of the same accounts are one object, whatever was asked before', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(5), {maxLength: 6}), {maxLength: 6}), (lists) => {
      const none = new AccountSet();
      const setOf = (indexes: readonly number[]) => indexes.toSorted().reduce((set, index) => set.with(index), none);
      for (const list of lists) {
        expect(setOf(list).indexes).toEqual([...new Set(list)].sort());
        expect(setOf([...list, ...list])).toBe(setOf(list));
      }
    }),
    {numRuns: 30},
  );
});

const [one, two, three] = [change('add', 'one.example'), change('add', 'two.example'), change('remove', 'three.example')];
const plan = (...changes: readonly Change[]) => ({changes});

test.each([
  [[{account: 'a', plan: plan()}], '', '1 account: nothing to do'],
  [
    [
      {account: 'a', plan: plan()},
      {account: 'b', plan: undefined},
    ],
    '',
    '2 accounts: nothing to do; 1 account failed',
  ],
  [
    [
      {account: 'a', plan: plan(one)},
      {account: 'b', plan: plan()},
    ],
    '1 to add',
    '2 accounts: 1 to add; 1 account has nothing to do',
  ],
  [
    [
      {account: 'a', plan: plan(one, three)},
      {account: 'b', plan: plan()},
      {account: 'c', plan: plan()},
      {account: 'd', plan: undefined},
      {account: 'e', plan: undefined},
    ],
    '1 to add, 1 to remove',
    '5 accounts: 1 to add, 1 to remove; 2 accounts have nothing to do; 2 accounts failed',
  ],
  [[{account: 'a', plan: {changes: [], cannot: [cannot()]}}], '1 that pixelctl cannot change', '1 account: 1 that pixelctl cannot change'],
])('the plans %j come to “%s”', (plans, total, summary) => {
  expect(totalText(plans)).toBe(total);
  expect(summaryText(plans)).toBe(summary);
});

describe('sections of plans', () => {
  const sections = (...plans: Parameters<typeof planSections>[0]) =>
    [...planSections(plans)].map(({heading, lines}) => [heading, ...lines.map(({text}) => text.replace(/ {2}# p\.yml:1$/, ''))]);

  test('what all accounts have is shown once', () => {
    expect(sections({account: 'a', plan: plan(one)}, {account: 'b', plan: plan(one, two)})).toEqual([
      ['In both accounts: 1 to add', '+ domain block one.example'],
      ['a: 1 to add; see above'],
      ['b: 2 to add; 1 of these above', '+ domain block two.example'],
    ]);
  });

  test('what some have is shown once where that is shorter', () => {
    const few = sections({account: 'a', plan: plan(one, two)}, {account: 'b', plan: plan(one, two)}, {account: 'c', plan: plan(three)});
    expect(few.map(([heading]) => heading)).toEqual(['a: 2 to add', 'b: 2 to add', 'c: 1 to remove']);
    const four = change('add', 'four.example');
    const more = sections(
      {account: 'a', plan: plan(one, two, four)},
      {account: 'b', plan: plan(one, two, four)},
      {account: 'c', plan: plan(three)},
    );
    expect(more.map(([heading]) => heading)).toEqual([
      'In 2 of 3 accounts, not in c: 3 to add',
      'a: 3 to add; see above',
      'b: 3 to add; see above',
      'c: 1 to remove',
    ]);
  });

  test('what more accounts have comes first', () => {
    const plans = [plan(one, two), plan(one, two), plan(one, two), plan(one)].map((each, index) => ({account: `a${index}`, plan: each}));
    expect(sections(...plans).map(([heading]) => heading)).toEqual([
      'In all 4 accounts: 1 to add',
      'a0: 2 to add; 1 of these above',
      'a1: 2 to add; 1 of these above',
      'a2: 2 to add; 1 of these above',
      'a3: 1 to add; see above',
    ]);
  });

  test('accounts with nothing to do are told together, and one by itself', () => {
    expect(sections({account: 'a', plan: plan(one)}, {account: 'b', plan: plan()}).at(-1)).toEqual(['b: nothing to do']);
    expect(sections({account: 'a', plan: plan(one)}, {account: 'b', plan: plan()}, {account: 'c', plan: plan()})).toEqual([
      ['In 2 of 3 accounts, not in a: nothing to do'],
      ['a: 1 to add', '+ domain block one.example'],
    ]);
  });

  test('accounts that failed say why', () => {
    expect(sections({account: 'a', plan: undefined, why: 'no token'}, {account: 'b', plan: undefined})).toEqual([
      ['a: error: no token'],
      ['b: error: it could not be read'],
    ]);
  });
});

describe('lines of a plan', () => {
  const lines = (parts: Parameters<PlanLines['of']>[0], width = Number.POSITIVE_INFINITY, color = false) =>
    new PlanLines({color, width}).of(parts).map(({text}) => text);

  test('begin with a sign, and end with the reason', () => {
    expect(lines({changes: [one, three, update], cannot: [cannot(), unchecked]})).toEqual([
      '+ domain block one.example  # p.yml:1',
      '- domain block three.example  # p.yml:1',
      expect.stringMatching(/^~ filter Spoilers: .*ending.* {2}# p\.yml:2$/),
      expect.stringMatching(/^! .*Empty: 1, wanted 2; ask the admin {2}# p\.yml:3$/),
      '! domain_blocks protect_followed: unknown, wanted 2; ask the admin  # p.yml:3',
    ]);
  });

  test('say what may not fit', () => {
    const beyond = [{kind: 'domain_block' as const, limit: 1, subjects: ['two.example', 'three.example']}];
    expect(lines({changes: [one, two, three], beyond})).toEqual([
      '+ domain block one.example  # p.yml:1',
      '+ domain block two.example (may not fit)  # p.yml:1',
      '- domain block three.example  # p.yml:1',
    ]);
  });

  test('are one object where they are the same', () => {
    const made = new PlanLines({color: false, width: 80});
    const [first] = made.of({changes: [one]});
    expect(made.of({changes: [one]})[0]).toBe(first);
    expect(made.of({changes: [{...one}]})[0]).toBe(first);
  });

  test('are folded where they do not fit, except commands', () => {
    const long = cannot({
      actual: 'word '.repeat(20).trim(),
      fix: 'pixelctl filters update 5 --title="A long title that does not fit anywhere"',
    });
    for (const width of [40, 60]) {
      const [text = ''] = lines({changes: [], cannot: [long]}, width);
      const rows = text.split('\n');
      expect(rows.length).toBeGreaterThan(3);
      expect(rows.slice(1).every((row) => row.startsWith('    '))).toBe(true);
      expect(rows.filter((row) => !row.includes('pixelctl')).every((row) => columnsOf(row) <= width)).toBe(true);
      expect(rows).toContain(`    ${long.fix}`);
      expect(rows.at(-1)).toBe('    # p.yml:3');
    }
    const [short = ''] = lines({changes: [one]}, 37);
    expect(short).toBe('+ domain block one.example  # p.yml:1');
    expect(lines({changes: [one]}, 36)).toEqual(['+ domain block one.example\n    # p.yml:1']);
  });
});
