/** The values of items in policies and on servers, and how they compare. */
import {areEqual} from './canonical.js';
import {areSameFacts, blocked, type DomainFacts, flagFields, flagTexts, plainFacts, severities} from './domain-facts.js';
import {filterText, type FilterValue, isFilterAsSet, isLessFilter} from './filter-value.js';

/** A block by a server. Its parts have the names that lists and Mastodon's API use. */
export interface BlockValue extends DomainFacts {
  /** The comment of a list for a block that has no other, with `{date}` for the day. What somebody changes in it stays. */
  readonly list_comment?: string | undefined;
}

/** `true` if only the name of the item is known. An item that is not there has `null` in its place. */
export type Value = BlockValue | FilterValue | true;

const isKnown = (value: Value | null | undefined): value is BlockValue | FilterValue =>
  value !== null && value !== undefined && value !== true;
export const isFilter = (value: Value | null | undefined): value is FilterValue => isKnown(value) && 'keywords' in value;
export const isBlock = (value: Value | null | undefined): value is BlockValue => isKnown(value) && 'severity' in value;

/** The value as a filter; an empty filter if it is none. */
export const toFilter = (value: Value | null | undefined): FilterValue => (isFilter(value) ? value : {context: [], keywords: []});
/** The value as a block; a suspension where only the name is known. */
export const toBlock = (value: Value | null | undefined): BlockValue => (isBlock(value) ? value : blocked);

/** Whether an item is there: a block of severity noop is only a note about a domain. */
export const isThere = (value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined && !(isBlock(value) && value.severity === 'noop');

export const rankOf = ({severity}: Pick<DomainFacts, 'severity'>): number => severities.indexOf(severity);

export const isMilder = (one: Value, other: Value): boolean => isBlock(one) && isBlock(other) && rankOf(one) < rankOf(other);

/** Whether the first value lacks something that the second has. */
export function isLess(one: Value, other: Value): boolean {
  if (isFilter(one)) return isLessFilter(one, toFilter(other));
  if (!isBlock(one) || !isBlock(other)) return false;
  if (rankOf(one) !== rankOf(other)) return rankOf(one) < rankOf(other);
  return flagFields.some((name) => other[name] === true && one[name] !== true);
}

export function isAsSet(has: Value | null, set: Value | null): boolean {
  if (areEqual(has, set) || (!isThere(has) && !isThere(set))) return true;
  if (isFilter(has)) return isFilterAsSet(has, toFilter(set));
  if (!isBlock(has) || !isBlock(set)) return false;
  // The comment of a list may differ: somebody may have changed it.
  const {private_comment} = set.list_comment === undefined ? set : has;
  return areSameFacts(plainFacts(has), plainFacts({...set, private_comment}));
}

/** In words, without comments. @param done of the kind: the text for an item that has only a name @param other as for {@link filterText} */
export function textOf({done}: {readonly done: string}, value: Value, other?: Value): string {
  if (isFilter(value)) return filterText(value, isFilter(other) ? other : undefined);
  return isBlock(value) ? [value.severity, ...flagTexts(value)].join(', ') : done;
}
