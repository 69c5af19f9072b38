/** Reports in every format: their schemas, what they show of many differences, and that nothing in them acts. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import type {AuditReport, Unusable} from '../../../../src/lib/policy/rows/audit.js';
import type {ReportFormat} from '../../../../src/lib/policy/reports/format.js';
import {reportFormats} from '../../../../src/lib/policy/reports/formats/index.js';
import {comparedWith, readEarlierReport} from '../../../../src/lib/policy/reports/since.js';
import {clean, drifted, hostile, many, ten, textOf} from './audits.js';
import {junitMistakes, sarifMistakes} from './schemas.js';

const folder = mkdtempSync(join(tmpdir(), 'pixelctl-reports-'));
afterAll(() => rmSync(folder, {recursive: true}));

const formats: Readonly<Record<string, ReportFormat>> = Object.fromEntries(
  await Promise.all(Object.entries(reportFormats).map(async ([name, {load}]) => [name, await load()] as const)),
);
const names = Object.keys(formats);
const rendered = (name: string, reports: readonly AuditReport[], unusable?: Unusable): string =>
  textOf(formats[name]?.render(reports, unusable) ?? []);

const unusable: Unusable = {mistakes: [{file: 'p.yml', line: 2, column: 1, message: 'unknown key "<b>"'}], when: new Date(0)};

/** An audit after an earlier one that lacked a finding and had another one. */
async function since(isOpenAccepted = false): Promise<AuditReport> {
  const file = join(folder, 'earlier.json');
  const [first, ...rest] = drifted.findings;
  writeFileSync(file, rendered('json', [{...drifted, findings: rest}]));
  const [gone, ...later] = rest;
  expect([first, gone]).not.toContain(undefined);
  const report = {...drifted, findings: [...(first ? [first] : []), ...later]};
  return {...report, since: comparedWith(await readEarlierReport(file), report, isOpenAccepted).since};
}

const reports = {none: [], clean: [clean], drifted: [drifted], many: [many], hostile: [hostile], ten, since: [await since()]};

describe.each(Object.entries(reports))('a report on %s', (_, all) => {
  test('fits the schema of SARIF 2.1.0, and has no more than 4,000 results', () => {
    const text = rendered('sarif', all);
    expect(sarifMistakes(text)).toEqual([]);
    expect(JSON.parse(text).runs[0].results.length).toBeLessThanOrEqual(4001);
  });

  test('fits the schema of JUnit', async () => {
    expect(await junitMistakes(rendered('junit', all))).toEqual([]);
  });
});

test('mistakes in a policy fit the schemas, and are in every format', async () => {
  expect(sarifMistakes(rendered('sarif', [], unusable))).toEqual([]);
  expect(await junitMistakes(rendered('junit', [], unusable))).toEqual([]);
  for (const name of names) expect(rendered(name, [], unusable), name).toContain('unknown key');
});

test.each([
  ['html', /class="finding"/g],
  ['markdown', /^\| s&#?\w*\d|^\| s\d+/gm],
  ['junit', /<testcase classname="domain_blocks\.must"/g],
])('%s shows the first 500 differences of a kind, and counts the rest', (name, row) => {
  const text = rendered(name, [many]);
  // JUnit has a case that stands for the rest, and the page has the difference of another kind.
  expect(text.match(row)?.length).toBe(name === 'markdown' ? 500 : 501);
  expect(text).toContain('1,500 more');
});

test('JSON has all differences', () => {
  expect(JSON.parse(rendered('json', [many])).findings).toHaveLength(2001);
});

test('annotations for GitHub are at most ten of each kind, and the last one counts the rest', () => {
  const lines = rendered('github', [many]).trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(10);
  expect(lines.filter((line) => line.startsWith('::error ')).at(-1)).toContain('1,992 more: see the other reports');
  expect(lines[0]).toMatch(/^::error file=p\.yml,line=2,title=domain_blocks\.must%3A s0\.example::pix\.example: wanted: blocked/);
});

test.each(names)('private comments are in no report as %s', (name) => {
  expect(rendered(name, [drifted])).not.toContain('secret 7');
  expect(rendered(name, [drifted])).toContain('spam');
});

test.each(names)('nothing in a report as %s acts on a terminal, a forge or a browser', (name) => {
  const text = rendered(name, [hostile]);
  for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character);
  if (name === 'html') expect(text).not.toMatch(/<script>alert|\son\w+=|(?:src|href)="(?!#)/);
  if (name === 'markdown') expect(text).not.toMatch(/@everyone|www\.evil|<script/);
  if (name === 'github') for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^::(?:error|notice|warning) /);
});

test('what is new, open and resolved is told apart', async () => {
  const report = await since();
  expect([report.since?.added.size, report.since?.resolved.length]).toEqual([1, 1]);
  for (const name of names) {
    const text = rendered(name, [report]);
    expect(text, name).toMatch(name === 'github' ? /new: / : /new/);
    if (name !== 'github') expect(text, name).toMatch(/[Rr]esolved/);
  }
  expect(rendered('junit', [await since(true)]).match(/<failure /g)).toHaveLength(1);
});

test('a page about several accounts says once what all have in common', () => {
  const page = rendered('html', ten);
  expect(page.match(/class="finding"/g)).toHaveLength(5);
  expect(page).toContain('<p>3 differences in each of them.');
  expect(page).toContain('<p>4 differences, 3 of them <a href="#all-1">above</a>.</p>');
});
