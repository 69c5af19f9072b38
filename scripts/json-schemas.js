/** JSON Schema of what goes into the records and comes out, made from their own schemas. */
import * as z from 'zod/mini';
import * as entities from '../dist/lib/api/entities.js';
import {factsOf} from '../dist/lib/api/schema.js';

const home = '#/components/schemas';

/** One input field: its schema, whether it has to be given, and a second name that it goes by. */
export function inputSchema(field) {
  const {$schema, ...schema} = z.toJSONSchema(field, {io: 'input', override: withFacts});
  return {schema, required: !(field instanceof z.ZodMiniOptional), alsoAs: factsOf(field)?.alsoAs};
}

/** The answers of the records by name; the resources in them stand on their own and are pointed at. */
export function answerSchemas(records) {
  const registry = z.registry();
  const names = new Set();
  for (const [name, make] of Object.entries(entities)) {
    const schema = typeof make === 'function' ? make() : make;
    if (!(schema instanceof z.ZodMiniObject)) continue;
    const id = name[0].toUpperCase() + name.slice(1);
    registry.add(schema, {id});
    names.add(id);
  }
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

/** Known values are examples and close no set; digits of any size are a whole number. */
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

/** Whole numbers are numbers with a check of their own, which JSON Schema cannot see: halves give them away. */
function withIntegers({zodSchema, jsonSchema}) {
  if (zodSchema instanceof z.ZodMiniNumber && !z.safeParse(zodSchema, 0.5).success) jsonSchema.type = 'integer';
}
