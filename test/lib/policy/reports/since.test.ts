/** What is new, still open and resolved since an earlier report, in every format. */
import {tmpdir} from 'node:os';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {afterAll, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {Difference} from '../../../../src/lib/policy/model/difference.js';
import {github} from '../../../../src/lib/policy/reports/formats/github.js';
import {html} from '../../../../src/lib/policy/reports/formats/html.js';
import {junit} from '../../../../src/lib/policy/reports/formats/junit.js';
import {markdown} from '../../../../src/lib/policy/reports/formats/markdown.js';
import {json} from '../../../../src/lib/policy/reports/formats/json.js';
import {type AuditReport} from '../../../../src/lib/policy/reports/report.js';
import {sarif} from '../../../../src/lib/policy/reports/formats/sarif.js';
import {comparedWith, identified, readEarlierReport, statusOf} from '../../../../src/lib/policy/reports/since.js';
import {altered, clean, drifted, many, textOf} from './audits.js';
import {junitMistakes, sarifMistakes} from './schemas.js';

const folder = mkdtempSync(join(tmpdir(), 'pixelctl-since-'));
afterAll(() => rmSync(folder, {recursive: true}));

/** The report of an audit in a file, as a later one reads it. */
async function kept(...reports: readonly AuditReport[]) {
  const file = join(folder, 'audit.json');
  writeFileSync(file, textOf(json.render(reports)));
  return readEarlierReport(file);
}

async function compared(earlier: readonly AuditReport[], report: AuditReport, isOpenAccepted = false) {
  const {since, remarks} = comparedWith(await kept(...earlier), report, isOpenAccepted);
  return {report: {...report, since}, remarks};
}

const subjects = (findings: Iterable<{readonly subject: string}>): string[] => [...findings].map(({subject}) => subject);
const without = (report: AuditReport, subject: string): AuditReport => ({
  ...report,
  findings: report.findings.filter((one) => one.subject !== subject),
});

test('finds nothing new in the same audit, whatever its lines and the server have become', async () => {
  const moved = drifted.findings.map((one) => altered(one, {actual: 'something else', source: {...one.source, line: one.source.line + 7}}));
  const {report, remarks} = await compared([drifted], {...drifted, findings: moved});
  expect({...report.since, file: ''}).toEqual({file: '', added: new Set(), resolved: [], unread: [], isOpenAccepted: false});
  expect(remarks).toEqual([]);
});

test('tells new, open and resolved findings apart', async () => {
  const {report} = await compared([without(drifted, 'good.example')], without(drifted, 'worse.example'));
  expect(subjects(report.since.added)).toEqual(['good.example']);
  expect(subjects(report.since.resolved)).toEqual(['worse.example']);
});

test('a comparison counts every finding once, in any two audits of one account', async () => {
  const some = fc.subarray([...many.findings]);
  const before = await kept(many);
  fc.assert(
    fc.property(some, some, (earlier, later) => {
      const audits = before.audits?.map((one) => ({...one, findings: one.findings.filter((_, index) => earlier.includes(at(index)))}));
      const {since} = comparedWith({file: 'x', audits}, {...many, findings: later}, false);
      const open = later.filter((one) => statusOf({since}, one) === 'open');
      expect(since.added.size + open.length).toBe(later.length);
      expect(open.length + since.resolved.length).toBe(earlier.length);
      expect([...since.added].filter((one) => earlier.includes(one))).toEqual([]);
    }),
    {numRuns: 30},
  );
});

function at(index: number): Difference {
  const finding = many.findings[index];
  if (finding === undefined) throw new Error(`no finding ${index}`);
  return finding;
}

test('numbers findings that are the same', () => {
  const [first] = drifted.findings;
  if (first === undefined) throw new Error('no findings');
  expect(new Map(identified([first, first, first])).size).toBe(3);
});

test('passes on what could not be read, until it can be read again', async () => {
  const failure = new Failure('unavailable', 'Not now');
  const blind: AuditReport = {...drifted, findings: [], skipped: [{kind: 'domain_block', why: 'Not now', failure}], failure};
  const {report: second} = await compared([drifted], blind);
  const domains = drifted.findings.filter(({kind}) => kind === 'domain_block');
  expect(subjects(second.since.unread)).toEqual(subjects(domains));
  expect(second.since.resolved).toHaveLength(drifted.findings.length - domains.length);
  const {report: third, remarks} = await compared([second], {...drifted, findings: domains});
  expect(third.since.added.size).toBe(0);
  expect(remarks).toEqual([]);
});

test('says what counts as new because the earlier report could not check it', async () => {
  const failure = new Failure('unavailable', 'Not now');
  const blind: AuditReport = {...drifted, findings: [], skipped: [{kind: 'domain_block', why: 'Not now', failure}], failure};
  expect((await compared([blind], drifted)).remarks).toEqual([
    expect.stringMatching(/could not check domain_block: its differences count as new$/),
  ]);
});

test('finds the audit of the same server, account and policy', async () => {
  const other = {...drifted, server: 'https://other.example'};
  const {report, remarks} = await compared([other, {...clean, account: 'ben'}], drifted);
  expect(report.since.added.size).toBe(drifted.findings.length);
  expect(remarks).toEqual([expect.stringMatching(/has no audit of this account and policy: everything counts as new$/)]);
  expect((await compared([other, {...drifted, policy: './p.yml'}], drifted)).report.since.added.size).toBe(0);
  expect((await compared([other, {...drifted, account: 'unknown'}], drifted)).report.since.added.size).toBe(0);
  const unknown = {...drifted, account: 'unknown'};
  expect((await compared([other, drifted], unknown)).report.since.added.size).toBe(0);
  expect((await compared([drifted, {...drifted, account: 'ben'}], unknown)).report.since.added.size).toBe(drifted.findings.length);
});

test.each<[string, string]>([
  ['empty', ''],
  ['cut short', '{"server": "https://pix.example", "findings": ['],
  ['of another kind', '{"server": "https://pix.example", "changes": []}'],
  ['with findings of another type', '{"server": "a", "account": "b", "policy": "c", "findings": [1]}'],
  ['of policies with mistakes', '{"ok": false, "mistakes": []}'],
  ['null', 'null'],
])('rejects a report that is %s', async (_, text) => {
  const file = join(folder, 'audit.json');
  writeFileSync(file, text);
  await expect(readEarlierReport(file)).rejects.toMatchObject({code: 'usage', message: `${file} is not a JSON report of an audit`});
});

test('knows nothing from a report that is not there yet', async () => {
  const earlier = await readEarlierReport(join(folder, 'gone.json'));
  const {since, remarks} = comparedWith(earlier, many, true);
  expect([since.added.size, since.resolved, remarks]).toEqual([many.findings.length, [], []]);
  await expect(readEarlierReport(folder)).rejects.toMatchObject({code: 'local'});
});

test('writes new, open and resolved findings in every format', async () => {
  const {report} = await compared([without(drifted, 'good.example')], without(drifted, 'worse.example'));
  const reports = [report];
  expect(JSON.parse(textOf(json.render(reports)))).toMatchObject({
    since: expect.stringMatching(/audit\.json$/),
    findings: expect.arrayContaining([
      expect.objectContaining({subject: 'good.example', status: 'new'}),
      expect.objectContaining({subject: 'two.example', status: 'open'}),
    ]),
    resolved: [expect.objectContaining({subject: 'worse.example'})],
    unread: [],
  });
  const annotations = textOf(github.render(reports));
  expect(annotations).toMatch(/^::error [^:]*::pix\.example: Not a list\n::error [^:]*good\.example::pix\.example: new: /);
  expect(annotations).toContain('::warning file=lists/a.csv,line=3,title=domain_blocks.lists%3A two.example::pix.example: still open: ');
  expect(annotations).toMatch(/1 new, 4 still open, 1 resolved\n$/);
  expect(textOf(markdown.render(reports))).toContain('| good.example | new | not blocked | blocked |');
  expect(textOf(markdown.render(reports))).toContain('<b>Resolved</b>: 1');
  const page = textOf(html.render(reports));
  expect(page).toContain('<bdi>good.example</bdi> <span class="bad">new</span>');
  expect(page).toContain('<h3>1 difference resolved</h3>');
  const results = textOf(sarif.render(reports));
  expect(sarifMistakes(results)).toEqual([]);
  expect(results.match(/"baselineState":"new"/g)).toHaveLength(1);
  expect(results.match(/"baselineState":"unchanged"/g)).toHaveLength(report.findings.length - 1);
  expect(results).not.toContain('"absent"');
  expect(results).toContain('domain_blocks.must worse.example: resolved');
});

test.each([
  [false, /<failure type="drift" message="open: wanted: blocked \(suspend\); actual: not blocked">/],
  [true, /<skipped message="open: wanted: blocked \(suspend\); actual: not blocked"\/>/],
])('writes JUnit cases for open findings as the run takes them (accepted: %s)', async (isOpenAccepted, open) => {
  const {report} = await compared([without(drifted, 'good.example')], without(drifted, 'worse.example'), isOpenAccepted);
  const cases = textOf(junit.render([report]));
  expect(await junitMistakes(cases)).toEqual([]);
  expect(cases).toMatch(open);
  expect(cases).toContain('<failure type="drift" message="new: wanted: not blocked; actual: blocked">');
  expect(cases).toContain('<testcase classname="domain_blocks.must" name="worse.example: resolved" time="0"/>');
});

const unusable = {
  mistakes: [
    {file: 'p.yml', line: 2, column: 38, message: 'unknown key "musst_not" [x](http://evil.example) <b>'},
    {file: 'lists/a.csv', line: 7, message: '"-" is not a domain'},
  ],
  when: clean.when,
};

test('writes the mistakes of policies in every format, at their lines', async () => {
  expect(JSON.parse(textOf(json.render([], unusable)))).toEqual({ok: false, mistakes: unusable.mistakes});
  expect(textOf(github.render([], unusable))).toMatch(
    /^::error file=p\.yml,line=2,col=38,title=Mistake in p\.yml::unknown key .*\n::error file=lists\/a\.csv,line=7,title=Mistake in lists\/a\.csv::"-" is not a domain\n$/,
  );
  const summary = textOf(markdown.render([], unusable));
  expect(summary).toContain('## ❌ 2 mistakes in the policy');
  expect(summary).toMatch(/^\| p\.yml&#58;2&#58;38 \| unknown key /m);
  const page = textOf(html.render([], unusable));
  expect(page).toContain('<h1><bdi>The policy has 2 mistakes</bdi></h1>');
  expect(page).toContain('<code>p.yml:2:38</code> <bdi>unknown key &quot;musst_not&quot; [x](http://evil.example) &lt;b&gt;</bdi>');
  const results = textOf(sarif.render([], unusable));
  expect(sarifMistakes(results)).toEqual([]);
  expect(JSON.parse(results).runs[0]).toMatchObject({
    invocations: [{executionSuccessful: false}],
    results: [
      {ruleId: 'policy', locations: [{physicalLocation: {artifactLocation: {uri: 'p.yml'}, region: {startLine: 2, startColumn: 38}}}]},
      {ruleId: 'policy', locations: [{physicalLocation: {artifactLocation: {uri: 'lists/a.csv'}, region: {startLine: 7}}}]},
    ],
  });
  const cases = textOf(junit.render([], unusable));
  expect(await junitMistakes(cases)).toEqual([]);
  expect(cases).toContain('tests="2" failures="0" errors="2"');
});
