import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {adviceOf, failureOfSkipped, findingJson, skippedJson} from '../../../../src/lib/policy/model/difference.js';
import type {State} from '../../../../src/lib/policy/model/server-state.js';
import {accountsOf, aFilter, circumstances, emptyModel, inDays, now, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';

function found(text: string, state: State): unknown[] {
  return compare(wantedBy(text), state, circumstances).differences.map((finding) => findingJson(finding));
}

test('describes a difference by rule, subject, wanted, actual, location and fix', () => {
  const state = stateOf({...emptyModel, domains: ['good.example', 'other.example']});
  expect(found('version: 1\ndomain_blocks:\n  must: [bad.example]\n  must_not: [good.example]\n  only: true\n', state)).toEqual([
    {
      rule: 'domain_blocks.must',
      kind: 'domain_block',
      subject: 'bad.example',
      wanted: 'blocked',
      actual: 'not blocked',
      source: 'p.yml:3',
      fix: 'pixelctl domain-blocks add bad.example',
    },
    {
      rule: 'domain_blocks.must_not',
      kind: 'domain_block',
      subject: 'good.example',
      wanted: 'not blocked',
      actual: 'blocked',
      source: 'p.yml:4',
      fix: 'pixelctl domain-blocks remove good.example',
    },
    {
      rule: 'domain_blocks.only',
      kind: 'domain_block',
      subject: 'other.example',
      wanted: 'not blocked',
      actual: 'blocked',
      source: 'p.yml:5',
      fix: 'pixelctl domain-blocks remove other.example',
    },
  ]);
});

test('locates a difference in the list that asks for it', () => {
  const {differences: findings} = compare(
    wantedBy('version: 1\ndomain_blocks: {}', {'l.csv': '#domain\na.example\n'}),
    stateOf(emptyModel),
    circumstances,
  );
  expect(findings.map((one) => findingJson(one))).toMatchObject([{rule: 'domain_blocks.lists', source: 'l.csv:2'}]);
});

test('finds 130,000 differences at once', () => {
  const wanted = wantedBy('version: 1\ndomain_blocks: {}', {
    'l.txt': Array.from({length: 130_000}, (_, row) => `d${row}.example\n`).join(''),
  });
  expect(compare(wanted, stateOf(emptyModel), circumstances).differences).toHaveLength(130_000);
});

test('compares internationalized domains in one form', () => {
  expect(
    found('version: 1\ndomain_blocks: {must: [BÜCHER.example]}', stateOf({...emptyModel, domains: ['xn--bcher-kva.example']})),
  ).toEqual([]);
});

test.each<[text: string, subject: string, wanted: string, actual: string]>([
  ['context: [public]', 'A', 'in public', 'in home'],
  ['context: [home], action: hide', 'A', 'hide', 'warn'],
  ['context: [home], expires: never', 'A', 'never ends', `ends ${inDays(3)}`],
])('filters: %s', (rule, subject, wanted, actual) => {
  const state = stateOf({...emptyModel, filters: [aFilter('A', {expiresAt: inDays(3), keywords: ['a']})]});
  expect(found(`version: 1\nfilters: {must: [{title: A, keywords: [a], ${rule}}]}`, state)).toMatchObject([
    {rule: 'filters.must', kind: 'filter', subject, wanted, actual, source: 'p.yml:2', fix: 'pixelctl apply p.yml'},
  ]);
});

test('a filter that the policy names by its id has another title', () => {
  const state = stateOf({...emptyModel, filters: [aFilter('A', {id: '4', keywords: ['a']})]});
  expect(found('version: 1\nfilters: {must: [{title: B, id: 4, context: [home], keywords: [a]}]}', state)).toMatchObject([
    {wanted: 'called "B"', actual: 'called "A"'},
  ]);
});

test('compares keywords as a set, in lower case and trimmed, exactly or at least', () => {
  const state = stateOf({
    ...emptyModel,
    filters: [aFilter('A', {context: ['home', 'public'], keywords: ['b', {id: 1, keyword: 'a', wholeWord: false}]})],
  });
  const rule = (keywords: string) => found(`version: 1\nfilters: {must: [{title: A, context: [public, home, home], ${keywords}}]}`, state);
  expect(rule('keywords: [{keyword: " A", whole_word: false}, B]')).toEqual([]);
  expect(rule('keywords_at_least: [B]')).toEqual([]);
  expect(rule('keywords: [B]')).toMatchObject([{wanted: 'keywords: b', actual: 'keywords: a (also inside words), b'}]);
  expect(rule('keywords_at_least: [a]')).toMatchObject([
    {wanted: 'keywords: a, among others', actual: 'keywords: a (also inside words), b'},
  ]);
});

test('finds missing and forbidden filters', () => {
  const filters = [aFilter('Bad'), aFilter('Other', {id: '9', expiresAt: inDays(2)})];
  const text = 'version: 1\nfilters:\n  must: [{title: New, context: [home], keywords: [a]}]\n  must_not: [Bad]\n  only: true\n';
  expect(found(text, stateOf({...emptyModel, filters}))).toMatchObject([
    {rule: 'filters.must', subject: 'New', wanted: 'in home; keywords: a', actual: 'not there', source: 'p.yml:3'},
    {rule: 'filters.must_not', subject: 'Bad', source: 'p.yml:4', fix: expect.stringMatching(/^pixelctl filters delete \d+$/)},
    {rule: 'filters.only', subject: 'Other', source: 'p.yml:5'},
  ]);
});

test('compares accounts of the server itself with and without a host', () => {
  const state = stateOf(emptyModel, {blocks: accountsOf('ana', 'bo@b.example'), mutes: accountsOf()});
  expect(found('version: 1\nblocks: {must: ["@Ana@pix.example", BO@b.example], must_not: [bo]}\nmutes: {must_not: [ana]}', state)).toEqual(
    [],
  );
  expect(found('version: 1\nblocks: {must: [bo], must_not: [ana@pix.example]}', state)).toMatchObject([
    {rule: 'blocks.must_not', subject: 'ana', wanted: 'not blocked', actual: 'blocked', fix: 'pixelctl blocks remove @ana'},
    {
      rule: 'blocks.must',
      subject: 'bo',
      wanted: 'blocked',
      actual: 'not blocked',
      fix: 'pixelctl blocks add @bo',
    },
  ]);
});

test('finds accounts beyond only: true', () => {
  const state = stateOf(emptyModel, {mutes: accountsOf('ana', 'bo@b.example')});
  expect(found('version: 1\nmutes: {must: [ana], only: true}', state)).toMatchObject([
    {
      rule: 'mutes.only',
      subject: 'bo@b.example',
      wanted: 'not muted',
      actual: 'muted',
      fix: 'pixelctl mutes remove @bo@b.example',
    },
  ]);
});

const named = ['ana', "'@Ana@pix.example'", "'7'"].flatMap((name) => (['blocks', 'mutes'] as const).map((key) => [key, name] as const));

test.each(named)('a policy with %s of the account itself, as %s, leaves it out', (key, name) => {
  const state = stateOf(emptyModel, {own: {id: '7', acct: 'Ana'}});
  const wanted = wantedBy(`version: 1\n${key}: {must: [${name}, bo]}`);
  const comparison = compare(wanted, state, circumstances);
  expect(comparison.differences.map(({subject}) => subject)).toEqual(['bo']);
  const kind = key === 'blocks' ? 'block' : 'mute';
  expect(comparison.skipped).toMatchObject([{kind, subject: 'ana', why: 'it is the account itself'}]);
});

test('a policy that forbids a block of the account itself by its id agrees', () => {
  const state = stateOf(emptyModel, {own: {id: '7', acct: 'Ana'}});
  expect(compare(wantedBy("version: 1\nblocks: {must_not: ['7']}"), state, circumstances)).toMatchObject({differences: [], skipped: []});
});

test('suggests quoted commands for the same account', () => {
  const advice = adviceOf({profile: 'two', server: 'https://pix.example'}, {state: "it's.json"});
  const state = stateOf({...emptyModel, domains: ['x.example'], filters: [aFilter('Other', {id: '3', expiresAt: inDays(2)})]});
  const text =
    'version: 1\ndomain_blocks: {must: [bad.example], only: true}\nfilters: {must: [{title: New, context: [home], keywords: [a]}], must_not: [Other]}';
  const policy = wantedBy(text);
  const {differences: findings} = compare({...policy, policy: {...policy.policy, file: '-my policy.yml'}}, state, {now, advice});
  const account = '--profile=two --server=https://pix.example';
  expect(findings.map(({subject, fix}) => [subject, fix])).toEqual([
    ['bad.example', `pixelctl domain-blocks add bad.example ${account}`],
    ['x.example', `pixelctl domain-blocks remove x.example ${account}`],
    ['New', String.raw`pixelctl apply --state='it'\''s.json' ${account} -- '-my policy.yml'`],
    ['Other', `pixelctl filters delete 3 ${account}`],
  ]);
});

test('reports parts that could not be read, a bad answer first', () => {
  const gone = new Failure('not_found', 'No mutes here');
  const bad = new Failure('bad_answer', 'Not a list');
  const state = stateOf(emptyModel, {mutes: {failure: gone}, filters: {failure: bad}});
  const {differences: findings, skipped} = compare(wantedBy('version: 1\nmutes: {must: [bo]}\nfilters: {must: []}'), state, circumstances);
  expect(findings).toEqual([]);
  expect(skipped.map(skippedJson)).toEqual([
    {kind: 'filter', why: 'Not a list', code: 'bad_answer'},
    {kind: 'mute', why: 'No mutes here', code: 'not_found'},
  ]);
  expect(failureOfSkipped(skipped)).toBe(bad);
});

test('fails for rules about a part that was not read', () => {
  const unasked = stateOf(emptyModel, {domain_blocks: undefined});
  expect(() => compare(wantedBy('version: 1\ndomain_blocks: {must: [a.example]}'), unasked, circumstances)).toThrow(
    'What the server has of domain_block was not read',
  );
});
