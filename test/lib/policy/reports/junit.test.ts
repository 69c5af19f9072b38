import {expect, test} from 'vitest';
import {junit} from '../../../../src/lib/policy/reports/formats/junit.js';
import type {AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {clean, drifted, hostile, many, textOf} from './audits.js';
import {junitMistakes} from './schemas.js';

const junitReport = (reports: readonly AuditReport[]): string => textOf(junit.render(reports));

test.each<[string, readonly AuditReport[]]>([
  ['one that agrees', [clean]],
  ['several', [clean, drifted, many]],
  ['hostile text', [hostile]],
  ['none', []],
])('matches the schema: %s', async (_, reports) => {
  expect(await junitMistakes(junitReport(reports))).toEqual([]);
});

test('checks with a schema that rejects other XML', async () => {
  const xml = junitReport([drifted]);
  expect(await junitMistakes(xml.replace('<failure type="drift"', '<failure'))).not.toEqual([]);
  expect(await junitMistakes(xml.replace('T12:00:00"', 'T12:00:00Z"'))).not.toEqual([]);
  expect(await junitMistakes(xml.replace('Not a list', 'Not \u0001'))).not.toEqual([]);
});

test('writes a case for each rule: held, failed or unchecked', () => {
  const xml = junitReport([drifted]);
  expect(xml).toContain('tests="11" failures="5" errors="1" skipped="2"');
  expect(xml.match(/<testcase /g)).toHaveLength(11);
  expect(xml).toContain('<testcase classname="domain_blocks.must" name="bad.example" time="0"/>');
  expect(xml).toContain('<failure type="drift" message="wanted: blocked; actual: not blocked">p.yml:3\n');
  expect(xml).toContain('<skipped message="p.yml:9: the server did not say"/>');
  expect(xml).toContain('<error type="bad_answer" message="Not a list"/>');
});

test('writes one case for all differences of a filter', () => {
  expect(junitReport([drifted]).match(/name="Spoilers"/g)).toHaveLength(1);
});
