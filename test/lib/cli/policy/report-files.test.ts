import {mkdirSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {parseReportFile, ReportFiles} from '../../../../src/lib/cli/policy/report-files.js';
import {auditDocument, reportFormats} from '../../../../src/lib/policy/index.js';
import {inertData} from '../../../../src/lib/print/inert.js';
import {documentLines} from '../../../../src/lib/print/print.js';
import {clean, drifted, hostile} from '../../policy/reports/audits.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-reports-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

test.each<readonly [text: string, name: string, file: string]>([
  ['junit=out/a=b.xml', 'junit', 'out/a=b.xml'],
  ...Object.entries(reportFormats).map(([name, {extension}]) => [`out/a.${extension}`, name, `out/a.${extension}`] as const),
])('%s is a report in %s', (text, name, file) => {
  expect(parseReportFile(text)).toMatchObject({name, file});
});

const known = `write FORMAT=FILE; the formats are ${Object.keys(reportFormats).join(', ')}`;

test.each([
  ['junit', '--report junit: its ending names no format', known],
  ['junit=', '--report junit=: reports go to files', 'name a file; --json prints to standard output'],
  ['pdf=a.pdf', 'Unknown report format "pdf"', known],
  ['json=-', '--report json=-: reports go to files', 'name a file; --json prints to standard output'],
])('%s is refused', (text, message, hint) => {
  expect(() => parseReportFile(text)).toThrow(expect.objectContaining({code: 'usage', message, details: {hint}}));
});

test('every format is written with mode 0644 and without control characters', async () => {
  const files = Object.entries(reportFormats).map(([name, {extension}]) => ({name, file: join(folder, `${name}.${extension}`)}));
  const texts = files.map(({name, file}) => `${name}=${file}`);
  await new ReportFiles(texts).write(() => [hostile]);
  for (const {file} of files) {
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
  }
});

test('JSON is what audit --json prints', async () => {
  const file = join(folder, 'a.json');
  for (const reports of [[drifted], [clean, drifted], [hostile]]) {
    await new ReportFiles([file]).write(() => reports);
    const document = [...documentLines(auditDocument(reports))].join('');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(inertData(document)));
  }
});

test('a file that cannot be written is named', async () => {
  const file = join(folder, 'taken');
  mkdirSync(file);
  await expect(new ReportFiles([`sarif=${file}`]).write(() => [drifted])).rejects.toMatchObject({
    code: 'local',
    message: expect.stringContaining(`Cannot write the sarif report ${file}: `),
  });
});
