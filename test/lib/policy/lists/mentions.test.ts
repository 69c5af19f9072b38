/** What lists say about a domain, found among very many. */
import {expect, test} from 'vitest';
import {isSevereEnough, Mentions} from '../../../../src/lib/policy/lists/mentions.js';
import type {ListReference} from '../../../../src/lib/policy/model/policy.js';
import type {Severity} from '../../../../src/lib/policy/model/domain-facts.js';
import {used} from './used.js';

const use = (name: string, text: string, more: Partial<ListReference> = {}) => ({
  ...used(name, text, more),
  by: {list: name, content: name},
});

const places = (mentions: Mentions, domain: string) => mentions.get(domain).map(({location: {file, line}}) => `${file}:${line}`);

test('domains with the same beginning are in order, and each is found with all of its lists', () => {
  const domains = ['samesame-c.example', 'samesame.example', 'samesame-a.example', 'samesame-b.example', 'same.example', 'zz.example'];
  const mentions = new Mentions([
    use('a', domains.join('\n')),
    use('b', domains.toReversed().join('\n')),
    use('c', 'samesame-b.example\n'),
  ]);
  expect(Array.from(mentions, ([domain]) => domain)).toEqual(domains.toSorted());
  expect(domains.map((domain) => places(mentions, domain))).toEqual(
    domains.map((domain, index) => [`a:${index + 1}`, `b:${6 - index}`, ...(domain === 'samesame-b.example' ? ['c:1'] : [])]),
  );
  for (const domain of ['', 'a.example', 'samesame-bb.example', 'zzz.example']) expect(mentions.get(domain)).toEqual([]);
  for (const [domain, all, position] of mentions) expect([domain, mentions.at(position)]).toEqual([domain, all]);
});

test('domains whose beginnings differ late or in length are told apart', () => {
  const domains = ['abcdef.x', 'abcdefg.x', 'abcdefh.x', 'abcde.x', 'bbcdefg.x', 'a-b.x', 'a.b.x', '0.x'];
  const mentions = new Mentions([use('a', domains.join('\n'))]);
  expect(Array.from(mentions, ([domain]) => domain)).toEqual(domains.toSorted());
  for (const [index, domain] of domains.entries()) expect(places(mentions, domain)).toEqual([`a:${index + 1}`]);
});

test('nothing is said without lists', () => {
  expect([...new Mentions([])]).toEqual([]);
  expect(new Mentions([use('a', '# none\n')]).get('a.example')).toEqual([]);
});

test.each<[Severity, Partial<ListReference>, boolean]>([
  ['noop', {}, false],
  ['silence', {}, true],
  ['suspend', {}, true],
  ['silence', {minSeverity: 'suspend'}, false],
  ['noop', {minSeverity: 'noop'}, true],
  ['suspend', {maxSeverity: 'silence'}, true],
  ['suspend', {maxSeverity: 'noop'}, false],
  ['suspend', {maxSeverity: 'noop', minSeverity: 'noop'}, false],
])('an entry of severity %s in a list with %j counts: %s', (severity, more, counts) => {
  expect(isSevereEnough({domain: 'a.example', line: 1, facts: {severity}}, used('a', '', more).reference)).toBe(counts);
});

test('of a list only what the policy takes of it is known, and equal facts stay one', () => {
  const text =
    'domain,severity,public_comment,private_comment,reject_media,reject_reports,obfuscate\na.example,suspend,p,q,true,true,true\nb.example,suspend,p,q,true,true,true\n';
  const facts = (more: Partial<ListReference>) => {
    const mentions = new Mentions([use('a', text, more)]);
    const [[one], [other]] = [mentions.get('a.example'), mentions.get('b.example')];
    expect(one?.facts).toBe(other?.facts);
    return Object.fromEntries(Object.entries(one?.facts ?? {}).filter(([, value]) => value !== undefined));
  };
  const all = {severity: 'suspend', public_comment: 'p', private_comment: 'q', reject_media: true, reject_reports: true, obfuscate: true};
  expect(facts({})).toEqual(all);
  expect(facts({maxSeverity: 'silence'})).toEqual({...all, severity: 'silence'});
  expect(facts({maxSeverity: 'suspend'})).toEqual(all);
  expect(facts({fields: ['public_comment', 'obfuscate']})).toEqual({severity: 'suspend', public_comment: 'p', obfuscate: true});
  expect(facts({fields: [], maxSeverity: 'silence'})).toEqual({severity: 'silence'});
});
