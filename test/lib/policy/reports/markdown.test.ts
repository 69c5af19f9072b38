/** Markdown: folded tables, in which no text of a server is markup. */
import {expect, test} from 'vitest';
import type {AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import {write as markdown} from '../../../../src/lib/policy/reports/formats/markdown.js';
import {row} from '../compared.js';
import {clean, drifted, hostile, reported, withFindings} from './audits.js';

const markdownReport = (...reports: readonly AuditReport[]): string => markdown(reported(...reports));

test('writes two lines for an audit without findings', () => {
  expect(markdownReport(clean)).toBe('## ✅ ana&#64;pix.example agrees with p.yml\n\nno findings\n');
});

test('writes findings as folded tables', () => {
  const text = markdownReport(drifted);
  expect(text).toContain('## ❌ ana&#64;pix.example differs from p.yml\n\n5 findings &#40;1 by hand&#41;\n\n**Not checked**: Not a list\n');
  expect(text).toContain('<details><summary><b>1 filter</b></summary>');
  expect(text).toContain(
    '| worse.example | blocked | not blocked | domain&#95;blocks.must | p.yml&#58;3 | pixelctl domain-blocks add worse.example |',
  );
  expect(text).toContain('<b>Left as it is: 1</b>');
});

test('escapes markup, links and mentions of servers', () => {
  const rows = markdownReport(hostile).match(/^\|.*\|$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(hostile.findings.length);
  for (const one of rows) {
    expect(one.split(/ \| /).length).toBe(6);
    expect(one.replaceAll(/&#\d+;/g, '')).not.toMatch(/[<>@[\]`*_:\\]|www\./);
  }
  expect(markdownReport(withFindings([row('domain_blocks.must', 'www.evil.example')]))).toContain('www&#46;evil.example');
});
