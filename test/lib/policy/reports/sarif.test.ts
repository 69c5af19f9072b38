/** SARIF: results that code scanning knows again, on whatever line they are. */
import {expect, test} from 'vitest';
import type {AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import type {Row} from '../../../../src/lib/policy/sections/policy-kind.js';
import {write as sarif} from '../../../../src/lib/policy/reports/formats/sarif.js';
import {viewsOf} from '../../../../src/lib/policy/reports/report.js';
import {row} from '../compared.js';
import {clean, drifted, many, withFindings} from './audits.js';
import {sarifMistakes} from './schemas.js';

const sarifReport = (...reports: readonly AuditReport[]): string => sarif(viewsOf(reports, 4000));

interface Result {
  readonly ruleId: string;
  readonly baselineState?: string;
  readonly message: {readonly text: string};
  readonly locations: readonly {
    readonly physicalLocation: {readonly artifactLocation: {readonly uri: string}; readonly region: {readonly startLine: number}};
  }[];
  readonly relatedLocations?: readonly unknown[];
  readonly fingerprints: Readonly<Record<string, string>>;
}

interface Run {
  readonly tool: {readonly driver: {readonly rules: readonly {readonly id: string}[]}};
  readonly invocations: readonly {readonly executionSuccessful: boolean; readonly toolExecutionNotifications: readonly unknown[]}[];
  readonly results: readonly Result[];
}

function runOf(...reports: readonly AuditReport[]): Run {
  const {runs}: {readonly runs: readonly [Run]} = JSON.parse(sarifReport(...reports));
  return runs[0];
}

const placedAt = (where: string): Row => row('domain_blocks.must', 'a.example', 'add', {why: {rule: 'domain_blocks.must', where}});

test('is checked with a schema that rejects other JSON', () => {
  expect(sarifMistakes(sarifReport(drifted).replace('"startLine":3', '"startLine":0'))).not.toEqual([]);
  expect(sarifMistakes(sarifReport(drifted).replace('"results"', '"outcomes"'))).not.toEqual([]);
});

test('writes the location and the rule of a result', () => {
  const {results, tool, invocations} = runOf(drifted);
  const worse = results.find(({ruleId}) => ruleId === 'domain_blocks.must');
  expect(worse?.message.text).toBe(
    'worse.example on ana@pix.example: wanted: blocked; actual: not blocked. Fix: pixelctl domain-blocks add worse.example',
  );
  expect(worse?.locations[0]?.physicalLocation).toEqual({artifactLocation: {uri: 'p.yml'}, region: {startLine: 3}});
  expect(results.find(({ruleId}) => ruleId === 'domain_blocks.lists')?.relatedLocations).toHaveLength(1);
  expect(tool.driver.rules.map(({id}) => id)).toEqual([...new Set(results.map(({ruleId}) => ruleId))].toSorted());
  expect(invocations.map(({executionSuccessful, toolExecutionNotifications: {length}}) => [executionSuccessful, length])).toEqual([
    [false, 2],
  ]);
  expect(runOf(clean).invocations[0]?.executionSuccessful).toBe(true);
});

test('keeps fingerprints when lines move, one for each finding and server', () => {
  const fingerprints = (report: AuditReport) => runOf(report).results.map((result) => result.fingerprints['pixelctl/v1']);
  const moved = drifted.findings.map((one) => ({...one, why: {...one.why, where: 'p.yml:77'}}));
  const own = fingerprints(drifted);
  expect(new Set(own).size).toBe(drifted.findings.length);
  expect(fingerprints({...drifted, findings: moved})).toEqual(own);
  expect(fingerprints({...drifted, server: 'https://other.example'}).filter((one) => own.includes(one))).toEqual([]);
});

test('is small enough for GitHub, whatever the number of differences', () => {
  const kinds = ['domain_blocks.must', 'admin_domain_blocks.must', 'blocks.must'];
  const text = sarifReport(withFindings(kinds.flatMap((rule) => many.findings.map(({name}) => row(rule, name)))));
  expect(Buffer.byteLength(text)).toBeLessThan(10_000_000);
  const {results, invocations} = JSON.parse(text).runs[0];
  expect(results).toHaveLength(3 * 4000);
  expect(invocations[0].toolExecutionNotifications[0].message.text).toBe('6,000 domain blocks: and 2,000 more: see audit --json');
});

test('escapes brackets and braces in messages', () => {
  const [result] = runOf(withFindings([row('filters.must', '[a](b){0}')])).results;
  expect(result?.message.text).toMatch(/^\\\[a\\\]\(b\)\{\{0\}\} on /);
});

test.each([
  ['lists/a b.csv', 'lists/a%20b.csv'],
  ['c:d.yml', 'c%3Ad.yml'],
  ['/srv/p.yml', 'file:///srv/p.yml'],
  ['https://lists.example/a.csv', 'https://lists.example/a.csv'],
])('writes the URI of %s', (file, uri) => {
  expect(runOf(withFindings([placedAt(`${file}:1`)])).results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
});

test('has no place where there is none', () => {
  const text = sarifReport(withFindings([placedAt('managed by this policy, which no longer names it')]));
  expect(sarifMistakes(text)).toEqual([]);
  expect(text).not.toContain('physicalLocation');
});
