import type {AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {expect, test} from 'vitest';
import {markdown} from '../../../../src/lib/policy/reports/formats/markdown.js';
import {altered, clean, drifted, hostile, many, textOf} from './audits.js';

const markdownReport = (reports: readonly AuditReport[]): string => textOf(markdown.render(reports));

test('writes two lines for an audit without findings', () => {
  expect(markdownReport([clean])).toBe('## ✅ pix.example agrees with p.yml\n\nana: no findings, 9 rules hold\n');
});

test('writes findings as collapsed tables', () => {
  const text = markdownReport([drifted]);
  expect(text).toContain('## ❌ pix.example differs from p.yml\n\nana: 6 findings, 3 rules hold, 2 rules were not checked\n');
  expect(text).toContain('<details><summary><b>filters.must</b>: 2 findings</summary>');
  expect(text).toContain('| worse.example | blocked | not blocked | p.yml&#58;3 | pixelctl domain-blocks add worse.example |');
  expect(text).toContain('<b>Not checked</b>: 1');
});

test('the Markdown report counts all findings and shows the first ones', () => {
  const text = markdownReport([many]);
  expect(text.match(/^\| own/gm)).toHaveLength(40);
  expect(text.match(/^\| (?:both|first|second)/gm)).toHaveLength(50);
  expect(text).toContain('… and 210 more');
});

test('escapes markup, links and mentions of servers', () => {
  const rows = markdownReport([hostile]).match(/^\|.*\|$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(hostile.findings.length);
  for (const row of rows) {
    expect([3, 5]).toContain(row.split(/ \| /).length);
    expect(row.replaceAll(/&#\d+;/g, '')).not.toMatch(/[<>@[\]`*_:\\]|www\./);
  }
  const findings = drifted.findings.slice(0, 1).map((one) => altered(one, {subject: 'www.evil.example'}));
  expect(markdownReport([{...drifted, findings}])).toContain('www&#46;evil.example');
});
