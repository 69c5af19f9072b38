/** How an answer departs from the documented shape, told apart by how much it matters. */
import * as z from 'zod/mini';
import {KNOWN_DEPARTURE} from '../api/departure.js';
import {at} from '../json/path.js';
import {issueWords} from './issue.js';

export interface Departure {
  /**
   * `shape`: the answer as a whole is something else; `type`: a field is present but of another type;
   * `missing`: a documented field is absent; `known`: real servers are known to do this.
   */
  readonly kind: 'known' | 'missing' | 'shape' | 'type';
  /** Where, as `data.0.id`; empty for the whole answer. */
  readonly path: string;
  readonly message: string;
}

/** Adds the departures of a value at a path. */
type Check = (value: unknown, path: PropertyKey[], found: Departure[]) => void;

/** What zod makes of a value. */
function ask(schema: z.core.$ZodType, value: unknown, path: readonly PropertyKey[], found: Departure[]): void {
  const result = z.safeParse(schema, value);
  if (result.success) return;
  for (const issue of result.error.issues) {
    const place = [...path, ...issue.path];
    const message = issueWords(issue, value);
    const isPresent = at(value, issue.path).present;
    const kind = issue.message === KNOWN_DEPARTURE ? 'known' : place.length === 0 ? 'shape' : isPresent ? 'type' : 'missing';
    found.push({kind, path: place.join('.'), message});
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether unknown fields pass, whatever they are. */
function isLoose({_zod: {def}}: z.ZodMiniObject): boolean {
  return def.catchall === undefined || def.catchall._zod.def.type === 'unknown';
}

/** The JSON type that a schema of single values wants; undefined where there is more to it. */
function wantedType(schema: z.core.$ZodType): 'boolean' | 'number' | 'string' | undefined {
  if ('format' in schema._zod.def) return undefined;
  if (schema instanceof z.ZodMiniBoolean) return 'boolean';
  if (schema instanceof z.ZodMiniString) return 'string';
  return schema instanceof z.ZodMiniNumber ? 'number' : undefined;
}

/** @param refinement what the value has to pass besides being of its type */
function singleCheck(type: string, refinement: ((value: unknown) => unknown) | undefined, asZod: Check): Check {
  return (value, path, found) => {
    const fits = typeof value === type && (type !== 'number' || Number.isFinite(value));
    if (!fits || (refinement !== undefined && !refinement(value))) asZod(value, path, found);
  };
}

function checkOf(schema: z.core.$ZodType): Check {
  const asZod: Check = (value, path, found) => ask(schema, value, path, found);
  const {checks: refinements = []} = schema._zod.def;
  const type = wantedType(schema);
  const [refinement] = refinements;
  if (type !== undefined && refinement === undefined) return singleCheck(type, undefined, asZod);
  if (type !== undefined && refinements.length === 1 && refinement instanceof z.core.$ZodCustom) return singleCheck(type, refinement._zod.def.fn, asZod);
  if (refinements.length > 0) return asZod;
  if (schema instanceof z.ZodMiniObject && isLoose(schema)) return objectCheck(schema._zod.def.shape, asZod);
  if (schema instanceof z.ZodMiniArray) return arrayCheck(checkOf(schema._zod.def.element), asZod);
  if (schema instanceof z.ZodMiniOptional) {
    const inner = checkOf(schema._zod.def.innerType);
    return (value, path, found) => (value === undefined ? undefined : inner(value, path, found));
  }
  if (schema instanceof z.ZodMiniNullable) {
    const inner = checkOf(schema._zod.def.innerType);
    return (value, path, found) => (value === null ? undefined : inner(value, path, found));
  }
  return asZod;
}

function objectCheck(shape: Readonly<Record<string, z.core.$ZodType>>, asZod: Check): Check {
  const fields = Object.entries(shape).map(([name, schema]) => ({name, check: checkOf(schema), absence: absenceOf(name, schema)}));
  return (value, path, found) => {
    if (!isObject(value)) return asZod(value, path, found);
    let place: string | undefined;
    for (const {name, check, absence} of fields) {
      if (Object.hasOwn(value, name)) {
        path.push(name);
        check(value[name], path, found);
        path.pop();
      } else {
        place ??= path.map((key) => `${String(key)}.`).join('');
        for (const {kind, message} of absence()) found.push({kind, path: place + name, message});
      }
    }
  };
}

/** What it means that a field is not there; asked once, and only when it happens. */
function absenceOf(name: string, schema: z.core.$ZodType): () => readonly Departure[] {
  let absence: Departure[] | undefined;
  return () => {
    if (absence !== undefined) return absence;
    absence = [];
    ask(z.looseObject({[name]: schema}), {}, [], absence);
    return absence;
  };
}

function arrayCheck(check: Check, asZod: Check): Check {
  return (value, path, found) => {
    if (!Array.isArray(value)) return asZod(value, path, found);
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      check(value[index], path, found);
      path.pop();
    }
  };
}

const checks = new WeakMap<z.core.$ZodType, Check>();

/**
 * Compares parsed JSON with a schema; an empty list says that it conforms. Unknown fields never count.
 * Objects and lists are gone through here and only what is in them is given to zod, which would copy them all.
 */
export function departuresFrom(schema: z.ZodMiniType, value: unknown): Departure[] {
  const check = checks.get(schema) ?? checkOf(schema);
  checks.set(schema, check);
  const found: Departure[] = [];
  check(value, [], found);
  return found;
}
