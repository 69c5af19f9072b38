/** Turns values into canonical text: two values are equal when their texts are. */
import {isObject} from '../../api/schema.js';

const maxKnown = 1000;

/** Remembers what a function made of the last objects, which must not change: of very many domains lists often say the same. */
export function remember<Of extends object, Made>(make: (value: Of) => Made): (value: Of) => Made {
  const known = new Map<Of, Made>();
  return (value) => {
    const earlier = known.get(value);
    if (earlier !== undefined) return earlier;
    if (known.size >= maxKnown) known.clear();
    const made = make(value);
    known.set(value, made);
    return made;
  };
}

const canonicalObject = remember((value: object) =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member) && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  ),
);

/** Members are sorted by name, and undefined ones left out. Lists in values are sorted already. */
export const canonical = (value: unknown): string => (isObject(value) ? canonicalObject(value) : JSON.stringify(value));

export function areEqual(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other);
}
