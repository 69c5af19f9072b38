/** Annotations that a GitHub workflow shows at the lines of a policy, to print in a step. */
import {andMore} from '../../../json/text.js';
import {locationIn} from '../../source/location.js';
import {type Line, type Problem, type Report, short, type View} from '../report.js';

/** GitHub shows ten annotations of each level for a step, and drops the rest silently. */
const maxShown = 10;
const maxPropertyLength = 200;
const maxMessageLength = 1000;

type Level = 'error' | 'notice' | 'warning';

export function github({views}: Report): string {
  const lines = interleave(views.flatMap((view) => view.groups.map(({shown}) => shown.map((line) => ({line, view})))));
  const textsOf = (isOpen: boolean) => lines.flatMap(({line, view}) => ((line.status === 'open') === isOpen ? lineText(line, view) : []));
  const problems = views.flatMap((view) => view.problems.map((one) => problemText(one, view)));
  const audits = views.flatMap(({audit}) => audit ?? []);
  const open = audits.reduce((sum, {findings, since}) => sum + (since ? findings.length - since.added.size : 0), 0);
  const failing = audits.reduce((sum, {findings}) => sum + findings.length, -open);
  const worstFirst = views.toSorted((one, other) => Number(one.ok) - Number(other.ok));
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

/** Takes the first item of each list, then the second of each, so that no long list hides the others. */
function interleave<One>(lists: readonly (readonly One[])[]): One[] {
  const numbered = lists.flatMap((list) => list.map((one, index) => ({one, index})));
  return numbered.sort((one, other) => one.index - other.index).map(({one}) => one);
}

function lineText({json: {rule}, name: subject, wanted, actual, where, places, fix, status}: Line, {name}: View): string {
  const since = status === undefined ? '' : status === 'new' ? 'new: ' : 'still open: ';
  const said = places.length > 1 ? `; named by ${where}` : '';
  const properties = {...placeOf(locationIn(places[0] ?? '')), title: `${rule}: ${subject}`};
  const text = `${name}: ${since}wanted: ${wanted}; actual: ${actual}${said}; fix: ${fix}`;
  return command(status === 'open' ? 'warning' : 'error', properties, text);
}

function problemText({of, why, mistake}: Problem, {name, audit}: View): string {
  if (mistake === undefined) return command('error', {file: audit?.policy, title: `${of} could not be checked`}, `${name}: ${why}`);
  return command('error', {...placeOf(mistake), col: mistake.column, title: `Mistake in ${of}`}, why);
}

type Properties = Readonly<Record<string, number | string | undefined>>;

/** A list on the web has no file to annotate. */
const placeOf = (at: {readonly file: string; readonly line: number} | undefined): Properties =>
  at === undefined || URL.parse(at.file) !== null ? {} : {file: at.file, line: at.line};

function command(level: Level, properties: Properties, message: string): string {
  const list = Object.entries(properties).flatMap(([key, value]) => (value === undefined ? [] : `${key}=${property(String(value))}`));
  return `::${level} ${list.join(',')}::${data(message, maxMessageLength)}\n`;
}

const property = (text: string): string => data(text, maxPropertyLength).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Escapes a text that `short` has made one line. */
const data = (text: string, longest: number): string => short(text, longest).replaceAll('%', '%25');
