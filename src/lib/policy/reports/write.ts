/** Writes reports on audits to files, for programs and people. */
import {Failure, localFailure} from '../../client/failure.js';
import {writeWhole} from '../../files/whole-file.js';
import type {ListedFormat} from './format.js';
import type {AuditReport, Unusable} from '../rows/audit.js';

export interface ReportFile {
  readonly name: string;
  readonly format: ListedFormat;
  readonly file: string;
}

/**
 * Reads `FORMAT=FILE`, or `FILE` where its ending says the format.
 * @param formats that the command writes
 * @throws Failure `usage`
 */
export function parseReportFile(text: string, formats: Readonly<Record<string, ListedFormat>>): ReportFile {
  const ending = Object.entries(formats).find(([, {extension}]) => !text.includes('=') && text.endsWith(`.${extension}`));
  if (ending !== undefined) return {name: ending[0], format: ending[1], file: text};
  const [, name = '', file = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  const names = Object.keys(formats);
  const hint = names.length === 1 ? `the format is ${names.join()}` : `the formats are ${names.join(', ')}`;
  if (file === '') {
    const example = format && `name a file: --report ${name}=audit.${format.extension}`;
    throw new Failure('usage', `--report takes FORMAT=FILE, not "${text}"`, {hint: example ?? hint});
  }
  if (format === undefined) throw new Failure('usage', `Unknown report format "${name}"`, {hint});
  if (file === '-')
    throw new Failure('usage', `--report ${text}: reports go to files`, {hint: 'name a file; --json prints to standard output'});
  return {name, format, file};
}

/**
 * @param unusable set when policies could not be read, and there are no audits
 * @throws Failure `local` that names the file that could not be written
 */
export async function writeReports(reports: readonly AuditReport[], files: readonly ReportFile[], unusable?: Unusable): Promise<void> {
  for (const {name, format, file} of files) {
    const {render} = await format.load();
    await writeWhole(file, render(reports, unusable), {mode: 0o644}).catch((error: unknown) => {
      throw localFailure(`Cannot write the ${name} report ${file}`, error);
    });
  }
}
