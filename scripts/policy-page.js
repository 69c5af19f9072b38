/** The reference of policies: a heading for each key, from the schema and the words beside it; and their JSON Schema, for editors. */
import * as z from 'zod/mini';
import {parse} from 'yaml';
import {factsOf} from '../dist/lib/api/schema.js';
import {readPolicyText} from '../dist/lib/policy/reading/policy-file.js';
import {policySchema} from '../dist/lib/policy/reading/policy-file.js';
import {alternativesOf} from '../dist/lib/policy/sections/section-fields.js';
import {policyWords, sectionNotes, sectionWords} from '../dist/lib/policy/sections/words.js';
import {kinds} from '../dist/lib/policy/sections/index.js';
import {anchor, fence, notice, paragraphs} from './markdown.js';

/** @throws Error for a key without an example, an example without its key, and words on a key that there is not */
export function policyPage() {
  const {shape} = policySchema(() => true).def;
  const keys = new Set(kinds.map(({key}) => key));
  const others = Object.fromEntries(Object.entries(shape).filter(([name]) => !keys.has(name)));
  const known = new Map();
  const text = paragraphs(
    notice,
    '# Policy',
    'Every key of a policy. The guide [Moderation as code](../guides/moderation-as-code.md) shows how policies are used. Editors complete and check a policy with ' +
      '[its schema](policy.schema.json).',
    contents([...keys]),
    ...keysOf('', entriesOf(others, ''), policyWords, known),
    ...kinds.flatMap((section) => sectionPart(section, inside(shape[section.key]), known)),
  );
  return `${text}\n`;
}

const contents = (keys) => `Sections: ${keys.map((key) => `[\`${key}\`](#${anchorOf(key)})`).join(', ')}.`;

function sectionPart({key}, schema, known) {
  const rules = entriesOf(schema instanceof z.ZodMiniRecord ? nested(schema, '*') : schema.def.shape, '');
  return [`## \`${key}\``, sentence(factsOf(schema)?.about), sectionNotes[key], ...keysOf(key, rules, sectionWords[key] ?? {}, known)];
}

/** The parts of the page on the keys of a section. What an earlier one has with the same meaning is only named. */
function keysOf(section, entries, words, known) {
  const all = entries.map((entry) => {
    const path = [section, entry.path].filter(Boolean).join('.');
    return {...entry, key: entry.path, path, words: words[entry.path], meaning: meaningOf(entry)};
  });
  const described = all.filter((entry) => entry.words !== undefined);
  for (const {meaning, path} of described) if (!known.has(meaning)) known.set(meaning, path);
  const silent = all.filter((entry) => entry.words === undefined);
  for (const {meaning, path} of silent)
    if (!known.has(meaning)) throw new Error(`${path} has no example: add one to what src/lib/policy/sections/words.ts says`);
  const isOuter = ({path}) => !silent.some((other) => path.startsWith(`${other.path}[`) || path.startsWith(`${other.path}.`));
  const parts = described.map(keyPart);
  const same = silent.filter(isOuter);
  const used = new Set(described.map(({key}) => key));
  const surplus = Object.keys(words).filter((path) => !used.has(path));
  if (surplus.length > 0)
    throw new Error(`${section} has no key ${surplus.join(', ')}: remove its words from src/lib/policy/sections/words.ts`);
  const others = [...Map.groupBy(same, ({path}) => path.slice(0, path.lastIndexOf('.')))].map(([parent, inner]) => {
    const links = inner.map(({path, meaning}) => `[\`${path.slice(parent.length + 1)}\`](#${anchorOf(known.get(meaning))})`);
    return `- \`${parent}\`: ${links.join(', ')}`;
  });
  return [...parts, ...(others.length > 0 ? [`Keys that are described elsewhere on this page:\n\n${others.join('\n')}`] : [])];
}

/** Keys of one name, description and values mean the same. */
const meaningOf = ({path, schema}) => JSON.stringify([path.split('.').at(-1), factsOf(schema), jsonSchemaOf(schema)]);

function keyPart({path, schema, words: {more, example}}) {
  const {about, default: preset} = factsOf(schema) ?? {};
  if (about === undefined) throw new Error(`${path} has no description`);
  const policy = `version: 1\n${example}`;
  readPolicyText(policy, 'example.yml');
  if (!isIn(parse(policy), path)) throw new Error(`${path} is not in its example`);
  const isNeeded = !(schema instanceof z.ZodMiniOptional);
  const values = `Values: ${valuesOf(schema)}.`;
  const without = isNeeded ? 'Required.' : preset === undefined ? undefined : `Default: ${listed([preset].flat())}.`;
  return paragraphs(
    `### \`${path}\``,
    sentence(about),
    [values, without].filter(Boolean).join(' '),
    more,
    fence(policy.replace(/^version: 1\n(?!domain_blocks: \{must: \[bad\.example\]\}$)/, ''), 'yaml'),
  );
}

/** Whether a policy has a key. `[]` stands for any item of a list, `*` for any name. */
function isIn(value, path) {
  if (path === '') return true;
  const [, item, name = '', rest = ''] = /^\.?(?:(\[\])|([^.[]+))(.*)$/.exec(path);
  if (typeof value !== 'object' || value === null) return false;
  if (item !== undefined) return Array.isArray(value) && value.some((one) => isIn(one, rest));
  const inner = name === '*' ? Object.values(value) : Object.hasOwn(value, name) ? [value[name]] : [];
  return inner.some((one) => isIn(one, rest));
}

/** The keys of an object, each followed by those inside of it; without those that have no right value. */
function entriesOf(shape, prefix) {
  return Object.entries(shape).flatMap(([name, schema]) => {
    if (inside(schema) instanceof z.ZodMiniUnknown) return [];
    const path = `${prefix}${name}`;
    return name === 'for' ? [{path, schema}] : [...(name === '*' ? [] : [{path, schema}]), ...insideOf(schema, path)];
  });
}

function insideOf(schema, path) {
  const inner = inside(schema);
  if (inner instanceof z.ZodMiniArray) return insideOf(inner.def.element, `${path}[]`);
  if (inner instanceof z.ZodMiniUnion) return inner.def.options.flatMap((option) => insideOf(option, path));
  return inner instanceof z.ZodMiniObject ? entriesOf(inner.def.shape, `${path}.`) : [];
}

const nested = (schema, name) => ({[name]: schema.def.valueType});
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
  const {enum: values, const: value} = jsonSchemaOf(inner);
  if (values ?? value) return listed(values ?? [value]);
  for (const wrong of [undefined, '', -0.5]) {
    const told = z.safeParse(inner, wrong).error?.issues.find(({code, message}) => code !== 'invalid_type' && expected.test(message));
    const [, one, other] = expected.exec(told?.message ?? '') ?? [];
    if (told !== undefined) return one ?? other;
  }
  return inner instanceof z.ZodMiniNumber ? 'a number' : inner instanceof z.ZodMiniString ? 'text' : 'none';
}

const jsonSchemaOf = (schema) => z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any', override: withFacts});
const listed = (values) => values.map((value) => `\`${value}\``).join(', ');
const anchorOf = (path) => anchor(path.replaceAll(/[^\w ]/g, ''));

function sentence(about) {
  return about && `${about[0].toUpperCase()}${about.slice(1)}.`;
}

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
