import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import * as records from '../../../src/lib/api/index.js';
import type {View} from '../../../src/lib/api/view.js';
import {checksView} from '../../../src/lib/cli/doctor/doctor.js';
import * as policyViews from '../../../src/lib/policy/views.js';
import {columnsFor, fit, Grid} from '../../../src/lib/print/grid.js';
import {nothing} from '../../../src/lib/print/values.js';
import {operationsView, resultsView} from '../../../src/lib/run/results.js';
import {now} from './setting.js';

const rigid = (width: number, priority = 1) => ({width, least: width, priority});
const flexible = (width: number, priority = 1) => ({width, least: 10, priority});

describe('fit', () => {
  test('leaves columns unchanged where there is room', () => {
    expect(fit([rigid(19), flexible(30), rigid(5)], 58, 2)).toEqual([19, 30, 5]);
    expect(fit([rigid(19), flexible(1000)], Number.POSITIVE_INFINITY, 2)).toEqual([19, 1000]);
  });

  test('shrinks the widest first', () => {
    expect(fit([rigid(19), flexible(15), flexible(30)], 60, 2)).toEqual([19, 15, 22]);
    expect(fit([rigid(19), flexible(15), flexible(30)], 45, 2)).toEqual([19, 11, 11]);
  });

  test('leaves out the least important column, and gives its room to the others', () => {
    expect(fit([rigid(19), flexible(30, 2), rigid(20, 3)], 50, 2)).toEqual([19, 29, undefined]);
  });

  test('leaves out less important columns for a preferred width, and no equally important one', () => {
    const text = {...flexible(100), preferred: 30};
    expect(fit([rigid(19, 2), flexible(20), text], 60, 2)).toEqual([undefined, 20, 38]);
    expect(fit([rigid(19, 2), flexible(20), text], 30, 2)).toEqual([undefined, 14, 14]);
    expect(fit([rigid(19, 2), flexible(20), text], 80, 2)).toEqual([19, 20, 37]);
  });

  test('leaves out the last of equally important columns', () => {
    expect(fit([rigid(19), rigid(19), rigid(19)], 42, 2)).toEqual([19, 19, undefined]);
  });

  test('keeps the most important column, truncated only when it is alone', () => {
    expect(fit([rigid(19, 9), rigid(5), rigid(5)], 12, 2)).toEqual([undefined, 5, 5]);
    expect(fit([rigid(5, 9), rigid(19), rigid(5)], 12, 2)).toEqual([undefined, 12, undefined]);
  });

  test('leaves out columns that tell nothing before any other, and those that are the same in every row for none that cannot stay', () => {
    const same = {...rigid(12, 3), spare: 'same' as const};
    const empty = {...rigid(12, 1), spare: 'empty' as const};
    expect(fit([rigid(12), empty, same, rigid(60, 2)], 88, 2)).toEqual([12, undefined, 12, 60]);
    expect(fit([rigid(12), empty, same, rigid(60, 2)], 75, 2)).toEqual([12, undefined, undefined, 60]);
    expect(fit([rigid(12), empty, same, rigid(60, 2)], 40, 2)).toEqual([12, undefined, 12, undefined]);
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

const {findingsView, changesView, reasonsView, differencesView} = policyViews;
const views: readonly (readonly [string, View | undefined])[] = [
  ...Object.values(records).flatMap((record) =>
    typeof record === 'object' && 'view' in record ? [[record.name, record.view] as const] : [],
  ),
  ['audit', findingsView({ofSeveral: false, withStatus: true})],
  ['audit of several accounts', findingsView({ofSeveral: true, withStatus: false})],
  ['plan', changesView],
  ['explain', reasonsView],
  ['diff', differencesView],
  ['doctor', checksView],
  ['results', resultsView],
  ['a batch', operationsView],
];
const lists = views.flatMap(([name, view]) => (view?.kind === 'list' && view.columns ? [[name, view.columns] as const] : []));

describe.each(lists)('columns of %s', (_, columns) => {
  /** Headers that show by their letter which columns are left. */
  const lettered = columns.map((column, index) => ({
    ...column,
    header: column.header.replaceAll(/\S/g, String.fromCodePoint(65 + index)),
  }));
  const rowsOf = (natures: readonly string[], widths: readonly number[]) =>
    [0, 1].map((row) =>
      natures.map((nature, index) => {
        if (nature === 'empty') return row === 0 ? '' : nothing;
        return 'abcdefghi '.repeat(9).slice(0, widths[index]) + (nature === 'differs' ? row : '');
      }),
    );

  test.each([30, 40, 60, 80])('%d columns of a terminal show no empty one while one that differs is left out', (width) => {
    const nature = fc.constantFrom('empty', 'same', 'differs');
    const times = {minLength: columns.length, maxLength: columns.length};
    fc.assert(
      fc.property(fc.array(nature, times), fc.array(fc.integer({min: 1, max: 80}), times), (natures, widths) => {
        const rows = rowsOf(natures, widths);
        const header = new Grid(lettered, rows, {width, color: false, now}).start([]);
        const isShown = (index: number) => header.includes(String.fromCodePoint(65 + index));
        const indexes = [...natures.keys()];
        const empty = indexes.filter((index) => natures[index] === 'empty' && columns[index]?.stays !== true && isShown(index));
        const leftOut = indexes.filter((index) => natures[index] === 'differs' && !isShown(index));
        expect(empty.length === 0 || leftOut.length === 0).toBe(true);
      }),
    );
  });
});

describe('columnsFor', () => {
  test('returns every field of the rows, in order', () => {
    expect(
      columnsFor([
        {a: 1, b: 2},
        {c: 3, a: 4},
      ]).map(({header}) => header),
    ).toEqual(['a', 'b', 'c']);
  });

  test('returns one column for plain values', () => {
    expect(columnsFor(['7', '8'])).toEqual([{header: 'value', path: ''}]);
  });
});
