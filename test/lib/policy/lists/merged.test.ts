/** What merged lists say of themselves: summaries, what is never blocked, what is shared between accounts. */
import {describe, expect, test} from 'vitest';
import {entriesOf, listJson, mergedEntries, mergeLists, summaryOf} from '../../../../src/lib/policy/lists/merge.js';
import type {DomainRules} from '../../../../src/lib/policy/model/policy.js';
import {used} from './used.js';

const rules = (more: Partial<DomainRules> = {}): DomainRules => ({
  of: {key: 'domain_blocks', kind: 'domain_block'},
  must: [],
  mustNot: [],
  lists: [],
  merge: {comments: 'joined', severity: 'highest'},
  ...more,
});
const own = (value: string, more: object = {}) => ({value, location: {file: 'p.yml', line: 9}, ...more});

const odd = '#domain,#severity\na.example,suspend\nmild.example,noop\nb*d.example,suspend\n*.w.example,suspend\nn-0,suspend\n';

describe('a list', () => {
  test('is summed up', () => {
    const {list} = used('a.csv', odd);
    const mild = {tooMild: 1, tooMildFor: 'below min_severity'};
    const why = expect.stringContaining('"n-0" is not a domain');
    expect(summaryOf(list, mild)).toEqual({
      list: 'a.csv',
      format: 'mastodon-admin-csv',
      entries: 2,
      obfuscated: 2,
      ...mild,
      skipped: [{file: 'a.csv', line: 6, message: why}],
      skippedRows: 1,
    });
    expect(summaryOf(list).tooMild).toBe(0);
    expect(listJson(summaryOf(list, mild))).toEqual({
      list: 'a.csv',
      format: 'mastodon-admin-csv',
      entries: 2,
      obfuscated: 2,
      below_min_severity: 1,
      invalid: 1,
      skipped: [{source: 'a.csv:6', why}],
    });
    expect(listJson({...summaryOf(list), spares: true})).toMatchObject({allows: true});
    expect(listJson(summaryOf(list))).not.toHaveProperty('allows');
  });

  test('is named by its name, and those that spare come last', () => {
    const lists = [used('m.csv', 'm.example', {spares: true}), used('z.csv', odd), used('a.csv', 'a.example')];
    const {summaries} = mergeLists(rules(), lists);
    expect(summaries.map(({list, spares, tooMild}) => [list, spares, tooMild])).toEqual([
      ['a.csv', undefined, 0],
      ['z.csv', undefined, 1],
      ['m.csv', true, 0],
    ]);
  });
});

describe('a domain that must not be blocked', () => {
  const lists = [
    used('keeps.csv', 'a.example\nb.example\nown.example\n', {spares: true}),
    used('frees.csv', '# first\nb.example\nrule.example\n', {spares: true}),
    used('l.csv', 'z.example\nb.example\na.example\n'),
  ];
  const merged = mergeLists(rules({must: [own('own.example'), own('rule.example')], mustNot: [own('z.example')]}), lists);

  test('has its place, and whether a list names it', () => {
    expect([...merged.mustNot]).toEqual([
      ['z.example', {location: {file: 'p.yml', line: 9}, isListed: false}],
      ['a.example', {location: {file: 'keeps.csv', line: 1}, isListed: true}],
      ['b.example', {location: {file: 'keeps.csv', line: 2}, isListed: true}],
    ]);
    expect(merged.overruled).toEqual(['a.example', 'b.example', 'z.example']);
    expect([...merged.wanted.keys()]).toEqual(['own.example', 'rule.example']);
    expect(merged.factsOf('a.example')).toBeUndefined();
  });

  test('is blocked where the policy itself says so', () => {
    expect([...merged.ineffective]).toEqual([
      ['own.example', {file: 'keeps.csv', line: 3}],
      ['rule.example', {file: 'frees.csv', line: 3}],
    ]);
  });
});

describe('a domain that is wanted', () => {
  const lists = [used('b.csv', 'x.a.example\nz.example\n'), used('a.csv', '# \nz.example\na.example\n')];
  const must = [own('z.example', {until: '2027-01-31'}), own('m.example', {until: '2027-01-31'}), own('b.example')];
  const merged = mergeLists(rules({must}), lists);

  test('has its rule and its places', () => {
    expect(
      [...merged.wanted.values()].map(({domain, rule, isOwn, sources, until, agreement, severity}) => [
        domain,
        rule,
        isOwn,
        sources.map(({file, line}) => `${file}:${line}`).join(' '),
        until,
        agreement,
        severity,
      ]),
    ).toEqual([
      ['a.example', 'domain_blocks.lists', false, 'a.csv:3', undefined, 1, 'suspend'],
      ['b.example', 'domain_blocks.must', true, 'p.yml:9', undefined, 0, 'suspend'],
      ['m.example', 'domain_blocks.must', true, 'p.yml:9', '2027-01-31', 0, 'suspend'],
      ['x.a.example', 'domain_blocks.lists', false, 'b.csv:1', undefined, 1, 'suspend'],
      ['z.example', 'domain_blocks.must', true, 'p.yml:9 a.csv:2 b.csv:2', undefined, 2, 'suspend'],
    ]);
  });

  test('is written with its last day', () => {
    expect(Array.from(entriesOf(merged), ({domain, until}) => [domain, until])).toEqual([
      ['a.example', undefined],
      ['b.example', undefined],
      ['m.example', '2027-01-31'],
      ['x.a.example', undefined],
      ['z.example', undefined],
    ]);
    expect([...entriesOf(merged)].map(({facts}) => facts.severity)).toEqual(Array(5).fill('suspend'));
  });

  test('is shared with other accounts where it is the same', () => {
    const same = mergeLists(rules({must}), lists, merged);
    expect([same.mentions, same.summaries.length]).toEqual([merged.mentions, 2]);
    expect([...same.wanted].map(([domain, one]) => one === merged.wanted.get(domain))).toEqual(Array(5).fill(true));
    const moved = mergeLists(rules({must: [own('a.example'), {...own('z.example'), location: {file: 'p.yml', line: 20}}]}), lists, merged);
    expect([...moved.wanted].map(([domain, one]) => [domain, one === merged.wanted.get(domain)])).toEqual([
      ['a.example', false],
      ['x.a.example', true],
      ['z.example', false],
    ]);
    const spared = mergeLists(rules({mustNot: [own('a.example')]}), lists, merged);
    expect([...spared.wanted].map(([domain, one]) => [domain, one === merged.wanted.get(domain)])).toEqual([['z.example', false]]);
    const lower = mergeLists(rules({must, merge: {comments: 'joined', severity: 'lowest'}}), lists, merged);
    expect([...lower.wanted].some(([domain, one]) => one === merged.wanted.get(domain))).toBe(false);
  });
});

test('lists are merged as they are, with every severity and without what cannot be used', () => {
  const lists = [used('a.csv', odd), used('b.csv', '#domain,#severity,#public_comment\na.example,silence,loud\n')].map(({list}) => list);
  const found = mergedEntries(lists);
  const told = () => Array.from(found, ({domain, facts: {severity, public_comment}}) => [domain, severity, public_comment]);
  const all = [
    ['a.example', 'suspend', 'loud'],
    ['mild.example', 'noop', undefined],
  ];
  // It is read again for each column that is left out.
  expect([told(), told()]).toEqual([all, all]);
});
