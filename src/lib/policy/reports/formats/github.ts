/** Annotations that a GitHub workflow shows at the lines of a policy, to print in a step. */
import {shownSubject} from '../../sections/index.js';
import type {Mistake} from '../../../client/failure.js';
import {actualText, type Difference, placesOf, type Skipped, whereText} from '../../model/difference.js';
import type {ReportFormat} from '../format.js';
import type {AuditReport, Unusable} from '../report.js';
import {type AnyRows, fitted, Rows} from '../rows.js';
import {byRule, type FindingStatus, statusOf} from '../since.js';
import {auditCountsText, short, subjectNames, verdictText, wantedText} from '../text.js';
import {andMore} from '../../../json/text.js';

/** GitHub shows ten annotations of each kind for a step, and drops the rest silently. */
const maxShown = 10;
const maxPropertyLength = 200;
const maxMessageLength = 1000;

type Annotation = 'error' | 'notice' | 'warning';

/** The first ones of each account and rule, so that no long list hides the others. */
export const github: ReportFormat = {
  render: githubReport,
};

function githubReport(reports: readonly AuditReport[], unusable?: Unusable): Iterable<string> {
  const nameOf = subjectNames(reports);
  const mistakes = annotated(unusable?.mistakes ?? [], mistakeError);
  const unseen = reports.map((report) =>
    annotated(
      report.skipped.filter(({failure}) => failure !== undefined),
      (skipped) => unseenError(skipped, nameOf(report), report.policy),
    ),
  );
  const findings = reports.flatMap((report) => {
    const text = (one: Difference) => findingText(one, nameOf(report), statusOf(report, one));
    return Array.from(byRule(report).values(), (same) => ({
      new: annotated(report.since ? same.filter((one) => report.since?.added.has(one)) : same, text),
      open: annotated(report.since ? same.filter((one) => !report.since?.added.has(one)) : [], text),
    }));
  });
  const ordered = [...reports.filter(({ok}) => !ok), ...reports.filter(({ok}) => ok)];
  const summaries = annotated(ordered, (report) => {
    const title = `${nameOf(report)} ${verdictText(report)} ${report.policy}`;
    return command('notice', {title}, auditCountsText(report));
  });
  return [
    ...ofKind('error', [mistakes, ...unseen, ...findings.map((one) => one.new)]),
    ...ofKind(
      'warning',
      findings.map(({open}) => open),
    ),
    ...ofKind('notice', [summaries]),
  ].map((line) => `${line}\n`);
}

function annotated<Item>(items: readonly Item[], text: (item: Item) => string): Rows<Item> {
  return new Rows(items, (item) => [text(item)], maxShown);
}

/** As many as are shown; where there are more, the last one counts them. */
function* ofKind(kind: Annotation, lists: readonly AnyRows[]): Generator<string> {
  const count = lists.reduce((sum, {items}) => sum + items.length, 0);
  const room = count > maxShown ? maxShown - 1 : maxShown;
  yield* fitted(
    function* () {
      for (const list of lists) yield* list.texts();
    },
    lists,
    {bytes: Number.MAX_SAFE_INTEGER, rows: room},
  );
  if (count > maxShown) yield command(kind, {title: 'pixelctl audit'}, `${andMore(count - room)}: see the other reports`);
}

/** A list on the web has no file to annotate. */
function placeOf({file, line, column}: Pick<Mistake, 'column' | 'file' | 'line'>): Record<string, string> {
  return URL.parse(file) !== null ? {} : {file, line: String(line), ...(column !== undefined && {col: String(column)})};
}

function findingText(finding: Difference, host: string, status: FindingStatus | undefined): string {
  const {rule, source, fix, named} = finding;
  const places = named === undefined ? '' : `; named by ${whereText(placesOf(finding))}`;
  const since = status === undefined ? '' : status === 'new' ? 'new: ' : 'still open: ';
  return command(
    status === 'open' ? 'warning' : 'error',
    {...placeOf(source), title: `${rule}: ${shownSubject(finding)}`},
    `${host}: ${since}wanted: ${wantedText(finding)}; actual: ${actualText(finding)}${places}; fix: ${fix}`,
  );
}

function mistakeError({file, line, column, message}: Mistake): string {
  return command('error', {...placeOf({file, line, column}), title: `Mistake in ${file}`}, message);
}

function unseenError({kind, why}: Skipped, host: string, policy: string): string {
  return command('error', {file: policy, title: `${kind} could not be checked`}, `${host}: ${why}`);
}

function command(name: Annotation, properties: Readonly<Record<string, string>>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`);
  return `::${name} ${list.join(',')}::${data(message, maxMessageLength)}`;
}

function property(text: string): string {
  return data(text, maxPropertyLength).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Inert text has no line breaks. */
function data(text: string, longest: number): string {
  return short(text, longest).replaceAll('%', '%25');
}
