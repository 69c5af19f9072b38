/** What items are, and how two of them compare. */
import {areEqual} from './canonical.js';
import {areSameFacts, blocked, type DomainFacts, flagFields, flagTexts, plainFacts, severities} from './domain-facts.js';
import {filterText, type FilterValue, isFilterAsSet, isLessFilter} from './filter-value.js';

/** A block of a server, as lists and Mastodon name its parts. */
export interface BlockValue extends DomainFacts {
  /** What a list notes on a block that has no other comment, with `{date}` for the day: a comment that somebody changes is kept. */
  readonly list_comment?: string | undefined;
}

/** What an item is; `true` where nothing but its name is known of it. That it is not there is `null`. */
export type Value = BlockValue | FilterValue | true;

const isKnown = (value: Value | null | undefined): value is BlockValue | FilterValue =>
  value !== null && value !== undefined && value !== true;
export const isFilter = (value: Value | null | undefined): value is FilterValue => isKnown(value) && 'keywords' in value;
export const isBlock = (value: Value | null | undefined): value is BlockValue => isKnown(value) && 'severity' in value;

/** The value as a filter; an empty filter if it is none. */
export const toFilter = (value: Value | null | undefined): FilterValue => (isFilter(value) ? value : {context: [], keywords: []});
/** The value as a block; a suspension where only the name is known. */
export const toBlock = (value: Value | null | undefined): BlockValue => (isBlock(value) ? value : blocked);

/** Whether an item is there: a server may keep notes on a domain that it does not block. */
export const isThere = (value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined && !(isBlock(value) && value.severity === 'noop');

export const rankOf = ({severity}: Pick<DomainFacts, 'severity'>): number => severities.indexOf(severity);

/** Whether the first one is a milder block than the second one. */
export const isMilder = (one: Value, other: Value): boolean => isBlock(one) && isBlock(other) && rankOf(one) < rankOf(other);

/** Whether the first one lacks something that the second one has. */
export function isLess(one: Value, other: Value): boolean {
  if (isFilter(one)) return isLessFilter(one, toFilter(other));
  if (!isBlock(one) || !isBlock(other)) return false;
  if (rankOf(one) !== rankOf(other)) return rankOf(one) < rankOf(other);
  return flagFields.some((name) => other[name] === true && one[name] !== true);
}

/** Whether an item is as it was set. */
export function isAsSet(has: Value | null, set: Value | null): boolean {
  if (!isThere(has) || !isThere(set)) return isThere(has) === isThere(set);
  if (areEqual(has, set)) return true;
  if (isFilter(has)) return isFilterAsSet(has, toFilter(set));
  if (!isBlock(has) || !isBlock(set)) return false;
  // What a list noted is not the policy's.
  const {private_comment} = set.list_comment === undefined ? set : has;
  return areSameFacts(plainFacts(has), plainFacts({...set, private_comment}));
}

/** In words, without comments. @param name what is said of an item of which no more is known @param other says which parts of a filter matter: those that differ from it */
export function valueText(value: Value, name: string, other?: Value): string {
  if (isFilter(value)) return filterText(value, isFilter(other) ? other : undefined);
  return isBlock(value) ? [value.severity, ...flagTexts(value)].join(', ') : name;
}
