/** Annotations that a GitHub workflow shows at the lines of a policy, to print in a step. */
import type {AuditReport, Unusable} from '../../rows/audit.js';
import {locationIn} from '../../source/location.js';
import {short} from '../report-text.js';
import {type Line, type View, viewsOf} from '../report-view.js';
import {andMore} from '../../../json/text.js';

/** GitHub shows ten annotations of each level for a step, and drops the rest silently. */
const maxShown = 10;
const maxPropertyLength = 200;
const maxMessageLength = 1000;

type Level = 'error' | 'notice' | 'warning';

export function* github(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const views = [...viewsOf(reports, maxShown * reports.length)];
  const lines = (isOpen: boolean) => [
    ...interleave(views.flatMap((view) => view.groups.map(({shown}) => annotationsOf(view, shown, isOpen)))),
  ];
  const total = views.reduce((sum, {report}) => sum + report.findings.length, 0);
  const open = views.reduce((sum, {report: {findings, since}}) => sum + (since ? findings.length - since.added.size : 0), 0);
  const problems = [
    ...(unusable?.mistakes ?? []).map(({file, line, column, message}) =>
      command(
        'error',
        {...placeOf({file, line}), ...(column !== undefined && {col: String(column)}), title: `Mistake in ${file}`},
        message,
      ),
    ),
    ...views.flatMap(({name, report, unread}) =>
      unread.map(({kind, why}) => command('error', {file: report.policy, title: `${kind} could not be checked`}, `${name}: ${why}`)),
    ),
  ];
  yield* limitTexts('error', [...problems, ...lines(false)], problems.length + total - open);
  yield* limitTexts('warning', lines(true), open);
  const summaries = views.toSorted((one, other) => Number(one.report.ok) - Number(other.report.ok));
  yield* limitTexts(
    'notice',
    summaries.map(({title, counts}) => command('notice', {title}, counts)),
    views.length,
  );
}

/** As many annotations as GitHub shows; if there are more, the last one counts the rest. */
function* limitTexts(level: Level, texts: readonly string[], count: number): Generator<string> {
  const shown = texts.slice(0, count > maxShown ? maxShown - 1 : maxShown);
  for (const text of shown) yield `${text}\n`;
  const rest = count - shown.length;
  if (rest > 0) yield `${command(level, {title: 'pixelctl audit'}, `${andMore(rest)}: see the other reports`)}\n`;
}

/** Takes the first item of each list, then the second of each, so that no long list hides the others. */
function* interleave<One>(lists: readonly (readonly One[])[]): Generator<One> {
  const longest = Math.max(0, ...lists.map(({length}) => length));
  for (let index = 0; index < longest; index += 1) for (const list of lists) yield* list.slice(index, index + 1);
}

function annotationsOf({name}: View, lines: readonly Line[], isOpen: boolean): string[] {
  return lines
    .filter(({status}) => (status === 'open') === isOpen)
    .map((line) => {
      const {rule, name: subject, wanted, actual, where, places, fix, status} = line;
      const since = status === undefined ? '' : status === 'new' ? 'new: ' : 'still open: ';
      const said = places.length > 1 ? `; named by ${where}` : '';
      const properties = {...placeOf(locationIn(places[0] ?? '')), title: `${rule}: ${subject}`};
      const text = `${name}: ${since}wanted: ${wanted}; actual: ${actual}${said}; fix: ${fix}`;
      return command(isOpen ? 'warning' : 'error', properties, text);
    });
}

/** A list on the web has no file to annotate. */
function placeOf(at: {readonly file: string; readonly line: number} | undefined): Record<string, string> {
  return at === undefined || URL.parse(at.file) !== null ? {} : {file: at.file, line: String(at.line)};
}

function command(level: Level, properties: Readonly<Record<string, string>>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`);
  return `::${level} ${list.join(',')}::${data(message, maxMessageLength)}`;
}

const property = (text: string): string => data(text, maxPropertyLength).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Escapes a text that `short` has made one line. */
const data = (text: string, longest: number): string => short(text, longest).replaceAll('%', '%25');
