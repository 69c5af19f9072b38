import {describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import {endpoint} from '../../../../src/lib/api/endpoint.js';
import {field} from '../../../../src/lib/api/schema.js';
import {argumentsOf, flagsOf, inputFields, usageOf} from '../../../../src/lib/cli/endpoint/input-fields.js';
import {commands} from '../../../manifest.js';

const record = endpoint({
  name: 'paint fence',
  section: null,
  method: 'POST',
  path: '/fences/{id}/paint',
  scope: 'write',
  pathFields: {id: field(z.string(), 'id of the fence')},
  query: {limit: z.optional(field(z.union([z.number(), z.string()]), 'how many'))},
  body: {
    color_name: field(z.string(), 'the colour', {known: ['red', 'green']}),
    board_ids: z.optional(field(z.array(z.string()), 'id of a board')),
    is_wet: z.optional(field(z.boolean(), 'leave it wet')),
    brushes: z.optional(field(z.array(z.looseObject({})), 'what to paint with')),
  },
  output: () => z.looseObject({}),
  repeat: 'never',
});

test('lists the fields of a record with part, kind and whether they are required', () => {
  expect(inputFields(record).map(({name, part, kind, required}) => ({name, part, kind, required}))).toEqual([
    {name: 'id', part: 'path', kind: 'text', required: true},
    {name: 'limit', part: 'query', kind: 'whole number', required: false},
    {name: 'color_name', part: 'body', kind: 'text', required: true},
    {name: 'board_ids', part: 'body', kind: 'list', required: false},
    {name: 'is_wet', part: 'body', kind: 'boolean', required: false},
    {name: 'brushes', part: 'body', kind: 'other', required: false},
  ]);
});

describe('flags', () => {
  test('flags are named after their fields, unless the layout says otherwise', () => {
    const layout = {arguments: {id: 'ID'}, flags: {color_name: 'color'}, made: {is_wet: 'dry'}};
    const fields = inputFields(record, layout);
    expect(fields.map(({flag}) => flag)).toEqual([undefined, 'limit', 'color', 'board-ids', undefined, 'brushes']);
    expect(fields.map(({typed}) => typed)).toEqual(['ID', '--limit', '--color', '--board-ids', '--dry', '--brushes']);
  });

  test('exist for fields with simple values', () => {
    expect(Object.keys(flagsOf(record, {arguments: {id: 'ID'}}))).toEqual(['limit', 'color-name', 'board-ids', 'is-wet']);
  });

  test('accept unknown values', () => {
    const {'color-name': color} = flagsOf(record, {arguments: {id: 'ID'}});
    expect(color).toMatchObject({description: expect.stringContaining('known: red, green')});
    expect(color).not.toHaveProperty('options');
  });

  test('a field of which nothing is known is described by its name', () => {
    expect(flagsOf({...record, body: {note: z.optional(z.string())}}, {})['note']).toMatchObject({description: 'note'});
  });

  test('flags of lists can be repeated, and accept commas', () => {
    expect(flagsOf(record, {})['board-ids']).toMatchObject({multiple: true, multipleNonGreedy: true, delimiter: ','});
  });

  test('flags of booleans have a --no- form only if the layout says so', () => {
    expect(flagsOf(record, {})['is-wet']).toMatchObject({type: 'boolean', allowNo: false});
    expect(flagsOf(record, {negatable: ['is_wet']})['is-wet']).toMatchObject({allowNo: true});
  });
});

describe('arguments', () => {
  test('arguments are required when --input cannot contain them, and are not read from standard input by default', () => {
    const {ID: id, COLOR: color} = argumentsOf(record, {arguments: {id: 'ID', color_name: 'COLOR'}});
    expect(id).toMatchObject({required: true, description: 'id of the fence'});
    expect(color).toMatchObject({required: false});
  });

  test('accept many values for lists and targets', () => {
    expect(argumentsOf(record, {arguments: {board_ids: 'BOARD'}})['BOARD']).toMatchObject({multiple: true});
    expect(argumentsOf(record, {arguments: {id: 'ID'}, targets: {id: 'ID'}})['ID']).toMatchObject({multiple: true});
    expect(argumentsOf(record, {arguments: {id: 'ID'}})['ID']).not.toHaveProperty('multiple', true);
  });
});

test.each([
  [{arguments: {id: 'ID'}}, 'ID --color-name TEXT'],
  [{arguments: {id: 'ID', board_ids: 'BOARD'}}, 'ID [BOARD...] --color-name TEXT'],
  [{arguments: {color_name: 'COLOR', id: 'ID'}, targets: {id: 'ID'}}, 'COLOR ID...'],
  [{arguments: {id: 'ID'}, defaults: {color_name: 'red'}}, 'ID'],
  [{arguments: {id: 'ID'}, made: {color_name: 'paint'}}, 'ID --paint TEXT'],
])('usage with %j reads %s', (layout, usage) => {
  expect(usageOf(record, layout)).toBe(usage);
});

test('every command accepts --yes', () => {
  expect(commands.length).toBeGreaterThan(50);
  expect(commands.filter(({flags}) => flags['yes']?.char !== 'y').map(({id}) => id)).toEqual([]);
});
