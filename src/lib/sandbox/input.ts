/** Checks the input of a request by the schemas of its endpoint's record, and refuses it in the words of the servers' framework. */
import * as z from 'zod/mini';
import type {Endpoint} from '../api/endpoint.js';
import {factsOf} from '../api/schema.js';
import {isFields, listOf, type ReceivedFields} from './received-request.js';
import {invalid} from './refusal.js';

interface Attribute {
  /** Names joined by dots: `keywords_attributes.0.keyword`. */
  readonly path: string;
  /** What messages call it. */
  readonly name: string;
  readonly value: unknown;
  readonly rules: readonly Rule[];
  readonly fields: ReceivedFields;
}

type Check = (attribute: Attribute, argument: string) => string | false;

/** A rule as the framework writes it, such as `max:100`, or a check that one endpoint has. */
export type Rule = Check | string;

/** Rules by path, in which `*` stands for every element. */
export type Rules = Readonly<Record<string, readonly Rule[]>>;

/** What a record says of its input. Servers read some fields by another name. */
export function rulesOf({query, body}: Pick<Endpoint, 'body' | 'query'>): Rules {
  return Object.fromEntries(
    Object.entries({...query, ...body}).flatMap(([name, schema]) => rulesAt(factsOf(schema)?.alsoAs ?? name, schema)),
  );
}

function rulesAt(path: string, schema: z.core.$ZodType, known = factsOf(schema)): readonly (readonly [string, readonly string[]])[] {
  const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
  const own = inner === schema ? ['required'] : [];
  if (inner instanceof z.ZodMiniArray) return [[path, [...own, 'array']], ...rulesAt(`${path}.*`, inner.def.element, known)];
  if (inner instanceof z.ZodMiniObject) return Object.entries(inner.shape).flatMap(([name, member]) => rulesAt(`${path}.${name}`, member));
  if (inner instanceof z.ZodMiniBoolean) own.push('boolean');
  if (inner instanceof z.ZodMiniNumber) own.push('integer');
  if (inner instanceof z.ZodMiniUnion || known?.isId !== undefined) own.push('integer', 'min:1');
  if (known?.known !== undefined) own.push(`in:${known.known.join()}`);
  return [[path, own]];
}

const isMissing = (value: unknown): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Messages call a nested value by its path, and any other by its words. */
const nameOf = (path: string): string => (path.includes('.') ? path : path.replaceAll('_', ' '));

/** The words "true" and "false" are refused. */
const booleans: readonly unknown[] = [true, false, 0, 1, '0', '1'];

/** Those of presence check missing values, too. After one of them that is broken, nothing else is checked. */
const checks: Readonly<Record<string, Check>> = {
  required: ({name, value}) => isMissing(value) && `The ${name} field is required.`,
  required_without({path, name, value, fields}, other) {
    const sibling = path.replace(/[^.]+$/, other);
    const isThere = !isMissing(value) || !isMissing(valueAt(fields, sibling));
    return !isThere && `The ${name} field is required when ${nameOf(sibling)} is not present.`;
  },
  integer: ({name, value}) => !isIntegral(value) && `The ${name} must be an integer.`,
  array: ({name, value}) => !Array.isArray(value) && !isFields(value) && `The ${name} must be an array.`,
  boolean: ({name, value}) => !booleans.includes(value) && `The ${name} field must be true or false.`,
  in: ({name, value}, allowed) => !allowed.split(',').includes(String(value)) && `The selected ${name} is invalid.`,
  min(attribute, least) {
    const [size, unit] = sizeOf(attribute);
    return size < Number(least) && `The ${attribute.name} must be at least ${least}${unit}.`;
  },
  max(attribute, most) {
    const [size, unit] = sizeOf(attribute);
    return size > Number(most) && `The ${attribute.name} may not ${unit === ' items' ? 'have more' : 'be greater'} than ${most}${unit}.`;
  },
  /** Requires that all elements of a list differ. Every element that has a duplicate is reported. */
  distinct({path, name, value, fields}) {
    const siblings = listOf(valueAt(fields, path.replace(/\.\d+$/, '')));
    return siblings.filter((sibling) => String(sibling) === String(value)).length > 1 && `The ${name} field has a duplicate value.`;
  },
};

/** Checks all fields and throws one refusal with everything that is wrong. @param more rules, which come after those of the record */
export function checkInput(fields: ReceivedFields, recorded: Rules, more: Rules): void {
  const errors: Record<string, string[]> = {};
  for (const pattern of Object.keys({...recorded, ...more})) {
    const rules = [...(recorded[pattern] ?? []), ...(more[pattern] ?? [])];
    for (const [path, value] of valuesAt(fields, pattern.split('.'))) {
      const found = faultsOf({path, name: nameOf(path), value, rules, fields});
      if (found.length > 0) errors[path] = found;
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function faultsOf(attribute: Attribute): string[] {
  const messages: string[] = [];
  for (const rule of attribute.rules) {
    const [word = '', argument = ''] = typeof rule === 'string' ? rule.split(/:(.*)/s) : [];
    const isOfPresence = word.startsWith('required');
    if (!isOfPresence && (attribute.value === null || attribute.value === undefined)) continue;
    const message = (typeof rule === 'string' ? checks[word] : rule)?.(attribute, argument) ?? false;
    if (message !== false) messages.push(message);
    if (message !== false && isOfPresence) break;
  }
  return messages;
}

/** The values that a path with `*` stands for. A path without it stands for one, even where nothing is there. */
function valuesAt(value: unknown, [part, ...rest]: readonly string[], path = ''): readonly (readonly [path: string, value: unknown])[] {
  if (part === undefined) return [[path, value]];
  const members = new Map<string, unknown>(isFields(value) || Array.isArray(value) ? Object.entries(value) : []);
  const names = part === '*' ? [...members.keys()] : [part];
  return names.flatMap((name) => valuesAt(members.get(name), rest, path === '' ? name : `${path}.${name}`));
}

const valueAt = (fields: ReceivedFields, path: string): unknown => valuesAt(fields, path.split('.'))[0]?.[1];

function isIntegral(value: unknown): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^[+-]?\d{1,19}$/.test(value);
}

/** A number counts as itself, a list by its items, a file in kilobytes, everything else by its characters. */
function sizeOf({rules, value}: Attribute): readonly [size: number, unit: string] {
  const characters = [...String(value)].length;
  if (rules.includes('integer')) return [isIntegral(value) ? Number(value) : characters, ''];
  if (rules.includes('array')) return [Array.isArray(value) || isFields(value) ? Object.keys(value).length : characters, ' items'];
  return value instanceof File ? [value.size / 1024, ' kilobytes'] : [characters, ' characters'];
}
