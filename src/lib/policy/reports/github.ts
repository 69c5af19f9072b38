/** Annotations that a GitHub workflow shows at the lines of a policy, to print in a step. */
import type {Difference, Skipped} from '../difference.js';
import type {AuditReport} from './report.js';
import {countsText, short, verdictText} from './text.js';

/** GitHub shows ten errors of a step, and drops the rest silently. */
const mostShown = 10;
const longestProperty = 200;
const longestMessage = 1000;

export function githubReport(reports: readonly AuditReport[]): Iterable<string> {
  const errors = reports.flatMap((report) => {
    const host = hostOf(report);
    const unseen = report.skipped.filter(({failure}) => failure !== undefined);
    return [
      ...unseen.map((skipped) => unseenError(skipped, host, report.policy)),
      ...report.findings.map((one) => findingError(one, host)),
    ];
  });
  const shown = errors.length > mostShown ? errors.slice(0, mostShown - 1) : errors;
  const rest = errors.length - shown.length;
  const last = rest > 0 ? [command('error', {title: 'pixelctl audit'}, `and ${rest} more: see the other reports`)] : [];
  const summaries = reports.map((report) => {
    const title = `${hostOf(report)} ${verdictText(report)} ${report.policy}`;
    return command('notice', {title}, countsText(report));
  });
  return [...shown, ...last, ...summaries].map((line) => `${line}\n`);
}

function hostOf({server}: AuditReport): string {
  return new URL(server).host;
}

function findingError({rule, subject, wanted, actual, source, fix}: Difference, host: string): string {
  // A list on the web has no file to annotate.
  const location = URL.canParse(source.file) ? {} : {file: source.file, line: String(source.line)};
  return command('error', {...location, title: `${rule}: ${subject}`}, `${host}: wanted: ${wanted}; actual: ${actual}; fix: ${fix}`);
}

function unseenError({kind, why}: Skipped, host: string, policy: string): string {
  return command('error', {file: policy, title: `${kind} could not be checked`}, `${host}: ${why}`);
}

function command(name: 'error' | 'notice', properties: Readonly<Record<string, string>>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`);
  return `::${name} ${list.join(',')}::${data(message, longestMessage)}`;
}

function property(text: string): string {
  return data(text, longestProperty).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Inert text has no line breaks. */
function data(text: string, longest: number): string {
  return short(text, longest).replaceAll('%', '%25');
}
