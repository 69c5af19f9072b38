/** The page and the JSON Schemas of what commands print with `--json`, made from the schemas that the code takes its types from. */
import * as z from 'zod/mini';
import {factsOf} from '../dist/lib/api/schema.js';
import {jsonDocuments} from '../dist/lib/cli/printed-documents.js';
import {policySchemas} from '../dist/lib/policy/model/documents.js';
import {kinds} from '../dist/lib/policy/sections/index.js';
import {kindName} from '../dist/lib/policy/sections/policy-kind.js';
import {withIntegers} from './openapi.js';
import {notice, paragraphs, table} from './markdown.js';

/** What the schemas leave open, because each section adds its own. */
const kindNames = kinds.map(kindName).toSorted();

const folder = 'schemas';

/** A file for each document, by their paths in `docs/reference`. */
export function jsonDocumentFiles() {
  const made = jsonDocuments.map((document) => ({document, schema: schemaOf(document)}));
  return Object.fromEntries(made.map(({document: {name}, schema}) => [`${name}.json`, `${JSON.stringify(schema, null, 2)}\n`]));
}

export function jsonDocumentsPage() {
  return `${paragraphs(
    notice,
    '# JSON',
    'What commands print with `--json`, or `-o json`, where it is not the answer of a server: that is printed as it was sent, and the [OpenAPI document](openapi.json) describes it. ' +
      'Members that are not always there are marked with `?`. Later versions may add members, and change or remove none.',
    ...jsonDocuments.map(chapter),
  )}\n`;
}

function chapter({name, about, commands, schema}) {
  const by = commands.length > 0 && `Printed by ${commands.map((command) => `[\`${command}\`](${linkTo(command)})`).join(', ')}.`;
  const rows = new Map();
  for (const row of membersOf(z.toJSONSchema(schema(), options), {path: '', of: name})) rows.set(row[0], rows.get(row[0]) ?? row);
  return paragraphs(
    `## ${name}`,
    about,
    by,
    table(['member', '', ''], [...rows.values()]),
    `Its schema: [${name}.json](${folder}/${name}.json)`,
  );
}

function linkTo(command) {
  const [topic] = command.split(' ');
  return `${topic}.md#pixelctl-${command.replaceAll(' ', '-')}`;
}

function schemaOf({name, about, schema}) {
  const {$schema, ...rest} = z.toJSONSchema(schema(), options);
  return {$schema, title: `What pixelctl prints: ${name}`, description: about, ...rest};
}

const options = {
  unrepresentable: 'any',
  override(context) {
    const {zodSchema, jsonSchema} = context;
    withIntegers(context);
    delete jsonSchema.readOnly;
    // Later versions add members.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (jsonSchema.type === 'integer') {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    }
    if (zodSchema.def === policySchemas().parts.kind.def) Object.assign(jsonSchema, {type: 'string', enum: kindNames});
    const {about} = factsOf(zodSchema) ?? {};
    if (about) jsonSchema.description = about;
  },
};

/** Where objects with the same members were described first. */
const described = new Map();

const variantsOf = (schema) => schema.anyOf?.flatMap(variantsOf) ?? [schema];

const keyOf = ({properties}) => JSON.stringify(properties);

/** Rows of a table: the path of each member, its type, and what it is. Members of what may be one of several are put together. */
function* membersOf(schema, {path, of}) {
  const variants = variantsOf(schema);
  const objects = variants.filter((one) => one.properties && !described.has(keyOf(one)));
  for (const one of objects) described.set(keyOf(one), {at: path, of});
  const names = new Set(objects.flatMap(({properties}) => Object.keys(properties)));
  for (const name of names) {
    const having = objects.filter(({properties}) => name in properties);
    const members = having.map(({properties}) => properties[name]);
    const own = path === '' ? name : `${path}.${name}`;
    const isAlways = having.length === objects.length && having.every(({required}) => required?.includes(name));
    const types = new Set(members.flatMap((member) => (typeText(member) + likeText(member, of)).split(' or ')));
    yield [`\`${own}\`${isAlways ? '' : ' ?'}`, [...types].join(' or '), members.find(({description}) => description)?.description ?? ''];
    for (const member of members) yield* membersOf(member, {path: own, of});
  }
  for (const {items} of variants) if (items) yield* membersOf(items, {path: `${path}[]`, of});
}

/** Where the members of an object, or of those in a list, are described already. */
function likeText(schema, of) {
  const places = variantsOf(schema)
    .flatMap((one) => (one.items ? variantsOf(one.items) : [one]))
    .map((one) => described.get(keyOf(one)));
  const [first] = places;
  if (first === undefined) return '';
  const here = first.at === '' ? 'above' : `\`${first.at}\``;
  return first.of === of ? `, as ${here}` : `, as ${first.at === '' ? '' : `${here} of `}[${first.of}](#${first.of})`;
}

/** A type in a word or two. */
function typeText({anyOf, const: only, enum: values, items, type}) {
  if (anyOf) return [...new Set(anyOf.map(typeText))].join(' or ');
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (items) return `list of ${typeText(items) || 'anything'}`;
  return [type ?? 'anything'].flat().join(' or ');
}
