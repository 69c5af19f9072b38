/** Compares filters of policies and servers, and describes them in words. */
import {areEqual} from './canonical.js';
import {durationOf, endTolerance} from './time.js';

/** A field that a policy leaves open is undefined. */
export interface FilterValue {
  /** The present title, if somebody renamed the filter after an apply made it. */
  readonly title?: string | undefined;
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

/** An end in milliseconds since 1970. @param now the time from which a duration counts */
function timeOf(end: string, now = Number.NaN): number {
  const seconds = durationOf(end);
  return end === 'never' ? Number.POSITIVE_INFINITY : seconds === undefined ? Date.parse(end) : now + seconds * 1000;
}

const isDuration = (end: string): boolean => durationOf(end) !== undefined;

/** Whether a filter ends at another time than asked for. */
export function endsOtherwise(asked: string | undefined, has: string | undefined, now: Date): boolean {
  const end = has ?? 'never';
  if (asked === undefined || asked === end) return false;
  const late = timeOf(end) - timeOf(asked, now.getTime());
  return (isDuration(asked) ? late : Math.abs(late)) > tolerance;
}

/** Whether two ends may be the same. An unknown end may be any, and a duration any time, because it counts from another moment. */
function endAlike(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one === other) return true;
  if (one === 'never' || other === 'never') return false;
  return isDuration(one) || isDuration(other) || Math.abs(timeOf(one) - timeOf(other)) <= tolerance;
}

/** Whether the first time is before the second one, by more than clocks differ. */
function endsEarlier(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return isDuration(one) ? other === 'never' : timeOf(one) + tolerance < timeOf(other);
}

/** Whether two filters are the same in everything that both of them say. */
export function areFiltersAlike(one: FilterValue, other: FilterValue): boolean {
  const isActionAlike = one.action === undefined || other.action === undefined || one.action === other.action;
  return isActionAlike && endAlike(one.expires, other.expires) && areEqual([one.context, one.keywords], [other.context, other.keywords]);
}

/** Whether a filter is still as it was set. If no action was set, it may have any. */
export function isFilterAsSet(has: FilterValue, set: FilterValue): boolean {
  if (endsOtherwise(set.expires, has.expires, new Date(0))) return false;
  return areEqual({...has, action: set.action && has.action, expires: undefined}, {...set, expires: undefined});
}

/** Whether the first filter does less than the second in any respect. */
export function isLessFilter(one: FilterValue, other: FilterValue): boolean {
  const words = new Map(one.keywords.map(({keyword, whole_word}) => [keyword, whole_word]));
  return (
    (one.title !== undefined && other.title === undefined) ||
    other.context.some((name) => !one.context.includes(name)) ||
    (one.action !== undefined && other.action !== undefined && actions.indexOf(one.action) < actions.indexOf(other.action)) ||
    other.keywords.some(({keyword, whole_word}) => !words.has(keyword) || (!whole_word && words.get(keyword) === true)) ||
    endsEarlier(one.expires, other.expires)
  );
}

/** Whether a filter has ended by a time, in milliseconds since 1970. */
export const isOverBy = ({expires}: FilterValue, time: number): boolean =>
  expires !== undefined && expires !== 'never' && Date.parse(expires) <= time;

/** The filter with a time as its end, if that was a duration from now on. */
export function endingFrom(filter: FilterValue, now: Date): FilterValue {
  const {expires = ''} = filter;
  return isDuration(expires) ? {...filter, expires: new Date(timeOf(expires, now.getTime())).toISOString()} : filter;
}

export function endText(expires: string): string {
  if (expires === 'never') return 'never ends';
  return /^\d{4}-/.test(expires) ? `ends ${expires}` : `ends in ${expires}`;
}

const keywordText = ({keyword, whole_word}: Keyword): string => (whole_word ? keyword : `${keyword} (also inside words)`);

const partsOf = ({title, action, context, keywords}: FilterValue) => [
  title === undefined ? 'under this title' : `called “${title}”`,
  action,
  `in ${context.join(', ')}`,
  keywords.length === 0 ? 'no keywords' : `keywords: ${keywords.map(keywordText).join(', ')}`,
];

/** A filter in one line. @param other a filter to compare with: only parts that both say, and that differ, are in the line */
export function filterText(filter: FilterValue, other?: FilterValue): string {
  const {expires} = filter;
  const mine = partsOf(filter);
  if (other === undefined || other === filter) {
    const [, ...parts] = mine;
    const end = expires === undefined || expires === 'never' ? [] : [endText(expires)];
    return [...parts.filter((part) => part !== undefined), ...end].join('; ');
  }
  const others = partsOf(other);
  const parts = mine.filter((part, index) => part !== undefined && others[index] !== undefined && part !== others[index]);
  const isEnd =
    expires !== undefined &&
    other.expires !== undefined &&
    expires !== other.expires &&
    !(Math.abs(timeOf(expires) - timeOf(other.expires)) <= tolerance);
  return [...parts, ...(isEnd ? [endText(expires)] : [])].join('; ');
}
