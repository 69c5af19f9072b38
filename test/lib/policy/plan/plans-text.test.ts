/** Plans as a whole, for people; both sides of a comparison by severity; comments of several lists in one. */
import {expect, test} from 'vitest';
import {differencesBetween, moderationOfList, moderationOfPolicy, moderationOfState} from '../../../../src/lib/policy/diff.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {
  areSameFacts,
  blocked,
  type DomainFacts,
  mergeFacts,
  type MergePlan,
  sentFacts,
} from '../../../../src/lib/policy/model/domain-facts.js';
import {plansText, type AccountPlan} from '../../../../src/lib/policy/plan/plan-text.js';
import {now} from '../model-server.js';
import {server, stateOf as stateOfServer} from '../sections/server-blocks.js';
import {wantedBy} from '../wanted.js';

const add = (subject: string): Change => ({action: 'add', kind: 'domain_block', subject, details: {}, reason: 'must', because: 'p.yml:1'});
const terminal = {isTerminal: false, color: false, width: 80, hyperlinks: false, unicode: true};
const text = (areNamed: boolean, ...plans: readonly AccountPlan[]) => [...plansText(plans, {areNamed, terminal})].join('');
const line = (subject: string) => `+ domain block ${subject}  # p.yml:1\n`;

test('a plan of one account is its lines alone', () => {
  expect(text(false, {account: 'a', plan: {changes: [add('one.example'), add('two.example')]}})).toBe(
    line('one.example') + line('two.example'),
  );
  expect(text(false, {account: 'a', plan: undefined})).toBe('');
});

test('plans of several accounts have headings, blank lines after lines, and a summary', () => {
  const changes = [add('one.example')];
  expect(
    text(true, {account: 'a', plan: {changes}}, {account: 'b', plan: {changes: []}}, {account: 'c', plan: undefined, why: 'no token'}),
  ).toBe(
    `a: 1 to add\n${line('one.example')}\nb: nothing to do\nc: error: no token\n\n3 accounts: 1 to add; 1 account has nothing to do; 1 account failed\n`,
  );
  expect(text(true, {account: 'a', plan: undefined}, {account: 'b', plan: {changes}})).toBe(
    `a: error: it could not be read\n\nb: 1 to add\n${line('one.example')}\n2 accounts: 1 to add; 1 account failed\n`,
  );
});

test('where no account has anything to do, the summary alone is shown', () => {
  const idle = {changes: [], cannot: []};
  expect(text(true, {account: 'a', plan: idle}, {account: 'b', plan: {changes: []}})).toBe('2 accounts: nothing to do\n');
  expect(text(true, {account: 'a', plan: idle}, {account: 'b', plan: undefined, why: 'no'})).toBe(
    'a: nothing to do\nb: error: no\n\n2 accounts: nothing to do; 1 account failed\n',
  );
});

test('what cannot be changed is something to do, as many as changes', () => {
  const cannot = {
    kind: 'unchecked',
    subject: 'x',
    rule: 'domain_blocks.protect_followed',
    wanted: '1',
    actual: '2',
    source: 'p.yml:1',
    fix: '',
  } as const;
  const told = text(true, {account: 'a', plan: {changes: [add('one.example')], cannot: [cannot]}}, {account: 'b', plan: {changes: []}});
  expect(told).toContain(line('one.example'));
  expect(told).toMatch(/1 account has nothing to do\n$/);
});

test('of groups with as many accounts, the one with more changes comes first', () => {
  const [few, more] = [3, 4].map((count) => ({changes: Array.from({length: count}, (_, index) => add(`d${index}-of-${count}.example`))}));
  const plans = [few, few, more, more].map((plan, index): AccountPlan => ({account: String(index), plan}));
  const headings = [...text(true, ...plans).matchAll(/^(.*): (\d) to add$/gm)].map(([, who, count]) => [who, count]);
  expect(headings.map(([, count]) => count)).toEqual(['4', '3']);
});

test('very many lines are all there', () => {
  const changes = Array.from({length: 2001}, (_, index) => add(`d${index}.example`));
  expect(text(false, {account: 'a', plan: {changes}}).split('\n')).toHaveLength(2002);
});

test('blocks of servers are compared by their severities', () => {
  const state = moderationOfState(
    stateOfServer(
      server('mastodon', {'a.example': {severity: 'silence'}, 'b.example': {reject_media: true}, 'n.example': {severity: 'noop'}}),
    ),
    now,
  );
  const policy = moderationOfPolicy(
    wantedBy('version: 1\nadmin_domain_blocks: {must: [a.example, {domain: c.example, severity: silence}]}'),
    'pix.example',
  );
  expect(differencesBetween(state, policy)).toEqual([
    {kind: 'admin_domain_block', subject: 'a.example', left: 'silence', right: 'suspend'},
    {kind: 'admin_domain_block', subject: 'b.example', left: 'suspend', right: null},
    {kind: 'admin_domain_block', subject: 'c.example', left: null, right: 'silence'},
  ]);
  const list = readList('domain,severity\na.example,silence\nb.example,silence\nx.example,noop\n', 'l');
  expect(differencesBetween(state, moderationOfList(list, 'pix.example'))).toEqual([
    {kind: 'admin_domain_block', subject: 'b.example', left: 'suspend', right: 'silence'},
  ]);
});

const plan = (comments: 'first' | 'joined', severity: 'highest' | 'lowest') => ({comments, severity}) as const;
const one = {severity: 'silence', public_comment: 'Spam', reject_media: true, obfuscate: false} as const;
const other = {severity: 'suspend', public_comment: 'Ads', private_comment: 'Note', reject_media: false, reject_reports: true} as const;

test.each<[DomainFacts[], MergePlan, DomainFacts]>([
  [[one], plan('joined', 'highest'), one],
  [[one, {...blocked}], plan('joined', 'lowest'), {severity: 'silence', public_comment: 'Spam', reject_media: true, obfuscate: false}],
  [
    [one, other],
    plan('first', 'highest'),
    {severity: 'suspend', public_comment: 'Spam', private_comment: 'Note', reject_media: true, reject_reports: true, obfuscate: false},
  ],
  [
    [one, other],
    plan('first', 'lowest'),
    {severity: 'silence', public_comment: 'Spam', private_comment: 'Note', reject_media: false, reject_reports: true, obfuscate: false},
  ],
])('what lists say, %j, is merged by %j', (all, how, merged) => {
  expect(mergeFacts(all, how)).toEqual(merged);
  expect(areSameFacts(mergeFacts(all, how), {...merged})).toBe(true);
  expect(areSameFacts(mergeFacts(all, how), {...merged, severity: 'noop'})).toBe(false);
});

test('comments are sent in one, in their own places, or not at all', () => {
  expect(sentFacts(other, 'both')).toEqual({severity: 'suspend', public_comment: 'Ads', private_comment: 'Note', reject_reports: true});
  expect(sentFacts(other, 'none')).toEqual({severity: 'suspend', reject_reports: true});
  expect(sentFacts(one, 'private')).toEqual({severity: 'silence', private_comment: 'Spam', reject_media: true});
  const joined = sentFacts(other, 'private').private_comment ?? '';
  expect([joined.includes('Ads'), joined.includes('Note'), joined.length > 'AdsNote'.length]).toEqual([true, true, true]);
  expect(sentFacts({severity: 'suspend', public_comment: 'Same', private_comment: 'Same'}, 'private').private_comment).toBe('Same');
});
