import {commandsView} from '../../../src/commands/commands.js';
/** Every table that a command prints, at terminals of several widths: names are whole, what people look for is there, and what is not is named. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {records} from '../../../src/lib/api/endpoints.js';
import {listBlocks} from '../../../src/lib/api/blocks.js';
import type {Column, View} from '../../../src/lib/api/view.js';
import {exportedView, verifiedView} from '../../../src/lib/cli/archive/dm-export.js';
import {backupView, verifiedBackupView} from '../../../src/lib/cli/backup/backup.js';
import {checksView} from '../../../src/commands/doctor.js';
import {containedView} from '../../../src/lib/cli/endpoint/contains-command.js';
import {profilesView} from '../../../src/lib/cli/profiles.js';
import {policyViews} from '../../../src/lib/policy/rows/views.js';
import {viewOfItems} from '../../../src/lib/print/account-items.js';
import {columnsFor, columnsNamed, Grid} from '../../../src/lib/print/grid.js';
import {nothing} from '../../../src/lib/print/values.js';
import {resultsView} from '../../../src/lib/run/results.js';
import {now} from './setting.js';

const views: readonly (readonly [name: string, view: Partial<View> | undefined])[] = [
  ...records.map(({name, view}) => [name, view] as const),
  ['blocks of several accounts', viewOfItems(listBlocks.view)],
  ['audit', policyViews.rows({ofSeveral: false, withStatus: true})],
  ['audit of several accounts', policyViews.rows({ofSeveral: true})],
  ['plan', policyViews.rows({ofSeveral: false})],
  ['plan of several accounts', policyViews.rows({ofSeveral: true})],
  ['explain', policyViews.reasons],
  ['validate', policyViews.counts],
  ['diff', policyViews.differences('p.yml', 'pix.example')],
  ['state list', policyViews.items],
  ['auth status', profilesView],
  ['doctor', checksView],
  ['contains', containedView],
  ['results', resultsView],
  ['dm export', exportedView],
  ['dm export --verify', verifiedView],
  ['commands', commandsView],
  ['backup', backupView],
  ['backup --verify', verifiedBackupView],
  ['fields that are not known', {kind: 'list', columns: columnsFor([{id: 1, name: '', note: '', url: '', created_at: ''}])}],
  ['fields that were chosen', {kind: 'list', columns: columnsNamed(['id', 'account.acct', 'note', 'url'])}],
];

const columnsOf = (view: Partial<View> | undefined): readonly Column[] =>
  (view?.kind === 'list' ? view.columns : view?.kind === 'record' ? view.list?.view.columns : undefined) ?? [];
const tables = views.flatMap(([name, view]) => (columnsOf(view).length > 0 ? [[name, columnsOf(view)] as const] : []));

test.each(tables)('the table of %s has a column that names its rows, or is about the only one', (_, columns) => {
  expect(columns.some(({key}) => key) || columns.length === 1).toBe(true);
});

type Nature = 'alike' | 'long' | 'mixed' | 'odd' | 'wide';

/** Texts that no two cells share where rows differ, of words that tell where they belong. */
function textFor({key, kind, path}: Column, {row, index, nature}: {row: number; index: number; nature: Nature}): string {
  const own = nature === 'alike' ? `c${index}` : `r${row}c${index}`;
  if (kind === 'number' || kind === 'count') return nature === 'alike' ? '0' : `${row}${index}`;
  if (nature === 'mixed' && (row + index) % 3 === 0) return key ? own : row === 0 ? '' : nothing;
  if (key && path.endsWith('id')) return `10292494${own}`.padEnd(19, '0');
  if (key && nature === 'odd') return row === 0 ? `${own}-${'longer-than-most-'.repeat(4)}.example` : `${own}.example`;
  if (key && nature === 'long') return `${own}.photographers.of.birds.example`;
  if (key) return nature === 'wide' ? `写真${own}.例え` : `@${own}@pix.example`;
  if (nature === 'long') return `${own} says that it is ${own}-long `.repeat(12).trim();
  return nature === 'wide' ? `${own}和紙 とても薄い 気をつけて${own}` : `${own} text`;
}

function complaintsAbout(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const grid = new Grid(columns, rows, {width, color: false, now});
  const text = grid.start(rows);
  const lines = text.split('\n');
  const all = text.replaceAll(/\s/g, '');
  const [head = ''] = lines;
  return [
    ...lines.filter((line) => stringWidth(line) > width).map((line) => `is wider than ${width}: ${line}`),
    ...columns.flatMap((column, index) => {
      const {header, key, stays, kind} = column;
      const texts = rows.map((row) => row[index] ?? '');
      const said = texts.filter((cell) => cell !== '' && cell !== nothing);
      if (grid.notShown.includes(header)) return key || stays ? [`leaves out ${header}`] : [];
      if (said.length === 0 || kind === 'number' || kind === 'count') return [];
      const isThere = said.some((cell) => all.includes(cell.slice(0, 3).trim()));
      if (!isThere) return [`does not name ${header}: ${head}`];
      if (!key && !stays) return [];
      const words = said.flatMap((cell) => cell.split(' '));
      const broken = words.filter((word) => !all.includes(word));
      const cut = key ? words.filter((word) => stringWidth(word) <= width - 2 && !text.includes(word)) : [];
      return [...cut, ...broken].slice(0, 1).map((word) => `${header} lacks ${word}`);
    }),
  ];
}

describe.each(tables)('the table of %s', (_, columns) => {
  test.each([40, 60, 80, 120])('at %d columns', (width) => {
    const complaints = (['alike', 'mixed', 'long', 'wide', 'odd'] satisfies Nature[]).flatMap((nature) =>
      [1, 2, 8].flatMap((count) => {
        const rows = Array.from({length: count}, (_row, row) => columns.map((column, index) => textFor(column, {row, index, nature})));
        return complaintsAbout(columns, rows, width).map((complaint) => `${nature}, ${count} rows: ${complaint}`);
      }),
    );
    expect(complaints).toEqual([]);
  });

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

  test('shows no empty column while one that differs is left out', () => {
    const nature = fc.constantFrom('empty', 'same', 'differs');
    const times = {minLength: columns.length, maxLength: columns.length};
    fc.assert(
      fc.property(
        fc.array(nature, times),
        fc.array(fc.integer({min: 1, max: 80}), times),
        fc.constantFrom(30, 40, 60, 80),
        (natures, widths, width) => {
          const grid = new Grid(lettered, rowsOf(natures, widths), {width, color: false, now});
          const shown = grid.start([]);
          const empty = lettered.filter(
            ({header, key, stays}, index) => natures[index] === 'empty' && !key && !stays && shown.includes(header),
          );
          expect(empty.length === 0 || grid.notShown.length === 0).toBe(true);
        },
      ),
    );
  });
});
