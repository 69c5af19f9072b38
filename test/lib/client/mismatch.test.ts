import {describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import {getConversation, listMutuals} from '../../../src/lib/api/direct.js';
import {createFilter} from '../../../src/lib/api/filters.js';
import {orInData} from '../../../src/lib/api/schema.js';
import {mismatchesIn} from '../../../src/lib/client/mismatch.js';
import {clientOf, json, startServer} from '../../loopback-server.js';

const schema = z.looseObject({id: z.string(), tags: z.array(z.looseObject({name: z.string()})), note: z.optional(z.string())});

test.each([
  ['as documented', {id: '1', tags: [{name: 'a'}]}, []],
  ['with unknown fields', {id: '1', tags: [{name: 'a', new: 1}], new: {}}, []],
  ['of another shape', [], [{kind: 'shape', path: '', message: 'expected object, got array'}]],
  ['that is null', null, [{kind: 'shape', path: '', message: 'expected object, got null'}]],
  ['with a field of another type', {id: 1, tags: []}, [{kind: 'type', path: 'id', message: 'expected string, got number'}]],
  ['with a null field', {id: null, tags: []}, [{kind: 'type', path: 'id', message: 'expected string, got null'}]],
  ['with a missing field', {tags: []}, [{kind: 'missing', path: 'id', message: 'missing'}]],
  ['with a wrong item', {id: '1', tags: [{name: 'a'}, {}]}, [{kind: 'missing', path: 'tags.1.name', message: 'missing'}]],
])('an answer %s', (_, value, mismatches) => {
  expect(mismatchesIn(schema, value)).toEqual(mismatches);
});

test('a list that some servers send as data of an object is compared there, and no other one', () => {
  const rows = {data: ['a', 7]};
  const wrong = [{kind: 'type', path: 'data.1', message: 'expected string, got number'}];
  expect(mismatchesIn(orInData(z.array(z.string())), rows)).toEqual(wrong);
  expect(mismatchesIn(orInData(z.array(z.string())), {data: {}})).toMatchObject([{kind: 'shape', path: ''}]);
  expect(mismatchesIn(z.array(z.string()), rows)).toMatchObject([{kind: 'shape', path: ''}]);
});

test('a number that is not what is documented is told in the words of its schema, with its type where these expect one', () => {
  const told = (words: string, value: unknown) =>
    mismatchesIn(z.looseObject({n: z.int().check(z.refine((n) => n > 5, words))}), {n: value});
  expect(told('is small', 6)).toEqual([]);
  expect(told('is small', 5)).toEqual([{kind: 'type', path: 'n', message: 'is small'}]);
  expect(told('expected more', 5)).toMatchObject([{message: 'expected more, got number'}]);
  expect(told('is small', 6.5)).toMatchObject([{message: expect.stringContaining('expected int')}]);
});

describe('a client', () => {
  test('accepts known mismatches of real servers unless strict', async () => {
    const server = await startServer(json([]), json([]));
    const {mismatches} = await clientOf(server.url).call(listMutuals, {});
    expect(mismatches.map(({kind}) => kind)).toEqual(['known']);
    await expect(clientOf(server.url, {strict: true}).call(listMutuals, {})).rejects.toMatchObject({code: 'bad_answer'});
  });

  test('accepts ids as strings and as numbers', async () => {
    const server = await startServer(
      json({id: 5, unread_count: 0}),
      json({id: '5', title: 'A', keywords: [{id: '7', keyword: 'a', whole_word: true}]}),
    );
    const client = clientOf(server.url);
    expect((await client.call(getConversation, {path: {id: '5'}})).mismatches.map(({kind}) => kind)).not.toContain('type');
    const body = {title: 'A', context: ['home'], keywords_attributes: [{keyword: 'a', whole_word: true}]};
    expect((await client.call(createFilter, {body})).mismatches.map(({kind}) => kind)).not.toContain('type');
  });
});

test('an answer with very many mismatches is compared up to the first 10,000', () => {
  const list = z.array(z.object({id: z.string(), name: z.string()}));
  const rows = Array.from({length: 200_000}, () => ({id: 7}));
  const found = mismatchesIn(list, rows);
  expect(found).toHaveLength(10_000);
  expect(found.at(-1)).toEqual({kind: 'missing', path: '4999.name', message: 'missing'});
  expect(mismatchesIn(z.looseObject({data: list, more: z.boolean()}), {data: rows.slice(0, 1)}).map(({path}) => path)).toEqual([
    'more',
    'data.0.id',
    'data.0.name',
  ]);
});
