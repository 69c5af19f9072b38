/** Reports on audits, as files that other programs and people read. */
import {Failure, localFailure} from '../../client/failure.js';
import {writeWhole} from '../../files/whole-file.js';
import type {AuditReport} from './report.js';

type Render = (reports: readonly AuditReport[]) => string;

export const reportFormats = ['github', 'html', 'json', 'junit', 'markdown', 'sarif'] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** Each is loaded when it is wished for: an audit without reports reads none of them. */
const renderers: Readonly<Record<ReportFormat, () => Promise<Render>>> = {
  github: async () => (await import('./github.js')).githubReport,
  html: async () => (await import('./html.js')).htmlReport,
  json: async () => (await import('./report.js')).jsonReport,
  junit: async () => (await import('./junit.js')).junitReport,
  markdown: async () => (await import('./markdown.js')).markdownReport,
  sarif: async () => (await import('./sarif.js')).sarifReport,
};

export interface ReportWish {
  readonly format: ReportFormat;
  readonly file: string;
}

/**
 * Reads `FORMAT=FILE`.
 * @throws Failure `usage`
 */
export function parseReportWish(text: string): ReportWish {
  const [, name, file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const known = reportFormats.join(', ');
  if (name === undefined || file === undefined) {
    throw new Failure('usage', `--report takes FORMAT=FILE, not "${text}"`, {hint: `the formats are ${known}`});
  }
  const format = reportFormats.find((one) => one === name);
  if (format === undefined) throw new Failure('usage', `There is no report format "${name}"`, {hint: `the formats are ${known}`});
  if (file === '-')
    throw new Failure('usage', `--report ${text}: reports go to files`, {hint: 'name a file; --json prints to standard output'});
  return {format, file};
}

/** @throws Failure `local` that names the file that could not be written */
export async function writeReports(reports: readonly AuditReport[], wishes: readonly ReportWish[]): Promise<void> {
  for (const {format, file} of wishes) {
    const render = await renderers[format]();
    await writeWhole(file, render(reports), {mode: 0o644}).catch((error: unknown) => {
      throw localFailure(`Cannot write the ${format} report ${file}`, error);
    });
  }
}
