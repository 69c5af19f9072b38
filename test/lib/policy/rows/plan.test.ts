/** The words of plans: lines, counts, headings and summaries. */
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {compareKind, comparisonOf} from '../../../../src/lib/policy/rows/compare.js';
import {
  countsText,
  headingOf,
  linesOf,
  type Plan,
  planClosing,
  planOf,
  plansText,
  summaryText,
} from '../../../../src/lib/policy/rows/plan.js';
import {plan as showPlan} from '../../../../src/lib/policy/reports/plans.js';
import {planDigest} from '../../../../src/lib/policy/rows/digest.js';
import {heldTexts} from '../../../../src/lib/policy/rows/row-text.js';
import {domainBlocks} from '../../../../src/lib/policy/sections/domain-blocks.js';
import {accountsOf, ana, compared, having, numbered, row} from '../compared.js';
import {wantedBy} from '../wanted.js';

const lifted = {set: 'blocked', found: null, since: '2026-11-19T12:00:00Z'};
const nothing = planOf(comparisonOf(ana, wantedBy('version: 1'), {states: {}}));
const lines = (changes: Plan['changes'] = [], cannot: Plan['changes'] = [], label?: string): Plan => ({
  ...nothing,
  changes,
  findings: [...changes, ...cannot],
  label,
});
const cannot = row('domain_blocks.must', 'top', 'cannot', {
  texts: {wanted: 'blocked as a whole', actual: 'not blocked', fix: 'drop top from must'},
});

test('a line has a sign, what changes, and the place that asks for it', () => {
  const plan = lines(
    [
      row('domain_blocks.must', 'one.example'),
      row('domain_blocks.lists', 'two.example', 'add', {
        why: {rule: 'domain_blocks.lists', where: 'a.csv:2', lists: ['a.csv:2', 'b.csv:7']},
        facts: {severity: 'suspend', public_comment: 'spam', private_comment: 'secret 7'},
      }),
      row('blocks.must', 'ana@pix.example', 'add', {byHand: lifted}),
      row('domain_blocks.only', 'three.example', 'remove', {
        why: {rule: 'no_longer_named', where: 'managed by this policy, which no longer names it'},
      }),
      row('admin_domain_blocks.must', 'four.example', 'update', {has: {severity: 'suspend'}, want: {severity: 'silence'}}),
    ],
    [cannot],
  );
  const all = [...linesOf(plan)];
  expect(all.join('\n')).not.toContain('secret 7');
  expect(all).toEqual([
    '+ domain block one.example  # domain_blocks.must: p.yml:3',
    '+ domain block two.example: suspend, “spam”  # domain_blocks.lists: a.csv:2, b.csv:7',
    '+ account block @ana  # blocks.must: p.yml:3; lifted by hand since the apply of 2026-11-19',
    '- domain block three.example  # managed by this policy, which no longer names it',
    '~ server block four.example: suspended -> silenced  # admin_domain_blocks.must: p.yml:3',
    '! domain block top: not blocked, wanted blocked as a whole;  drop top from must  # p.yml:3',
  ]);
  expect([...linesOf({...plan, showsPrivate: true})].join('\n')).toContain('secret 7');
});

const add = row('domain_blocks.must', 'one.example');
const gone = row('domain_blocks.must_not', 'two.example', 'remove');
const update = row('filters.must', 'Ads', 'update', {byHand: {...lifted, found: 'in home'}});

test.each<[Plan[], string, string]>([
  [[], 'nothing to do', 'Plan: 0 to add, 0 to change, 0 to remove.'],
  [[lines()], 'nothing to do', 'Plan: 0 to add, 0 to change, 0 to remove.'],
  [
    [lines([add, add, gone], [cannot]), lines([add], [cannot])],
    '3 to add, 1 to remove, 2 that pixelctl cannot change',
    'Plan: 3 to add, 0 to change, 1 to remove, 2 that pixelctl cannot change.',
  ],
  [
    [lines([update])],
    '1 to change; 1 of these takes back what was lifted or made weaker by hand',
    'Plan: 0 to add, 1 to change, 0 to remove; 1 of these takes back what was lifted or made weaker by hand.',
  ],
  [[lines(Array.from({length: 1234}, () => add))], '1,234 to add', 'Plan: 1,234 to add, 0 to change, 0 to remove.'],
])('plans are counted together', (plans, counts, closing) => {
  expect([countsText(plans), planClosing(plans)]).toEqual([counts, closing]);
});

describe('plans of several accounts', () => {
  const noun = ['account', 'accounts'] as const;
  const terminal = {isTerminal: false, color: false, width: 80} as const;
  const plans: readonly Plan[] = [
    lines([add], [], 'ana@pix.example'),
    lines([], [], 'ben@pix.example'),
    {...lines([], [], 'clara@two.example'), failure: new Failure('unavailable', 'no answer')},
  ];

  test('have headings, blank lines after lines, and a summary', () => {
    expect([...plansText(plans, noun, terminal)].join('')).toBe(
      [
        'ana@pix.example: 1 to add',
        '+ domain block one.example  # domain_blocks.must: p.yml:3',
        '',
        'ben@pix.example: nothing to do',
        'clara@two.example: error: no answer',
        '3 accounts: 1 to add; 1 account failed',
        '',
      ].join('\n'),
    );
  });

  test('are the summary alone where nobody has anything to do', () => {
    const idle = plans.slice(1, 2);
    expect([...plansText([...idle, ...idle], noun, terminal)].join('')).toBe('2 accounts: nothing to do\n');
  });

  test('are told one by one, and together', () => {
    expect(plans.map(headingOf)).toEqual([
      'ana@pix.example: 1 to add',
      'ben@pix.example: nothing to do',
      'clara@two.example: error: no answer',
    ]);
    expect(summaryText(plans, noun)).toBe('3 accounts: 1 to add; 1 account failed');
    expect(summaryText([lines([update])], noun)).toBe(
      '1 account: 1 to change; 1 of these takes back what was lifted or made weaker by hand',
    );
  });

  test('the plan of one account is its lines alone, all of them', () => {
    const many = lines(numbered(2500).map((name) => row('domain_blocks.must', name)));
    const text = [...plansText([many], undefined, terminal)].join('');
    expect(text.match(/^\+ domain block d\d+\.example/gm)).toHaveLength(2500);
    expect(text.split('\n')).toHaveLength(2501);
  });
});

describe('the plan of an account', () => {
  const policy = `domain_blocks:
  must: [a.example, b.example]
  must_not: [bad.example]
  lists: [{file: l.csv}]
  limit: 2
filters: {must: [{title: Ads, context: [home], keywords: [buy]}]}`;

  test('has changes as JSON, what the policy has no room for, and the digest', async () => {
    const plan = planOf(await compared(policy, {domain_blocks: ['bad.example']}, {lists: {'l.csv': 'domain\nc.example\nbad.example\n'}}));
    expect(plan.changes.map(({action, kind, name}) => [action, kind.key, name])).toEqual([
      ['remove', 'domain_blocks', 'bad.example'],
      ['add', 'domain_blocks', 'a.example'],
      ['add', 'domain_blocks', 'b.example'],
      ['add', 'filters', 'Ads'],
    ]);
    let text = '';
    const write: Parameters<typeof showPlan>[2]['write'] = async (textOf) => void (text = [...(await textOf('json'))].join(''));
    const terminal = {isTerminal: false, color: false, width: 80};
    await showPlan(plan.given, accountsOf(having({domain_blocks: ['bad.example']})), {terminal, hasFields: false, write});
    const document = JSON.parse(text);
    expect(document).toMatchObject({
      server: 'https://pix.example',
      account: '@ana',
      policy: 'p.yml',
      digest: planDigest([plan]),
      lists: [{list: 'l.csv', entries: 2}],
      skipped: [{kind: 'domain_block', subject: 'c.example', code: 'limit', rule: 'domain_blocks.limit', where: 'p.yml:6'}],
    });
    expect(document).not.toHaveProperty('guards');
    expect(heldTexts(plan)).toEqual(['Held back: domain block c.example: the policy allows 2 blocked domains (p.yml:6)']);
  });

  test('what could not be read is one failure: a bad answer first', async () => {
    const comparison = await compared(policy);
    const failureOf = (...failures: readonly Failure[]) => {
      const unread = comparison.kinds.flatMap(({kind}, index) => failures.slice(index, index + 1).map((failure) => ({kind, failure})));
      return comparisonOf(ana, comparison.given, {unread}).failure;
    };
    const down = new Failure('unavailable', 'The server is down', {status: 503});
    const message = 'Cannot read the domain blocks of pix.example: The server is down';
    expect(failureOf(down, down)).toMatchObject({code: 'unavailable', message, details: {status: 503}});
    expect(failureOf(down, new Failure('bad_answer', 'Not a list'))?.message).toBe('Cannot read the filters of pix.example: Not a list');
  });
});

test('accounts that lack the same domain share its row, as there may be very many', async () => {
  const given = wantedBy('version: 1\ndomain_blocks: {must: [one.example]}');
  const compare = () => compareKind(domainBlocks, {items: new Map()}, {given, target: ana, states: undefined});
  const [[mine], [others]] = [(await compare()).rows, (await compare()).rows];
  expect(mine).toMatchObject({action: 'add', name: 'one.example'});
  expect(mine).toBe(others);
});
