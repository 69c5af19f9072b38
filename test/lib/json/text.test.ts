import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {andMore, countNoun, enumerate, firstOf, indent, shorten, withCommas, withOthersLikeIt} from '../../../src/lib/json/text.js';

/** Documents with all kinds of values, laid out in all kinds of ways. */
const documents = fc
  .tuple(fc.jsonValue(), fc.constantFrom('', ' ', '\t', '    '))
  .map(([value, space]) => JSON.stringify(value, null, space));

describe('indent', () => {
  test('prints one value a line', () => {
    expect(indent('{"a":[1,2.50,{"b":null}],"c":"x: [1, 2]"}')).toBe(
      ['{', '  "a": [', '    1,', '    2.50,', '    {', '      "b": null', '    }', '  ],', '  "c": "x: [1, 2]"', '}'].join('\n'),
    );
  });

  test('leaves empty lists and objects on one line', () => {
    expect(indent('{"a":[ ],"b":{\n}}')).toBe('{\n  "a": [],\n  "b": {}\n}');
    expect(indent('[]')).toBe('[]');
  });

  test('lays out like JSON.stringify, and keeps the document', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(indent(document)).toBe(JSON.stringify(JSON.parse(document), null, 2));
        expect(indent(indent(document))).toBe(indent(document));
      }),
    );
  });

  test('colours keys, strings, numbers and literals', () => {
    const colors = {
      key: (text: string) => `k(${text})`,
      string: (text: string) => `s(${text})`,
      number: (text: string) => `n(${text})`,
      literal: (text: string) => `l(${text})`,
    };
    expect(indent('{"a" :["b",-1.0,true,{}]}', colors)).toBe('{\n  k("a"): [\n    s("b"),\n    n(-1.0),\n    l(true),\n    {}\n  ]\n}');
  });
});

describe('large documents', () => {
  test('large documents can be nested deeply', () => {
    const document = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(indent(document).replaceAll(/\n */g, '')).toBe(document);
  });

  test('large documents can contain long strings with many escapes', () => {
    const document = JSON.stringify(['\\"'.repeat(1_000_000)]);
    expect(indent(document).replaceAll(/\n */g, '')).toBe(document);
  });
});

test('withCommas writes whole numbers as English texts do', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(withCommas(count)).toBe(count.toLocaleString('en'));
    }),
  );
});

test('a count has commas and the right form of its word', () => {
  expect([countNoun(1, 'entry', 'entries'), countNoun(0, 'entry', 'entries'), countNoun(1200, 'account')]).toEqual([
    '1 entry',
    '0 entries',
    '1,200 accounts',
  ]);
});

test('of several texts the first are shown, and the others are counted', () => {
  const names = ['a', 'b', 'c', 'd'];
  expect(firstOf(names, 4)).toBe('a, b, c, d');
  expect(firstOf(names, 3)).toBe('a, b, c and 1 more');
  expect(firstOf(names, 2, {between: '; '})).toBe('a; b; and 2 more');
  expect(firstOf(names, 4, {all: 1204})).toBe('a, b, c, d and 1,200 more');
  expect(firstOf([], 2)).toBe('');
  expect([1, 3].map((count) => withOthersLikeIt('line 2 is empty', count))).toEqual([
    'line 2 is empty',
    'line 2 is empty, and 2 more like it',
  ]);
});

describe('shortened', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'longe…'],
    ['ab📷c', 3, 'ab…'],
    ['ab📷c', 4, 'ab📷…'],
    ['👩\u200d👧\u200d👦', 6, '👩\u200d👧…'],
  ])('%s at %d is %s', (text, most, expected) => {
    expect(shorten(text, most)).toBe(expected);
  });
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j are enumerated: %s', (texts, text) => {
  expect(enumerate(texts)).toBe(text);
});

test('how many more there are is told with commas', () => {
  expect(andMore(1200)).toBe('and 1,200 more');
});
