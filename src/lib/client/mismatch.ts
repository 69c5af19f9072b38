/** How an answer differs from the documented shape, by severity. */
import * as z from 'zod/mini';
import {isObject, KNOWN_MISMATCH, mayBeInData, membersOf} from '../api/schema.js';
import {at} from '../json/path.js';

export interface Mismatch {
  /**
   * `shape`: the response as a whole has another type; `type`: a field is present but has another type;
   * `missing`: a documented field is absent; `known`: real servers are known to do this.
   */
  readonly kind: 'known' | 'missing' | 'shape' | 'type';
  /** Path, as `data.0.id`; empty for the whole response. */
  readonly path: string;
  readonly message: string;
}

/** The mismatches of an answer, in bounded memory. */
export interface Mismatches {
  /** The first mismatches of each kind. */
  readonly list: readonly Mismatch[];
  /** How many mismatches there are of each kind; counting stops at {@link maxCounted}. */
  readonly counts: Readonly<Record<Mismatch['kind'], number>>;
}

/** How many mismatches of one kind are listed. */
export const maxKept = 100;

/** Counting stops at this many mismatches. */
const maxCounted = 10_000;

/** How many mismatches are not shown: `7 more`, or `at least 7 more` where not all were counted; undefined where all are shown. */
export function moreThan(shown: number, kind: Mismatch['kind'] | 'any', counts: Mismatches['counts']): string | undefined {
  const all = counts.known + counts.missing + counts.shape + counts.type;
  const more = (kind === 'any' ? all : counts[kind]) - shown;
  return more > 0 ? `${all >= maxCounted ? 'at least ' : ''}${more} more` : undefined;
}

class FoundMismatches implements Mismatches {
  readonly list: Mismatch[] = [];
  readonly counts = {known: 0, missing: 0, shape: 0, type: 0};
  #total = 0;

  get isFull(): boolean {
    return this.#total >= maxCounted;
  }

  add(kind: Mismatch['kind'], path: readonly PropertyKey[], message: string): void {
    this.counts[kind] += 1;
    this.#total += 1;
    if (this.counts[kind] <= maxKept) this.list.push({kind, path: path.join('.'), message});
  }
}

interface Check {
  /** Says quickly whether a value has no mismatch. */
  readonly fits: (value: unknown) => boolean;
  readonly find: (value: unknown, path: readonly PropertyKey[], found: FoundMismatches) => void;
}

/** Adds the mismatches that zod finds. */
function ask(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[], found: FoundMismatches): void {
  const result = z.safeParse(schema, value);
  if (result.success) return;
  for (const issue of result.error.issues) {
    const full = [...path, ...issue.path];
    const message = issueWords(issue, value);
    const isPresent = at(value, issue.path).present;
    const kind = issue.message === KNOWN_MISMATCH ? 'known' : full.length === 0 ? 'shape' : isPresent ? 'type' : 'missing';
    found.add(kind, full, message);
  }
}

/** Whether a schema accepts unknown fields. */
function isLoose({_zod: {def}}: z.ZodMiniObject): boolean {
  return def.catchall === undefined || def.catchall._zod.def.type === 'unknown';
}

/** The JSON type of a schema for single values; undefined for other schemas. */
function wantedType(schema: z.core.$ZodType): 'boolean' | 'number' | 'string' | undefined {
  if ('format' in schema._zod.def) return undefined;
  if (schema instanceof z.ZodMiniBoolean) return 'boolean';
  if (schema instanceof z.ZodMiniString) return 'string';
  return schema instanceof z.ZodMiniNumber ? 'number' : undefined;
}

function singleFits(type: string, refinement?: (value: unknown) => unknown): Check['fits'] {
  const isOfType = (value: unknown) => typeof value === type && (type !== 'number' || Number.isFinite(value));
  return refinement === undefined ? isOfType : (value) => isOfType(value) && Boolean(refinement(value));
}

function checkOf(schema: z.core.$ZodType): Check {
  const asZod: Check = {fits: (value) => z.safeParse(schema, value).success, find: (...args) => ask(schema, ...args)};
  const {checks: refinements = []} = schema._zod.def;
  const type = wantedType(schema);
  const [refinement] = refinements;
  if (type !== undefined && refinement === undefined) return {...asZod, fits: singleFits(type)};
  if (type !== undefined && refinements.length === 1 && refinement instanceof z.core.$ZodCustom) {
    return {...asZod, fits: singleFits(type, refinement._zod.def.fn)};
  }
  if (refinements.length > 0) return asZod;
  if (schema instanceof z.ZodMiniObject && isLoose(schema)) return objectCheck(schema._zod.def.shape, asZod);
  if (schema instanceof z.ZodMiniArray) {
    const check = arrayCheck(checkOf(schema._zod.def.element), asZod);
    return mayBeInData(schema) ? checkInData(check) : check;
  }
  if (schema instanceof z.ZodMiniUnion) {
    const options = schema._zod.def.options.map(checkOf);
    return {...asZod, fits: (value) => options.some(({fits}) => fits(value))};
  }
  if (schema instanceof z.ZodMiniOptional) return unless(undefined, checkOf(schema._zod.def.innerType));
  return schema instanceof z.ZodMiniNullable ? unless(null, checkOf(schema._zod.def.innerType)) : asZod;
}

/** The check of a value that may also be null or undefined. */
function unless(nothing: null | undefined, {fits, find}: Check): Check {
  return {
    fits: (value) => value === nothing || fits(value),
    find: (value, path, found) => (value === nothing ? undefined : find(value, path, found)),
  };
}

/** The check of a list that may be the `data` of an object. */
function checkInData({fits, find}: Check): Check {
  const listIn = (value: unknown) => membersOf(value)['data'];
  return {
    fits: (value) => fits(value) || fits(listIn(value)),
    find: (value, path, found) => (Array.isArray(listIn(value)) ? find(listIn(value), [...path, 'data'], found) : find(value, path, found)),
  };
}

function objectCheck(shape: Readonly<Record<string, z.core.$ZodType>>, asZod: Check): Check {
  const fields = Object.entries(shape).map(([name, schema]) => ({name, ...checkOf(schema), absence: absenceOf(name, schema)}));
  return {
    fits: (value) =>
      isObject(value) && fields.every(({name, fits, absence}) => (Object.hasOwn(value, name) ? fits(value[name]) : absence().length === 0)),
    find(value, path, found) {
      if (!isObject(value)) return asZod.find(value, path, found);
      for (const {name, fits, find, absence} of fields) {
        if (!Object.hasOwn(value, name)) {
          for (const {kind, message} of absence()) found.add(kind, [...path, name], message);
        } else if (!fits(value[name])) {
          find(value[name], [...path, name], found);
        }
      }
    },
  };
}

/** The mismatches of a missing field; computed when one is first missing. */
function absenceOf(name: string, schema: z.core.$ZodType): () => readonly Mismatch[] {
  let absence: FoundMismatches | undefined;
  return () => {
    if (absence !== undefined) return absence.list;
    absence = new FoundMismatches();
    ask(z.looseObject({[name]: schema}), {}, [], absence);
    return absence.list;
  };
}

function arrayCheck({fits, find}: Check, asZod: Check): Check {
  return {
    fits: (value) => Array.isArray(value) && value.every(fits),
    find(value, path, found) {
      if (!Array.isArray(value)) return asZod.find(value, path, found);
      for (const [index, item] of value.entries()) {
        if (found.isFull) return;
        if (!fits(item)) find(item, [...path, index], found);
      }
    },
  };
}

const checks = new WeakMap<z.core.$ZodType, Check>();

function knownCheck(schema: z.core.$ZodType): Check {
  const check = checks.get(schema) ?? checkOf(schema);
  checks.set(schema, check);
  return check;
}

/** Whether a value matches a schema. It makes no copies and no messages, so that many values can be checked. */
export function fits<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): value is z.output<Schema> {
  return knownCheck(schema).fits(value);
}

/**
 * Compares parsed JSON with a schema. Unknown fields never count.
 * Objects and lists are walked here, and only their values are given to zod, which would copy everything.
 */
export function mismatchesIn(schema: z.ZodMiniType, value: unknown): Mismatches {
  const check = knownCheck(schema);
  const found = new FoundMismatches();
  if (!check.fits(value)) check.find(value, [], found);
  return found;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** An issue of a schema in words: `expected string, got number`. */
export function issueWords(issue: z.core.$ZodIssue, whole: unknown): string {
  const found = at(whole, issue.path);
  if (!found.present) return 'missing';
  const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
  if (expected !== undefined) return `expected ${expected}, got ${kindOf(found.value)}`;
  return issue.message.startsWith('expected') ? `${issue.message}, got ${kindOf(found.value)}` : issue.message;
}
