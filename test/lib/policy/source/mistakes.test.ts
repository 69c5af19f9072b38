import {describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import {complaintsOf, type Mistake, mistakesFailure, quotedWord} from '../../../../src/lib/policy/source/mistakes.js';

const counted = (first: readonly Mistake[]) => ({first: [...first], count: first.length});
const mistake = (line: number, message = `mistake ${line}`): Mistake => ({file: 'p.yml', line, message});

test.each([
  ['', '""'],
  [' bad.example ', '"bad.example"'],
  ['bad.example spam', '"bad.example…"'],
  ['token=secret', '"token…"'],
  ['token: secret', '"token…"'],
  ['a;b', '"a…"'],
  ['a,b', '"a…"'],
  ['a|b', '"a…"'],
  ["a'b", '"a…"'],
  ['a"b', '"a…"'],
  ['https://pix.example/secret', '"https://pix.example/secret"'],
  ['https://pix.example:secret', '"https://pix.example…"'],
  ['HTTPS+x.y-1://pix.example?a=b', '"HTTPS+x.y-1://pix.example?a…"'],
  ['x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
  [`${'x'.repeat(39)}😀`, `"${'x'.repeat(39)}\ufffd…"`],
])('of a text only the first word is quoted: %j', (text, quoted) => {
  expect(quotedWord(text)).toBe(quoted);
});

describe('the mistakes of a file', () => {
  test('are named one by one, in the order of lines and columns', () => {
    const at = (line: number, column?: number) => ({...mistake(line, `at ${column}`), column});
    const {code, message, details} = mistakesFailure('p.yml', counted([at(3), at(2, 9), at(2, 4), at(2)]));
    expect([code, message]).toEqual([
      'usage',
      'p.yml has 4 mistakes\np.yml:2: at undefined\np.yml:2:4: at 4\np.yml:2:9: at 9\np.yml:3: at undefined',
    ]);
    expect(details.mistakes?.map(({line, column}) => [line, column])).toEqual([
      [2, undefined],
      [2, 4],
      [2, 9],
      [3, undefined],
    ]);
  });

  const several = (count: number) => Array.from({length: count}, (_, index) => mistake(index + 1));

  test.each([
    [20, 21, undefined],
    [21, 22, 'and 1 more'],
    [1200, 22, 'and 1,180 more'],
  ])('are the first 20 of %i, with a line for the others', (count, lines, last) => {
    const shown = mistakesFailure('p.yml', counted(several(count))).message.split('\n');
    expect(shown).toHaveLength(lines);
    expect(shown.at(-1)).toBe(last ?? 'p.yml:20: mistake 20');
  });

  test('are cut after 500 characters', () => {
    const messages = [500, 501].map((length) => mistakesFailure('p.yml', counted([mistake(1, 'x'.repeat(length))])).message);
    expect(messages).toEqual([`p.yml:1: ${'x'.repeat(500)}`, `p.yml:1: ${'x'.repeat(500)}…`]);
  });
});

const one = z.strictObject({one: z.string()});
const other = z.strictObject({other: z.strictObject({inner: z.string()})});
const schema = z.strictObject({
  text: z.optional(z.union([z.string(), one], 'text or {one} is expected')),
  plain: z.optional(z.nullable(z.strictObject({name: z.string(), size: z.number()}))),
  section: z.optional(z.strictObject({must: z.array(z.string()), only: z.optional(z.boolean())})),
  word: z.optional(z.enum(['red', 'green'])),
  list: z.optional(z.array(z.strictObject({name: z.string()}))),
  either: z.optional(z.union([z.string(), one])),
  untagged: z.optional(z.union([one, other], 'one or other is expected')),
  mixed: z.optional(
    z.union([
      z.array(z.strictObject({name: z.optional(z.string())})),
      z.strictObject({deep: z.strictObject({one: z.optional(z.string())})}),
    ]),
  ),
  few: z.optional(z.array(z.number()).check(z.maxLength(1, 'expected one number'))),
  domain: z.optional(z.union([z.string(), one], 'a domain or {one} is expected')),
  dated: z.optional(z.union([z.string(), one], 'a date is expected')),
});

const keys = Object.keys(schema.shape).join(', ');

describe('a mismatch with a schema', () => {
  test.each<[value: unknown, complaints: readonly [path: string, message: string][]]>([
    [{}, []],
    [null, [['', `keys (${keys}) are expected, got nothing`]]],
    [{texd: 'a'}, [['', `unknown key "texd"; did you mean "text"? Allowed: ${keys}`]]],
    [
      {a: 1, b: 2},
      [
        ['', `unknown key "a"; allowed: ${keys}`],
        ['', `unknown key "b"; allowed: ${keys}`],
      ],
    ],
    [{list: [{name: 'a'}, {nam: 'b', name: 'c'}]}, [['list.1', 'unknown key "nam"; did you mean "name"? Allowed: name']]],
    [{plain: {name: 'a'}}, [['plain.size', 'size is missing']]],
    [{plain: ['a']}, [['plain', 'keys (name, size) are expected, got a list']]],
    [{list: ['a']}, [['list.0', 'keys (name) are expected, got text']]],
    [{section: ['a']}, [['section', 'keys (must, only) are expected, got a list: write {must: [...]}']]],
    [
      {plain: {name: 5, size: 'b'}},
      [
        ['plain.name', 'text is expected, got 5; put it in quotes'],
        ['plain.size', 'a number is expected, got text'],
      ],
    ],
    [{plain: {name: ['a'], size: 1}}, [['plain.name', 'text is expected, got a list']]],
    [{text: 2027}, [['text', 'text or {one} is expected, got 2027; put it in quotes']]],
    [{domain: 5}, [['domain', 'a domain or {one} is expected, got 5; put it in quotes']]],
    [{dated: 5}, [['dated', 'a date is expected, got 5']]],
    [{word: 'blue'}, [['word', 'unsupported word "blue" (supported: red, green)']]],
    [{few: [1, 2]}, [['few', 'expected one number']]],
    [{either: {one: 5}}, [['either.one', 'text is expected, got 5; put it in quotes']]],
    [{untagged: 5}, [['untagged', 'one or other is expected, got 5']]],
    [{mixed: {deep: {two: 2}}}, [['mixed.deep', 'unknown key "two"; allowed: one']]],
    [{mixed: [{two: 2}]}, [['mixed.0', 'unknown key "two"; allowed: name']]],
    [{text: 'a', word: 'x'.repeat(80)}, [['word', `unsupported word "${'x'.repeat(59)}… (supported: red, green)`]]],
    [{['k'.repeat(61)]: 1}, [['', `unknown key "${'k'.repeat(60)}…"; allowed: ${keys}`]]],
  ])('%j is said in words, with what is allowed', (value, complaints) => {
    expect(complaintsOf(schema, value).map(({path, message}) => [path.join('.'), message])).toEqual(complaints);
  });

  test('an unknown key is named beside the path of its object', () => {
    expect(complaintsOf(schema, {plain: {name: 'a', size: 1, more: 2}})).toMatchObject([{path: ['plain'], key: 'more'}]);
  });

  test('an unknown key where none is allowed is just that', () => {
    expect(complaintsOf(z.strictObject({}), {a: 1})).toEqual([{path: [], key: 'a', message: 'unknown key "a"'}]);
  });
});
