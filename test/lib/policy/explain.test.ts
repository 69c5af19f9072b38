import {expect, test} from 'vitest';
import {explain, partsWith, pathsFor} from '../../../src/lib/policy/explain.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {readPolicy} from '../../../src/lib/policy/reading/policy-file.js';
import {aFilter, emptyModel, now, stateOf} from './model-server.js';
import {used} from './lists/used.js';
import {server, stateOf as ofServer} from './sections/server-blocks.js';
import {wantedBy} from './wanted.js';

test('explains a domain by every rule and list that names it', () => {
  const wanted = wantedBy('version: 1\ndomain_blocks:\n  must: [a.example]\n  must_not: [good.example]\n', {
    'l.csv': 'domain,severity\nsub.a.example,suspend\ngood.example,suspend\nmild.example,noop\n',
  });
  const state = stateOf({...emptyModel, domains: ['a.example']});
  expect(explain('https://sub.A.example/', wanted, state, now)).toEqual([
    {
      kind: 'domain_block',
      subject: 'sub.a.example',
      isWanted: true,
      isThere: false,
      actual: 'not blocked; its parent a.example is blocked',
      details: {severity: 'suspend'},
      reasons: [
        {
          rule: 'domain_blocks.lists',
          source: {file: 'l.csv', line: 2},
          says: 'suspend; named by 1 list, 1 needed',
          details: {severity: 'suspend'},
        },
        {rule: 'domain_blocks.must', source: {file: 'p.yml', line: 3}, says: 'its parent a.example must be blocked'},
      ],
    },
  ]);
  expect(explain('good.example', wanted, state, now)).toMatchObject([
    {isWanted: false, reasons: [{rule: 'domain_blocks.must_not'}, {rule: 'domain_blocks.lists'}]},
  ]);
  expect(explain('mild.example', wanted, state, now)).toMatchObject([
    {isWanted: undefined, reasons: [{says: 'noop; less than min_severity'}]},
  ]);
});

test('explains that a server does not block itself, whatever names it', () => {
  const state = stateOf(emptyModel);
  const wanted = wantedBy('version: 1\ndomain_blocks: {}\n', {'l.csv': `${state.host}\nb.example\n`});
  const source = {file: 'l.csv', line: 1};
  expect(explain(state.host, wanted, state, now)).toMatchObject([
    {
      isWanted: false,
      isThere: false,
      reasons: [
        {rule: 'domain_blocks.lists', source, says: 'a server does not block itself (l.csv:1)'},
        {rule: 'domain_blocks.lists', source},
      ],
    },
  ]);
});

test('explains how a server blocks a domain, also where that was not read', () => {
  const wanted = wantedBy('version: 1\nadmin_domain_blocks: {must: [a.example]}\n');
  const state = ofServer(server('mastodon', {'a.example': {severity: 'silence'}}));
  const unread = {...state, admin_domain_blocks: {failure: new Failure('refused', 'no')}, blocking: undefined};
  expect(explain('a.example', wanted, state, now)).toMatchObject([{isThere: true, actual: 'silenced'}]);
  expect(explain('a.example', wanted, unread, now)).toMatchObject([{isThere: undefined, actual: 'not read'}]);
});

test('shows what lists and the policy say about a domain, each and merged', () => {
  const wanted = wantedBy('version: 1\ndomain_blocks:\n  must: [{domain: a.example, public_comment: my own}]\n', {
    'l.csv':
      'domain,severity,public_comment,private_comment,obfuscate\na.example,silence,"spam\nand  more",seen,true\nb.example,noop,x,,\n',
  });
  const state = stateOf(emptyModel);
  expect(explain('a.example', wanted, state, now)).toMatchObject([
    {
      reasons: [
        {rule: 'domain_blocks.must', says: 'must be blocked: suspend, “my own”', details: {severity: 'suspend', public_comment: 'my own'}},
        {
          rule: 'domain_blocks.lists',
          says: 'silence, obfuscate, “spam and more”, private: “seen”; named by 1 list, 1 needed',
          details: {severity: 'silence', public_comment: 'spam\nand  more', private_comment: 'seen', obfuscate: true},
        },
      ],
      details: {severity: 'suspend', public_comment: 'my own, spam\nand  more', private_comment: 'seen', obfuscate: true},
    },
  ]);
  expect(explain('b.example', wanted, state, now)).toMatchObject([{reasons: [{says: 'noop, “x”; less than min_severity'}]}]);
});

test('says that a domain is not blocked because its merged severity is noop', () => {
  const policy = 'version: 1\ndomain_blocks: {severity: lowest}';
  const wanted = wantedBy(policy, {a: 'x.example', b: 'domain,severity,public_comment\nx.example,silence,\ny.example,noop,'});
  const retracted = wantedBy(policy, {a: 'x.example', 'b.csv': 'domain,severity,public_comment\nx.example,noop,retracted'}, 'noop');
  expect(explain('x.example', wanted, stateOf(emptyModel), now)).toMatchObject([{isWanted: true, details: {severity: 'silence'}}]);
  expect(explain('x.example', retracted, stateOf(emptyModel), now)).toMatchObject([
    {
      isWanted: undefined,
      reasons: [
        {says: 'suspend; named by 2 lists, 1 needed; not blocked: the merged severity is noop'},
        {says: 'noop, “retracted”; named by 2 lists, 1 needed; not blocked: the merged severity is noop'},
      ],
      details: {severity: 'noop', public_comment: 'retracted'},
    },
  ]);
});

test('explains a filter by its title', () => {
  const state = stateOf({...emptyModel, filters: [aFilter('Spoilers', {id: '3'})]});
  expect(explain('Spoilers', wantedBy('version: 1\nfilters: {must: [], only: true}'), state, now)).toMatchObject([
    {
      kind: 'filter',
      isWanted: false,
      isThere: true,
      actual: 'filter 3 with 1 keywords',
      reasons: [{rule: 'filters.only', source: {file: 'p.yml', line: 2}}],
    },
  ]);
  expect(explain('New', wantedBy('version: 1\nfilters: {must: [{title: New, context: [home], keywords: [a]}]}'), state, now)).toMatchObject(
    [{isWanted: true, isThere: false, reasons: [{says: 'in home; keywords: a'}]}],
  );
  expect(() => explain('no such thing', wantedBy('version: 1'), state, now)).toThrow(expect.objectContaining({code: 'usage'}));
});

test.each([
  ['bad.example', 'version: 1', ['domain_blocks', 'filters']],
  ['bad.example', 'version: 1\nadmin_domain_blocks: {must: [a.example]}', ['admin_domain_blocks', 'filters']],
  ['@ana', 'version: 1', ['blocks', 'filters', 'mutes']],
])('what %s may be is read for it, with the policy %j', (text, policy, parts) => {
  expect([...partsWith(text, readPolicy(policy, 'p.yml'))].sort()).toEqual(parts);
});

test('says where what a text may be is read from, of an account and of a server', () => {
  expect(pathsFor('bad.example')).toBe('/api/v2/filters and /api/v1/domain_blocks');
  expect(pathsFor('@ana')).toBe('/api/v2/filters, /api/v1/blocks and /api/v1/mutes');
  expect(pathsFor('bad.example', 'server')).toBe('/api/v1/admin/domain_blocks');
});

test('explains the block and the mute of an account separately', () => {
  const wanted = wantedBy('version: 1\nblocks: {must: [troll@bad.example]}\nmutes: {must_not: [ana], only: true}');
  const state = stateOf({...emptyModel, mutes: ['ana', 'troll@bad.example']});
  const told = (text: string) =>
    explain(text, wanted, state, now).map(({kind, subject, isWanted, actual, reasons}) => [
      kind,
      subject,
      isWanted,
      actual,
      reasons.map(({rule}) => rule),
    ]);
  expect(told('@Troll@bad.example')).toEqual([
    ['block', 'troll@bad.example', true, 'not blocked', ['blocks.must']],
    ['mute', 'troll@bad.example', false, 'muted', ['mutes.only']],
  ]);
  expect(told('@ana')).toEqual([
    ['block', 'ana', undefined, 'not blocked', []],
    ['mute', 'ana', false, 'muted', ['mutes.must_not']],
  ]);
});

test('explains that an account does not block itself', () => {
  const wanted = wantedBy('version: 1\nblocks: {must: [ana, bob]}');
  const state = {...stateOf(emptyModel), own: {id: '1', acct: 'ana'}};
  const [block] = explain('@ana', wanted, state, now);
  expect(block).toMatchObject({
    isWanted: false,
    isThere: false,
    reasons: [{rule: 'blocks.must', says: 'it is the account itself'}, {says: 'must be blocked'}],
  });
  expect(explain('@bob', wanted, state, now)).toMatchObject([{isWanted: true}, {}]);
});

test('tells apart what is not blocked and what was not read', () => {
  const {domain_blocks: _, filters: __, ...unread} = stateOf(emptyModel);
  const wanted = wantedBy(
    'version: 1\ndomain_blocks: {must: [a.example], limit: 1}\nfilters: {must: [{title: New, context: [home], keywords: [y]}], must_not: [Old]}',
  );
  expect(explain('a.example', wanted, unread, now)).toMatchObject([{isThere: undefined, actual: 'not read', isWanted: true}]);
  expect(explain('New', wanted, unread, now)).toMatchObject([{isThere: undefined, actual: 'not read', isWanted: true}]);
  expect(explain('New', wanted, stateOf(emptyModel), now)).toMatchObject([{isThere: false, actual: 'not there', isWanted: true}]);
  expect(explain(' Old ', wanted, stateOf(emptyModel), now)).toMatchObject([
    {subject: 'Old', isWanted: false, reasons: [{rule: 'filters.must_not', source: {file: 'p.yml', line: 3}, says: 'must not exist'}]},
  ]);
});

test('says of a domain that no rule names only whether it is blocked', () => {
  const state = stateOf({...emptyModel, domains: ['a.example']});
  expect(explain('a.example', wantedBy('version: 1'), state, now)).toEqual([
    {kind: 'domain_block', subject: 'a.example', isThere: true, actual: 'blocked', isWanted: undefined, reasons: []},
  ]);
});

test('names what holds a domain back, and that it stays where it is blocked', () => {
  const [domain, reason] = ['b.example', {rule: 'domain_blocks.limit', says: 'held back: the policy allows 1 blocked domains (p.yml:2)'}];
  const wanted = wantedBy(`version: 1\ndomain_blocks: {limit: 1, must: [a.example, b.example]}`);
  const source = {file: 'p.yml', line: 2};
  const [held] = explain(domain, wanted, stateOf(emptyModel), now);
  expect(held).toMatchObject({isWanted: false, isThere: false, actual: 'not blocked'});
  expect(held?.reasons[0]).toEqual({...reason, source});
  expect(explain('a.example', wanted, stateOf(emptyModel), now)).toMatchObject([{isWanted: true, reasons: [{rule: 'domain_blocks.must'}]}]);
  const [there] = explain(domain, wanted, stateOf({...emptyModel, domains: [domain]}), now);
  expect(there).toMatchObject({isWanted: true, isThere: true, actual: 'blocked'});
});

test('a list that only holds back leaves what a person blocked', () => {
  const allowed = wantedBy('version: 1\ndomain_blocks: {lists: []}', [
    used('l.csv', 'a.example\n'),
    used('allow.csv', 'a.example\n', {spares: true}),
  ]);
  const at = (...domains: string[]) => explain('a.example', allowed, stateOf({...emptyModel, domains}), now);
  const says = 'never blocked, even if a list names it; what a person blocked stays';
  expect(at()).toMatchObject([
    {isWanted: false, reasons: [{rule: 'domain_blocks.must_not', source: {file: 'allow.csv'}, says}, {rule: 'domain_blocks.lists'}]},
  ]);
  expect(at('a.example')).toMatchObject([{isWanted: undefined, actual: 'blocked', reasons: [{says}, {rule: 'domain_blocks.lists'}]}]);
});
