/** What items are, and values as canonical text: two are equal where their texts are. */
import {isObject} from '../../api/schema.js';
import {type DomainFacts, severities, type Severity} from './domain-facts.js';

/** A block of a server, as lists and Mastodon name its parts. */
export interface BlockValue extends DomainFacts {
  /** What a list notes on a block that has no other comment, with `{date}` for the day: whoever changes that comment is right. */
  readonly list_comment?: string | undefined;
}

/** A filter. What a policy leaves open is not there. */
export interface FilterValue {
  /** What it is called by now, where that is not the name under which an apply made it. */
  readonly title?: string | undefined;
  readonly context: readonly string[];
  readonly action?: string | undefined;
  /** `never`, a time, or how long from now at most: `90d`. */
  readonly expires?: string | undefined;
  readonly keywords: readonly {readonly keyword: string; readonly whole_word: boolean}[];
}

/** What an item is; `true` where nothing but its name is known of it. That it is not there is `null`. */
export type Value = BlockValue | FilterValue | true;

/** Members in one order, without those that are undefined. Lists are sorted by those who make values. */
export function canonical(value: unknown): string {
  // Of most items only the name is known.
  if (value === true || value === null) return String(value);
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

export function areEqual(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other);
}

const severityIn = (value: Value | null): Severity | undefined =>
  value !== null && value !== true && 'severity' in value ? value.severity : undefined;

/** Whether an item is there: a server may keep notes on a domain that it does not block. */
export const isThere = (value: Value | null): value is Value => value !== null && severityIn(value) !== 'noop';

export const isNothing = (value: Value | null): boolean => !isThere(value);

/** Whether the first one is a milder block than the second one. */
export function isMilder(one: Value, other: Value): boolean {
  const [mine, others] = [severityIn(one), severityIn(other)];
  return mine !== undefined && others !== undefined && severities.indexOf(mine) < severities.indexOf(others);
}
