import {describe, expect, test} from 'vitest';
import {checkRecords, checkReferences, refuseTwice} from '../../scripts/records.js';

const openapi = 'docs/reference/openapi.json';
const document = (schema: object, schemas: object = {}) =>
  JSON.stringify({paths: {'/api/v1/tags': {get: {responses: {'2XX': {content: {schema}}}}}}, components: {schemas}});

describe('generated files are refused, with the file and what to do, for', () => {
  test('a record whose export is not its name', () => {
    const records = [{file: 'src/lib/api/tags.ts', name: 'tagList', record: {name: 'list tags'}}];
    expect(() => checkRecords(records)).toThrow(
      'src/lib/api/tags.ts: "list tags" is exported as tagList: call it listTags, or change its name',
    );
  });

  test('two schemas, or two records, of one name', () => {
    const things = [
      {file: 'src/lib/api/entities.ts', name: 'Tag'},
      {file: 'src/lib/api/tags.ts', name: 'Tag'},
    ];
    expect(() => refuseTwice(things, 'schema')).toThrow(
      'src/lib/api/tags.ts: a schema in src/lib/api/entities.ts is called Tag, too: change the name of one of them',
    );
    const record = {name: 'list tags'};
    const records = ['tags', 'others'].map((file) => ({file: `src/lib/api/${file}.ts`, name: 'listTags', record}));
    expect(() => checkRecords(records)).toThrow(/others\.ts: a record in src\/lib\/api\/tags\.ts is called listTags, too: change/);
  });

  test.each([
    [
      '#/components/schemas/Tag',
      /openapi\.json: GET \/api\/v1\/tags refers to #\/components\/schemas\/Tag, which is not there: export its shape from/,
    ],
    ['#/components/schemas/get filter', /: it is the answer of "get filter" in src\/lib\/api\/filters\.ts; export its shape from/],
    ['other.json', /refers to other\.json, which is not there/],
  ])('a reference to nothing: %s', ($ref, message) => {
    expect(() => checkReferences(openapi, document({type: 'array', items: {$ref}}))).toThrow(message);
  });

  test('nothing else', () => {
    expect(() => checkReferences(openapi, document({$ref: '#/components/schemas/a%20b~1c'}, {'a b/c': {}}))).not.toThrow();
    expect(() => checkReferences(openapi, document({example: {$ref: 'what a server sends'}}))).not.toThrow();
  });
});
