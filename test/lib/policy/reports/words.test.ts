/** The sentences of reports: counts, verdicts, titles. */
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import {kindsText} from '../../../../src/lib/policy/rows/row-text.js';
import {auditCountsText, ruleText, short, verdictOfAll, verdictText, wantedText} from '../../../../src/lib/policy/reports/report-text.js';
import {clean, drifted, kindOf} from './audits.js';

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
});

test('kinds are counted in the order of their first ones', () => {
  const of = (...keys: string[]) => kindsText(keys.map((key) => ({kind: kindOf(key)})));
  expect(of()).toBe('');
  expect(of('filters', 'domain_blocks', 'domain_blocks')).toBe('1 filter, 2 domain blocks');
});

test('findings are counted in one line', () => {
  expect(auditCountsText(clean)).toBe('no findings');
  expect(auditCountsText({...clean, findings: drifted.findings.slice(0, 1)})).toBe('1 finding');
  expect(auditCountsText(drifted)).toBe('5 findings (1 by hand)');
});

test.each([
  ['domain_blocks.must', 'Domains that must be blocked.'],
  ['no_longer_named', 'The policy manages these, and no longer names them.'],
  ['hugs.must', 'The policy asks for this.'],
  ['', 'The policy asks for this.'],
])('the rule %s is a sentence', (rule, sentence) => {
  expect(ruleText(rule)).toBe(sentence);
});

test('what is wanted has what is said about it', () => {
  expect(wantedText({wanted: 'blocked'})).toBe('blocked');
  expect(wantedText({wanted: 'blocked', details: {severity: 'suspend', public_comment: 'spam'}})).toBe('blocked (suspend, “spam”)');
});

test('a text is short and inert', () => {
  expect([short('abc', 3), short('abcd', 3)]).toEqual(['abc', 'abc…']);
  expect(short('a\nb\u001b', 100)).not.toMatch(/\p{Cc}/u);
});
