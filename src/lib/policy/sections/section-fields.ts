/** What the schemas of several sections share. */
import * as z from 'zod/mini';
import {field, type FieldFacts} from '../../api/schema.js';
import {isDay} from '../model/time.js';

const alternatives = z.registry<{readonly names: readonly string[]}>();

/** The fields that {@link withOneOf} was given, for the JSON Schema and the reference; undefined for any other schema. */
export function alternativesOf(schema: z.core.$ZodType): readonly string[] | undefined {
  return alternatives.get(schema)?.names;
}

export function withOneOf<Schema extends z.ZodMiniObject>(schema: Schema, names: readonly string[]): Schema {
  const isFit = (value: object) => names.filter((name) => name in value).length === 1;
  const checked = schema.check(z.refine(isFit, `needs either ${names.join(' or ')}`));
  alternatives.add(checked, {names});
  return checked;
}

export const maybe = <Schema extends z.ZodMiniType>(
  schema: Schema,
  about: string,
  more?: Omit<FieldFacts, 'about'>,
): z.ZodMiniOptional<Schema> => z.optional(field(schema, about, more));

export const until = maybe(
  z.string().check(z.refine(isDay, 'expected a day such as 2026-12-31')),
  'the last day, in UTC, on which the entry counts; afterwards it counts as absent',
);

export const wholeCount = z.number().check(z.multipleOf(1, 'expected a whole number'), z.gte(0, 'expected a whole number'));
export const someText = z.string().check(z.regex(/\S/, 'expected some text'));

/** The address of a server, which people may write without its scheme. */
export const withScheme = (server: string): string => (/^https?:\/\//i.test(server) ? server : `https://${server}`);
