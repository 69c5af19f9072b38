/** The tables of keys in the reference of policies, and their JSON Schema for editors: both from the schema that reads them. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {factsOf} from '../dist/lib/api/schema.js';
import {policySchema} from '../dist/lib/policy/reading/policy-file.js';
import {alternativesOf} from '../dist/lib/policy/sections/section-fields.js';
import {kinds} from '../dist/lib/policy/sections/index.js';
import {table} from './markdown.js';
import {root} from './root.js';

/** The page is written by hand, but for its tables. @throws Error for a section without a table, and a key without a description */
export function policyPage() {
  const {shape} = policySchema(() => true).def;
  const keys = kinds.map(({key}) => key);
  const head = Object.fromEntries(Object.entries(shape).filter(([name]) => !keys.includes(name)));
  const page = readFileSync(join(root, 'docs/reference/policy.md'), 'utf8');
  return keys.reduce((text, key) => withTable(text, key, insideOf(shape[key], '')), withTable(page, 'the head', entriesOf(head, '')));
}

function withTable(page, name, entries) {
  const begin = `<!-- keys of ${name} -->`;
  const [before, rest] = page.split(begin);
  if (rest === undefined) throw new Error(`docs/reference/policy.md has no table for ${name}: add ${begin} and <!-- end -->`);
  const rows = table(['key', 'what', 'values', 'default'], entries.map(rowOf));
  return `${before}${begin}\n\n${rows}\n\n${rest.slice(rest.indexOf('<!-- end -->'))}`;
}

function rowOf({path, schema}) {
  const {about, default: preset} = factsOf(schema) ?? {};
  if (about === undefined) throw new Error(`${path} has no description`);
  const without = schema instanceof z.ZodMiniOptional ? (preset === undefined ? '' : listed([preset].flat())) : 'required';
  return [`\`${path}\``, about, valuesOf(schema), without];
}

/** The keys of an object, each followed by those inside of it. Accounts of `for` have the sections of the policy. */
function entriesOf(shape, prefix) {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    return [{path, schema}, ...(name === 'for' ? [] : insideOf(schema, `${path}.`))];
  });
}

function insideOf(schema, prefix) {
  const inner = inside(schema);
  if (inner instanceof z.ZodMiniArray) return insideOf(inner.def.element, prefix.replace(/\.$/, '[].'));
  if (inner instanceof z.ZodMiniUnion) return inner.def.options.flatMap((option) => insideOf(option, prefix));
  return inner instanceof z.ZodMiniObject ? entriesOf(inner.def.shape, prefix) : [];
}

const inside = (schema) => (schema instanceof z.ZodMiniOptional ? inside(schema.def.innerType) : schema);

/** What is allowed, in the message of a mistake. */
const expected = /^(?:expected (.+)|(.+) is expected)$/;

/** The values of a key: what they are told to be where they are wrong, unless they can be listed. */
function valuesOf(schema) {
  const inner = inside(schema);
  if (inner instanceof z.ZodMiniArray) return `a list; each item is ${valuesOf(inner.def.element)}`;
  if (inner instanceof z.ZodMiniBoolean) return '`true` or `false`';
  if (inner instanceof z.ZodMiniObject) {
    const names = alternativesOf(inner);
    return `an object with ${names ? `one of ${listed(names)}` : listed(Object.keys(inner.def.shape))}`;
  }
  if (inner instanceof z.ZodMiniRecord) return 'an object';
  const {enum: values, const: value} = z.toJSONSchema(inner, {io: 'input', unrepresentable: 'any'});
  if (values ?? value) return listed(values ?? [value]);
  for (const wrong of [undefined, '', -0.5]) {
    const told = z.safeParse(inner, wrong).error?.issues.find(({code, message}) => code !== 'invalid_type' && expected.test(message));
    const [, one, other] = expected.exec(told?.message ?? '') ?? [];
    if (told !== undefined) return one ?? other;
  }
  return inner instanceof z.ZodMiniNumber ? 'a number' : 'text';
}

const listed = (values) => values.map((value) => `\`${value}\``).join(', ');

export function policySchemaText() {
  const {$schema, ...schema} = z.toJSONSchema(
    policySchema(() => true),
    {io: 'input', override: withFacts},
  );
  const document = {
    $schema,
    title: 'A policy of pixelctl',
    description: 'What a photo-sharing server should block, filter and allow',
    ...schema,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** What the schema knows besides types: what a field is about, what holds without it, and of which fields an object needs just one. */
function withFacts({zodSchema, jsonSchema}) {
  const {about, default: preset} = factsOf(zodSchema) ?? {};
  if (about) jsonSchema.description = about;
  if (preset !== undefined) jsonSchema.default = preset;
  const names = alternativesOf(zodSchema);
  if (names) jsonSchema.oneOf = names.map((name) => ({required: [name]}));
}
