import * as z from 'zod/mini';
import {factsOf} from '../dist/lib/api/schema.js';
import {apiModules, chaptersOf, exportName, exportsOf, fileOf, refuseTwice} from './records.js';
import {invocation} from './topics.js';

const about = `The endpoints that pixelctl calls, made from its records.

Identifiers are strings, even where they look like numbers. Answers may have undocumented fields. Known values are examples:
others are allowed. \`x-command\` is the command of pixelctl that sends the request, and \`x-repeat\` says whether it may be sent
again when its fate is unknown.`;

const errorAbout =
  'Not carried out. The reason is in `error`, `message`, `msg` or `errors`, or missing. Most servers use the usual status; ' +
  'servers before 2026 answer 500 to a bad token, refused input and unknown ids as well. 429 may come with `Retry-After`.';

const errorSchema = {
  type: 'object',
  properties: {
    error: {type: 'string'},
    message: {type: 'string'},
    msg: {type: 'string'},
    error_code: {type: 'string'},
    errors: {
      type: 'object',
      description: 'problems by field',
      additionalProperties: {type: 'array', items: {type: 'string'}},
    },
  },
};

/** The endpoints as an OpenAPI document. */
export async function openapiText(manifest, {version, oclif}) {
  const chapters = await chaptersOf(manifest);
  const {entities, answers} = answerSchemas(chapters.flatMap(({entries}) => entries.map(({record}) => record)));
  const paths = {};
  for (const {title, entries} of chapters) {
    for (const {record, command} of entries) {
      const item = (paths[record.path] ??= {});
      const method = record.method.toLowerCase();
      item[method] = together(item[method], operation(record, title, invocation(oclif.bin, command), answers.get(record.name)));
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {title: 'Photo-sharing servers, as pixelctl sees them', version, description: about, license: {name: 'MIT', identifier: 'MIT'}},
    servers: [{url: 'https://{host}', description: 'the server of the account', variables: {host: {default: 'pix.example'}}}],
    tags: chapters.map(({title, about}) => ({name: title, ...(about && {description: about})})),
    paths,
    components: {
      schemas: {...entities, Error: errorSchema},
      responses: {Error: {description: errorAbout, content: {'application/json': {schema: {$ref: '#/components/schemas/Error'}}}}},
      securitySchemes: {
        token: {type: 'http', scheme: 'bearer', description: 'An access token with the scopes of the operation.'},
      },
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Two operations that are one request with different bodies. */
function together(one, other) {
  if (one === undefined) return other;
  const schemas = ({content}) => content['application/json'].schema.oneOf ?? [content['application/json'].schema];
  const both = (parts) => ({content: {'application/json': {schema: {oneOf: parts.flatMap(schemas)}}}});
  const {responses} = one;
  return {
    ...one,
    summary: `${one.summary}; ${other.summary.toLowerCase()}`,
    requestBody: {required: true, ...both([one.requestBody, other.requestBody])},
    responses: {...responses, '2XX': {...responses['2XX'], ...both([responses['2XX'], other.responses['2XX']])}},
    'x-command': `${one['x-command']}; ${other['x-command']}`,
  };
}

function operation(record, tag, command, answer) {
  const {name, anonymous, scope, paging, repeat} = record;
  const parameters = [
    ...fieldParameters('path', record.pathFields),
    ...fieldParameters('query', record.query),
    ...constantParameters('query', record.always),
    ...constantParameters('header', record.headers),
  ];
  return {
    operationId: exportName(name),
    summary: sentence(name),
    tags: [tag],
    security: anonymous ? [] : [{token: scope === null ? [] : [scope]}],
    ...(parameters.length > 0 && {parameters}),
    ...(Object.keys(record.body).length > 0 && {requestBody: requestBody(record)}),
    responses: {
      '2XX': {
        description: 'Carried out',
        ...(paging?.by === 'link' && {headers: {Link: {description: 'next and previous page', schema: {type: 'string'}}}}),
        content: {'application/json': {schema: answer}},
      },
      '4XX': {$ref: '#/components/responses/Error'},
      '5XX': {$ref: '#/components/responses/Error'},
    },
    'x-command': command,
    'x-repeat': repeat,
  };
}

/** Lists are sent as `name[]`, as servers of this kind read them. */
function fieldParameters(place, fields) {
  return Object.entries(fields).map(([name, field]) => {
    const {schema, required} = inputSchema(field);
    const {description, ...type} = schema;
    return {name: type.type === 'array' ? `${name}[]` : name, in: place, description, required, schema: type};
  });
}

/** What every request has. */
function constantParameters(place, values = {}) {
  return Object.entries(values).map(([name, value]) => ({name, in: place, required: true, schema: {type: 'string', default: value}}));
}

function requestBody({body, files}) {
  const fields = Object.entries(body).map(([name, field]) => [name, inputSchema(field)]);
  const properties = Object.fromEntries(
    fields.flatMap(([name, {schema, alsoAs}]) => {
      const own = files?.includes(name) ? {contentMediaType: 'application/octet-stream'} : schema;
      return [[name, own], ...(alsoAs ? [[alsoAs, {...own, description: `the same as \`${name}\`, which not all servers read`}]] : [])];
    }),
  );
  const required = fields.filter(([, field]) => field.required).map(([name]) => name);
  const schema = {type: 'object', properties, ...(required.length > 0 && {required})};
  return {required: required.length > 0, content: {[files ? 'multipart/form-data' : 'application/json']: {schema}}};
}

function sentence(name) {
  return name[0].toUpperCase() + name.slice(1);
}

const home = '#/components/schemas';

/** The schema that the document has beside those of the records. */
const ofErrors = {file: 'scripts/openapi.js', name: 'Error'};

/** One input field: its schema, whether it is required, and its alternative name. */
function inputSchema(field) {
  const {$schema, ...schema} = z.toJSONSchema(field, {io: 'input', override: withFacts});
  return {schema, required: !(field instanceof z.ZodMiniOptional), alsoAs: factsOf(field)?.alsoAs};
}

/** The answers of the records by name; resources in them are separate schemas with references to them. */
function answerSchemas(records) {
  const registry = z.registry();
  const known = resources(records);
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

/** The resources in answers: all in the files of entities, and the shapes of kinds of objects that are not there. */
function resources(records) {
  // Those that only admins see come last.
  const entities = apiModules
    .filter(({file}) => file.endsWith('entities.ts'))
    .toReversed()
    .flatMap(exportsOf)
    .map(({file, name, value}) => ({file, name, schema: typeof value === 'function' ? value() : value}));
  const found = new Map(entities.filter(({schema}) => schema instanceof z.ZodMiniObject).map((entity) => [entity.schema, entity]));
  for (const {name, items} of records) {
    for (const shape of items?.shapes ?? []) {
      if (!found.has(shape())) found.set(shape(), {file: fileOf(name), name: exportName(items.one), schema: shape()});
    }
  }
  return [...found.values()].map(({name, ...resource}) => ({...resource, name: name[0].toUpperCase() + name.slice(1)}));
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
