/** What merged lists say of themselves: summaries, what is never blocked, what is shared between accounts. */
import {describe, expect, test} from 'vitest';
import {entriesOf, mergedEntries, mergeLists, summaryOf} from '../../../../src/lib/policy/lists/merge.js';
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
  test('is summed up, and those that spare come last', () => {
    const lists = [used('m.csv', 'm.example', {spares: true}), used('z.csv', odd), used('a.csv', 'a.example')];
    const [first, second, spared] = mergeLists(rules(), lists).summaries;
    expect(second).toEqual({
      list: 'z.csv',
      format: 'mastodon-admin-csv',
      entries: 2,
      obfuscated: 2,
      below_min_severity: 1,
      invalid: 1,
      skipped: [{source: 'z.csv:6', why: expect.stringContaining('"n-0" is not a domain')}],
    });
    expect([first?.list, spared?.list, spared?.allows]).toEqual(['a.csv', 'm.csv', true]);
    expect(summaryOf(used('z.csv', odd).list).below_min_severity).toBe(0);
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
    const shared = ({wanted}: typeof merged) => [...wanted].flatMap(([domain, one]) => (one === merged.wanted.get(domain) ? domain : []));
    expect(shared(same)).toEqual(['a.example', 'x.a.example']);
    expect(shared(mergeLists(rules({must: [own('a.example')]}), lists, merged))).toEqual(['x.a.example']);
    const lower = mergeLists(rules({must, merge: {comments: 'joined', severity: 'lowest'}}), lists, merged);
    expect(shared(lower)).toEqual([]);
  });
});

test('lists are merged as they are, with every severity and without what cannot be used', () => {
  const lists = [used('a.csv', odd), used('b.csv', '#domain,#severity,#public_comment\na.example,silence,loud\n')].map(({list}) => list);
  expect(mergedEntries(lists).map(({domain, facts: {severity, public_comment}}) => [domain, severity, public_comment])).toEqual([
    ['a.example', 'suspend', 'loud'],
    ['mild.example', 'noop', undefined],
  ]);
});
