/** The sentences of reports: counts and titles. */
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import {kindsText} from '../../../../src/lib/policy/rows/row-text.js';
import {auditCountsText, viewsOf, wantedText} from '../../../../src/lib/policy/reports/report.js';
import {clean, drifted, kindOf} from './audits.js';

const failure = new Failure('unavailable', 'no answer');
const agrees = (account: string): AuditReport => ({...clean, account});
const differs = (account: string): AuditReport => ({...drifted, failure: undefined, account});
const unseen = (account: string): AuditReport => ({...clean, account, failure});

test.each<[string, AuditReport]>([
  ['ana@pix.example agrees with p.yml', agrees('@ana')],
  ['pix.example agrees with p.yml', agrees('unknown')],
  ['ana@pix.example differs from p.yml', differs('@ana')],
  ['ana@pix.example could not be checked against p.yml', unseen('@ana')],
  [`${'x'.repeat(500)}… agrees with p.yml`, agrees(`@${'x'.repeat(600)}`)],
])('an audit has the title: %s', (title, report) => {
  expect(viewsOf([report], 1)[0]?.title).toBe(title);
});

test('kinds are counted in the order of their first ones', () => {
  const of = (...keys: string[]) => kindsText([keys.map((key) => ({kind: kindOf(key)}))]);
  expect(of()).toBe('');
  expect(of('filters', 'domain_blocks', 'domain_blocks')).toBe('1 filter, 2 domain blocks');
});

test('findings are counted in one line', () => {
  expect(auditCountsText(clean)).toBe('no findings');
  expect(auditCountsText({...clean, findings: drifted.findings.slice(0, 1)})).toBe('1 finding');
  expect(auditCountsText(drifted)).toBe('5 findings (1 by hand)');
});

test('what is wanted has what is said about it', () => {
  expect(wantedText({wanted: 'blocked'})).toBe('blocked');
  expect(wantedText({wanted: 'blocked', details: {severity: 'suspend', public_comment: 'spam'}})).toBe('blocked (suspend, “spam”)');
});
