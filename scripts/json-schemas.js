/** JSON Schemas of input and answers, made from the schemas of the records. */
import * as z from 'zod/mini';
import {factsOf} from '../dist/lib/api/schema.js';
import {apiModules, exportsOf, kindModules} from './api-modules.js';
import {refuseTwice} from './record-checks.js';

const home = '#/components/schemas';

/** The schema that the document has beside those of the records. */
const ofErrors = {file: 'scripts/openapi.js', name: 'Error'};

/** One input field: its schema, whether it is required, and its alternative name. */
export function inputSchema(field) {
  const {$schema, ...schema} = z.toJSONSchema(field, {io: 'input', override: withFacts});
  return {schema, required: !(field instanceof z.ZodMiniOptional), alsoAs: factsOf(field)?.alsoAs};
}

/** The answers of the records by name; resources in them are separate schemas with references to them. */
export function answerSchemas(records) {
  const registry = z.registry();
  const known = [...resources()];
  refuseTwice([ofErrors, ...known], 'schema');
  for (const {name, schema} of known) registry.add(schema, {id: name});
  const names = new Set(known.map(({name}) => name));
  for (const {name, output} of records) if (!registry.has(output())) registry.add(output(), {id: name});

  const {schemas} = z.toJSONSchema(registry, {uri: (id) => `${home}/${id}`, override: withIntegers});
  const plain = Object.entries(schemas).map(([id, {$schema, $id, ...schema}]) => [id, schema]);
  return {
    entities: Object.fromEntries(plain.filter(([id]) => names.has(id))),
    answers: new Map(
      records.map(({name, output}) => {
        const {id} = registry.get(output());
        return [name, names.has(id) ? {$ref: `${home}/${id}`} : plain.find(([other]) => other === id)[1]];
      }),
    ),
  };
}

/** The resources in answers: all in the files of entities, and what the file of a kind of object calls its shape. */
function* resources() {
  // Those that only admins see come last.
  const entities = apiModules
    .filter(({file}) => file.endsWith('entities.ts'))
    .toReversed()
    .flatMap(exportsOf);
  const shapes = kindModules.flatMap(exportsOf).filter(({name}) => name.endsWith('Shape'));
  for (const {file, name, value} of [...entities, ...shapes]) {
    const schema = typeof value === 'function' ? value() : value;
    const short = name.replace(/Shape$/, '');
    if (schema instanceof z.ZodMiniObject) yield {file, name: short[0].toUpperCase() + short.slice(1), schema};
  }
}

/** Known values become examples, not an enum; digits of any size become integers. */
function withFacts(context) {
  const {zodSchema, jsonSchema} = context;
  withIntegers(context);
  if (zodSchema instanceof z.ZodMiniUnion) {
    delete jsonSchema.anyOf;
    jsonSchema.type = 'integer';
  }
  const {about, known, secret} = factsOf(zodSchema) ?? {};
  if (about) jsonSchema.description = about;
  if (known) (jsonSchema.items ?? jsonSchema).examples = known;
  if (secret) jsonSchema.format = 'password';
}

/** Integers are numbers with a custom check, which JSON Schema cannot see: they are the ones that reject 0.5. */
export function withIntegers({zodSchema, jsonSchema}) {
  if (zodSchema instanceof z.ZodMiniNumber && !z.safeParse(zodSchema, 0.5).success) jsonSchema.type = 'integer';
}
