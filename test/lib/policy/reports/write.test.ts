import {mkdirSync, mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {reportFormats} from '../../../../src/lib/policy/reports/formats/index.js';
import {parseReportFile, writeReports} from '../../../../src/lib/policy/reports/write.js';
import {inertData} from '../../../../src/lib/print/inert.js';
import {auditDocument} from '../../../../src/lib/policy/rows/audit.js';
import {documentLines} from '../../../../src/lib/print/print.js';
import {clean, drifted, hostile} from './audits.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-reports-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

test('reads FORMAT=FILE', () => {
  expect(parseReportFile('junit=out/a=b.xml', reportFormats)).toEqual({
    name: 'junit',
    format: reportFormats.junit,
    file: 'out/a=b.xml',
  });
});

test('a file whose ending says the format needs no more', () => {
  const named = (text: string) => parseReportFile(text, reportFormats);
  expect(Object.entries(reportFormats).map(([name, {extension}]) => [name, named(`out/a.${extension}`).name])).toEqual(
    Object.keys(reportFormats).map((name) => [name, name]),
  );
  expect(named('audit.json').file).toBe('audit.json');
});

test.each([
  ['junit', '--report takes FORMAT=FILE, not "junit"'],
  ['junit=', '--report takes FORMAT=FILE, not "junit="'],
  ['pdf=a.pdf', 'Unknown report format "pdf"'],
  ['json=-', '--report json=-: reports go to files'],
])('rejects %s', (text, message) => {
  expect(() => parseReportFile(text, reportFormats)).toThrow(expect.objectContaining({code: 'usage', message}));
});

test('lists the known formats for an unknown one', () => {
  expect(() => parseReportFile('xml=a', reportFormats)).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({hint: `the formats are ${Object.keys(reportFormats).join(', ')}`}),
    }),
  );
});

test('shows how a file is named, in the form that the format usually has', () => {
  expect(() => parseReportFile('junit', reportFormats)).toThrow(
    expect.objectContaining({details: expect.objectContaining({hint: 'name a file: --report junit=audit.xml'})}),
  );
});

test('writes every format with mode 0644 and without control characters', async () => {
  const wishes = Object.entries(reportFormats).map(([name, format]) => ({name, format, file: join(folder, `${name}.${format.extension}`)}));
  await writeReports([hostile], wishes);
  for (const {file} of wishes) {
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
  }
});

test('JSON is what audit --json prints', async () => {
  const file = join(folder, 'a.json');
  for (const reports of [[drifted], [clean, drifted], [hostile]]) {
    await writeReports(reports, [{name: 'json', format: reportFormats.json, file}]);
    const document = [...documentLines(auditDocument(reports))].join('');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(inertData(document)));
  }
});

test('names the file that cannot be written', async () => {
  const file = join(folder, 'taken');
  mkdirSync(file);
  await expect(writeReports([drifted], [{name: 'sarif', format: reportFormats.sarif, file}])).rejects.toThrow(
    expect.objectContaining({code: 'local', message: expect.stringContaining(`Cannot write the sarif report ${file}: `)}),
  );
});
