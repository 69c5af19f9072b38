import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {DomainList} from '../../../../src/lib/policy/lists/list.js';
import type {UsedList} from '../../../../src/lib/policy/lists/load-lists.js';
import {agreeing, mergeLists} from '../../../../src/lib/policy/lists/merge.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';
import type {DomainBlockRules} from '../../../../src/lib/policy/policy.js';
import type {Severity} from '../../../../src/lib/policy/severity.js';

const location = {file: 'p.yml', line: 9};

function used(name: string, text: string, minSeverity: Severity = 'silence'): UsedList {
  const list = readList(text, name);
  if (list.kind !== 'domains') throw new Error('Not a list of domains');
  return {reference: {location, from: {file: name}, minSeverity, mostMistakes: 0, takesWildcards: false, mayBeEmpty: false}, list};
}

function rules(more: Partial<DomainBlockRules> = {}): DomainBlockRules {
  return {must: [], mustNot: [], lists: [], agree: 1, ...more};
}

test('keeps every source of a domain', () => {
  const merged = mergeLists(rules({must: [{value: 'a.example', location: {file: 'p.yml', line: 4}}]}), [
    used('two', 'x.example\na.example'),
    used('one', 'a.example\nb.example'),
  ]);
  expect([...merged.wanted.values()]).toEqual([
    {
      domain: 'a.example',
      rule: 'domain_blocks.must',
      sources: [
        {file: 'p.yml', line: 4},
        {file: 'one', line: 1},
        {file: 'two', line: 2},
      ],
      agreement: 2,
      severity: 'suspend',
    },
    {domain: 'b.example', rule: 'domain_blocks.lists', sources: [{file: 'one', line: 2}], agreement: 1, severity: 'suspend'},
    {domain: 'x.example', rule: 'domain_blocks.lists', sources: [{file: 'two', line: 1}], agreement: 1, severity: 'suspend'},
  ]);
});

test('counts each list once towards agree', () => {
  const lists = [used('one', 'a.example\na.example\nb.example'), used('two', 'b.example')];
  expect([...mergeLists(rules({agree: 2}), lists).wanted.keys()]).toEqual(['b.example']);
  expect(agreeing(mergeLists(rules(), lists).mentions.get('a.example') ?? [])).toBe(1);
});

test('ignores entries below min_severity', () => {
  const text = 'domain,severity\na.example,noop\nb.example,silence\nc.example,suspend\n';
  const wantedAt = (least?: Severity) => [...mergeLists(rules(), [used('l', text, least)]).wanted.keys()];
  expect(wantedAt('suspend')).toEqual(['c.example']);
  expect(wantedAt()).toEqual(['b.example', 'c.example']);
  expect(wantedAt('noop')).toEqual(['a.example', 'b.example', 'c.example']);
  expect(mergeLists(rules(), [used('l', text, 'suspend')]).summaries).toEqual([
    {list: 'l', format: 'fediblockhole', entries: 3, obfuscated: 0, wildcards: 0, tooMild: 2, skipped: [], skippedLines: 0},
  ]);
});

test('never blocks a domain in must_not', () => {
  const merged = mergeLists(rules({mustNot: [{value: 'a.example', location}]}), [used('l', 'a.example\nsub.a.example')]);
  expect([...merged.wanted.keys()]).toEqual(['sub.a.example']);
  expect(merged.mustNot).toEqual(new Map([['a.example', location]]));
});

test('reports the parent domain that covers a domain', () => {
  const merged = mergeLists(rules(), [used('l', 'x.sub.a.example\na.example\nsub.a.example\nba.example')]);
  expect([...merged.wanted.values()].map(({domain, coveredBy}) => [domain, coveredBy])).toEqual([
    ['a.example', undefined],
    ['ba.example', undefined],
    ['sub.a.example', 'a.example'],
    ['x.sub.a.example', 'sub.a.example'],
  ]);
});

test('merges lists to the same result in any order', () => {
  const domain = fc.constantFrom('a.example', 'sub.a.example', 'b.example', 'c.example', 'd*.example');
  const row = fc.tuple(domain, fc.constantFrom('noop', 'silence', 'suspend')).map((parts) => parts.join(','));
  const list = fc.tuple(fc.array(row), fc.constantFrom<Severity>('noop', 'silence', 'suspend'));
  fc.assert(
    fc.property(fc.array(list, {maxLength: 4}), fc.integer({min: 1, max: 3}), fc.infiniteStream(fc.nat()), (lists, agree, numbers) => {
      const all = lists.map(([rows, least], index) => used(`l${index}`, ['domain,severity', ...rows].join('\n'), least));
      const shuffled = all
        .map((one) => ({one, at: numbers.next().value ?? 0}))
        .sort((one, other) => one.at - other.at)
        .map(({one}) => one);
      expect(mergeLists(rules({agree}), shuffled)).toEqual(mergeLists(rules({agree}), all));
      expect([...mergeLists(rules({agree}), shuffled).wanted.keys()]).toEqual([...mergeLists(rules({agree}), all).wanted.keys()]);
    }),
  );
});

test('counts obfuscated entries, and never applies them', () => {
  const list: DomainList = used('l', 'b*d.example\ngood.example').list;
  const merged = mergeLists(rules(), [
    {reference: {location, from: {file: 'l'}, minSeverity: 'noop', mostMistakes: 0, takesWildcards: false, mayBeEmpty: false}, list},
  ]);
  expect([...merged.wanted.keys()]).toEqual(['good.example']);
  expect(merged.summaries[0]?.obfuscated).toBe(1);
});
