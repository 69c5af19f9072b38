import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {inert, inertJson} from '../../../src/lib/output/inert.js';

const active = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Text in which the characters that matter are frequent. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '\u007f', '\u009b', '\u202e', '\u2066', '\u200f', '\u061c', '\u2028', '\r', '\n', '\t', '\ud800', '\udc00', '"', '\\'),
    fc.string({unit: 'binary', minLength: 1, maxLength: 1}),
  ),
});

describe('inert', () => {
  test.each([
    ['a colour', 'a \u001b[31mred\u001b[0m rose', 'a ␛[31mred␛[0m rose'],
    ['a title change', '\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['a C1 control', 'a\u009b31m', 'a\\u009b31m'],
    ['delete', 'a\u007f', 'a␡'],
    ['an override', 'photo\u202egpj.exe', 'photo\\u202egpj.exe'],
    ['an isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a lone carriage return', 'safe\rowned', 'safe␍owned'],
    ['half of a pair', 'a\ud83d', 'a\ufffd'],
  ])('shows %s', (_name, active_, shown) => {
    expect(inert(active_)).toBe(shown);
  });

  test('makes line breaks and tabs spaces', () => {
    expect(inert('one\ntwo\r\nthree\tfour')).toBe('one two three four');
  });

  test('keeps line breaks of longer text', () => {
    expect(inert('one\ntwo\r\nthree\tfour', {keepLines: true})).toBe('one\ntwo\nthree four');
  });

  test('leaves all writing and emoji alone', () => {
    const harmless = 'Grüße, 写真, שלום, नमस्ते, e\u0301, 👩‍👩‍👧‍👦';
    expect(inert(harmless)).toBe(harmless);
  });

  test('lets nothing through', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(inert(any)).not.toMatch(active);
        expect(inert(any).isWellFormed()).toBe(true);
        expect(inert(any, {keepLines: true}).replaceAll('\n', '')).not.toMatch(active);
        expect(inert(inert(any))).toBe(inert(any));
      }),
    );
  });
});

describe('inertJson', () => {
  test('writes such characters as escapes', () => {
    expect(inertJson('{\n\t"a": "\u202eb\u009b"\r\n}')).toBe('{\n\t"a": "\\u202eb\\u009b"\r\n}');
  });

  test('is the same value, and lets nothing through', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const document = JSON.stringify(value);
        expect(JSON.parse(inertJson(document))).toEqual(JSON.parse(document));
        expect(inertJson(document)).not.toMatch(active);
        expect(inertJson(document).isWellFormed()).toBe(true);
      }),
    );
  });
});
