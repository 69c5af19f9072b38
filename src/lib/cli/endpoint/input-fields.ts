/** Makes arguments and flags from the fields of an endpoint's record. */
import {Args, Flags} from '@oclif/core';
import {repeatable} from '../flags.js';
import * as z from 'zod/mini';
import type {Endpoint, Fields} from '../../api/endpoint.js';
import {factsOf, type FieldFacts} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';

export type FieldName<E extends Endpoint> = string & (keyof E['body'] | keyof E['pathFields'] | keyof E['query']);
type RequestPart = 'body' | 'path' | 'query';

/** A field of a record, and how the command line has it. */
export interface InputField {
  readonly name: string;
  readonly part: RequestPart;
  readonly kind: 'boolean' | 'list' | 'other' | 'text' | 'whole number';
  readonly required: boolean;
  readonly facts: FieldFacts | undefined;
  /** The name that help shows for its argument; undefined if it has none. */
  readonly argument: string | undefined;
  /** Undefined if the field is an argument, or made from a flag of the command. */
  readonly flag: string | undefined;
  /** What a person types: `MESSAGE_ID`, `--title`. */
  readonly typed: string;
  /** Whether it is the target, of which a command takes many. */
  readonly isTarget: boolean;
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

/** `in_reply_to_id` is given as `--in-reply-to-id`. */
export const plainFlag = (name: string): string => name.replaceAll('_', '-');

export function inputFields({pathFields, query, body}: Endpoint, layout: FieldLayout = {}): InputField[] {
  const fieldsIn = (part: RequestPart, fields: Fields) =>
    Object.entries(fields).map(([name, schema]): InputField => {
      const [argument, made, flag = plainFlag(name)] = [layout.arguments?.[name], layout.made?.[name], layout.flags?.[name]];
      return {
        name,
        part,
        kind: kindOf(schema),
        required: !(schema instanceof z.ZodMiniOptional),
        facts: factsOf(schema),
        argument,
        flag: argument === undefined && made === undefined ? flag : undefined,
        typed: argument ?? `--${made ?? flag}`,
        isTarget: name in {...layout.targets},
      };
    });
  return [...fieldsIn('path', pathFields), ...fieldsIn('query', query), ...fieldsIn('body', body)];
}

/** The fields that are arguments, in the order in which they are typed. */
function argumentFields(endpoint: Endpoint, layout: FieldLayout): InputField[] {
  const fields = inputFields(endpoint, layout);
  return Object.keys(layout.arguments ?? {}).flatMap((name) => fields.filter((field) => field.name === name));
}

const takesMany = ({kind, isTarget}: InputField): boolean => kind === 'list' || isTarget;

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
  for (const field of inputFields(endpoint, layout))
    if (field.flag !== undefined && field.kind !== 'other') flags[field.flag] = flagOf(field, layout);
  return flags;
}

/** The arguments of a record. The command itself checks required arguments that `--input` or `--from` may bring instead. */
export function argumentsOf(endpoint: Endpoint, layout: FieldLayout) {
  return Object.fromEntries(
    argumentFields(endpoint, layout).map((field) => {
      const isMany = takesMany(field);
      const description = fieldHelp(field) + (layout.piped?.includes(field.name) === true ? ' (-: standard input)' : '');
      const common = {name: field.typed, description, required: field.part !== 'body' && !isMany};
      return [field.typed, isMany ? Args.string({...common, multiple: true}) : Args.string(common)];
    }),
  );
}

/** `ID MESSAGE_ID... --title TEXT`, as help shows it after the command. */
export function usageOf(endpoint: Endpoint, layout: FieldLayout): string {
  const labels = argumentFields(endpoint, layout).map((field) => {
    const shown = takesMany(field) ? `${field.typed}...` : field.typed;
    return field.required ? shown : `[${shown}]`;
  });
  const flags = inputFields(endpoint, layout)
    .filter(({name, required, argument}) => required && argument === undefined && layout.defaults?.[name] === undefined)
    // A required boolean can also be false.
    .map((field) => (field.kind === 'boolean' ? field.typed.replace('--', '--[no-]') : `${field.typed} ${helpValue(field)}`));
  return [...labels, ...flags].join(' ');
}

/** The known values of arguments and flags, by name. Completion offers them; others are allowed, too. */
export function knownValues(endpoint: Endpoint, layout: FieldLayout): Record<string, readonly string[]> {
  const named = inputFields(endpoint, layout).flatMap(({argument, flag, facts}): [string, readonly string[]][] => {
    const name = argument ?? flag;
    return name === undefined || facts?.known === undefined ? [] : [[name, facts.known]];
  });
  return Object.fromEntries(named);
}
