/** Filters as values: how they compare, and in words. */
import {areEqual} from './canonical.js';
import {endTolerance, expiryOf} from './time.js';

/** A filter. What a policy leaves open is not there. */
export interface FilterValue {
  /** What it is called by now, where that is not the name under which an apply made it. */
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

/** From what does least. */
const actions: readonly string[] = ['blur', 'warn', 'hide'];

/** Servers keep keywords trimmed and in lower case. */
export const storedKeyword = (text: string): string => text.trim().toLowerCase();

const toExpiry = (text: string | undefined) => (text === undefined ? undefined : expiryOf(text));

/** Whether the end of a filter is another one than asked for. Servers count by their own clocks. */
export function endsOtherwise(asked: string | undefined, has: string | undefined, now: Date): boolean {
  const expiry = toExpiry(asked);
  if (expiry === undefined) return false;
  if (expiry.kind === 'never') return has !== undefined && has !== 'never';
  if (has === undefined || has === 'never') return true;
  const [end, tolerance] = [Date.parse(has), endTolerance * 1000];
  if (expiry.kind === 'date') return Math.abs(end - expiry.at.getTime()) > tolerance;
  return end > now.getTime() + expiry.seconds * 1000 + tolerance;
}

/** Whether two ends may be the same: one that is not said is any, and one that counts from now on is on another day. */
function endAlike(one: string | undefined, other: string | undefined): boolean {
  const [mine, others] = [toExpiry(one), toExpiry(other)];
  if (mine === undefined || others === undefined) return true;
  if (mine.kind === 'never' || others.kind === 'never') return mine.kind === others.kind;
  if (mine.kind === 'within' || others.kind === 'within') return true;
  return Math.abs(mine.at.getTime() - others.at.getTime()) <= endTolerance * 1000;
}

/** Whether the first time is before the second one, by more than clocks differ. */
function endsEarlier(one: string | undefined, other: string | undefined): boolean {
  const at = (text: string | undefined) =>
    text === undefined ? undefined : text === 'never' ? Number.POSITIVE_INFINITY : Date.parse(text);
  const [mine, others] = [at(one), at(other)];
  // A time that is counted from the moment of sending ends before never.
  if (mine !== undefined && Number.isNaN(mine)) return others === Number.POSITIVE_INFINITY;
  return mine !== undefined && others !== undefined && mine + endTolerance * 1000 < others;
}

/** Whether two filters differ in nothing that both say. */
export function areFiltersAlike(one: FilterValue, other: FilterValue): boolean {
  const isActionAlike = one.action === undefined || other.action === undefined || one.action === other.action;
  return isActionAlike && endAlike(one.expires, other.expires) && areEqual([one.context, one.keywords], [other.context, other.keywords]);
}

/** Whether a filter is as it was set, which leaves an action open that it does not name. */
export function isFilterAsSet(has: FilterValue, set: FilterValue): boolean {
  if (endsOtherwise(set.expires, has.expires, new Date(0))) return false;
  return areEqual({...has, action: set.action && has.action, expires: undefined}, {...set, expires: undefined});
}

/** Whether the first one does less than the second one somewhere. */
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

/** A filter whose end is counted from the moment of sending, with that end. */
export function endingFrom(filter: FilterValue, now: Date): FilterValue {
  const expiry = toExpiry(filter.expires);
  return expiry?.kind === 'within' ? {...filter, expires: new Date(now.getTime() + expiry.seconds * 1000).toISOString()} : filter;
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

/** A filter in one line. @param other says which parts matter: those that both say, and that differ */
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
    !(Math.abs(Date.parse(expires) - Date.parse(other.expires)) <= endTolerance * 1000);
  return [...parts, ...(isEnd ? [endText(expires)] : [])].join('; ');
}
