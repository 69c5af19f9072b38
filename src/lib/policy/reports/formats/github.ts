/** Annotations that a GitHub workflow shows at the lines of a policy, to print in a step. */
import {andMore} from '../../../json/text.js';
import {locationIn} from '../../source/location.js';
import {isClean} from '../../rows/audit.js';
import {type Line, short, type View} from '../report.js';

/** GitHub shows ten annotations of each level for a step, and drops the rest silently. */
const maxShown = 10;
const maxPropertyLength = 200;
const maxMessageLength = 1000;

type Level = 'error' | 'notice' | 'warning';

export function write(views: readonly View[]): string {
  // The first lines of all kinds come first, so that no long one hides the others.
  const lines = views
    .flatMap((view) => view.parts.flatMap((part) => part.lines.map((line, index) => ({line, view, index}))))
    .sort((one, other) => one.index - other.index);
  const textsOf = (isOpen: boolean) => lines.flatMap(({line, view}) => ((line.status === 'open') === isOpen ? lineText(line, view) : []));
  const problems = views.flatMap(({audit: {policy: file}, name, problems: own}) =>
    own.map(({of, why}) => command('error', {file, title: `${of} could not be checked`}, `${name}: ${why}`)),
  );
  const sum = (count: (view: View) => number) => views.reduce((total, view) => total + count(view), 0);
  const open = sum(({audit: {findings, since}}) => (since ? findings.length - since.added.size : 0));
  const failing = sum(({audit}) => audit.findings.length) - open;
  const worstFirst = views.toSorted((one, other) => Number(isClean(one.audit)) - Number(isClean(other.audit)));
  const summaries = worstFirst.map(({title, counts}) => command('notice', {title}, counts));
  return [
    ...limitTexts('error', [...problems, ...textsOf(false)], problems.length + failing),
    ...limitTexts('warning', textsOf(true), open),
    ...limitTexts('notice', summaries, views.length),
  ].join('');
}

/** As many annotations as GitHub shows; if there are more, the last one counts the rest. */
function limitTexts(level: Level, texts: readonly string[], count: number): string[] {
  const shown = texts.slice(0, count > maxShown ? maxShown - 1 : maxShown);
  const rest = count - shown.length;
  return rest > 0 ? [...shown, command(level, {title: 'pixelctl audit'}, `${andMore(rest)}: see the other reports`)] : shown;
}

function lineText({json: {rule}, name: subject, wanted, actual, where, places, fix, status}: Line, {name}: View): string {
  const since = status === undefined ? '' : status === 'new' ? 'new: ' : 'still open: ';
  const said = places.length > 1 ? `; named by ${where}` : '';
  const {file = '', line} = locationIn(places[0] ?? '') ?? {};
  // A list on the web has no file to annotate.
  const place = line === undefined || URL.parse(file) !== null ? {} : {file, line};
  const text = `${name}: ${since}wanted: ${wanted}; actual: ${actual}${said}; fix: ${fix}`;
  return command(status === 'open' ? 'warning' : 'error', {...place, title: `${rule}: ${subject}`}, text);
}

function command(level: Level, properties: Readonly<Record<string, number | string>>, message: string): string {
  const property = (text: string) => data(text, maxPropertyLength).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const list = Object.entries(properties).map(([key, value]) => `${key}=${property(String(value))}`);
  return `::${level} ${list.join(',')}::${data(message, maxMessageLength)}\n`;
}

/** Escapes a text that `short` has made one line. */
const data = (text: string, longest: number): string => short(text, longest).replaceAll('%', '%25');
