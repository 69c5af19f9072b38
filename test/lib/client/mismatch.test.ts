import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import {KNOWN_MISMATCH, allowKnownMismatch} from '../../../src/lib/api/schema.js';
import {listBlocks} from '../../../src/lib/api/blocks.js';
import {getConversation, listMutuals, unreadCount} from '../../../src/lib/api/direct.js';
import {createFilter} from '../../../src/lib/api/filters.js';
import {mismatchesIn, moreThan} from '../../../src/lib/client/mismatch.js';
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
  expect(mismatchesIn(schema, value).list).toEqual(mismatches);
});

test.each([
  [5, []],
  [1.5, [{kind: 'type', path: 'count', message: expect.stringContaining('expected int')}]],
  ['5', [{kind: 'type', path: 'count', message: expect.stringContaining('expected')}]],
])('a count that is %j', (count, mismatches) => {
  expect(mismatchesIn(z.looseObject({count: z.int()}), {count}).list).toEqual(mismatches);
});

describe('a client', () => {
  test('accepts a response with schema mismatches and lists their paths', async () => {
    const server = await startServer(json({primary: 'one', new: true}));
    const {value, mismatches} = await clientOf(server.url).call(unreadCount, {});
    expect(value).toEqual({primary: 'one', new: true});
    expect(mismatches.map(({kind, path}) => [kind, path])).toEqual([
      ['type', 'primary'],
      ['missing', 'requests'],
    ]);
  });

  test('rejects any schema mismatch when strict', async () => {
    const server = await startServer(json({primary: 'one', new: true}));
    await expect(clientOf(server.url, {strict: true}).call(unreadCount, {})).rejects.toMatchObject({
      code: 'bad_answer',
      details: {reason: 'shape', status: 200},
      message: expect.stringContaining('primary: expected number, got string; requests: missing'),
    });
  });

  test('names the first 5 schema mismatches when strict', async () => {
    const server = await startServer(json([{}]));
    await expect(clientOf(server.url, {strict: true}).call(listBlocks, {})).rejects.toMatchObject({
      message: expect.stringMatching(/0\.\w+: missing; .* and \d+ more$/),
    });
  });

  test('accepts unknown fields when strict', async () => {
    const server = await startServer(json({primary: 1, requests: 2, new: true}));
    expect((await clientOf(server.url, {strict: true}).call(unreadCount, {})).mismatches).toEqual([]);
  });

  test.each([[[]], ['text'], [7], [null], [true]])('takes no answer of another shape: %j', async (answer) => {
    const server = await startServer(json(answer));
    await expect(clientOf(server.url).call(unreadCount, {})).rejects.toMatchObject({code: 'bad_answer', details: {reason: 'shape'}});
  });

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

/** Everything that a schema of an answer is made of. */
const anySchema = z.looseObject({
  text: z.string(allowKnownMismatch((value) => value === null)),
  count: z.number().check(z.refine(Number.isInteger, 'expected an integer')),
  either: z.union([z.number(), z.string()]),
  nothing: z.null(),
  maybe: z.optional(z.nullable(z.string())),
  anything: z.unknown(),
  items: z.array(z.looseObject({id: z.string(), flag: z.optional(z.boolean())})),
  closed: z.optional(z.strictObject({a: z.string()})),
  few: z.optional(z.array(z.string()).check(z.maxLength(1))),
});

/** The kinds and places that zod by itself finds. */
function foundByZod(value: unknown) {
  const {error} = z.safeParse(anySchema, value);
  return (error?.issues ?? []).map(({path, message}) => ({path: path.join('.'), isKnown: message === KNOWN_MISMATCH})).toSorted(byPath);
}

function byPath(one: {readonly path: string}, other: {readonly path: string}): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}

test('finds the same mismatches as zod', () => {
  const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.double({noNaN: true}), fc.string({maxLength: 2}));
  const item = fc.oneof(leaf, fc.record({id: leaf, flag: leaf}, {requiredKeys: []}));
  const value = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record(
        {
          text: leaf,
          count: leaf,
          either: fc.oneof(leaf, fc.constant([])),
          nothing: leaf,
          maybe: leaf,
          anything: leaf,
          items: fc.oneof(leaf, fc.array(item, {maxLength: 3})),
          closed: fc.oneof(leaf, fc.dictionary(fc.constantFrom('a', 'b'), leaf)),
          few: fc.array(leaf, {maxLength: 2}),
        },
        {requiredKeys: []},
      ),
    },
    {weight: 1, arbitrary: leaf},
  );
  fc.assert(
    fc.property(value, (given) => {
      const found = mismatchesIn(anySchema, given).list.map(({path, kind}) => ({path, isKnown: kind === 'known'}));
      expect(found.toSorted(byPath)).toEqual(foundByZod(given));
    }),
    {numRuns: 300},
  );
});

test('keeps the first 100 mismatches and counts up to 10,000', () => {
  const list = z.array(z.object({id: z.string(), name: z.string()}));
  const {list: kept, counts} = mismatchesIn(
    list,
    Array.from({length: 2000}, () => ({id: 7})),
  );
  expect(counts).toEqual({known: 0, missing: 2000, shape: 0, type: 2000});
  expect(kept.filter(({kind}) => kind === 'type').map(({path}) => path)).toEqual(Array.from({length: 100}, (_, index) => `${index}.id`));
  expect(kept).toHaveLength(200);
  const {counts: most} = mismatchesIn(
    list,
    Array.from({length: 200_000}, () => ({})),
  );
  expect(most.missing).toBe(10_000);
  expect([moreThan(1, 'type', counts), moreThan(5, 'any', most), moreThan(5, 'type', most)]).toEqual([
    '1999 more',
    'at least 9995 more',
    undefined,
  ]);
});
