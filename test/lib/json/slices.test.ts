import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {fieldTexts, itemLinesAt, itemTexts, itemTextsAt, kindOf} from '../../../src/lib/json/slices.js';
import {compact} from '../../../src/lib/json/text.js';
import {listTexts, objectTexts, valueTexts} from './documents.js';

describe('itemTexts', () => {
  test('returns the items as they were written, without white space', () => {
    expect(itemTexts(' [ {"a" :1, "a":2.50} ,12345678901234567890,"]," , [ [ ] ],null ] ')).toEqual([
      '{"a":1,"a":2.50}',
      '12345678901234567890',
      '"],"',
      '[[]]',
      'null',
    ]);
  });

  test.each(['[]', ' [ ] '])('returns no items for %j', (list) => {
    expect(itemTexts(list)).toEqual([]);
  });

  test('returns items that make up the list', () => {
    fc.assert(
      fc.property(listTexts, (list) => {
        expect(`[${itemTexts(list).join()}]`).toBe(compact(list));
      }),
    );
  });

  test('accepts deep nesting and many escapes', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const escapes = JSON.stringify('\\"'.repeat(100_000));
    expect(itemTexts(`[${deep},${escapes}]`)).toEqual([deep, escapes]);
  });
});

describe('itemLinesAt', () => {
  test('items are as they were written, but for white space of those on several lines', () => {
    expect(itemLinesAt('{"data": [ {"a" : 1.50, "b":"\\n"} ,[ 1,\n 2 ]\n]}', ['data'])).toEqual(['{"a" : 1.50, "b":"\\n"}', '[1,2]']);
  });

  test('each item is one line, with the value that it had', () => {
    fc.assert(
      fc.property(listTexts, (list) => {
        const lines = itemLinesAt(list, []) ?? [];
        expect(lines.map(compact)).toEqual(itemTexts(list));
        for (const line of lines) expect(line).not.toMatch(/[\n\r]/);
      }),
    );
  });
});

describe('itemTextsAt', () => {
  test.each([
    ['{"data": [1, {"data": []}], "meta": {}}', ['data'], ['1', '{"data":[]}']],
    ['{"a": {"b": [2]}, "b": [3]}', ['a', 'b'], ['2']],
    [' [ 1 ] ', [], ['1']],
    ['{"data": [1], "data": [2]}', ['data'], ['2']],
    ['{"data": [1], "data": 2}', ['data'], undefined],
    ['{"a": {"b": [1]}, "a": {}}', ['a', 'b'], undefined],
    ['{"\\u0064ata": [1]}', ['data'], ['1']],
    ['{"data": {"0": 1}}', ['data'], undefined],
    ['[1]', ['data'], undefined],
    ['"data"', ['data'], undefined],
    ['{}', ['data'], undefined],
    ['7', [], undefined],
  ])('the items of %s at %j are returned as text', (text, path, items) => {
    expect(itemTextsAt(text, path)).toEqual(items);
  });

  test('returns the items at the path', () => {
    fc.assert(
      fc.property(objectTexts, listTexts, objectTexts, (before, list, after) => {
        const text = `{"x": ${before} ,"data" : ${list}, "y":${after}}`;
        expect(itemTextsAt(text, ['data'])).toEqual(itemTexts(list));
      }),
    );
  });
});

describe('fieldTexts', () => {
  test('returns the fields as they were written, in order and without white space', () => {
    expect([...fieldTexts(' { "b":2.50 , "1" : {"x" : [ 1 ]} ,"\\u0061\\"" :"}" } ')]).toEqual([
      ['b', '2.50'],
      ['1', '{"x":[1]}'],
      ['a"', '"}"'],
    ]);
  });

  test('takes the last of a repeated name', () => {
    expect([...fieldTexts('{"a":1,"b":2,"a":3}')]).toEqual([
      ['a', '3'],
      ['b', '2'],
    ]);
  });

  test('returns the values that JSON.parse returns', () => {
    fc.assert(
      fc.property(objectTexts, (object) => {
        const fields = fieldTexts(object);
        const parsed: Readonly<Record<string, unknown>> = JSON.parse(object);
        expect(new Set(fields.keys())).toEqual(new Set(Object.keys(parsed)));
        for (const [name, text] of fields) expect(JSON.parse(text)).toEqual(parsed[name]);
      }),
    );
  });
});

describe('kindOf', () => {
  test.each([
    [' "a"', 'string'],
    ['-1', 'number'],
    ['2.50', 'number'],
    ['null', 'null'],
    ['true', 'literal'],
    ['false', 'literal'],
    ['\n[1]', 'list'],
    ['{}', 'object'],
  ])('the kind of %j is %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test('equals the type of JSON.parse', () => {
    fc.assert(
      fc.property(valueTexts, (text) => {
        const value: unknown = JSON.parse(text);
        const found = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
        expect(kindOf(text)).toBe(found === 'boolean' ? 'literal' : found);
      }),
    );
  });
});
