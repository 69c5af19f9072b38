/** Compares filters of policies and servers, and describes them in words. */
import {areEqual} from './canonical.js';
import {durationOf, endTolerance} from './time.js';

/** A field that a policy leaves open is undefined. */
export interface FilterValue {
  readonly context: readonly string[];
  readonly action?: string | undefined;
  /** `never`, a time, or how long from now at most: `90d`. */
  readonly expires?: string | undefined;
  readonly keywords: readonly Keyword[];
}

export interface Keyword {
  readonly keyword: string;
  readonly whole_word: boolean;
}

/** A keyword of a filter on a server, which may have the same keyword several times. */
export interface StoredKeyword extends Keyword {
  readonly id: number;
}

/** Sorted, the action that does least first. */
const actions: readonly string[] = ['blur', 'warn', 'hide'];

/** Servers store keywords trimmed and in lower case. */
export const storedKeyword = (text: string): string => text.trim().toLowerCase();

const tolerance = endTolerance * 1000;

/** An end in milliseconds since 1970. @param now the time from which a duration counts: without it, any date is later */
function timeOf(end: string | undefined, now = 0): number {
  const seconds = durationOf(end ?? '');
  return end === 'never' ? Number.POSITIVE_INFINITY : seconds === undefined ? Date.parse(end ?? '') : now + seconds * 1000;
}

const isDuration = ({expires = ''}: FilterValue): boolean => durationOf(expires) !== undefined;

/** Whether a filter ends at another time than asked for. */
export function endsOtherwise(asked: string | undefined, has = 'never', now = 0): boolean {
  if (asked === undefined || asked === has) return false;
  const late = timeOf(has) - timeOf(asked, now);
  return (durationOf(asked) === undefined ? Math.abs(late) : late) > tolerance;
}

/** Whether two filters are the same in everything that both of them say. A duration may end at any time, because it counts from another moment. */
export function areFiltersAlike(one: FilterValue, other: FilterValue): boolean {
  const isOpen = isDuration(one) || isDuration(other);
  return filterText(isOpen ? {...one, expires: undefined} : one, other) === '';
}

/** Whether a filter is still as it was set. If no action was set, it may have any. */
export function isFilterAsSet(has: FilterValue, set: FilterValue): boolean {
  if (endsOtherwise(set.expires, has.expires)) return false;
  return areEqual({...has, action: set.action && has.action, expires: undefined}, {...set, expires: undefined});
}

/** Whether the first filter does less than the second in any respect. */
export function isLessFilter(one: FilterValue, other: FilterValue): boolean {
  const words = new Map(one.keywords.map(({keyword, whole_word}) => [keyword, whole_word]));
  return (
    other.context.some((name) => !one.context.includes(name)) ||
    (one.action !== undefined && other.action !== undefined && actions.indexOf(one.action) < actions.indexOf(other.action)) ||
    other.keywords.some(({keyword, whole_word}) => !words.has(keyword) || (!whole_word && words.get(keyword) === true)) ||
    timeOf(one.expires) + tolerance < timeOf(other.expires)
  );
}

/** Whether a filter has ended by a time, in milliseconds since 1970. */
export const isOverBy = ({expires = ''}: FilterValue, time: number): boolean => Date.parse(expires) <= time;

/** The filter with a time as its end, if that was a duration from now on. */
export const endingFrom = (filter: FilterValue, now: Date): FilterValue =>
  isDuration(filter) ? {...filter, expires: new Date(timeOf(filter.expires, now.getTime())).toISOString()} : filter;

const keywordText = ({keyword, whole_word}: Keyword): string => (whole_word ? keyword : `${keyword} (also inside words)`);

/** A filter in one line. @param other a filter to compare with: only parts that both say, and that differ, are in the line */
export function filterText(filter: FilterValue, other: FilterValue = filter): string {
  const {action, context, expires = 'never', keywords} = filter;
  const isWhole = other === filter;
  const shows = (name: 'action' | 'context' | 'keywords') => isWhole || (other[name] !== undefined && !areEqual(filter[name], other[name]));
  const showsEnd = isWhole ? expires !== 'never' : other.expires !== undefined && endsOtherwise(filter.expires, other.expires);
  return [
    shows('action') && action,
    shows('context') && `in ${context.join(', ')}`,
    shows('keywords') && (keywords.length === 0 ? 'no keywords' : `keywords: ${keywords.map(keywordText).join(', ')}`),
    showsEnd && (expires === 'never' ? 'never ends' : `ends ${isDuration(filter) ? 'in ' : ''}${expires}`),
  ]
    .filter((part) => typeof part === 'string')
    .join('; ');
}
