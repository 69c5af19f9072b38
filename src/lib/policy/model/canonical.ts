/** Turns values into canonical text: two values are equal when their texts are. */
import {isObject} from '../../api/schema.js';

/** Members are sorted by name, and undefined ones left out. Lists in values are sorted already. */
export function canonical(value: unknown): string {
  // Most items have the value `true`, because only their name is known.
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
