/** Schemas of fields and answers: types, and what else is known about them. */
import * as z from 'zod/mini';
import type {Kind} from './kind.js';

export interface FieldFacts {
  /** One phrase for help and reference, without a full stop. */
  readonly about: string;
  /** Values that servers are known to take. */
  readonly known?: readonly string[];
  /** Servers take only the known values. Unless this is set, other values are sent with a warning. */
  readonly knowsAll?: true;
  /** The known values by the names that other programs have for them. */
  readonly calledElsewhere?: Readonly<Record<string, string>>;
  /** A second name under which the same value is sent, for servers that read another one. */
  readonly alsoAs?: string;
  /** The value, or each item of a list, is an id: one word, or with `digits` only digits. */
  readonly isId?: 'digits' | true;
  /** The kind of object that the id is of. In place of the id, people may name an account by its handle or the address of its profile. */
  readonly names?: 'account' | 'conversation';
  /** The kind of object that the value names, where `names` does not say it. */
  readonly of?: Kind;
  /** `names` holds only where fields of the body have these values. */
  readonly namesWhere?: Readonly<Record<string, string>>;
  /** Asks for a part of a list: how many items, or where it begins or ends. */
  readonly part?: true;
  /** The value when the field is absent, which generated documents show. */
  readonly default?: boolean | number | string | readonly string[];
  /** The value is a secret and is masked wherever it would be shown. */
  readonly secret?: true;
}

const facts = z.registry<FieldFacts>();

/** Declares an input field: its type and what is known about it. */
export function field<Schema extends z.ZodMiniType>(schema: Schema, about: string, more: Omit<FieldFacts, 'about'> = {}): Schema {
  const own = z.clone(schema);
  facts.add(own, {about, ...more});
  return own;
}

/** The facts of a field declared with {@link field}, optional or not. */
export function factsOf(schema: z.core.$ZodType): FieldFacts | undefined {
  return facts.get(schema) ?? (schema instanceof z.ZodMiniOptional ? factsOf(schema.def.innerType) : undefined);
}

/** `names` of a field, if it holds for this input; undefined otherwise. @param body of the same input */
export function namedKind(known: FieldFacts | undefined, body: Readonly<Record<string, unknown>> = {}): FieldFacts['names'] {
  const isMeant = Object.entries(known?.namesWhere ?? {}).every(([name, value]) => body[name] === value);
  return isMeant ? known?.names : undefined;
}

/** Makes a value when it is first needed. There are many shapes, and a command needs only one of them. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/**
 * Makes a value for each thing when it is first needed. A promise that fails is forgotten, so that it is made again.
 * @param keyOf what equal things share; without it, each is its own key
 */
export function oncePer<Thing extends WeakKey, Value extends object>(
  make: (thing: Thing) => Value,
  keyOf: (thing: Thing) => WeakKey = (thing) => thing,
): (thing: Thing) => Value {
  const made = new WeakMap<WeakKey, Value>();
  return (thing) => {
    const key = keyOf(thing);
    const value = made.get(key) ?? make(thing);
    made.set(key, value);
    if (value instanceof Promise) value.catch(() => made.delete(key));
    return value;
  };
}

/**
 * Schemas say what the API documents. Where real servers are known to send something else in a field, the schema carries
 * that as its error message, so that the check of an answer can tell a known mismatch (silent, unless strict) from a new
 * one (a warning).
 */
export const KNOWN_MISMATCH = 'known mismatch of real servers';

interface Issue {
  readonly input?: unknown;
}

/** Schema parameters for a field in which servers are known to send values that pass `test`. */
export function allowKnownMismatch(test: (value: unknown) => boolean): {error: (issue: Issue) => string | undefined} {
  return {error: (issue) => (test(issue.input) ? KNOWN_MISMATCH : undefined)};
}

export const isNull = (value: unknown): boolean => value === null;
export const isInteger = (value: unknown): boolean => Number.isInteger(value);
export const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value);
export const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const inData = new WeakSet<z.core.$ZodType>();

/** A list that some servers send as the `data` of an object. */
export function orInData<Item extends z.core.$ZodType>(list: z.ZodMiniArray<Item>): z.ZodMiniArray<Item> {
  inData.add(list);
  return list;
}

export const mayBeInData = (schema: z.core.$ZodType): boolean => inData.has(schema);

export type Members = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object, and not a list or a number that is stored as its text. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** The members of an object; of anything else none. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** Servers trim texts. */
const plain = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** Whether an answer shows the values that were asked for, as far as it has these members. */
export function agrees(answer: unknown, wanted: Members): boolean {
  const found = membersOf(answer);
  return Object.entries(wanted).every(([name, value]) => value === undefined || plain(found[name] ?? value) === plain(value));
}

/** The text of an id or a name; empty for what is neither a string nor a number. */
export const idText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
