/** `--fields`: only some fields of each item, in the given order, and which fields an endpoint documents. */
import * as z from 'zod/mini';
import type {Endpoint} from '../api/endpoint.js';
import type {View} from '../api/view.js';
import {fieldTexts, kindOf} from '../json/slices.js';
import type {ItemSetting, ItemWriter} from './format.js';

/** The value of `--fields` is not a list of fields. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
}

/**
 * Reads `id,account.acct`: names of nested fields are joined by dots, the outermost first. Drops repeated names.
 * @throws FieldError when a name or a part of one is empty
 */
export function parseFields(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (name === '') throw new FieldError(`empty field name in "${text}"`);
    if (name.split('.').includes(''))
      throw new FieldError(`"${name}" is not a field name; join nested names with one dot, as in account.acct`);
  }
  return [...new Set(names)];
}

/** The texts of an item's fields by their names. @param nameless the field name for an item that is not an object */
export function fieldsIn(item: string, nameless: string): ReadonlyMap<string, string> {
  return kindOf(item) === 'object' ? fieldTexts(item) : new Map([[nameless, item]]);
}

/**
 * The item as an object of these fields, null for those that it lacks.
 * @param nameless the field name for an item that is not an object
 */
export function pick(item: string, fields: readonly string[], nameless: string): string {
  const known = fieldsIn(item, nameless);
  return `{${fields.map((name) => `${JSON.stringify(name)}:${textAt(known, name) ?? 'null'}`).join(',')}}`;
}

/** Passes items to the writer as what is made of each. */
export function mapping(writer: ItemWriter, change: (item: string) => string): ItemWriter {
  return {
    nature: writer.nature,
    items: (texts) => writer.items(texts.map(change)),
    get isFull() {
      return writer.isFull === true;
    },
    leaveOut: (count) => writer.leaveOut?.(count),
    end: () => writer.end(),
  };
}

/** Passes items with these fields only to the writer. */
export function picking(writer: ItemWriter, fields: readonly string[], view: View | undefined): ItemWriter {
  const nameless = valueName(view);
  return mapping(writer, (text) => pick(text, fields, nameless));
}

/** The text at a path of names joined by dots. A field whose own name contains the dots comes first. */
function textAt(known: ReadonlyMap<string, string>, path: string): string | undefined {
  const dot = path.indexOf('.');
  if (dot === -1 || known.has(path)) return known.get(path);
  const outer = known.get(path.slice(0, dot));
  return outer !== undefined && kindOf(outer) === 'object' ? textAt(fieldTexts(outer), path.slice(dot + 1)) : undefined;
}

/** The field name for items that are not objects. */
export function valueName(view: View | undefined): string {
  const [first] = view?.columns ?? [];
  return first?.path === '' ? first.header : 'value';
}

type Schema = z.core.$ZodType;

/** The schema of the items of an endpoint's answer. */
export function itemSchema({output, rows, view}: Pick<Endpoint, 'output' | 'rows' | 'view'>): Schema {
  const inside = (rows ?? []).reduce<Schema | undefined>((schema, name) => schema && fieldOf(schema, name), output());
  if (inside === undefined) throw new Error('An answer has no such rows');
  const list = bare(inside);
  const item = bare(list instanceof z.ZodMiniArray ? list.def.element : list);
  if (item instanceof z.ZodMiniUnknown || shapeOf(item)) return item;
  return z.looseObject({[valueName(view)]: z.unknown()});
}

/**
 * The fields that the schema does not document. Servers send undocumented fields too. Empty where nothing is documented.
 */
export function unknownFields(fields: readonly string[], schema: Schema): string[] {
  if (knownFields(schema).length === 0) return [];
  return fields.filter((name) => !knows(schema, name));
}

/** The columns of a list without items. */
export function fieldsOfEmpty({documented, emptyFields, isList, view}: ItemSetting): readonly string[] {
  if (!isList) return [];
  if (emptyFields !== undefined) return emptyFields;
  const fields = documented === undefined ? [] : Object.keys(shapeOf(itemSchema(documented)) ?? {});
  if (fields.length > 0) return fields;
  const names = (view?.columns ?? []).map(({path}) => path.split('.', 1)[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

/** The names of the fields, and of the fields of objects inside them. */
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

/** The schema without optional and nullable. */
function bare(schema: Schema): Schema {
  return schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable ? bare(schema.def.innerType) : schema;
}
