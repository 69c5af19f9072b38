/** `--fields`: only some fields of each item, in the order asked for. */
import {fieldTexts, kindOf} from '../json/slices.js';
import {compact} from '../json/text.js';
import type {ItemWriter} from './format.js';
import {valueName} from './value-name.js';
import type {View} from '../api/view.js';

/** A field to be shown; in every format its name is what the user wrote. */
export interface Field {
  /** Names joined by dots, outermost first: `account.acct`. */
  readonly name: string;
}

/** A list of fields that cannot be understood. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
}

/**
 * Reads `id,account.acct`. A field that is named twice is shown once.
 * @throws FieldError when a name or a part of one is empty
 */
export function parseFields(text: string): readonly Field[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (name === '') throw new FieldError(`an empty name among the fields "${text}"`);
    if (name.split('.').includes('')) throw new FieldError(`"${name}" is no field: one dot stands between two names, as in account.acct`);
  }
  return [...new Set(names)].map((name) => ({name}));
}

/**
 * The item as an object of these fields, null for those that it lacks.
 * @param nameless what an item is called that is no object
 */
export function pick(item: string, fields: readonly Field[], nameless: string): string {
  const known = kindOf(item) === 'object' ? fieldTexts(item) : new Map([[nameless, item]]);
  return `{${fields.map(({name}) => `${JSON.stringify(name)}:${compact(textAt(known, name) ?? 'null')}`).join(',')}}`;
}

/** Gives the writer items of these fields only. */
export function picking(writer: ItemWriter, fields: readonly Field[], view: View | undefined): ItemWriter {
  const nameless = valueName(view);
  return {
    nature: writer.nature,
    items: (texts) => writer.items(texts.map((text) => pick(text, fields, nameless))),
    end: () => writer.end(),
  };
}

/** The text at a path of names joined by dots; a field whose own name has these dots goes first. */
function textAt(known: ReadonlyMap<string, string>, path: string): string | undefined {
  const dot = path.indexOf('.');
  if (dot === -1 || known.has(path)) return known.get(path);
  const outer = known.get(path.slice(0, dot));
  return outer !== undefined && kindOf(outer) === 'object' ? textAt(fieldTexts(outer), path.slice(dot + 1)) : undefined;
}
