/** JSON Schema of policy files, for editors: made from the schema that reads them. */
import * as z from 'zod/mini';
import {factsOf} from '../dist/lib/api/schema.js';
import {policySchema} from '../dist/lib/policy/reading/schema.js';
import {alternativesOf} from '../dist/lib/policy/section/fields.js';

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
export function withFacts({zodSchema, jsonSchema}) {
  const {about, default: preset} = factsOf(zodSchema) ?? {};
  if (about) jsonSchema.description = about;
  if (preset !== undefined) jsonSchema.default = preset;
  const names = alternativesOf(zodSchema);
  if (names) jsonSchema.oneOf = names.map((name) => ({required: [name]}));
}
