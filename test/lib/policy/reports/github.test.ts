/** Annotations for GitHub: at the lines of the policy, and no more than GitHub shows. */
import {expect, test} from 'vitest';
import type {AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import {write as github} from '../../../../src/lib/policy/reports/formats/github.js';
import {row} from '../compared.js';
import {clean, drifted, hostile, many, reported, withFindings} from './audits.js';

const lines = (...reports: readonly AuditReport[]) =>
  github(reported(...reports))
    .trimEnd()
    .split('\n');

test('annotates the line of the rule', () => {
  const annotations = lines(drifted);
  expect(annotations).toHaveLength(7);
  expect(annotations[0]).toBe('::error file=p.yml,title=mute could not be checked::ana@pix.example: Not a list');
  expect(annotations).toContain(
    '::error file=p.yml,line=3,title=domain_blocks.must%3A worse.example::ana@pix.example: wanted: blocked; actual: not blocked; fix: pixelctl domain-blocks add worse.example',
  );
  expect(annotations.find((line) => line.includes('two.example'))).toContain('; named by lists/a.csv:3, lists/b.csv:2; ');
  expect(annotations.at(-1)).toBe('::notice title=ana@pix.example differs from p.yml::5 findings (1 by hand)');
  expect(lines(clean)).toEqual(['::notice title=ana@pix.example agrees with p.yml::no findings']);
});

test('writes no more annotations than GitHub shows, and one of each kind', () => {
  const annotations = lines(withFindings([...many.findings, row('filters.must', 'Spoilers')]));
  expect(annotations.filter((line) => line.startsWith('::error'))).toHaveLength(10);
  expect(annotations.filter((line) => line.includes('Spoilers'))).toHaveLength(1);
  expect(annotations).toContain('::error title=pixelctl audit::and 5,992 more: see the other reports');
});

test('what is still open is a warning, counted apart', () => {
  const findings = many.findings.slice(0, 30);
  const since = {file: 'last.json', added: new Set(findings.slice(0, 2)), resolved: [], unread: [], isOpenAccepted: true};
  const annotations = lines({...withFindings(findings), since});
  expect(annotations.filter((line) => line.startsWith('::error') && line.includes(': new: '))).toHaveLength(2);
  expect(annotations.filter((line) => line.startsWith('::warning') && line.includes(': still open: '))).toHaveLength(9);
  expect(annotations).toContain('::warning title=pixelctl audit::and 19 more: see the other reports');
});

test('writes no file for a list on the web', () => {
  const findings = [
    row('domain_blocks.lists', 'two.example', 'add', {why: {rule: 'domain_blocks.lists', where: 'https://lists.example/a.csv:2'}}),
  ];
  expect(lines(withFindings(findings))[0]).toMatch(/^::error title=domain_blocks\.lists%3A two\.example::/);
});

test('escapes text of servers in commands and properties', () => {
  for (const line of lines(hostile)) {
    expect(line).toMatch(/^::(error|notice) (file=[^:,]*,)?(line=\d+,)?title=[^:,]*::/);
    expect(line.length).toBeLessThan(1600);
  }
  expect(lines(hostile).join('\n')).toContain('%250A');
});
