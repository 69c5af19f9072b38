import {expect, test} from 'vitest';
import {sarif} from '../../../../src/lib/policy/reports/formats/sarif.js';
import type {AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {altered, clean, drifted, hostile, many, textOf} from './audits.js';
import {sarifMistakes} from './schemas.js';

const sarifReport = (reports: readonly AuditReport[]): string => textOf(sarif.render(reports));

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly message: {readonly text: string};
  readonly locations: readonly {
    readonly physicalLocation: {readonly artifactLocation: {readonly uri: string}; readonly region: {readonly startLine: number}};
  }[];
  readonly fingerprints: Readonly<Record<string, string>>;
}

interface Run {
  readonly tool: {readonly driver: {readonly rules: readonly {readonly id: string}[]}};
  readonly invocations: readonly {readonly executionSuccessful: boolean}[];
  readonly results: readonly Result[];
}

function runOf(reports: readonly AuditReport[]): Run {
  const {runs}: {readonly runs: readonly [Run]} = JSON.parse(sarifReport(reports));
  return runs[0];
}

test.each<[string, readonly AuditReport[]]>([
  ['one that agrees', [clean]],
  ['several', [clean, drifted, many]],
  ['hostile text', [hostile]],
  ['none', []],
])('matches the schema: %s', (_, reports) => {
  expect(sarifMistakes(sarifReport(reports))).toEqual([]);
});

test('checks with a schema that rejects other JSON', () => {
  expect(sarifMistakes(sarifReport([drifted]).replace('"startLine":3', '"startLine":0'))).not.toEqual([]);
  expect(sarifMistakes(sarifReport([drifted]).replace('"results"', '"outcomes"'))).not.toEqual([]);
});

test('writes the location and the rule of a result', () => {
  const {results, tool, invocations} = runOf([drifted]);
  const worse = results.find(({ruleId}) => ruleId === 'domain_blocks.must');
  expect(worse?.message.text).toBe(
    'worse.example on pix.example: wanted: blocked; actual: not blocked. Fix: pixelctl domain-blocks add worse.example',
  );
  expect(worse?.locations[0]?.physicalLocation).toEqual({artifactLocation: {uri: 'p.yml'}, region: {startLine: 3}});
  expect(results.map(({ruleIndex}) => tool.driver.rules[ruleIndex]?.id)).toEqual(results.map(({ruleId}) => ruleId));
  expect(invocations.map(({executionSuccessful}) => executionSuccessful)).toEqual([false]);
  expect(runOf([clean]).invocations[0]?.executionSuccessful).toBe(true);
});

test('keeps fingerprints when lines move, one for each finding and server', () => {
  const fingerprints = (reports: readonly AuditReport[]) => runOf(reports).results.map((result) => result.fingerprints['pixelctl/v1']);
  const moved = drifted.findings.map((finding) => altered(finding, {source: {...finding.source, line: finding.source.line + 7}}));
  const own = fingerprints([drifted]);
  expect(new Set(own).size).toBe(drifted.findings.length);
  expect(fingerprints([{...drifted, findings: moved}])).toEqual(own);
  expect(fingerprints([{...drifted, server: 'https://other.example'}]).filter((one) => own.includes(one))).toEqual([]);
});

test('escapes brackets and braces in messages', () => {
  const [result] = runOf([{...drifted, findings: drifted.findings.slice(0, 1).map((one) => altered(one, {subject: '[a](b){0}'}))}]).results;
  expect(result?.message.text).toMatch(/^\\\[a\\\]\(b\)\{\{0\}\} on /);
});

test.each([
  ['lists/a b.csv', 'lists/a%20b.csv'],
  ['c:d.yml', 'c%3Ad.yml'],
  ['/srv/p.yml', 'file:///srv/p.yml'],
  ['https://lists.example/a.csv', 'https://lists.example/a.csv'],
])('writes the URI of %s', (file, uri) => {
  const findings = drifted.findings.slice(0, 1).map((finding) => altered(finding, {source: {file, line: 1}}));
  expect(runOf([{...drifted, findings}]).results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
});
