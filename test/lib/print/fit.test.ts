import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Column} from '../../../src/lib/api/view.js';
import {fit as fitted, fitColumns, type Wish} from '../../../src/lib/print/fit.js';
import {layoutOf} from '../../../src/lib/print/values.js';
import type {Terminal} from '../../../src/lib/print/print.js';
import {now, pipe, screen} from './setting.js';

/** The width of each column; undefined for those that are not shown. */
const fit = (wishes: readonly Wish[], width: number, gap: number): (number | undefined)[] => {
  const {shown} = fitted(wishes, width, gap);
  return wishes.map((_, index) => shown.find((column) => column.index === index)?.width);
};

const rigid = (width: number, priority = 1) => ({width, least: width, priority});

describe('fit', () => {
  test('keeps the column that stays, narrowed only when it is alone', () => {
    expect(fit([rigid(19, 9), rigid(5), rigid(5)], 12, 2)).toEqual([undefined, 5, 5]);
    expect(fit([rigid(5, 9), {...rigid(19), stays: true}, rigid(5)], 12, 2)).toEqual([undefined, 12, undefined]);
  });

  test('fit never takes more room than there is, and truncates only flexible columns', () => {
    const wish = fc.record({width: fc.nat(50), least: fc.nat(50), priority: fc.integer({min: 1, max: 9})});
    const wishes = fc.array(
      wish.map(({width, least, priority}) => ({width, least: Math.min(width, least), priority})),
      {minLength: 1},
    );
    fc.assert(
      fc.property(wishes, fc.integer({min: 1, max: 200}), (columns, width) => {
        const widths = fit(columns, width, 2);
        const shown = widths.filter((given) => given !== undefined);
        expect(shown.reduce((total, given) => total + given, 0) + 2 * (shown.length - 1)).toBeLessThanOrEqual(width);
        expect(shown.length).toBeGreaterThan(0);
        if (shown.length > 1) {
          widths.forEach((given, index) => expect(given ?? Infinity).toBeGreaterThanOrEqual(columns[index]?.least ?? 0));
        }
      }),
    );
  });
});

describe('the widths of columns', () => {
  const wish = (width: number, own: Partial<Wish> = {}): Wish => ({width, least: width, priority: 1, ...own});
  const flexible = {least: 1};

  test.each<[string, Wish[], number, (number | undefined)[]]>([
    ['one that fits', [wish(10)], 10, [10]],
    ['one that does not fit', [wish(11)], 10, [10]],
    ['two that just fit', [wish(4), wish(4)], 10, [4, 4]],
    ['two that just do not', [wish(4), wish(5)], 10, [4, undefined]],
    ['two that share what there is', [wish(9, flexible), wish(9, flexible)], 10, [4, 4]],
    ['two of which one takes less', [wish(2, flexible), wish(9, flexible)], 10, [2, 6]],
    ['two of which one must not shrink', [wish(5), wish(9, flexible)], 10, [5, 3]],
    ['the empty one goes first', [wish(4, {isEmpty: true}), wish(4), wish(4)], 10, [undefined, 4, 4]],
    [
      'the less important of two empty ones goes first',
      [wish(4, {isEmpty: true, priority: 2}), wish(4, {isEmpty: true}), wish(4)],
      10,
      [undefined, 4, 4],
    ],
    ['the last of two equally empty ones goes first', [wish(4, {isEmpty: true}), wish(4, {isEmpty: true}), wish(4)], 10, [4, undefined, 4]],
    ['empty ones stay where there is room', [wish(4, {isEmpty: true}), wish(4)], 10, [4, 4]],
    ['the last empty one stays', [wish(40, {isEmpty: true})], 10, [10]],
  ])('are shared: %s', (_, wishes, width, widths) => {
    expect(fit(wishes, width, 2)).toEqual(widths);
  });
});

describe('what has no room', () => {
  const column = (width: number, own: Partial<Wish> = {}): Wish => ({width, least: width, priority: 1, ...own});
  const key = column(10, {stays: true});

  test('is named where it has a text, in the order of the columns', () => {
    const wishes = [key, column(20, {priority: 2}), column(20, {isEmpty: true}), column(20, {priority: 3})];
    expect(fitted(wishes, 20, 2)).toMatchObject({leftOut: [1, 3]});
  });

  test('is stacked where it stays', () => {
    const wishes = [key, column(60, {least: 20, stays: true}), column(5)];
    expect(fitted(wishes, 39, 2)).toMatchObject({isStacked: false, leftOut: []});
    expect(fitted(wishes, 32, 2)).toMatchObject({isStacked: false, leftOut: [2]});
    expect(fitted(wishes, 31, 2)).toMatchObject({isStacked: true, shown: [{index: 0}, {index: 1}], leftOut: [2]});
  });

  test('costs no other column its place where it fits beside none that stays', () => {
    const wishes = [key, column(35, {priority: 2}), column(20, {priority: 3})];
    expect(fitted(wishes, 40, 2)).toMatchObject({leftOut: [1]});
  });
});

/** The columns that are shown of these, which are headed `a`, `b` and so on, with their widths. */
function shownIn(terminal: Terminal, columns: readonly Partial<Column>[], rows: readonly (readonly string[])[]): string {
  const all = columns.map((own, index) => ({header: 'abcd'.charAt(index), path: '', ...own}));
  const {shown} = fitColumns(all, rows, layoutOf({terminal, now}), false);
  return shown.map(({index, width}) => `${'abcd'.charAt(index)} ${width}`).join(', ');
}

const flexible = {flexible: true} as const;

/** Rows are separated by line breaks, and cells by commas; the last cell has 30 letters. */
test.each<[string, width: number, columns: Partial<Column>[], rows: string, shown: string]>([
  ['all of what just fits', 35, [{}, {}], 'aaa,', 'a 3, b 30'],
  ['an empty name, and what is cut beside it', 20, [{key: true}, flexible], '–,', 'a 1, b 17'],
  ['what has a text in one row', 20, [{}, {}, flexible], 'k,,\nk,bbbb,', 'a 1, b 4, c 11'],
  ['no zeros of counts', 20, [{}, {kind: 'count'}, {kind: 'number'}, flexible], 'k,0,0,', 'a 1, d 17'],
  ['zeros of what is no count', 20, [{}, {}, flexible], 'k,0,', 'a 1, b 1, c 14'],
  ['no words for what is not set', 20, [{}, {none: 'never', kind: 'time'}, flexible], 'k,never,', 'a 1, c 17'],
  ['such words where they stay', 26, [{}, {none: 'never', stays: true}, flexible], 'k,never,', 'a 1, b 5, c 16'],
  ['ten letters of a text', 20, [{}, flexible], '12345678,', 'a 8, b 10'],
  ['no text where there is no room for ten letters', 19, [{}, flexible], '12345678,', 'a 8'],
  ['as few letters of a text as it may have', 15, [{}, {...flexible, least: 5}], '12345678,', 'a 8, b 5'],
  ['a count that stays', 24, [{}, {kind: 'count', stays: true}, flexible], 'k,0,', 'a 1, b 1, c 18'],
  ['names that break between words', 28, [{key: true}, {stays: true}], 'aaaa bbbb cccc,', 'a 6, b 20'],
  ['a text that is as narrow as a word of its header', 9, [{}, {header: 'two words', wraps: true, least: 2}], 'k,', 'a 1, b 6'],
  ['no text that is narrower than its header', 9, [{}, {header: 'two words', ...flexible, least: 2}], 'k,', 'a 1'],
])('a terminal shows %s', (_, width, columns, rows, shown) => {
  const cells = rows.split('\n').map((row) => `${row}${'x'.repeat(30)}`.split(','));
  expect(shownIn({...screen, width}, columns, cells)).toBe(shown);
});

test('a table of very many rows fits a narrow terminal, and takes no more room in a pipe than there is memory', () => {
  const rows = Array.from({length: 200_000}, () => ['aaa bbb', 'x'.repeat(100)]);
  expect(shownIn({...screen, width: 30}, [{key: true}, flexible], rows)).toBe('a 7, b 21');
  expect(shownIn(pipe, [{}, {}], rows)).toBe('a 7, b 80');
});
