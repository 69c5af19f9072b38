/** What tables keep and leave out: columns of unknown fields, lists inside records. */
import {describe, expect, test} from 'vitest';
import type {Column, View} from '../../../src/lib/api/view.js';
import {columnsFor, columnsNamed, Grid} from '../../../src/lib/print/grid.js';
import {openTable} from '../../../src/lib/print/table.js';
import {layoutOf} from '../../../src/lib/print/values.js';
import {endOf, named, now, pipe, screen, values} from './setting.js';

const layout = layoutOf({terminal: pipe, now});

describe('the columns of rows whose fields are not known', () => {
  test('are those of the first rows, 50 at most', () => {
    const fields = (count: number) => Object.fromEntries(Array.from({length: count}, (_, index) => [`f${index}`, index]));
    expect(columnsFor([fields(50)])).toHaveLength(50);
    expect(columnsFor([fields(30), fields(60)])).toHaveLength(50);
    expect(columnsFor([fields(60)]).at(-1)?.header).toBe('f49');
  });

  test.each([[[]], [[{}]], [['a', null]], [[[1]]]])('are one where rows have none: %j', (rows) => {
    expect(columnsFor(rows)).toEqual([{header: 'value', path: ''}]);
  });

  test('are inert, and less important one after the other: the first is taken for a name', () => {
    expect(columnsFor([{a: 1, 'b\u001b': 2, c: 3}])).toEqual([
      {header: 'a', path: 'a', key: true},
      {header: 'b␛', path: 'b\u001b', priority: 2, flexible: true},
      {header: 'c', path: 'c', priority: 3, flexible: true},
    ]);
  });

  test('are whole where somebody chose them', () => {
    expect(columnsNamed(['a', 'b\u001b'])).toEqual([
      {header: 'a', path: 'a', key: true},
      {header: 'b␛', path: 'b\u001b', key: true},
    ]);
  });
});

describe('a record with a list inside', () => {
  const view: View = {
    kind: 'record',
    columns: named('id'),
    list: {path: 'in.items', view: {kind: 'list', columns: named('name'), empty: 'No items.'}},
  };
  const printed = (value: unknown, own: {readonly view?: View; readonly fields?: readonly string[]} = {view}) => {
    const table = openTable({terminal: pipe, now, isList: false, ...own});
    const text = table.items(values(JSON.stringify(value)));
    return text + endOf(table).stdout;
  };

  test('shows it below, where there is one', () => {
    expect(printed({id: 1, in: {items: [{name: 'a'}, {name: 'b'}]}})).toBe('id  1\n\nname\na\nb\n');
    for (const items of [[], null, 'x', undefined]) expect(printed({id: 1, in: {items}})).toBe('id  1\n');
  });

  test('shows all fields of a list without columns, and says which columns have no room', () => {
    const own = (columns?: readonly Column[]): View => ({
      ...view,
      list: {path: 'in', view: {kind: 'list', ...(columns && {columns}), empty: ''}},
    });
    expect(printed({id: 1, in: [{a: 1}, {b: 2}]}, {view: own()})).toBe('id  1\n\na  b\n1  –\n–  2\n');
    const columns: Column[] = [
      {header: 'a', path: 'a', key: true},
      {header: 'b', path: 'b'},
    ];
    const table = openTable({terminal: {...screen, width: 10}, now, isList: false, view: own(columns)});
    expect(table.items([{id: 1, in: [{a: 'x'.repeat(8), b: 'y'}]}])).toBe(`id  1\n\na\n${'x'.repeat(8)}\n`);
    expect(endOf(table)).toEqual({stdout: '', notShown: ['b']});
  });

  test('shows the fields that are chosen, and all where the view is that of a list', () => {
    expect(printed({id: 1, b: 2}, {view, fields: ['b', 'c']})).toBe('b  2\n');
    expect(printed({id: 1, b: 2}, {view: {kind: 'list', columns: named('id'), empty: ''}})).toBe('id  1\nb   2\n');
    expect(openTable({terminal: pipe, now, isList: false}).items([])).toBe('');
  });

  test('has no columns for a list', () => {
    const list = openTable({terminal: pipe, now, isList: true, view});
    list.items(values('{"id":1,"b":2}'));
    expect(endOf(list)).toEqual({stdout: 'id  b\n1   2\n'});
    expect(openTable({terminal: pipe, now, isList: true, view}).end()).toEqual({stdout: '', stderr: 'Nothing.'});
  });
});

test('a long list is one table, whose widths are those of all rows', () => {
  const table = openTable({terminal: pipe, now, isList: true, view: {kind: 'list', columns: named('id', 'b'), empty: ''}});
  table.items(Array.from({length: 2001}, (_, index) => ({id: String(index === 2000 ? 123456 : index), b: 'x'})));
  const lines = endOf(table).stdout.split('\n');
  expect([lines.length, lines[0], lines[1], lines[1001], lines[2000], lines[2001]]).toEqual([
    2003,
    'id      b',
    '0       x',
    '1000    x',
    '1999    x',
    '123456  x',
  ]);
});

describe('the fields that are chosen', () => {
  test('wrap at a terminal, whatever the columns of the list do', () => {
    const cut: Column = {header: 'text', path: 'text', flexible: true, priority: 9};
    const table = openTable({
      terminal: {...screen, width: 20},
      now,
      isList: true,
      fields: ['text', 'id'],
      view: {kind: 'list', columns: [...named('id'), cut], empty: ''},
    });
    table.items(values(JSON.stringify({id: '1', text: 'the quick brown fox jumps'})));
    expect(endOf(table).stdout).toBe('text              id\nthe quick brown   1\nfox jumps\n');
  });
});

describe('the columns of a grid', () => {
  const at = (width: number, color = false) => layoutOf({terminal: {isTerminal: true, width, color}, now});

  test('are padded to 200 in a pipe, and a wider cell moves the rest', () => {
    const grid = new Grid(
      named('a', 'b'),
      [
        ['x'.repeat(300), 'y'],
        ['z', 'y'],
      ],
      layout,
    );
    expect(grid.start([])).toBe(`a${' '.repeat(201)}b\n`);
    expect(
      grid.rows([
        ['x'.repeat(300), 'y'],
        ['z', 'y'],
      ]),
    ).toBe(`${'x'.repeat(300)}  y\nz${' '.repeat(201)}y\n`);
  });

  test.each<[string, Partial<Column>, width: number]>([
    ['what came first', {}, 3],
    ['what came first, of a name', {key: true}, 3],
    ['what is usual, of a name', {key: true, usual: 12}, 12],
    ['what came first, of a name that is longer than usual', {key: true, usual: 2}, 3],
    ['all the room', {flexible: true}, 37],
    ['all the room, where it wraps', {wraps: true}, 37],
    ['all the room, where it stays', {stays: true}, 37],
    ['what is usual', {flexible: true, usual: 12}, 12],
    ['what is usual, where it wraps', {wraps: true, usual: 12}, 12],
    ['what is usual, where it stays', {stays: true, usual: 12}, 12],
    ['what came first, although more is usual', {usual: 12}, 3],
  ])('take, where more rows follow, %s', (_, own, width) => {
    const columns: Column[] = [{header: 'a', path: 'a', ...own}, ...named('b')];
    expect(new Grid(columns, [['xxx', 'y']], at(40), true).start([]).indexOf('b')).toBe(width + 2);
  });

  test('paint what went well, what went wrong, times and dashes', () => {
    const columns: Column[] = [
      {header: 'o', path: 'o', kind: 'outcome'},
      {header: 't', path: 't', kind: 'time'},
      {header: 'x', path: 'x'},
    ];
    const paint = (code: number, text: string, end = 39) => `\u001b[${code}m${text}\u001b[${end}m`;
    const rows = [
      ['ok', 'now', 'ok'],
      ['failed', '–', '–'],
      ['unknown', '', 'failed'],
      ['held back', 'now', ''],
    ];
    expect(new Grid(columns, rows, at(80, true)).rows(rows).split('\n')).toEqual([
      `${paint(32, 'ok')}         ${paint(2, 'now', 22)}  ok`,
      `${paint(31, 'failed')}     ${paint(2, '–', 22)}    ${paint(2, '–', 22)}`,
      `${paint(31, 'unknown')}         failed`,
      `held back  ${paint(2, 'now', 22)}`,
      '',
    ]);
  });
});
