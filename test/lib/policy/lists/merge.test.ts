import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type DomainFacts, defaultMerge, sentFacts, type Severity} from '../../../../src/lib/policy/model/domain-facts.js';
import {countLists, entriesOf, mergedEntries, mergeLists, neededLists} from '../../../../src/lib/policy/lists/merge.js';
import type {DomainRules} from '../../../../src/lib/policy/model/policy.js';
import {summariesIn} from '../../../../src/lib/policy/reading/read-policy.js';
import {wantedBy} from '../wanted.js';
import {used} from './used.js';

const where = 'p.yml:9';

function rules(more: Partial<DomainRules> = {}): DomainRules {
  return {key: 'domain_blocks', must: [], mustNot: [], lists: [], merge: defaultMerge, ...more};
}

test('keeps every source of a domain', () => {
  const merged = mergeLists(rules({must: [{value: 'a.example', where: 'p.yml:4'}]}), [
    used('two', 'x.example\na.example'),
    used('one', 'a.example\nb.example'),
  ]);
  expect([...merged.wanted.values()]).toMatchObject([
    {
      domain: 'a.example',
      rule: 'domain_blocks.must',
      where: 'p.yml:4',
      lists: ['p.yml:4', 'one:1', 'two:2'],
    },
    {domain: 'b.example', rule: 'domain_blocks.lists', where: 'one:2', lists: undefined},
    {domain: 'x.example', rule: 'domain_blocks.lists', where: 'two:1', lists: undefined},
  ]);
});

test('each list counts once towards agree', () => {
  const lists = [used('one', 'a.example\na.example\nb.example'), used('two', 'b.example')];
  expect([...mergeLists(rules({agree: 2}), lists).wanted.keys()]).toEqual(['b.example']);
  expect(countLists(mergeLists(rules(), lists).mentions.get('a.example') ?? [])).toBe(1);
});

test('ignores entries below min_severity', () => {
  const text = 'domain,severity\na.example,noop\nb.example,silence\nc.example,suspend\n';
  const wantedAt = (minSeverity: Severity) => [...mergeLists(rules(), [used('l', text, {minSeverity})]).wanted.keys()];
  expect(wantedAt('suspend')).toEqual(['c.example']);
  // The most severe come first.
  expect(wantedAt('silence')).toEqual(['c.example', 'b.example']);
  expect(wantedAt('noop')).toEqual(['c.example', 'b.example']);
  const summariesWith = (setting: Parameters<typeof used>[2]) => mergeLists(rules(), [used('l', text, setting)]).summaries;
  expect(summariesWith({minSeverity: 'suspend'})).toEqual([
    {
      list: 'l',
      entries: 3,
      obfuscated: 0,
      below_min_severity: 2,
      invalid: 0,
      skipped: [],
    },
  ]);
  expect(summariesWith({})).toMatchObject([{below_min_severity: 1}]);
  expect(summariesWith({maxSeverity: 'noop'})).toMatchObject([{below_min_severity: 3}]);
});

test('an allow-list of 5,000 domains holds back what ten lists of 5,000 name beyond it', () => {
  const rows = (from: number) => Array.from({length: 5000}, (_, index) => `s${from + index}.example`).join('\n');
  const lists = Array.from({length: 10}, (_, index) => used(`list-${index}`, rows(index * 100)));
  const merged = mergeLists(rules({agree: 10}), [...lists, used('allow', rows(3000), {minSeverity: 'noop', spares: true})]);
  // All ten lists name s900 to s4999; the last 2,000 of these are allowed.
  expect([
    merged.wanted.size,
    [...merged.desired.spared.values()].filter(({how}) => how === undefined).length,
    merged.mustNot.size,
  ]).toEqual([2100, 2000, 5000]);
  expect(merged.summaries.map(({allows}) => allows)).toEqual([...Array.from({length: 10}, () => undefined), true]);
});

test('what the policy itself names is wanted, also where a list of must_not names it', () => {
  const allow = used('allow', 'a.example\n', {minSeverity: 'noop', spares: true});
  const {wanted, desired} = mergeLists(rules({must: [{value: 'a.example', where}]}), [allow]);
  expect([[...wanted.keys()], desired.spared.size]).toEqual([['a.example'], 0]);
});

test('merges lists to the same result in any order', () => {
  const domain = fc.constantFrom('a.example', 'sub.a.example', 'b.example', 'c.example', 'd*.example');
  const row = fc.tuple(domain, fc.constantFrom('noop', 'silence', 'suspend')).map((parts) => parts.join(','));
  const list = fc.tuple(fc.array(row), fc.constantFrom<Severity>('noop', 'silence', 'suspend'));
  fc.assert(
    fc.property(fc.array(list, {maxLength: 4}), fc.integer({min: 1, max: 3}), fc.infiniteStream(fc.nat()), (lists, agree, numbers) => {
      const all = lists.map(([rows, least], index) => used(`l${index}`, ['domain,severity', ...rows].join('\n'), {minSeverity: least}));
      const shuffled = all
        .map((one) => ({one, at: numbers.next().value ?? 0}))
        .sort((one, other) => one.at - other.at)
        .map(({one}) => one);
      const [one, other] = [mergeLists(rules({agree: agree}), shuffled), mergeLists(rules({agree: agree}), all)];
      const told = ({wanted}: typeof one) =>
        Array.from(wanted.values(), ({domain, rule, facts, lists: places}) => [domain, rule, facts, places]);
      expect(told(one)).toEqual(told(other));
      expect(one.summaries).toEqual(other.summaries);
    }),
  );
});

const header = 'domain,severity,public_comment,private_comment,reject_media,reject_reports,obfuscate';

/** What lists say about a.example, merged; each is the rest of a row. */
function mergedFacts(rows: readonly string[], more: Partial<DomainRules> = {}): DomainFacts | undefined {
  const lists = rows.map((row, index) => used(`l${rows.length - index}`, `${header}\na.example,${row}\n`, {minSeverity: 'noop'}));
  return mergeLists(rules(more), lists).factsOf('a.example');
}

test.each([
  ['', '', ''],
  ['fred, bibble', '', 'fred, bibble'],
  ['', 'fred, bibble', 'fred, bibble'],
  ['same', 'same', 'same'],
  ['happy, medium', 'fred, bibble', 'happy, medium, fred, bibble'],
  ['happy, medium, spinning', 'fred, medium, bibble, spinning', 'happy, medium, spinning, fred, bibble'],
  ['boring', 'new, new', 'boring, new'],
])('joins the comments "%s" and "%s" without repeating a part', (one, other, comment) => {
  expect(mergedFacts([`suspend,"${one}","${other}"`, `suspend,"${other}","${one}"`])?.public_comment ?? '').toBe(comment);
});

test('comments are merged in the order of the policy, and merging a merged list changes nothing', () => {
  expect(mergedFacts(['suspend,c', 'suspend,a', 'suspend,b'])?.public_comment).toBe('c, a, b');
  expect(mergedFacts(['suspend,"c, a, b"', 'suspend,c', 'suspend,a'])?.public_comment).toBe('c, a, b');
});

test('merges very many comments about one domain', () => {
  const rows = Array.from({length: 50_000}, (_, row) => `a.example,suspend,"reason ${row}, again"`);
  const {factsOf} = mergeLists(rules(), [used('l', ['domain,severity,public_comment', ...rows].join('\n'))]);
  const parts = factsOf('a.example')?.public_comment?.split(', ');
  expect([parts?.length, parts?.slice(0, 3)]).toEqual([50_001, ['reason 0', 'again', 'reason 1']]);
});

test('takes the comment of the first list that has one with comments: first', () => {
  const merge = {...defaultMerge, comments: 'first'} as const;
  expect(mergedFacts(['suspend,,x', 'suspend,b,y', 'suspend,c,'], {merge})).toMatchObject({public_comment: 'b', private_comment: 'x'});
});

test('lets only lists that count say anything', () => {
  const lists = [used('one', `${header}\na.example,suspend,yes\n`), used('two', `${header}\na.example,noop,no\n`)];
  expect(mergeLists(rules(), lists).factsOf('a.example')?.public_comment).toBe('yes');
});

test('takes of a list only the fields that the policy names, and no higher severity than max_severity', () => {
  const text = `${header}\na.example,suspend,spam,seen,true,true,true\nb.example,silence,x,y,,,\n`;
  const some = used('one', text, {fields: ['public_comment', 'obfuscate'], maxSeverity: 'silence'});
  const {factsOf} = mergeLists(rules(), [some]);
  expect(factsOf('a.example')).toEqual({severity: 'silence', public_comment: 'spam', obfuscate: true});
  expect(factsOf('b.example')).toEqual({severity: 'silence', public_comment: 'x', obfuscate: false});
});

test.each([
  ['lowest', ['a.example']],
  ['highest', ['a.example', 'x.example']],
] as const)('a list with severity: %s blocks what does not come to noop when it is merged', (severity, wanted) => {
  const lists = [
    used('one', 'a.example\nx.example\nsub.x.example\nallowed.example'),
    used('retracted', 'domain,severity,public_comment\nx.example,noop,retracted\nsub.x.example,noop,\nallowed.example,noop,', {
      minSeverity: 'noop',
    }),
  ];
  const mustNot = [{value: 'allowed.example', where}];
  const merged = mergeLists(rules({mustNot, merge: {...defaultMerge, severity}}), lists);
  const isHighest = severity === 'highest';
  expect([...merged.wanted.keys()].toSorted()).toEqual(isHighest ? [...wanted, 'sub.x.example'].toSorted() : wanted);
  expect([...merged.desired.spared.keys()]).toEqual(isHighest ? ['allowed.example'] : []);
  expect(merged.factsOf('x.example')).toMatchObject({severity: isHighest ? 'suspend' : 'noop', public_comment: 'retracted'});
});

test('a domain whose severity is noop is never blocked, whatever the lists and the rules', () => {
  const severity = fc.constantFrom<Severity>('noop', 'silence', 'suspend');
  const domain = fc.constantFrom('a.example', 'sub.a.example', 'b.example');
  const list = fc.tuple(fc.array(fc.tuple(domain, severity)), severity, fc.option(severity, {nil: undefined}));
  const given = fc.record({
    lists: fc.array(list, {maxLength: 4}),
    agree: fc.integer({min: 1, max: 2}),
    merge: fc.constantFrom('highest', 'lowest'),
  });
  fc.assert(
    fc.property(given, ({lists, agree, merge}) => {
      const all = lists.map(([rows, least, maxSeverity], index) =>
        used(`l${index}`, ['domain,severity', ...rows.map((row) => row.join(','))].join('\n'), {minSeverity: least, maxSeverity}),
      );
      const {wanted, factsOf} = mergeLists(rules({agree: agree, merge: {...defaultMerge, severity: merge}}), all);
      for (const [name, one] of wanted) expect([one.facts?.severity, factsOf(name)?.severity]).not.toContain('noop');
    }),
  );
});

test('lets the policy itself decide the severity of its own domains, and lists add comments', () => {
  const own = {value: 'a.example', where};
  const lists = ['silence,spam'];
  expect(mergedFacts(lists, {must: [own]})).toMatchObject({severity: 'suspend', public_comment: 'spam'});
  const facts = {severity: 'silence', public_comment: 'my own'} as const;
  expect(mergedFacts(lists, {must: [{...own, facts}]})).toMatchObject({severity: 'silence', public_comment: 'my own, spam'});
  expect(mergedFacts([], {must: [own]})).toBeUndefined();
});

test('a domain that lists name as well is wanted beyond its last day, and what is the same is shared with other accounts', () => {
  const lists = [used('b.csv', 'x.a.example\nz.example\n'), used('a.csv', '# \nz.example\na.example\n')];
  const own = (value: string, until?: string) => ({value, where, until});
  const must = [own('z.example', '2027-01-31'), own('m.example', '2027-01-31'), own('b.example')];
  const merged = mergeLists(rules({must}), lists);
  expect(entriesOf(merged).map(({domain, until}) => [domain, until])).toEqual([
    ['a.example', undefined],
    ['b.example', undefined],
    ['m.example', '2027-01-31'],
    ['x.a.example', undefined],
    ['z.example', undefined],
  ]);
  const shared = ({wanted}: typeof merged) => [...wanted].flatMap(([domain, one]) => (one === merged.wanted.get(domain) ? domain : []));
  expect(shared(mergeLists(rules({must}), lists, merged))).toEqual(['a.example', 'x.a.example']);
  expect(shared(mergeLists(rules({must: [own('a.example')]}), lists, merged))).toEqual(['x.a.example']);
  expect(shared(mergeLists(rules({must, merge: {comments: 'joined', severity: 'lowest'}}), lists, merged))).toEqual([]);
});

test('lists are merged as they are, with every severity and without what cannot be used', () => {
  const odd = '#domain,#severity\na.example,suspend\nmild.example,noop\nb*d.example,suspend\nn-0,suspend\n';
  const lists = [used('a.csv', odd), used('b.csv', '#domain,#severity,#public_comment\na.example,silence,loud\n')].map(({list}) => list);
  expect(mergedEntries(lists).map(({domain, facts: {severity, public_comment}}) => [domain, severity, public_comment])).toEqual([
    ['a.example', 'suspend', 'loud'],
    ['mild.example', 'noop', undefined],
  ]);
});

test.each<[agree: number | string | undefined, total: number, needed: number]>([
  [undefined, 5, 1],
  [2, 5, 2],
  [2, 0, 2],
  ['50%', 1, 1],
  ['50%', 3, 2],
  ['50%', 4, 2],
  ['7%', 100, 7],
  ['67%', 3, 3],
  ['100%', 7, 7],
  ['50%', 0, 1],
])('agree: %s of %i lists needs %i', (agree, total, needed) => {
  expect(neededLists(agree, total)).toBe(needed);
});

test('a share that is shown as reached is reached', () => {
  const number = fc.integer({min: 1, max: 200});
  fc.assert(
    fc.property(number, number, fc.integer({min: 1, max: 100}), (one, other, percent) => {
      const [count, total] = [Math.min(one, other), Math.max(one, other)];
      const isReached = count >= neededLists(`${percent}%`, total);
      expect(isReached).toBe((count * 100) / Math.max(total, 1) >= percent);
    }),
  );
});

test('a list is named once, however many sections use it', () => {
  const lists = {'a.csv': 'a.example\n'};
  const names = (text: string) => summariesIn(wantedBy(`version: 1\n${text}`, lists).domains).map(({list}) => list);
  expect(names('domain_blocks: {must: [own.example]}\nadmin_domain_blocks: {must: [other.example]}\n')).toEqual(['a.csv']);
  expect(names('mutes: {must: [bo]}\n')).toEqual([]);
});

test.each([
  ['private', {private_comment: 'seen, spam'}],
  ['both', {public_comment: 'spam', private_comment: 'seen'}],
  ['none', {}],
] as const)('with %s comments, a server gets %j', (comments, sent) => {
  const facts = {severity: 'suspend', public_comment: 'spam', private_comment: 'seen', reject_media: true, obfuscate: false} as const;
  expect(sentFacts(facts, comments)).toEqual({severity: 'suspend', reject_media: true, ...sent});
});
