/** Annotations that a GitHub workflow shows at the lines of a policy, to print in a step. */
import type {Mistake} from '../../client/failure.js';
import type {Difference, Skipped} from '../difference.js';
import type {AuditReport, Unusable} from './report.js';
import {type FindingStatus, statusOf} from './since.js';
import {countsText, short, verdictText, wantedText, subjectNames} from './text.js';

/** GitHub shows ten errors of a step, and drops the rest silently. */
const mostShown = 10;
const longestProperty = 200;
const longestMessage = 1000;

export function githubReport(reports: readonly AuditReport[], unusable?: Unusable): Iterable<string> {
  const mistakes = (unusable?.mistakes ?? []).map(mistakeError);
  const nameOf = subjectNames(reports);
  const differences = reports.flatMap((report) => {
    const host = nameOf(report);
    const unseen = report.skipped.filter(({failure}) => failure !== undefined);
    return [
      ...unseen.map((skipped) => unseenError(skipped, host, report.policy)),
      ...report.findings.map((one) => findingError(one, host, statusOf(report, one))),
    ];
  });
  // What is new is shown before what is still open.
  const errors = [...mistakes, ...differences].sort((one, other) => Number(isWarning(one)) - Number(isWarning(other)));
  const shown = errors.length > mostShown ? errors.slice(0, mostShown - 1) : errors;
  const rest = errors.length - shown.length;
  const last = rest > 0 ? [command('error', {title: 'pixelctl audit'}, `and ${rest} more: see the other reports`)] : [];
  const summaries = reports.map((report) => {
    const title = `${nameOf(report)} ${verdictText(report)} ${report.policy}`;
    return command('notice', {title}, countsText(report));
  });
  return [...shown, ...last, ...summaries].map((line) => `${line}\n`);
}

const isWarning = (line: string): boolean => line.startsWith('::warning ');

function findingError(finding: Difference, host: string, status: FindingStatus | undefined): string {
  const {rule, subject, actual, source, fix} = finding;
  // A list on the web has no file to annotate.
  const location = URL.canParse(source.file) ? {} : {file: source.file, line: String(source.line)};
  const since = status === undefined ? '' : status === 'new' ? 'new: ' : 'still open: ';
  return command(
    status === 'open' ? 'warning' : 'error',
    {...location, title: `${rule}: ${subject}`},
    `${host}: ${since}wanted: ${wantedText(finding)}; actual: ${actual}; fix: ${fix}`,
  );
}

function mistakeError({file, line, column, message}: Mistake): string {
  const place = URL.canParse(file) ? {} : {file, line: String(line), ...(column !== undefined && {col: String(column)})};
  return command('error', {...place, title: `Mistake in ${file}`}, message);
}

function unseenError({kind, why}: Skipped, host: string, policy: string): string {
  return command('error', {file: policy, title: `${kind} could not be checked`}, `${host}: ${why}`);
}

function command(name: 'error' | 'notice' | 'warning', properties: Readonly<Record<string, string>>, message: string): string {
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
