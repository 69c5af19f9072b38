import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {columnsOf, truncate, wrap, wrapWords} from '../../../src/lib/print/width.js';

const family = '👩‍👩‍👧‍👦';
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(' ', 'a', '写', family, 'e\u0301', '🇩🇪'), fc.string({unit: 'grapheme', minLength: 1, maxLength: 1})),
});
const width = fc.integer({min: 1, max: 40});

test('measures like string-width', () => {
  for (let code = 0x20; code < 0x3000; code += 1) {
    const character = String.fromCharCode(code);
    expect([code, columnsOf(character)]).toEqual([code, stringWidth(character)]);
  }
});

test('measures wide characters and emoji like string-width, alone and side by side', () => {
  const others = ['a', '写', '하', 'ガ', '！', '🌻', '👩', '\u200d', '\ufe0f', '\u{1f3fd}', '\u0301', '\uff9e'];
  const blocks: readonly (readonly [number, number])[] = [
    [0x3000, 0x3130],
    [0x33fe, 0x3402],
    [0x4dbe, 0x4e02],
    [0x9ffe, 0xa002],
    [0xabfe, 0xac20],
    [0xd7a0, 0xd7a6],
    [0xff00, 0xff70],
    [0x1f300, 0x1faff],
  ];
  const codes = blocks.flatMap(([first, last]) => Array.from({length: last - first}, (_, index) => first + index));
  for (const code of codes) {
    const character = String.fromCodePoint(code);
    // What stands beside it matters alike for neighbours.
    const beside = code % 4 === 0 ? others : [];
    const texts = [character, ...beside.map((other) => character + other), ...beside.map((other) => other + character)];
    const wrong = texts.filter((text) => columnsOf(text) !== stringWidth(text));
    if (wrong.length > 0) expect({code, wrong}).toEqual({code, wrong: []});
  }
});

test('measures emoji that are joined like string-width', () => {
  const parts = ['👩', '👦', '🌻', '❤', '\u200d', '\u200d', '\u{1f3fd}', '\ufe0f', '🇩🇪', '写', 'a', '\u0301'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), {maxLength: 12}), (some) => columnsOf(some.join('')) === stringWidth(some.join(''))),
  );
  expect([family, `a${family}写${family}`].map(columnsOf)).toEqual([2, 7]);
});

describe('truncate', () => {
  test('leaves text that fits unchanged', () => {
    expect(truncate('写真', 4)).toBe('写真');
    expect(truncate('anything', Number.POSITIVE_INFINITY)).toBe('anything');
  });

  test('leaves no joiner at the end', () => {
    expect(truncate('می\u200cخواهم', 3)).toBe('می…');
    expect(wrap('می\u200cخواهم', 2)).toEqual(['می', 'خو', 'اه', 'م']);
  });

  test('truncate never splits a grapheme', () => {
    expect(truncate('写真です', 6)).toBe('写真…');
    expect(truncate(`${family}${family}${family}`, 4)).toBe(`${family}…`);
    expect(truncate('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
  });

  test('leaves no space before the ellipsis', () => {
    expect(truncate('to be or not', 4)).toBe('to…');
  });

  test('truncate is never wider than the width', () => {
    fc.assert(
      fc.property(text, width, (any, most) => {
        expect(columnsOf(truncate(any, most))).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('wrap', () => {
  test('breaks at spaces, and words only when they are wider than a line', () => {
    expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
    expect(wrap('see https://pix.example/p/1 there', 10)).toEqual(['see', 'https://pi', 'x.example/', 'p/1 there']);
  });

  test('keeps the line breaks of the text', () => {
    expect(wrap('one\n\ntwo', 10)).toEqual(['one', '', 'two']);
  });

  test('replaces a character that is wider than the line with an ellipsis', () => {
    expect(wrap('写a', 1)).toEqual(['…', 'a']);
  });

  test('wrap is never wider than the width', () => {
    fc.assert(
      fc.property(text, width, (any, most) => {
        for (const line of wrap(any, most)) expect(columnsOf(line)).toBeLessThanOrEqual(most);
      }),
    );
  });

  test('loses nothing but spaces', () => {
    fc.assert(
      fc.property(text, fc.integer({min: 2, max: 40}), (any, most) => {
        fc.pre([...new Intl.Segmenter().segment(any)].every(({segment}) => columnsOf(segment) <= 2));
        expect(wrap(any, most).join('').replaceAll(/\s/g, '')).toBe(any.replaceAll(/\s/g, ''));
      }),
    );
  });
});

describe('sentences', () => {
  test('sentences are broken between words', () => {
    expect(wrapWords('Error: the server said no\nHint: try again later', 12)).toBe('Error: the\nserver said\nno\nHint: try\nagain later');
  });

  test('keep the indent of a line, and a line that fits', () => {
    expect(wrapWords('  @one, 3 days old, 6 posts\n  @two,  6 posts', 18)).toBe('  @one, 3 days\n  old, 6 posts\n  @two,  6 posts');
  });

  test('sentences keep a command on one line', () => {
    expect(wrapWords('Hint: see `pixelctl filters list --profile=work`, then try again', 16)).toBe(
      'Hint: see\n`pixelctl filters list --profile=work`,\nthen try again',
    );
    expect(wrapWords('Hint: to see what would change: pixelctl plan a.yml --profile=work', 20)).toBe(
      'Hint: to see what\nwould change:\npixelctl plan a.yml --profile=work',
    );
  });

  test('sentences keep every word, on wider lines only where one does not fit', () => {
    fc.assert(
      fc.property(text, width, (any, most) => {
        const lines = wrapWords(any, most).split('\n');
        expect(lines.join(' ').split(/ +/).filter(Boolean)).toEqual(any.split(/[ \n]+/).filter(Boolean));
        // The indent of a word that is too wide stays before it.
        for (const line of lines) if (line.trim().includes(' ')) expect(columnsOf(line)).toBeLessThanOrEqual(most);
      }),
      {examples: [['   ab', 3]]},
    );
  });
});
