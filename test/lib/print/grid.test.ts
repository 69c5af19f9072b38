import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {draw} from '../../../src/lib/print/grid.js';
import {palette} from '../../../src/lib/print/palette.js';
import {columnsOf} from '../../../src/lib/print/width.js';

const {good, quiet} = palette(true);
const hard = ['写真', '👩‍👩‍👧‍👦', '🧑🏽‍🚀', '🫠', '❤️', '🇩🇪', 'नमस्ते', 'ก็', 'می\u200cخواهم', 'e\u0301', 'ﷺ', '␛[31m', 'two words', '…'];

/** What a table without borders is: padding between its cells. */
function expected(rows: readonly (readonly string[])[], columns: Parameters<typeof draw>[1], gap: string): string {
  return rows
    .map((row) => {
      const cells = row.map((text, index) => {
        const {width, isRight} = columns[index] ?? {width: 0, isRight: false};
        const padding = ' '.repeat(Math.max(0, width - columnsOf(stripVTControlCharacters(text))));
        return isRight ? padding + text : text + padding;
      });
      return `${cells.join(gap).trimEnd()}\n`;
    })
    .join('');
}

describe('a drawn table', () => {
  test('a drawn table is its cells with padding, whatever is in them, and however many rows there are', () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom(...hard), fc.string({unit: 'grapheme-ascii', maxLength: 5})), {maxLength: 4})
      .map((parts) => parts.join(' ').trim());
    const cell = fc.oneof(text, text.map(good), text.map(quiet));
    const column = fc.record({width: fc.integer({min: 1, max: 30}), isRight: fc.boolean()});
    const table = fc.array(column, {minLength: 1, maxLength: 5}).chain((columns) =>
      fc.record({
        columns: fc.constant(columns),
        rows: fc.array(fc.array(cell, {minLength: columns.length, maxLength: columns.length}), {minLength: 1, maxLength: 90}),
      }),
    );
    fc.assert(
      fc.property(table, ({columns, rows}) => {
        expect(draw(rows, columns, '  ')).toBe(expected(rows, columns, '  '));
      }),
    );
  });

  test('a drawn table has as many lines for a row as its highest cell', () => {
    const cell = fc.array(fc.constantFrom('', 'a', '写真', good('x'), '🫠 b'), {minLength: 1, maxLength: 3});
    const columns = [4, 2, 6].map((width, index) => ({width, isRight: index === 1}));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), {minLength: 1, maxLength: 50}), (rows) => {
        const lines = rows.flatMap((row) => {
          const height = Math.max(...row.map(({length}) => length));
          return Array.from({length: height}, (_, line) => row.map((texts) => texts[line] ?? ''));
        });
        const drawn = draw(
          rows.map((row) => row.map((texts) => texts.join('\n'))),
          columns,
          '  ',
        );
        expect(drawn).toBe(expected(lines, columns, '  '));
      }),
    );
  });

  test('takes time that grows with the number of rows, not with its square', () => {
    const rows = Array.from({length: 100_000}, (_, index) => [String(index), 'x']);
    const columns = [
      {width: 6, isRight: true},
      {width: 1, isRight: false},
    ];
    expect(draw(rows, columns, ' ').split('\n').slice(-3)).toEqual([' 99998 x', ' 99999 x', '']);
  });

  test('takes time that grows with the length of a text, not with its square', () => {
    const text = '👩‍👩‍👧‍👦写'.repeat(4000);
    expect(
      draw(
        [[text, 'x']],
        [
          {width: 200, isRight: false},
          {width: 1, isRight: false},
        ],
        '  ',
      ),
    ).toBe(`${text}  x\n`);
  });
});
