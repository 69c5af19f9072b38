/** Values as canonical text: two are equal where their texts are. */
import {isObject} from '../../api/schema.js';

/** Members in one order, without undefined ones. The lists in values are already sorted. */
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
