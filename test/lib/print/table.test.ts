import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {listNotifications} from '../../../src/lib/api/notifications.js';
import type {Column} from '../../../src/lib/api/view.js';
import type {Layout} from '../../../src/lib/print/values.js';
import {policyViews} from '../../../src/lib/policy/rows/views.js';
import {cellTexts, Grid} from '../../../src/lib/print/grid.js';
import {openList} from '../../../src/lib/print/print.js';
import {openTable} from '../../../src/lib/print/table.js';
import {columnsOf} from '../../../src/lib/print/width.js';
import {named, now, pipe, screen, values} from './setting.js';

const plain: Layout = {width: Number.POSITIVE_INFINITY, color: false, now: () => new Date('2026-11-20T12:00:00Z')};

const textsOf = (rows: readonly unknown[], columns: readonly Column[], layout: Partial<Layout>) =>
  rows.map((row) => cellTexts(row, columns, {...plain, ...layout}));

/** The lines of a table, which ends in a line break. */
function lines(rows: readonly unknown[], columns: readonly Column[], layout: Partial<Layout> = {}): string[] {
  const grid = new Grid(columns, textsOf(rows, columns, layout), {...plain, ...layout});
  const table = grid.start(textsOf(rows, columns, layout));
  expect(table.endsWith('\n')).toBe(true);
  return table.slice(0, -1).split('\n');
}

function cells(value: unknown, column: Omit<Column, 'header'>): string | undefined {
  return lines([value], [{header: '', ...column}])[1];
}

test.each([
  ['one account', policyViews.rows({ofSeveral: false})],
  ['several accounts', policyViews.rows({ofSeveral: true})],
])('an audit of %s shows the command that fixes a finding whole or not at all', (_, {columns = []}) => {
  const fix = 'pixelctl domain-blocks add --profile=ana -- bad.example';
  const row = {server: 'https://pix.example', account: 'ana', rule: 'domain_blocks.must', subject: 'bad.example', wanted: 'blocked', fix};
  const rows = [{...row, actual: 'not blocked', source: `${'a-long-name-of-a-policy-'.repeat(2)}.yml:12`}];
  const shown = (width: number) => lines(rows, columns, {width})[1] ?? '';
  for (let width = 20; width <= 250; width++) expect(shown(width).replace(fix, '')).not.toContain('pixelctl');
  expect(shown(250)).toContain(fix);
});

describe('a table', () => {
  test('aligns columns, numbers to the right, without trailing spaces', () => {
    const columns: Column[] = [
      {header: 'id', path: 'id'},
      {header: 'posts', path: 'posts', kind: 'number'},
      {header: 'name', path: 'name'},
    ];
    const rows = [['1', 7, 'Ana'] as const, ['234', 12, ''] as const].map(([id, posts, name]) => ({id, posts, name}));
    expect(lines(rows, columns)).toEqual(['id   posts  name', '1        7  Ana', '234     12']);
  });

  test('aligns wide characters, emoji and combining marks', () => {
    const names = ['写真', '👩‍👩‍👧‍👦', 'e\u0301', '🇩🇪', '❤️', '각'];
    const table = lines(
      names.map((name) => ({name, id: 'x'})),
      named('name', 'id'),
    );
    for (const line of table) expect(stringWidth(line.slice(0, /(id|x)$/.exec(line)?.index))).toBe(6);
  });

  test('shows texts of servers inert, on one line', () => {
    expect(cells({name: '\u001b[31mEve\n\u202e'}, {path: 'name'})).toBe('␛[31mEve \\u202e');
    expect(cells({note: 'a&#27;[31m<br>b'}, {path: 'note', kind: 'html'})).toBe('a␛[31m b');
  });

  test('shows private-use characters unchanged', () => {
    expect(lines([{a: '\ue000\ue000', b: '\ue000'}], named('a', 'b'))).toEqual(['a   b', '\ue000\ue000  \ue000']);
  });

  test('ignores colours when it aligns', () => {
    const rows = [
      {ok: true, at: '2026-11-20T11:57:00Z'},
      {ok: false, at: null},
    ];
    const columns: Column[] = [
      {header: 'result', path: '', kind: 'outcome'},
      {header: 'at', path: 'at', kind: 'time'},
    ];
    const [header, good, bad] = lines(rows, columns, {color: true, width: 80});
    expect(header).toBe('\u001b[1mresult\u001b[22m  \u001b[1mat\u001b[22m');
    expect(good).toBe('\u001b[32mok\u001b[39m      \u001b[2m3 min ago\u001b[22m');
    expect(bad).toBe('\u001b[31mfailed\u001b[39m  \u001b[2m–\u001b[22m');
  });
});

describe('a table in a terminal', () => {
  const columns: Column[] = [
    {header: 'id', path: 'id', key: true},
    {header: 'name', path: 'name', flexible: true},
    {header: 'posts', path: 'posts', kind: 'number', priority: 2},
  ];
  const rows = [{id: '1029249424935067661', name: 'A photographer of birds', posts: 12}];

  test('shrinks flexible columns first', () => {
    expect(lines(rows, columns, {width: 45})[1]).toBe('1029249424935067661  A photographer o…     12');
  });

  test('then leaves out the least important columns', () => {
    expect(lines(rows, columns, {width: 34})).toEqual(['id                   name', '1029249424935067661  A photograph…']);
    expect(lines(rows, columns, {width: 24})).toEqual(['id', '1029249424935067661']);
  });

  test('breaks an id only where it is wider than the terminal, and cuts none', () => {
    expect(lines(rows, columns, {width: 10})).toEqual(['id', '1029249424', '935067661']);
  });

  test('a table in a terminal is never wider than the terminal, and contains no trailing space or control character', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\u001b', '\u202e', '\n', '写', '👩‍👩‍👧‍👦', ' '), fc.string({unit: 'grapheme', minLength: 1, maxLength: 1})),
    });
    const row = fc.record({id: text, name: fc.option(text), posts: fc.integer()});
    fc.assert(
      fc.property(fc.array(row, {minLength: 1}), fc.integer({min: 1, max: 120}), (any, width) => {
        const table = lines(any, columns, {width});
        for (const line of table) {
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/[\p{Cc}\u202e]|\s$/u);
        }
        expect(lines(any, columns, {width, color: true}).map((line) => stripVTControlCharacters(line))).toEqual(table);
      }),
    );
  });
});

describe('a table that is wider than the terminal', () => {
  const columns: Column[] = [
    {header: 'id', path: 'id', key: true},
    {header: 'state', path: 'state', priority: 2},
    {header: 'flags', path: 'flags', priority: 2},
    {header: 'text', path: 'text', stays: true},
  ];
  const row = (id: string, text: string, state = 'active', flags = '') => ({id, text, state, flags});
  const long = 'the quick brown fox jumps over the lazy dog';

  test('leaves out a column that is empty before any other', () => {
    const rows = [row('1', 'a'.repeat(20)), row('2', 'b')];
    expect(lines(rows, columns, {width: 60})[0]).toBe('id  state   flags  text');
    expect(lines(rows, columns, {width: 34})[0]).toBe('id  state   text');
    expect(lines(rows, columns, {width: 30})[0]).toBe('id  text');
  });

  test('wraps the text', () => {
    expect(lines([row('1', long), row('2', 'b')], columns, {width: 24})).toEqual([
      'id  text',
      '1   the quick brown fox',
      '    jumps over the lazy',
      '    dog',
      '2   b',
    ]);
  });

  test('stacks rows where what stays has no room beside the longest name', () => {
    const rows = ['a-name-that-is-longer.example', 'b.example'].map((id, index) => row(id, index === 0 ? long : 'short', 'active', '1'));
    const stacked = lines(rows, columns, {width: 40});
    expect(stacked).toEqual([
      'id    a-name-that-is-longer.example',
      'text  the quick brown fox jumps over the',
      '      lazy dog',
      '',
      'id    b.example',
      'text  short',
    ]);
  });

  test('names the columns that it leaves out', () => {
    const rows = [row('1', long, 'active', 'a'), row('2', 'b', 'muted', 'b')];
    expect(new Grid(columns, textsOf(rows, columns, {width: 32}), {...plain, width: 32}).notShown).toEqual(['flags']);
    expect(new Grid(columns, textsOf(rows, columns, {}), plain).notShown).toEqual([]);
  });

  test('loses nothing of what wraps', () => {
    const idAndText = columns.filter(({path}) => path === 'id' || path === 'text');
    const unit = fc.oneof(
      fc.constantFrom('写', '👩‍👩‍👧‍👦', ' ', 'مر', 'नि', 'x'.repeat(500)),
      fc.string({unit: 'grapheme-ascii', minLength: 1, maxLength: 1}),
    );
    fc.assert(
      fc.property(fc.string({unit, minLength: 1, maxLength: 40}), fc.integer({min: 30, max: 200}), fc.boolean(), (text, width, color) => {
        const [, ...shown] = lines([row('1', text), row('2', 'b')], idAndText, {width, color});
        // A text of spaces alone leaves the id alone on its line.
        const cell = shown.map((line) => stripVTControlCharacters(line).replace(/^[12]?(?: +|$)/, '')).join('');
        expect(cell.replaceAll(/\s/g, '')).toBe(`${text.replaceAll(/\s/g, '')}b`);
        for (const line of shown) expect(columnsOf(stripVTControlCharacters(line))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

const notification = (id: string, who: string, content: string) =>
  JSON.stringify({id, type: 'mention', account: {acct: who}, created_at: '2020-05-01T10:00:00.000Z', status: {content}});

describe('an endless table', () => {
  test('prints one header, and takes the widths from the first rows', () => {
    const table = openTable({isEndless: true, terminal: pipe, now, isList: true, fields: ['id', 'name']});
    expect([table.nature, table.items([])]).toEqual(['painted', '']);
    expect(table.items(values('{"id":"10","name":"ben"}', '{"id":"9","name":"anabel"}'))).toBe('id  name\n10  ben\n9   anabel\n');
    expect(table.items([])).toBe('');
    expect(table.items(values('{"id":"8","name":"eva"}', '{"id":"123456","name":"benjamin the younger"}'))).toBe(
      '8   eva\n123456  benjamin the younger\n',
    );
    expect(table.end()).toEqual({stdout: ''});
  });

  test('an endless table says which columns have no room and stacks what has none', async () => {
    const columns: Column[] = [
      {header: 'id', path: 'id', key: true},
      {header: 'of', path: 'of', priority: 2},
      {header: 'text', path: 'text', stays: true},
    ];
    const view = {kind: 'list', columns, empty: ''} as const;
    const setting = {format: 'table', isEndless: true, now, view, hides: ['ip']} as const;
    const writer = await openList({...setting, terminal: {...screen, width: 26}});
    expect(writer.notShown).toBeUndefined();
    expect(writer.items([{id: '1', of: 'a name of somebody', text: 'x'}]).split('\n')[0]).toBe('id  text');
    expect(writer.notShown).toEqual(['of']);
    const narrow = await openList({...setting, terminal: {...screen, width: 12}});
    expect(narrow.items([{id: '123456789', text: 'x'}])).toBe('id\n  123456789\ntext  x\n');
    expect(narrow.items([{id: '2', text: 'y'}])).toBe('\nid    2\ntext  y\n');
  });

  test('fits the terminal, whatever comes later', () => {
    const table = openTable({isEndless: true, terminal: screen, now, isList: true, view: listNotifications.view});
    const first = table.items(values(notification('1', 'ben', 'Hi')));
    const later = table.items(values(notification('2', 'someone-with-a-very-long-name@far-away.example', 'words '.repeat(50))));
    for (const line of [...first.split('\n'), ...later.split('\n')]) expect(columnsOf(line)).toBeLessThanOrEqual(screen.width);
    expect(first.split('\n')[0]?.indexOf('who')).toBe(first.split('\n')[1]?.indexOf('@ben'));
    // The text has the most room, though it has not come yet.
    expect(later.split('\n')[0]?.indexOf('words')).toBeLessThan(60);
    expect(later.indexOf('@someone')).toBe(first.split('\n')[0]?.indexOf('who'));
  });

  test('shows every field where no columns are known', () => {
    const table = openTable({isEndless: true, terminal: pipe, now, isList: true});
    expect(table.items(values('{"b":1,"a":"x"}'))).toBe('b  a\n1  x\n');
    expect(table.items(values('{"a":"y","c":2}'))).toBe('–  y\n');
  });

  test('prints texts of servers inert', () => {
    const table = openTable({isEndless: true, terminal: screen, now, isList: true, fields: ['name']});
    expect(table.items(values(JSON.stringify({name: '\u001b[31mred\u202e\n'})))).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});
