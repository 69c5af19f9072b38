/** JUnit: a case for each difference, in the form of a schema that the usual readers agree on. */
import {expect, test} from 'vitest';
import type {AuditReport} from '../../../../src/lib/policy/rows/audit.js';
import {write as junit} from '../../../../src/lib/policy/reports/formats/junit.js';
import {clean, drifted, reported} from './audits.js';
import {junitMistakes} from './schemas.js';

const junitReport = (...reports: readonly AuditReport[]): string => junit(reported(...reports));

test('is checked with a schema that rejects other XML', async () => {
  const xml = junitReport(drifted);
  expect(await junitMistakes(xml.replace('<failure type="drift"', '<failure'))).not.toEqual([]);
  expect(await junitMistakes(xml.replace('T12:00:00"', 'T12:00:00Z"'))).not.toEqual([]);
  expect(await junitMistakes(xml.replace('Not a list', 'Not \u0001'))).not.toEqual([]);
});

test('has a case for each difference, and for what could not be read or is left as it is', () => {
  const xml = junitReport(drifted);
  expect(xml).toContain('tests="7" failures="5" errors="1" skipped="1"');
  expect(xml.match(/<testcase /g)).toHaveLength(7);
  expect(xml).toContain('<failure type="drift" message="wanted: blocked; actual: not blocked">p.yml:3; fix: ');
  expect(xml).toContain('<error type="bad_answer" message="Not a list">');
  expect(xml).toContain('<system-out>5 findings (1 by hand)</system-out>');
});

test('has a case that passes where nothing differs', () => {
  expect(junitReport(clean)).toContain('tests="1" failures="0" errors="0" skipped="0"');
});

test.each([
  [true, 'tests="8" failures="1" errors="1" skipped="5"'],
  [false, 'tests="8" failures="5" errors="1" skipped="1"'],
])('where what is still open is accepted: %s', (isOpenAccepted, counts) => {
  const gone = {
    action: 'add',
    kind: 'domain_block',
    subject: 'gone.example',
    rule: 'domain_blocks.must',
    where: 'p.yml:9',
    wanted: 'blocked',
    actual: 'not blocked',
  } as const;
  const since = {file: 'last.json', added: new Set(drifted.findings.slice(0, 1)), resolved: [gone], unread: [], isOpenAccepted};
  const xml = junitReport({...drifted, since});
  expect(xml).toContain(counts);
  expect(xml).toContain('name="domain_blocks.must: gone.example"');
});
