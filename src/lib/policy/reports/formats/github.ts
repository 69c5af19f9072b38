/** Annotations that a GitHub workflow shows at the lines of a policy, to print in a step. */
import {andMore} from '../../../json/text.js';
import {type AuditReport, statusOf, type Unusable} from '../../rows/audit.js';
import type {ReportFormat} from '../format.js';
import {groupsOf, placeIn, shares, told} from '../rows.js';
import {auditCountsText, short, subjectNames, verdictText, wantedText} from '../text.js';

/** GitHub shows ten annotations of each kind for a step, and drops the rest silently. */
const maxShown = 10;
const maxPropertyLength = 200;
const maxMessageLength = 1000;

type Annotation = 'error' | 'notice' | 'warning';

/** Lines, each made when it is shown. */
interface Lines {
  readonly count: number;
  readonly at: (index: number) => string;
}

/** The first ones of each account and rule, so that no long list hides the others. */
export const github: ReportFormat = {
  render: githubReport,
};

const linesOf = <Item>(items: readonly Item[], text: (item: Item) => string): Lines => ({
  count: items.length,
  at: (index) =>
    items
      .slice(index, index + 1)
      .map(text)
      .join(''),
});

function* githubReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const nameOf = subjectNames(reports);
  const mistakes = linesOf(unusable?.mistakes ?? [], ({file, line, column, message}) =>
    command('error', {...annotated(file, line), ...(column !== undefined && {col: String(column)}), title: `Mistake in ${file}`}, message),
  );
  const unread = reports.map((report) =>
    linesOf(report.unread, ({section, failure}) =>
      command('error', {file: report.policy, title: `${section.kind.kind} could not be checked`}, `${nameOf(report)}: ${failure.message}`),
    ),
  );
  const findings = groupsOf(reports, {ofKind: Number.POSITIVE_INFINITY}).map(({report, shown}) => {
    const text = (row: (typeof shown)[number]) => {
      const status = statusOf(report, row);
      const {rule, name, where, lists, actual, places, fix, ...one} = told(row, report);
      const {file, line} = placeIn(where, report.policy);
      const since = status === undefined ? '' : status === 'new' ? 'new: ' : 'still open: ';
      return command(
        status === 'open' ? 'warning' : 'error',
        {...annotated(file, line), title: `${rule}: ${name}`},
        `${nameOf(report)}: ${since}wanted: ${wantedText(one)}; actual: ${actual}${lists === undefined ? '' : `; named by ${places}`}; fix: ${fix}`,
      );
    };
    const isOpen = (row: (typeof shown)[number]) => statusOf(report, row) === 'open';
    return {
      new: linesOf(report.since ? shown.filter((row) => !isOpen(row)) : shown, text),
      open: linesOf(report.since ? shown.filter(isOpen) : [], text),
    };
  });
  const ordered = [...reports.filter(({ok}) => !ok), ...reports.filter(({ok}) => ok)];
  const summaries = linesOf(ordered, (report) =>
    command('notice', {title: `${nameOf(report)} ${verdictText(report)} ${report.policy}`}, auditCountsText(report)),
  );
  yield* ofKind('error', [mistakes, ...unread, ...findings.map((one) => one.new)]);
  yield* ofKind(
    'warning',
    findings.map(({open}) => open),
  );
  yield* ofKind('notice', [summaries]);
}

/** As many as are shown; where there are more, the last one counts them. */
function* ofKind(kind: Annotation, lists: readonly Lines[]): Generator<string> {
  const count = lists.reduce((sum, one) => sum + one.count, 0);
  const room = count > maxShown ? maxShown - 1 : maxShown;
  const given = shares(
    lists.map((one) => one.count),
    room,
  );
  for (const [index, {at}] of lists.entries()) for (let line = 0; line < (given[index] ?? 0); line += 1) yield `${at(line)}\n`;
  if (count > maxShown) yield `${command(kind, {title: 'pixelctl audit'}, `${andMore(count - room)}: see the other reports`)}\n`;
}

/** A list on the web has no file to annotate. */
function annotated(file: string, line: number): Record<string, string> {
  return URL.parse(file) !== null ? {} : {file, line: String(line)};
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
