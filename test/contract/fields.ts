/** Walks a documented answer, and makes answers that differ from it in one place. */
type Path = readonly (number | string)[];

export interface AnswerField {
  readonly path: Path;
  /** The path as `data.0.id`. */
  readonly name: string;
  readonly value: unknown;
  /** A value of a type that the field is not documented to have. */
  readonly other: unknown;
  /** A member of an object, not an item of a list. */
  readonly isMember: boolean;
}

function ofAnotherType(value: unknown): unknown {
  if (typeof value === 'string') return {};
  if (typeof value === 'boolean') return 'yes';
  if (typeof value === 'number') return 'many';
  // In the place of null stand strings and objects on some servers, but never this.
  return value === null ? false : 7;
}

/** Every field at every depth, items of lists included. */
export function fieldsOf(value: unknown, path: Path = []): AnswerField[] {
  if (typeof value !== 'object' || value === null) return [];
  const isMember = !Array.isArray(value);
  return Object.entries(value).flatMap(([key, inner]): AnswerField[] => {
    const here = [...path, isMember ? key : Number(key)];
    return [{path: here, name: here.join('.'), value: inner, other: ofAnotherType(inner), isMember}, ...fieldsOf(inner, here)];
  });
}

/** The name of the object's member that a path leads to, whichever item of a list it is in. */
export function memberOf(name: string): string {
  return name.split('.').findLast((key) => !/^\d+$/.test(key)) ?? 'item';
}

/** A copy with the value at a path replaced, or added. */
export function replaced(whole: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(whole)) return whole.map((item, index) => (index === key ? replaced(item, rest, value) : item));
  const members: Record<string, unknown> = {...Object(whole)};
  return {...members, [key]: replaced(members[key], rest, value)};
}

/** A copy without the field at a path. */
export function without(whole: unknown, path: Path): unknown {
  // Examples may have one object in several places, of which only one is changed.
  const copy: unknown = JSON.parse(JSON.stringify(whole));
  let owner = copy;
  for (const key of path.slice(0, -1)) owner = Reflect.get(Object(owner), key);
  Reflect.deleteProperty(Object(owner), path.at(-1) ?? '');
  return copy;
}
