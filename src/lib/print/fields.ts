/** `--fields`: selects fields of each item, in the given order, and knows which fields an endpoint documents. */
import * as z from 'zod/mini';
import type {Endpoint} from '../api/endpoint.js';
import {isObject, type Members} from '../api/schema.js';
import type {Column, View} from '../api/view.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {columnText, layoutOf, nothing, valueAt} from './values.js';

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

/** The fields of an item of several accounts: its own `account` may be called `item.account`, as its column is. Drops repeated names. */
export function itemFields(fields: readonly string[]): string[] {
  return [...new Set(fields.map((name) => name.replace(/^item\.(?=account(?:\.|$))/, '')))];
}

/** An item's fields by their names. @param nameless the field name for an item that is not an object */
export function fieldsIn(item: unknown, nameless: string): Members {
  return isObject(item) ? item : {[nameless]: item};
}

/** How a format shows an item: as cells of CSV or TSV, as a nested document, or as columns for people. */
export type Form = 'cells' | 'nested' | 'table';

interface Picking extends ItemSetting {
  /** In a table and in cells, the name of a heading selects the text below it; in a nested document, the value of the field. */
  readonly form: Form;
}

/** The item as an object of these fields; a field that it lacks is null. A name that is no field may be the heading of a column. */
export function pick(item: unknown, fields: readonly string[], setting: Picking): Members {
  const known = fieldsIn(item, valueName(setting.view));
  const valueOf = (name: string): unknown => {
    const value = cellUnder(name, item, known, setting) ?? valueAt(known, name);
    return value === undefined ? (valueUnder(name, item, known, setting) ?? null) : value;
  };
  return Object.fromEntries(fields.map((name) => [name, valueOf(name)]));
}

/** The text that people read under a heading; undefined where it is the bare value, or where another field has that name. */
function cellUnder(heading: string, item: unknown, known: Members, setting: Picking): string | undefined {
  const {form, view} = setting;
  const column = form === 'nested' ? undefined : columnUnder(heading, view);
  const isField = form === 'cells' || column?.path !== heading;
  if (column === undefined || (isField && Object.hasOwn(known, heading))) return undefined;
  const {kind, none, text, words} = column;
  const isValue = text === undefined && words === undefined && none === undefined && (kind === undefined || kind === 'number');
  if (isValue) return undefined;
  if (form === 'table') return columnText(item, column, layoutOf(setting));
  const cell = textInPipe(item, column, setting);
  return cell === nothing ? '' : cell;
}

/** The value of an item under a heading: the field that is shown there, or a text where it is made of several fields. */
function valueUnder(heading: string, item: unknown, known: Members, setting: ItemSetting): unknown {
  const column = columnUnder(heading, setting.view);
  if (column === undefined) return undefined;
  if (column.path !== '') return valueAt(known, column.path);
  return textInPipe(item, column, setting);
}

function textInPipe(item: unknown, column: Column, setting: ItemSetting): string {
  return columnText(item, column, layoutOf({...setting, terminal: {...setting.terminal, isTerminal: false}}));
}

function columnUnder(heading: string, view: View | undefined): Column | undefined {
  return view?.columns?.find(({header}) => header === heading);
}

/** Whether a name is the heading of a column that shows one of these fields or the whole item. */
function isHeading(name: string, view: View | undefined, isField: (path: string) => boolean): boolean {
  const column = columnUnder(name, view);
  return column !== undefined && (column.path === '' || isField(column.path));
}

export function mapping(writer: ItemWriter, change: (item: unknown) => unknown): ItemWriter {
  return {
    nature: writer.nature,
    items: (items) => writer.items(items.map(change)),
    get notShown() {
      return writer.notShown;
    },
    end: () => writer.end(),
  };
}

/** The field name for items that are not objects. */
export function valueName(view: View | undefined): string {
  const [first] = view?.columns ?? [];
  return first?.path === '' ? first.header : 'value';
}

type Schema = z.core.$ZodType;

export function itemSchema({output, rows, view}: Pick<Endpoint, 'output' | 'rows' | 'view'>): Schema {
  const inside = (rows ?? []).reduce<Schema | undefined>((schema, name) => schema && fieldOf(schema, name), output());
  if (inside === undefined) throw new Error('An answer has no such rows');
  const list = bare(inside);
  const item = bare(list instanceof z.ZodMiniArray ? list.def.element : list);
  if (item instanceof z.ZodMiniUnknown || shapeOf(item)) return item;
  return z.looseObject({[valueName(view)]: z.unknown()});
}

/**
 * The names that are neither documented fields nor headings, although servers send undocumented fields, too. Empty where nothing is
 * documented.
 */
export function unknownFields(fields: readonly string[], schema: Schema, view?: View): string[] {
  if (knownFields(schema).length === 0) return [];
  return fields.filter((name) => !knows(schema, name) && !isHeading(name, view, (path) => knows(schema, path)));
}

/** The requested fields that are not among these names, not inside such a field, and not headings. */
export function foreignFields(fields: readonly string[], names: readonly string[], view: View): string[] {
  const isField = (path: string) => names.includes(path) || names.includes(path.split('.', 1)[0] ?? '');
  return fields.filter((name) => !isField(name) && !isHeading(name, view, isField));
}

export function fieldsShown({columns = []}: View): string[] {
  return [...new Set(columns.map(({path}) => path.split('.', 1)[0] ?? ''))].filter((name) => name !== '');
}

export function fieldsOfEmpty({documented, emptyFields, hides, isList, view}: ItemSetting): readonly string[] {
  if (!isList) return [];
  if (emptyFields !== undefined) return emptyFields;
  const fields = documented === undefined ? [] : Object.keys(shapeOf(itemSchema(documented)) ?? {});
  if (fields.length > 0) return fields.filter((name) => hides?.includes(name) !== true);
  return view === undefined ? [] : fieldsShown(view);
}

/** The names of documented fields, and of fields in objects one level below them: `account.acct`. */
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

function bare(schema: Schema): Schema {
  return schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable ? bare(schema.def.innerType) : schema;
}
