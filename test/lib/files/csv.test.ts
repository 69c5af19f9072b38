/** CSV as spreadsheets and servers write it: rows with their lines, quotes, and what is written again. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {csvCell, csvFormula, csvLine, csvRows, type Delimiter, UnclosedQuote} from '../../../src/lib/files/csv.js';

const rows = (text: string, firstLine?: number, delimiter?: Delimiter) =>
  Array.from(csvRows(text, firstLine, delimiter), ({line, cells}) => [line, ...cells]);

describe('rows', () => {
  test.each<[string, string, (number | string)[][]]>([
    ['no text', '', []],
    ['a row without an end', 'a,b', [[1, 'a', 'b']]],
    ['a row with one', 'a,b\n', [[1, 'a', 'b']]],
    [
      'every line end',
      'a\nb\r\nc\rd',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'd'],
      ],
    ],
    [
      'empty rows',
      '\n\na\n\n,,\nb\n',
      [
        [3, 'a'],
        [6, 'b'],
      ],
    ],
    ['empty cells', ',a,\n', [[1, '', 'a', '']]],
    ['an empty cell at the end of the text', 'a,', [[1, 'a', '']]],
    ['spaces around cells', ' a , b \n', [[1, 'a', 'b']]],
    ['quotes', '"a,b","c""d"\n', [[1, 'a,b', 'c"d']]],
    ['spaces around quotes', ' "a, b" ,c\n', [[1, 'a, b', 'c']]],
    ['spaces in quotes', '" a "\n', [[1, ' a ']]],
    [
      'lines in quotes',
      '"a\r\nb\nc",d\ne\n',
      [
        [1, 'a\r\nb\nc', 'd'],
        [4, 'e'],
      ],
    ],
    ['an empty text in quotes beside others', '"",a\n', [[1, '', 'a']]],
    ['quotes inside of a cell', 'a"b"c,d\n', [[1, 'a"b"c', 'd']]],
    ['more after a closing quote', '"a"b,c\n', [[1, '"a"b', 'c']]],
  ])('are read with %s', (_, text, found) => {
    expect(rows(text)).toEqual(found);
  });

  test('are read with other delimiters, and spaces around cells of tabs are none of a quote', () => {
    expect(rows('a;"b;c";d,e\n', 1, ';')).toEqual([[1, 'a', 'b;c', 'd,e']]);
    expect(rows('a\t"b\tc"\td,e\n', 1, '\t')).toEqual([[1, 'a', 'b\tc', 'd,e']]);
  });

  test('count their lines from the one that is told', () => {
    expect(rows('a\nb\n', 7)).toEqual([
      [7, 'a'],
      [8, 'b'],
    ]);
  });

  test.each([
    ['"a\nb\n', 1],
    ['a\n"b,c\n', 2],
    ['"a\nb"\n"c\n', 3],
    ['a,"b\n', 1],
    ['"a\n"b",c\n', 1],
  ])('of %j have a quote that is never closed on line %d', (text, line) => {
    expect(() => rows(text)).toThrow(UnclosedQuote);
    expect(() => rows(text)).toThrow(expect.objectContaining({line, message: 'a quote is opened here and never closed'}));
  });

  test('share what they have behind the first cell, unless the lines below may decide how it is read', () => {
    const tails = Array.from(csvRows('a,"x, y",\nb,"x, y",\nc,z\n"d",z\ne,z\nf,"a"" b\ng,"a"" b\nc"\n'), ({cells, tail}) => [cells, tail]);
    expect(tails.map(([cells]) => cells)).toEqual([
      ['a', 'x, y', ''],
      ['b', 'x, y', ''],
      ['c', 'z'],
      ['d', 'z'],
      ['e', 'z'],
      ['f', '"a"" b'],
      ['g', 'a" b\nc'],
    ]);
    expect([tails[1]?.[1] === tails[0]?.[1], tails[4]?.[1] === tails[2]?.[1], tails[3]?.[1], tails[5]?.[1]]).toEqual([
      true,
      true,
      undefined,
      undefined,
    ]);
  });

  test('that are written are read as they were', () => {
    const cell = fc.string({unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r', ';', '\t', 'é')});
    fc.assert(
      fc.property(fc.array(fc.array(cell, {minLength: 1}), {minLength: 1}), (table) => {
        const kept = table.filter((cells) => cells.some((one) => one !== ''));
        expect(Array.from(csvRows(table.map(csvLine).join('')), ({cells}) => cells)).toEqual(kept);
      }),
    );
  });
});

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['a\rb', '"a\rb"'],
  [' before', '" before"'],
  ['after ', '"after "'],
  ['a b', 'a b'],
  ['', ''],
])('the cell %j is written as %j', (text, written) => {
  expect(csvCell(text)).toBe(written);
});

test('every quote of a very long cell is doubled', () => {
  expect(csvCell('"'.repeat(120_001))).toBe('"'.repeat(240_004));
});

test.each(['=1', '+1', '-1', '@x', '\tx', '＝1'])('%j may be run by a spreadsheet', (text) => {
  expect(csvFormula.test(text)).toBe(true);
  expect(csvFormula.test(`a${text}`)).toBe(false);
});
