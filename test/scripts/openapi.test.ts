import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {endpoints} from '../../src/lib/api/endpoints.js';
import {exportName} from '../../scripts/records.js';

type Json = Readonly<Record<string, unknown>>;

function members(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? {...value} : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(members) : [];
}

const document: unknown = JSON.parse(readFileSync(new URL('../../docs/reference/openapi.json', import.meta.url), 'utf8'));

const operations = Object.entries(members(members(document)['paths'])).flatMap(([path, item]) =>
  Object.entries(members(item)).map(([method, operation]) => ({...members(operation), path, method: method.toUpperCase()}) as Json),
);

const ids = operations.map(({operationId}) => operationId);

function at(pointer: string): unknown {
  const steps = pointer.replace(/^#\//, '').split('/');
  return steps.reduce((value: unknown, step) => members(value)[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : references(inner)));
}

/** The parts of a record's operation, as the document has them. */
function operation(id: string): {parameters: Json[]; body: Json; answer: unknown; security: unknown} {
  const found = operations.find(({operationId}) => operationId === id) ?? {};
  const [body] = Object.values(members(members(found['requestBody'])['content']));
  const answer = members(members(members(members(found['responses'])['2XX'])['content'])['application/json'])['schema'];
  return {parameters: list(found['parameters']), body: members(members(body)['schema']), answer, security: found['security']};
}

test('every record has an operation', () => {
  // What is one request with different bodies is one operation.
  const wanted = new Set(endpoints.map(({method, path}) => `${method} ${path}`));
  expect(operations.map(({method, path}) => `${method} ${path}`).sort()).toEqual([...wanted].sort());
  expect(new Set(ids).size).toBe(wanted.size);
});

test('operations have the names of the records', () => {
  const names = endpoints.map(({name}) => exportName(name));
  expect(ids.filter((id) => !names.includes(String(id)))).toEqual([]);
});

test('the operation that reverts another exists', () => {
  const undoing = operations.flatMap((each) => ('x-undone-by' in each ? [each['x-undone-by']] : []));
  expect(undoing.length).toBeGreaterThan(0);
  expect(undoing.filter((id) => !ids.includes(id))).toEqual([]);
});

test('every reference has a target, and every component is used', () => {
  const pointers = references(document);
  expect(pointers.filter((pointer) => at(pointer) === undefined)).toEqual([]);
  const schemas = Object.keys(members(members(members(document)['components'])['schemas']));
  const used = new Set(pointers);
  expect(schemas.filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
});

test('the fields of a path are required parameters', () => {
  for (const {path, parameters} of operations) {
    const declared = list(parameters).filter((parameter) => parameter['in'] === 'path');
    expect(declared.map(({name}) => `{${String(name)}}`)).toEqual(String(path).match(/\{\w+\}/g) ?? []);
    expect(declared.every(({required}) => required === true)).toBe(true);
  }
});

test('known values are examples, not an enum', () => {
  const {parameters} = operation('listNotifications');
  expect(parameters.find(({name}) => name === 'types[]')).toMatchObject({
    schema: {type: 'array', items: {examples: expect.arrayContaining(['mention'])}},
  });
  expect(JSON.stringify(document)).not.toContain('"enum"');
});

test('whole numbers are integers', () => {
  expect(operation('listBlocks').parameters.find(({name}) => name === 'limit')).toMatchObject({schema: {type: 'integer'}});
  expect(at('#/components/schemas/Keyword')).toMatchObject({properties: {id: {type: 'integer'}}});
  expect(operation('listMutuals').answer).toMatchObject({properties: {next_cursor: {type: ['integer', 'null']}}});
});

test('scopes, headers, alternative names and files are described', () => {
  expect(operation('getConfiguration').security).toEqual([]);
  expect(operation('listBlocks').security).toEqual([{token: ['read']}]);
  expect(operation('getPushState').parameters).toMatchObject([{name: 'x-pixelfed-app', in: 'header', required: true}]);
  const {properties, required} = operation('comparePushToken').body;
  expect(Object.keys(members(properties))).toEqual(['provider_token', 'expo_token']);
  expect(required).toEqual(['provider_token']);
  expect(operation('sendThreadMedia').body).toMatchObject({
    properties: {file: {contentMediaType: 'application/octet-stream'}},
  });
});
