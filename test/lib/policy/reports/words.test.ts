/** The sentences of reports: counts, verdicts, titles. */
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {Skipped} from '../../../../src/lib/policy/model/difference.js';
import type {AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {comparedWith, newFirst, numbered, statusOf} from '../../../../src/lib/policy/reports/since.js';
import {
  auditedName,
  auditCountsText,
  kindsText,
  ruleText,
  short,
  sinceText,
  skippedTitle,
  subjectNames,
  titleOf,
  verdictOfAll,
  verdictText,
  wantedText,
} from '../../../../src/lib/policy/reports/text.js';
import {findingJson} from '../../../../src/lib/policy/model/difference.js';
import {altered, clean, drifted} from './audits.js';

const failure = new Failure('unavailable', 'no answer');
const agrees = (account: string, server = 'https://pix.example'): AuditReport => ({...clean, account, server});
const differs = (account: string, server?: string): AuditReport => ({...drifted, failure: undefined, ...agreesAs(account, server)});
const agreesAs = (account: string, server = 'https://pix.example') => ({account, server});
const unseen = (account: string): AuditReport => ({...clean, account, ok: false, failure});
const both = (account: string): AuditReport => ({...drifted, account, failure});

test.each<[string, readonly AuditReport[]]>([
  ['Nothing was compared', []],
  ['ana@pix.example agrees with the policy', [agrees('@ana')]],
  ['pix.example agrees with the policy', [agrees('unknown')]],
  ['pix.example agrees with the policy', [agrees('pix.example')]],
  ['ana@pix.example agrees with the policies', [agrees('@ana'), {...agrees('@ana'), policy: 'q.yml'}]],
  ['ana@pix.example differs from the policy', [differs('@ana')]],
  ['ana@pix.example could not be checked completely', [unseen('@ana')]],
  ['ana@pix.example differs from the policy, and could not be checked completely', [both('@ana')]],
  ['ana@pix.example differs from the policies', [differs('@ana'), {...agrees('@ana'), policy: 'q.yml'}]],
  ['Both accounts agree with the policy', [agrees('@ana'), agrees('@bo')]],
  ['Both accounts differ from the policy', [differs('@ana'), differs('@bo')]],
  ['Both accounts could not be checked completely', [unseen('@ana'), unseen('@bo')]],
  ['1 of 2 accounts differs from the policy', [differs('@ana'), agrees('@bo')]],
  ['1 of 2 accounts could not be checked completely', [unseen('@ana'), agrees('@bo')]],
  ['1 of 2 accounts differs from the policy, and 1 could not be checked completely', [differs('@ana'), unseen('@bo')]],
  ['All 3 accounts agree with the policy', ['@a', '@b', '@c'].map((one) => agrees(one))],
  ['2 of 3 accounts differ from the policy', [differs('@a'), differs('@b'), agrees('@c')]],
  ['2 of 3 accounts could not be checked completely', [unseen('@a'), unseen('@b'), agrees('@c')]],
  ['1 of 3 accounts differs from the policy, and 2 could not be checked completely', [both('@a'), unseen('@b'), agrees('@c')]],
  ['Both servers agree with the policy', [agrees('pix.example'), agrees('b.example', 'https://b.example')]],
  ['1 of 2 accounts and servers differs from the policy', [agrees('pix.example'), differs('@bo')]],
  ['All 1,200 accounts agree with the policy', Array.from({length: 1200}, (_, index) => agrees(`@a${index}`))],
])('all audits come to: %s', (verdict, reports) => {
  expect(verdictOfAll(reports)).toBe(verdict);
});

test('a long name is cut in a sentence', () => {
  expect(verdictOfAll([agrees(`@${'x'.repeat(300)}`)])).toBe(`${'x'.repeat(200)}… agrees with the policy`);
});

test('an audit agrees, differs or could not be checked', () => {
  expect([clean, drifted, unseen('@ana')].map(verdictText)).toEqual(['agrees with', 'differs from', 'could not be checked against']);
  expect([agrees('@ana'), agrees('unknown'), agrees('pix.example')].map(auditedName)).toEqual([
    'ana@pix.example',
    'pix.example',
    'pix.example',
  ]);
});

test('accounts are named where there are several of a server', () => {
  const names = (...reports: readonly AuditReport[]) => reports.map(subjectNames(reports));
  expect(names(agrees('@ana'))).toEqual(['pix.example']);
  expect(names(agrees('@ana'), {...agrees('@ana'), policy: 'q.yml'})).toEqual(['pix.example', 'pix.example']);
  expect(names(agrees('@ana'), agrees('@bo', 'https://b.example'))).toEqual(['pix.example', 'b.example']);
  expect(names(agrees('@ana'), agrees('@bo'), agrees('@clara', 'https://b.example'))).toEqual([
    'ana@pix.example',
    'bo@pix.example',
    'clara@b.example',
  ]);
});

test('kinds are counted in the order of their first ones', () => {
  const of = (...kinds: ('block' | 'domain_block' | 'filter' | 'unchecked')[]) => kindsText(kinds.map((kind) => ({kind})));
  expect(of()).toBe('');
  expect(of('filter', 'domain_block', 'domain_block')).toBe('1 filter, 2 domain blocks');
  expect(of('unchecked')).toBe('1 rule that cannot be checked');
  expect(of('unchecked', 'block', 'unchecked')).toBe('2 rules that cannot be checked, 1 account block');
  expect([titleOf('filter'), titleOf('unchecked')]).toEqual(['Filters', 'Cannot be checked here']);
});

test('findings and rules are counted in one line', () => {
  const [one] = drifted.findings;
  const [held, unchecked] = [clean.rules.slice(0, 1), clean.rules.slice(0, 1).map((rule) => ({...rule, outcome: 'unchecked' as const}))];
  expect(auditCountsText({...clean, rules: []})).toBe('no findings, 0 rules hold');
  expect(auditCountsText({...clean, rules: [...held, ...unchecked]})).toBe('no findings, 1 rule holds, 1 rule was not checked');
  expect(auditCountsText({...clean, findings: one ? [one] : [], rules: [...unchecked, ...unchecked]})).toBe(
    '1 finding, 0 rules hold, 2 rules were not checked',
  );
});

test.each([
  ['domain_blocks.must', 'These domains must be blocked.'],
  ['policy', 'The policy must be complete and without mistakes.'],
  ['no_longer_named', 'The policy manages these, and no longer names them, or their `until` date has passed.'],
  ['hugs.must', 'The policy asks for this.'],
  ['', 'The policy asks for this.'],
])('the rule %s is a sentence', (rule, sentence) => {
  expect(ruleText(rule)).toBe(sentence);
});

test('what was not compared has a title', () => {
  const source = {file: 'p.yml', line: 1};
  const skipped = (how?: 'kept' | 'unknown'): Skipped => ({kind: 'domain_block', why: '', heldBy: {rule: 'r', source, how}});
  const unread: Skipped = {kind: 'mute', why: '', failure};
  expect(
    [[unread], [skipped('unknown')], [skipped(), skipped('kept')], [skipped(), unread], [skipped(), skipped('unknown')]].map(skippedTitle),
  ).toEqual(['Not checked', 'Not checked', 'Held back', 'Not checked or held back', 'Not checked or held back']);
});

test('what is wanted has what is said about it', () => {
  const [finding] = drifted.findings.map((one) => altered(one, {wanted: 'blocked'}));
  if (finding === undefined) throw new Error('there is no finding');
  expect(wantedText(finding)).toBe('blocked');
  expect(wantedText({...finding, details: {}})).toBe('blocked');
  expect(wantedText({...finding, details: {public_comment: 'spam'}})).toBe('blocked (“spam”)');
});

test('a text is short and inert', () => {
  expect([short('abc', 3), short('abcd', 3)]).toEqual(['abc', 'abc…']);
  expect(short('a\nb\u001b', 100)).not.toMatch(/\p{Cc}/u);
});

describe('since an earlier report', () => {
  const [first, second, third] = drifted.findings;
  if (first === undefined || second === undefined || third === undefined) throw new Error('the audit has other findings');
  const findings = [first, second, third];
  const earlier = (had: typeof findings, more: object = {}) => ({
    file: 'last.json',
    audits: [
      {
        server: clean.server,
        account: '@ana',
        policy: './p.yml',
        findings: had.map((one) => findingJson(one)),
        skipped: [],
        unread: [],
        ...more,
      },
    ],
  });
  const audited = {server: clean.server, account: '@ana', policy: 'p.yml', findings, skipped: []};

  test('what is new, open, resolved or unread is told apart', () => {
    const gone = altered(first, {subject: 'gone.example'});
    const hidden = altered(first, {kind: 'mute', subject: 'hidden'});
    const {since, remarks} = comparedWith(earlier([second, gone, hidden]), {...audited, skipped: [{kind: 'mute', why: '', failure}]}, true);
    expect(findings.map((one) => statusOf({since}, one))).toEqual(['new', 'open', 'new']);
    expect(statusOf({}, first)).toBeUndefined();
    expect(newFirst(findings, {since})).toEqual([first, third, second]);
    expect(newFirst(findings, {})).toBe(findings);
    expect([since.resolved, since.unread].map((some) => some.map(({subject}) => subject))).toEqual([['gone.example'], ['hidden']]);
    expect([since.file, since.isOpenAccepted, remarks]).toEqual(['last.json', true, []]);
    expect(sinceText({since, findings})).toBe('since last.json: 2 new, 1 still open, 1 resolved, 1 not checked');
    expect(sinceText({findings})).toBe('');
  });

  test('what nobody knows about is unread, and not resolved', () => {
    const gone = altered(first, {subject: 'gone.example'});
    const source = {file: 'p.yml', line: 1};
    const skipped = (how: 'kept' | 'unknown') => [{kind: gone.kind, subject: gone.subject, why: '', heldBy: {rule: 'r', source, how}}];
    const unread = (how: 'kept' | 'unknown') =>
      comparedWith(earlier([gone]), {...audited, skipped: skipped(how)}, false).since.unread.length;
    expect([unread('unknown'), unread('kept')]).toEqual([1, 0]);
  });

  test.each<[string, object, boolean]>([
    ['the same account', {}, true],
    ['another account', {account: '@bo'}, false],
    ['another server', {server: 'https://b.example'}, false],
    ['another policy', {policy: 'q.yml'}, false],
    ['an account that was not known', {account: 'unknown'}, true],
  ])('an earlier audit of %s is the one before, or not', (_, more, isFound) => {
    const {since, remarks} = comparedWith(earlier(findings, more), audited, false);
    expect(since.added.size).toBe(isFound ? 0 : 3);
    expect(remarks).toEqual(isFound ? [] : ['last.json has no audit of this account and policy: everything counts as new']);
  });

  test('what the earlier audit could not check counts as new, and is said', () => {
    const more = {skipped: [{kind: first.kind, code: 'unavailable'}, {kind: 'mute', code: 'unavailable'}, {kind: second.kind}]};
    expect(comparedWith(earlier([], more), audited, false).remarks).toEqual([
      `last.json could not check ${first.kind}: its differences count as new`,
    ]);
    const passedOn = {...more, unread: [findingJson(first)]};
    expect(comparedWith(earlier([], passedOn), audited, false).remarks).toEqual([]);
  });

  test('the second of one key is numbered', () => {
    expect([...numbered(['a', 'b', 'a', 'a'], (one) => one)].map(([key]) => key)).toEqual(['a', 'b', 'a:2', 'a:3']);
  });
});
