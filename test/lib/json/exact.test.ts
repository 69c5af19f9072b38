import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseExact, sourceText} from '../../../src/lib/json/exact.js';

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

  test.each([10_000, 200_000])('reads %d levels, without keeping numbers', (depth) => {
    const document = `${'['.repeat(depth)}2.50${']'.repeat(depth)}`;
    expect(Array.isArray(parseExact(document))).toBe(true);
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
