import {mkdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseReportFile, reportsOf} from '../../../../src/lib/cli/policy/policy-flags.js';
import {reportFormats, reportText} from '../../../../src/lib/policy/reports/formats/index.js';
import {newFolder} from '../../../e2e/program.js';
import {hostile} from '../../policy/reports/audits.js';

const formats = Object.entries(reportFormats);

test.each<readonly [text: string, name: string, file: string]>([
  ['junit=out/a=b.xml', 'junit', 'out/a=b.xml'],
  ...formats.map(([name, {extension}]) => [`out/a.${extension}`, name, `out/a.${extension}`] as const),
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

/** Writes reports on a hostile account. */
async function writeAll(...texts: readonly string[]): Promise<void> {
  await reportsOf(texts).write((format) => reportText(format, [hostile]));
}

test('every format is written with mode 0644 and without control characters', async () => {
  const folder = newFolder();
  const files = formats.map(([name, {extension}]) => join(folder, `${name}.${extension}`));
  await writeAll(...files);
  for (const file of files) {
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
  }
});

test('a file that cannot be written is named', async () => {
  const file = join(newFolder(), 'taken');
  mkdirSync(file);
  const message = expect.stringContaining(`Cannot write the sarif report ${file}: `);
  await expect(writeAll(`sarif=${file}`)).rejects.toMatchObject({code: 'local', message});
});
