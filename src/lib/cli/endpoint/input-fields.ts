/** Makes arguments and flags from the fields of an endpoint's record. */
import {Args, Flags} from '@oclif/core';
import {repeatable} from '../flags.js';
import * as z from 'zod/mini';
import type {Endpoint, Fields} from '../../api/endpoint.js';
import {factsOf, type FieldFacts} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';

export type FieldName<E extends Endpoint> = string & (keyof E['body'] | keyof E['pathFields'] | keyof E['query']);
type RequestPart = 'body' | 'path' | 'query';

export interface InputField {
  readonly name: string;
  readonly part: RequestPart;
  readonly kind: 'boolean' | 'list' | 'other' | 'text' | 'whole number';
  readonly required: boolean;
  readonly facts: FieldFacts | undefined;
}

function unwrapOptional(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodMiniOptional ? unwrapOptional(schema.def.innerType) : schema;
}

function kindOf(schema: z.core.$ZodType): InputField['kind'] {
  const inner = unwrapOptional(schema);
  if (inner instanceof z.ZodMiniBoolean) return 'boolean';
  if (inner instanceof z.ZodMiniString) return 'text';
  if (inner instanceof z.ZodMiniUnion || inner instanceof z.ZodMiniNumber) return 'whole number';
  return inner instanceof z.ZodMiniArray && inner.def.element instanceof z.ZodMiniString ? 'list' : 'other';
}

function fieldsIn(part: RequestPart, fields: Fields): InputField[] {
  return Object.entries(fields).map(([name, schema]) => ({
    name,
    part,
    kind: kindOf(schema),
    required: !(schema instanceof z.ZodMiniOptional),
    facts: factsOf(schema),
  }));
}

export function inputFields(endpoint: Endpoint): InputField[] {
  return [...fieldsIn('path', endpoint.pathFields), ...fieldsIn('query', endpoint.query), ...fieldsIn('body', endpoint.body)];
}

/** How fields appear on the command line, where that does not follow from the record. */
export interface FieldLayout<Name extends string = string> {
  /** Fields given as arguments, in order, with the names that help shows for them. */
  readonly arguments?: Readonly<Partial<Record<Name, string>>>;
  /** The field whose argument, the last one, takes many targets. */
  readonly targets?: Readonly<Partial<Record<Name, string>>>;
  /** Fields whose argument `-` stands for all of standard input. */
  readonly piped?: readonly Name[];
  /** Names of flags that differ from those of their fields. */
  readonly flags?: Readonly<Partial<Record<Name, string>>>;
  /** Fields that the command makes from a flag of its own, with the name of that flag. */
  readonly made?: Readonly<Partial<Record<Name, string>>>;
  /** Values that are sent for fields that are not given. */
  readonly defaults?: Readonly<Partial<Record<Name, string>>>;
  /** Boolean fields with a `--no-` form. */
  readonly negatable?: readonly Name[];
}

function takesMany(field: InputField | undefined, {targets}: FieldLayout): boolean {
  return field !== undefined && (field.kind === 'list' || field.name in {...targets});
}

/** `in_reply_to_id` is given as `--in-reply-to-id`. */
export const plainFlag = (name: string): string => name.replaceAll('_', '-');

/** The flag of a field; null if the field is an argument, or made from a flag of the command. */
export function flagName(field: InputField, layout: FieldLayout): string | null {
  if (field.name in {...layout.arguments, ...layout.made}) return null;
  return layout.flags?.[field.name] ?? plainFlag(field.name);
}

/** What a person types for a field: `MESSAGE_ID`, `--title`. */
export function typedName(field: InputField, layout: FieldLayout): string {
  return layout.arguments?.[field.name] ?? `--${layout.made?.[field.name] ?? layout.flags?.[field.name] ?? plainFlag(field.name)}`;
}

/** Says in help what may be given in place of an id. */
function otherNames({names, namesWhere}: FieldFacts): string {
  const person = '@user, @user@host or URL';
  if (names === 'conversation') return `, or the account it is with: ${person}`;
  if (names === undefined) return '';
  return namesWhere === undefined ? `: id, ${person}` : `; for ${Object.values(namesWhere).join(', ')} also ${person}`;
}

export function fieldHelp({facts, name}: Pick<InputField, 'facts' | 'name'>): string {
  const names = facts === undefined ? '' : otherNames(facts);
  const known = facts?.known === undefined ? '' : `; known: ${facts.known.join(', ')}`;
  return `${facts?.about ?? name}${names}${known}`;
}

function helpValue({kind, facts}: InputField): string {
  if (kind === 'whole number') return 'N';
  return facts?.isId !== undefined ? 'ID' : 'TEXT';
}

const wholeNumberFlag = Flags.custom<string>({
  parse: async (text, _, {name}) => {
    if (!/^\d+$/.test(text)) throw new Failure('usage', `--${name} takes a whole number`);
    return text;
  },
});

function flagOf(field: InputField, layout: FieldLayout) {
  const common = {description: fieldHelp(field)};
  if (field.kind === 'boolean') {
    return Flags.boolean({...common, allowNo: layout.negatable?.includes(field.name) === true});
  }
  if (field.kind === 'list') {
    return repeatable(common.description, helpValue(field), {delimiter: ','});
  }
  if (field.kind === 'whole number') return wholeNumberFlag({...common, helpValue: helpValue(field)});
  return Flags.string({...common, helpValue: helpValue(field)});
}

/** The flags of a record. Fields with structured values have none. */
export function flagsOf(endpoint: Endpoint, layout: FieldLayout) {
  const flags: Record<string, ReturnType<typeof flagOf>> = {};
  for (const field of inputFields(endpoint)) {
    const name = flagName(field, layout);
    if (name !== null && field.kind !== 'other') flags[name] = flagOf(field, layout);
  }
  return flags;
}

/** The arguments of a record. The command itself checks required arguments that `--input` or `--from` may bring instead. */
export function argumentsOf(endpoint: Endpoint, layout: FieldLayout) {
  const fields = inputFields(endpoint);
  return Object.fromEntries(
    Object.entries(layout.arguments ?? {}).map(([name, label = name]) => {
      const field = fields.find((candidate) => candidate.name === name);
      const piped = layout.piped?.includes(name) === true ? ' (-: standard input)' : '';
      const description = field === undefined ? '' : fieldHelp(field) + piped;
      const isMany = takesMany(field, layout);
      const required = field !== undefined && field.part !== 'body' && !isMany;
      const common = {name: label, description, required};
      return [label, isMany ? Args.string({...common, multiple: true}) : Args.string(common)];
    }),
  );
}

/** `ID MESSAGE_ID... --title TEXT`, as help shows it after the command. */
export function usageOf(endpoint: Endpoint, layout: FieldLayout): string {
  const fields = inputFields(endpoint);
  const labels = Object.entries(layout.arguments ?? {}).map(([name, label = name]) => {
    const field = fields.find((candidate) => candidate.name === name);
    const shown = takesMany(field, layout) ? `${label}...` : label;
    return field?.required === false ? `[${shown}]` : shown;
  });
  const required = fields
    .filter(({name, required: isRequired}) => isRequired && layout.arguments?.[name] === undefined && layout.defaults?.[name] === undefined)
    .map((field) => {
      const name = typedName(field, layout);
      // A required boolean can also be false.
      return field.kind === 'boolean' ? name.replace('--', '--[no-]') : `${name} ${helpValue(field)}`;
    });
  return [...labels, ...required].join(' ');
}

/** The known values of arguments and flags, by name. Completion offers them; others are allowed, too. */
export function knownValues(endpoint: Endpoint, layout: FieldLayout): Record<string, readonly string[]> {
  const named = inputFields(endpoint).flatMap((field): [string, readonly string[]][] => {
    const name = layout.arguments?.[field.name] ?? flagName(field, layout);
    return name === null || field.facts?.known === undefined ? [] : [[name, field.facts.known]];
  });
  return Object.fromEntries(named);
}
