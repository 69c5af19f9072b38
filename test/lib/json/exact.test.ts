import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {deepest, parseExact, sourceText, TooDeep, withMembers, withoutMembers} from '../../../src/lib/json/exact.js';

describe('parseExact', () => {
  test.each(['12345678901234567890', '2.50', '1e400', '1E5', '-0', '-0.0', '0.1', '9007199254740993', '-12345678901234567890'])(
    'gives %s back as it was',
    (number) => {
      for (const document of [number, `[${number}]`, `[1,${number}]`, `{"a":${number}}`, `{"a":{"b":[{"c":${number}}]}}`])
        expect(JSON.stringify(parseExact(document))).toBe(document);
    },
  );

  test('keeps numbers after white space', () => {
    expect(JSON.stringify(parseExact('\n{ "cursor" :\t2.50 , "list": [ 1.0 ,\r\n 1e400 ] }'))).toBe('{"cursor":2.50,"list":[1.0,1e400]}');
  });

  test('returns numbers that JavaScript writes unchanged as numbers', () => {
    expect(parseExact('[1, 2.5, 12345678901234567890]')).toEqual([1, 2.5, JSON.rawJSON('12345678901234567890')]);
  });

  test('equals JSON.parse for documents without such numbers', () => {
    fc.assert(
      fc.property(fc.json(), (document) => {
        expect(JSON.stringify(parseExact(document))).toBe(JSON.stringify(JSON.parse(document)));
      }),
    );
  });

  const nested = (depth: number, inner: string) => `${'[{"a":'.repeat(depth / 2)}${inner}${'}]'.repeat(depth / 2)}`;

  test('reads as many levels as servers do, and no more', () => {
    expect(JSON.stringify(parseExact(nested(deepest, '2.50')))).toBe(nested(deepest, '2.50'));
    for (const text of [nested(deepest, '[]'), nested(deepest, '{"b":2.50}'), nested(200_000, '1')])
      expect(() => parseExact(text)).toThrow(TooDeep);
  });

  test('keeps numbers beside texts that look like them', () => {
    const document = '{"2":1.0,"note":"on May 5, 2020.50, and 1e400 ]","\u007f":["\u007f2.50",2.50,{"__proto__":-0}]}';
    expect(JSON.stringify(parseExact(document))).toBe(document);
    const plain = '{"\u007f":["\u007f2.50",2.50,{"__proto__":-0}]}';
    expect(JSON.stringify(parseExact(plain))).toBe(plain);
  });

  test('keeps every number of any document', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,5})?([eE][+-]?\d{1,3})?$/);
    const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
    fc.assert(
      fc.property(fc.array(digits), space, (numbers, between) => {
        const document = `{"a":${between}[${numbers.map((number) => between + number).join(`${between},`)}]}`;
        expect(JSON.stringify(parseExact(document))).toBe(`{"a":[${numbers.join()}]}`);
      }),
    );
  });

  test('rejects text that is not JSON', () => {
    expect(() => parseExact('[2.50')).toThrow(SyntaxError);
  });
});

describe('sourceText', () => {
  test('returns the text of a number', () => {
    expect(sourceText(7)).toBe('7');
    expect(sourceText(parseExact('2.50'))).toBe('2.50');
  });

  test.each([['7'], [null], [true], [{rawJSON: '7'}], [undefined]])('returns undefined for %j', (value) => {
    expect(sourceText(value)).toBeUndefined();
  });
});

const names = ['email', 'ip'];

/** A parsed document without the members of these names. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (names.includes(name) ? [] : [[name, without(inner)]])));
}

const document = fc.letrec((tie) => ({
  value: fc.oneof(
    {maxDepth: 4},
    fc.constantFrom<unknown>('email', 'a "ip": b', null, 7, true, ''),
    fc.array(tie('value'), {maxLength: 3}),
    fc.dictionary(fc.constantFrom('email', 'ip', 'id', 'e"mail', ''), tie('value'), {maxKeys: 4}),
  ),
})).value;

describe('members that are left out', () => {
  test.each([
    ['{"id":1,"email":"a@b","name":"x"}', '{"id":1,"name":"x"}'],
    ['{"email":"a@b"}', '{}'],
    ['{"id":12345678901234567890,"email":"a"}', '{"id":12345678901234567890}'],
    ['{"data":[{"email":null,"ip":"1","n":2.50}]}', '{"data":[{"n":2.50}]}'],
    ['{"note":"\\"email\\":\\"a\\""}', '{"note":"\\"email\\":\\"a\\""}'],
  ])('%s', (text, left) => expect(JSON.stringify(withoutMembers(parseExact(text), names))).toBe(left));

  test('the rest is the same document', () => {
    fc.assert(
      fc.property(document, (value) => {
        expect(withoutMembers(value, names)).toEqual(without(value));
      }),
    );
  });
});

test('members are changed where they are', () => {
  const masked = withMembers(parseExact('{"email":"a@b","ip":null,"id":1.0}'), names, (member) => (member === null ? null : '***'));
  expect(JSON.stringify(masked)).toBe('{"email":"***","ip":null,"id":1.0}');
});
