/** Parts of a policy: its sections, what of it is chosen by name, and policies of backups, which only say what must be there. */
import {describe, expect, test} from 'vitest';
import {mustRulesIn} from '../../../../src/lib/policy/reading/must-only.js';
import {asksServer, Chosen, includes, ownedIn, partText, policyIn} from '../../../../src/lib/policy/reading/part.js';
import {readPolicy} from '../../../../src/lib/policy/reading/policy-file.js';
import {Selection} from '../../../../src/lib/policy/reading/selection.js';
import {wantedFor} from '../../../../src/lib/policy/reading/read-wanted.js';
import type {PlanPart} from '../../../../src/lib/policy/lists/wanted.js';
import {owned} from '../owned-items.js';
import {wantedBy} from '../wanted.js';

const text = `version: 1
domain_blocks: {must: [a.example]}
admin_domain_blocks: {must: [b.example]}
mutes: {must: [bo@pix.example]}
push: {notify_enabled: false}
`;
const policy = readPolicy(text, 'p.yml');
const keys = ['domain_blocks', 'admin_domain_blocks', 'filters', 'blocks', 'mutes', 'push', 'config'] as const;
const keysOf = (given: typeof policy) => keys.filter((key) => given[key] !== undefined);

test.each<[PlanPart, string]>([
  [{}, ''],
  [{only: ['filters', 'mutes']}, '--only filters,mutes'],
  [{target: ['a', '*.b'], except: ['c']}, '--target a --target *.b --except c'],
  [{only: ['push'], except: ['c', 'd']}, '--only push --except c --except d'],
])('the part %j is typed as %s', (part, words) => {
  expect(partText(part)).toBe(words);
});

test('a policy has only the sections that are meant', () => {
  expect(policyIn(policy, undefined)).toBe(policy);
  expect(keysOf(policyIn(policy, ['mutes', 'filters']))).toEqual(['mutes']);
  expect(policyIn(policy, ['mutes']).file).toBe('p.yml');
  expect(keysOf(policyIn(policy, []))).toEqual([]);
});

test('what was made is that of the sections that are meant', () => {
  const all = owned({domains: ['a.example'], blocks: ['bo@pix.example'], filters: {4: 'A'}});
  expect(ownedIn(all, undefined)).toBe(all);
  expect(ownedIn(all, ['blocks', 'filters']).map(({kind}) => kind)).toEqual(['block', 'filter']);
  expect(ownedIn(all, [])).toEqual([]);
});

test.each([
  [text, undefined, true],
  [text, {only: ['admin_domain_blocks' as const]}, true],
  [text, {only: ['mutes' as const]}, false],
  ['version: 1\nmutes: {must: [bo@pix.example]}', undefined, undefined],
  ['version: 1', {only: ['admin_domain_blocks' as const, 'mutes' as const]}, undefined],
])('of the policy %j and the part %j, the server is asked for: %j', (given, part, asks) => {
  expect(asksServer(readPolicy(given, 'p.yml'), part)).toBe(asks);
});

test.each([
  [undefined, true, true],
  [{target: ['x']}, true, true],
  [{only: ['admin_domain_blocks' as const]}, false, true],
  [{only: ['blocks' as const, 'config' as const]}, true, false],
  [{only: []}, false, false],
])('the part %j has sections of an account: %j, of a server: %j', (part, account, server) => {
  expect([includes(part, 'account'), includes(part, 'server')]).toEqual([account, server]);
});

describe('what is chosen by name', () => {
  const domain = (subject: string) => ({kind: 'domain_block', subject});

  test.each([
    [{}, ['a.example', 'b.example'], []],
    [{target: ['a.example']}, ['a.example'], []],
    [{except: ['a.example', 'x']}, ['b.example'], ['x']],
    [{target: ['*.example', 'y'], except: ['b.example', 'x']}, ['a.example'], ['y', 'x']],
  ])('of %j is %j, and %j names nothing', (part, names, unmatched) => {
    const chosen = new Chosen(part, 'pix.example');
    expect(['a.example', 'b.example'].filter((name) => chosen.has(domain(name)))).toEqual(names);
    expect(chosen.unmatched).toEqual(unmatched);
  });

  test.each([
    [['a.example'], 'a.example: why'],
    [['Spoilers'], 'Spoilers: why'],
    [['two words'], '"two words": why'],
    [['two words', 'b', 'c'], '"two words" (and 2 more): why'],
  ])('%j that match nothing are refused', (texts, message) => {
    const selection = new Selection(texts, 'pix.example');
    expect(() => selection.refuseUnmatched('why', 'what to do')).toThrow(
      expect.objectContaining({code: 'not_found', message, details: {hint: 'what to do'}}),
    );
  });

  test('all that match are fine', () => {
    const selection = new Selection(['a.example', '*'], 'pix.example');
    expect(selection.matches(domain('a.example'))).toBe(true);
    expect(selection.unmatched).toEqual([]);
    selection.refuseUnmatched('why', 'what to do');
  });
});

describe('what a policy wants of one account', () => {
  const target = (account: string, more: object = {}) => ({account, server: new URL('https://pix.example'), ...more});
  const general = wantedBy(text);
  const several = wantedBy(`${text}for:
  bo@pix.example: {mutes: {must: [eve@pix.example]}, domain_blocks: {must: [c.example]}}
  eve@other.example: {admin_domain_blocks: {must: [x.example]}}
`);
  const mutesOf = (wanted: typeof general) => wanted.policy.mutes?.must.map(({value}) => value);

  test('is the same for all where it says nothing else', () => {
    expect(keysOf(wantedFor(general, target('@ana')).policy)).toEqual(['domain_blocks', 'admin_domain_blocks', 'mutes', 'push']);
    expect([...wantedFor(general, target('@ana')).domains.keys()]).toEqual(['domain_blocks', 'admin_domain_blocks']);
  });

  test('is that of the account alone, or of its server alone', () => {
    expect(keysOf(wantedFor(general, target('@ana', {owner: 'account'})).policy)).toEqual(['domain_blocks', 'mutes', 'push']);
    expect(keysOf(wantedFor(general, target('pix.example', {owner: 'server'})).policy)).toEqual(['admin_domain_blocks']);
    expect([...wantedFor(general, target('@ana', {owner: 'account'})).domains.keys()]).toEqual(['domain_blocks']);
  });

  test('is that of a part of the policy', () => {
    const wanted = wantedFor(
      {...general, part: {only: ['mutes']}, onlyAdds: true, allowed: new Set(['x']), showsPrivate: true},
      target('@ana'),
    );
    expect(keysOf(wanted.policy)).toEqual(['mutes']);
    expect([...wanted.domains.keys()]).toEqual([]);
    expect(wanted).toMatchObject({part: {only: ['mutes']}, onlyAdds: true, allowed: new Set(['x']), showsPrivate: true});
  });

  test('is what it says for that account', () => {
    expect(mutesOf(wantedFor(several, target('@bo')))).toEqual(['bo@pix.example', 'eve@pix.example']);
    expect(mutesOf(wantedFor(several, target('@ana')))).toEqual(['bo@pix.example']);
    expect([...(wantedFor(several, target('@bo')).domains.get('domain_blocks')?.wanted.keys() ?? [])]).toEqual(['a.example', 'c.example']);
    const onOther = wantedFor(several, {account: '@kim', server: new URL('https://other.example')});
    expect([...(onOther.domains.get('admin_domain_blocks')?.wanted.keys() ?? [])]).toEqual(['b.example', 'x.example']);
    expect(mutesOf(onOther)).toEqual(['bo@pix.example']);
  });
});

describe('the policy of a backup', () => {
  const rules = (given: string, hasServer = false) => mustRulesIn(given, 'b.yml', {keys: ['domain_blocks', 'mutes'], hasServer});

  test('is read by its sections', () => {
    expect(rules('version: 1\ndomain_blocks: {must: [a.example]}\nmutes: {must: [bo@pix.example, {account: eve@pix.example}]}')).toEqual({
      domain_blocks: {must: ['a.example']},
      mutes: {must: ['bo@pix.example', {account: 'eve@pix.example'}]},
    });
    expect(rules('version: 1\nserver: https://pix.example', true)).toEqual({});
    expect(rules('version: 1\nmutes: {}')).toEqual({mutes: {must: undefined}});
  });

  test.each([
    ['version: 1', true, 'b.yml:1: it does not name the server that it was read from'],
    ['version: 1\nserver: x', false, 'b.yml:2:1: server: a backup has only version, domain_blocks, mutes'],
    ['version: 1\nserver: x\nblocks: {}', true, 'b.yml:3:1: blocks: a backup has only version, server, domain_blocks, mutes'],
    ['version: 1\nmutes: {must: [], only: true}', false, 'b.yml:2:19: mutes.only: a backup has only mutes.must'],
    ['version: 1\nmutes: {must: [bo]}', false, 'b.yml:2:16: "bo" is not an account with its server, as in ana@pix.example'],
    [
      'version: 1\nmutes: {must: [a@b.example, {account: "5"}]}',
      false,
      'b.yml:2:29: "5" is not an account with its server, as in ana@pix.example',
    ],
    ['version: [', false, 'b.yml'],
  ])('is refused with what it does not have: %j', (given, hasServer, message) => {
    expect(() => rules(given, hasServer)).toThrow(expect.objectContaining({code: 'usage', message: expect.stringContaining(message)}));
  });
});
