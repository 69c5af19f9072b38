/** Annotations that a GitHub workflow shows at the lines of a policy: what to print in a step. */
import {inert} from '../../output/inert.js';
import type {Finding, Skipped} from '../finding.js';
import {countsText, counted} from './counts.js';
import type {AuditReport} from './report.js';

/** GitHub shows ten errors of a step, and drops the rest without a word. */
const mostShown = 10;

export function githubReport(reports: readonly AuditReport[]): string {
  const errors = reports.flatMap((report) => {
    const {host} = new URL(report.server);
    const unseen = report.skipped.filter(({failure}) => failure !== undefined);
    return [...unseen.map((skipped) => unseenError(skipped, host, report.policy)), ...report.findings.map((finding) => findingError(finding, host))];
  });
  const shown = errors.length > mostShown ? errors.slice(0, mostShown - 1) : errors;
  const rest = errors.length - shown.length;
  const last = rest > 0 ? [command('error', {title: 'pixelctl audit'}, `and ${counted(rest, 'more finding')}: see the other reports`)] : [];
  const summaries = reports.map((report) =>
    command('notice', {title: `${new URL(report.server).host} ${report.ok ? 'agrees with' : 'differs from'} ${report.policy}`}, countsText(report)),
  );
  return [...shown, ...last, ...summaries].map((line) => `${line}\n`).join('');
}

function findingError({rule, subject, wanted, actual, source, fix}: Finding, host: string): string {
  // A list on the web has no file that could be annotated.
  const place = URL.canParse(source.file) ? {} : {file: source.file, line: String(source.line)};
  return command('error', {...place, title: `${rule}: ${subject}`}, `${host}: wanted: ${wanted}; actual: ${actual}; to mend it: ${fix}`);
}

function unseenError({kind, why}: Skipped, host: string, policy: string): string {
  return command('error', {file: policy, title: `${kind} could not be checked`}, `${host}: ${why}`);
}

function command(name: 'error' | 'notice', properties: Readonly<Record<string, string>>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${data(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`);
  return `::${name} ${list.join(',')}::${data(message)}`;
}

/** Line breaks are gone already: `inert` leaves none. */
function data(text: string): string {
  return inert(text).replaceAll('%', '%25');
}
