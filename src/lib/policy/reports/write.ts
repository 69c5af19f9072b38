/** Writes reports on audits to files, for programs and people. */
import {Failure, localFailure} from '../../client/failure.js';
import {writeWhole} from '../../files/whole-file.js';
import {type AuditReport, type ReportFormat, type Unusable} from './report.js';

/** Yields the text of a report in pieces: one of very many findings is never in memory as a whole. */
type Render = (reports: readonly AuditReport[], unusable?: Unusable) => Iterable<string>;

/** Loaded when they are used: an audit without reports needs none of them. */
const renderers: Readonly<Record<ReportFormat, () => Promise<Render>>> = {
  github: async () => (await import('./github.js')).githubReport,
  html: async () => (await import('./html.js')).htmlReport,
  json: async () => (await import('./report.js')).jsonReport,
  junit: async () => (await import('./junit.js')).junitReport,
  markdown: async () => (await import('./markdown.js')).markdownReport,
  sarif: async () => (await import('./sarif.js')).sarifReport,
  thresholds: async () => (await import('./thresholds.js')).thresholdsReport,
};

export interface ReportFile<Format extends ReportFormat = ReportFormat> {
  readonly format: Format;
  readonly file: string;
}

/**
 * Reads `FORMAT=FILE`.
 * @param formats that the command writes
 * @throws Failure `usage`
 */
export function parseReportFile<Format extends ReportFormat>(text: string, formats: readonly Format[]): ReportFile<Format> {
  const [, name, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const hint = formats.length === 1 ? `the format is ${formats.join()}` : `the formats are ${formats.join(', ')}`;
  if (name === undefined || file === undefined) throw new Failure('usage', `--report takes FORMAT=FILE, not "${text}"`, {hint});
  const format = formats.find((one) => one === name);
  if (format === undefined) throw new Failure('usage', `Unknown report format "${name}"`, {hint});
  if (file === '-')
    throw new Failure('usage', `--report ${text}: reports go to files`, {hint: 'name a file; --json prints to standard output'});
  return {format, file};
}

/**
 * @param unusable set when policies could not be read, and there are no audits
 * @throws Failure `local` that names the file that could not be written
 */
export async function writeReports(reports: readonly AuditReport[], files: readonly ReportFile[], unusable?: Unusable): Promise<void> {
  for (const {format, file} of files) {
    const render = await renderers[format]();
    await writeWhole(file, render(reports, unusable), {mode: 0o644}).catch((error: unknown) => {
      throw localFailure(`Cannot write the ${format} report ${file}`, error);
    });
  }
}
