/** Which fields the records know, for `--fields`. */
import * as z from 'zod/mini';
import type {Endpoint} from '../api/endpoint.js';
import type {Field} from './fields.js';
import {valueName} from './value-name.js';

type Schema = z.core.$ZodType;

/** What the items of an endpoint's answer look like. */
export function itemSchema({output, rows, view}: Pick<Endpoint, 'output' | 'rows' | 'view'>): Schema {
  const inside = (rows ?? []).reduce<Schema>((schema, name) => fieldOf(schema, name) ?? z.unknown(), output());
  const list = bare(inside);
  const item = bare(list instanceof z.ZodMiniArray ? list.def.element : list);
  if (item instanceof z.ZodMiniUnknown || shapeOf(item)) return item;
  return z.looseObject({[valueName(view)]: z.unknown()});
}

/** What a result for one of many targets looks like. */
export function resultSchema({output}: Pick<Endpoint, 'output'>) {
  return z.looseObject({
    target: z.string(),
    ok: z.boolean(),
    status: z.nullable(z.number()),
    resumed: z.boolean(),
    body: output(),
    unknown: z.boolean(),
    error: z.looseObject({
      code: z.string(),
      exit: z.number(),
      message: z.string(),
      status: z.number(),
      method: z.string(),
      path: z.string(),
      hint: z.string(),
    }),
  });
}

/** What a result of a batch looks like, whatever its line asked for. */
export function batchResultSchema(): Schema {
  return z.looseObject({line: z.number(), id: z.unknown(), ...resultSchema({output: () => z.unknown()}).shape});
}

/**
 * The fields among these that the schema does not name; they may be there all the same, as servers send more than is
 * documented. None where nothing is documented.
 */
export function unknownFields(fields: readonly Field[], schema: Schema): string[] {
  if (knownFields(schema).length === 0) return [];
  return fields.map(({name}) => name).filter((name) => !knows(schema, name));
}

/** The names to choose from: fields, and those of the objects in them. */
export function knownFields(schema: Schema): string[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([name, inner]) => [
    name,
    ...Object.keys(shapeOf(inner) ?? {}).map((nested) => `${name}.${nested}`),
  ]);
}

function knows(schema: Schema, path: string): boolean {
  if (bare(schema) instanceof z.ZodMiniUnknown) return true;
  const [name = '', ...rest] = path.split('.');
  const inner = fieldOf(schema, name);
  return inner !== undefined && (rest.length === 0 || knows(inner, rest.join('.')));
}

function fieldOf(schema: Schema, name: string): Schema | undefined {
  const shape = shapeOf(schema) ?? {};
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

function shapeOf(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  const unwrapped = bare(schema);
  return unwrapped instanceof z.ZodMiniObject ? unwrapped.def.shape : undefined;
}

/** The schema without what allows it to be absent or null. */
function bare(schema: Schema): Schema {
  return schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable ? bare(schema.def.innerType) : schema;
}
