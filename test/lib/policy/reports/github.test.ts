import type {AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {expect, test} from 'vitest';
import {github} from '../../../../src/lib/policy/reports/formats/github.js';
import {altered, clean, drifted, hostile, many, textOf} from './audits.js';

const githubReport = (reports: readonly AuditReport[]): string => textOf(github.render(reports));

const lines = (text: string) => text.trimEnd().split('\n');

test('annotates the line of the rule', () => {
  const annotations = lines(githubReport([drifted]));
  expect(annotations).toHaveLength(8);
  expect(annotations).toContain(
    '::error file=p.yml,line=3,title=domain_blocks.must%3A worse.example::pix.example: wanted: blocked; actual: not blocked; fix: pixelctl domain-blocks add worse.example',
  );
  expect(annotations[0]).toBe('::error file=p.yml,title=mute could not be checked::pix.example: Not a list');
  expect(annotations.at(-1)).toBe('::notice title=pix.example differs from p.yml::6 findings, 3 rules hold, 2 rules were not checked');
  expect(lines(githubReport([clean]))).toEqual(['::notice title=pix.example agrees with p.yml::no findings, 9 rules hold']);
});

test('writes no more annotations than GitHub shows', () => {
  const annotations = lines(githubReport([many]));
  expect(annotations.filter((line) => line.startsWith('::error'))).toHaveLength(10);
  expect(annotations).toContain('::error title=pixelctl audit::and 291 more: see the other reports');
});

test('writes no file for a list on the web', () => {
  const findings = drifted.findings.slice(0, 1).map((one) => altered(one, {source: {file: 'https://lists.example/a.csv', line: 2}}));
  expect(githubReport([{...drifted, findings}])).toContain('::error title=domain_blocks.lists%3A two.example::');
});

test('escapes text of servers in commands and properties', () => {
  const text = githubReport([hostile]);
  for (const line of lines(text)) {
    expect(line).toMatch(/^::(error|notice) (file=[^:,]*,)?(line=\d+,)?title=[^:,]*::/);
    expect(line.length).toBeLessThan(1600);
  }
  expect(text).toContain('%250A');
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});
