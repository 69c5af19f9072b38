import {stripVTControlCharacters} from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {parseExact} from '../../../src/lib/json/exact.js';
import type {Column} from '../../../src/lib/api/view.js';
import type {Layout} from '../../../src/lib/print/columns.js';
import {columnsFor, TableRows} from '../../../src/lib/print/table.js';

const plain: Layout = {width: Number.POSITIVE_INFINITY, color: false, now: new Date('2026-11-20T12:00:00Z')};

/** The lines of a table, which ends in a line break. */
function lines(rows: readonly unknown[], columns: readonly Column[], layout: Partial<Layout> = {}): string[] {
  const known = new TableRows(columns, {...plain, ...layout});
  known.add(rows);
  const table = known.print();
  expect(table.endsWith('\n')).toBe(true);
  return table.slice(0, -1).split('\n');
}

function cells(value: unknown, column: Omit<Column, 'header'>): string | undefined {
  return lines([value], [{header: '', ...column}])[1];
}

describe('renderTable', () => {
  test('puts a header above rows in line, numbers to the right, without spaces at the ends', () => {
    const columns: Column[] = [
      {header: 'id', path: 'id'},
      {header: 'posts', path: 'posts', kind: 'number'},
      {header: 'name', path: 'name'},
    ];
    expect(
      lines(
        [
          {id: '1', posts: 7, name: 'Ana'},
          {id: '234', posts: 12, name: ''},
        ],
        columns,
      ),
    ).toEqual(['id   posts  name', '1        7  Ana', '234     12']);
  });

  test('keeps wide characters, emoji and marks in line', () => {
    const columns: Column[] = [
      {header: 'name', path: 'name'},
      {header: 'id', path: 'id'},
    ];
    const names = ['写真', '👩‍👩‍👧‍👦', 'e\u0301', '🇩🇪', '❤️', '각'];
    const table = lines(
      names.map((name) => ({name, id: 'x'})),
      columns,
    );
    for (const line of table) expect(stringWidth(line.slice(0, /(id|x)$/.exec(line)?.index))).toBe(6);
  });

  test('keeps many rows in line', () => {
    const rows = Array.from({length: 1000}, (_, index) => ({id: String(index), name: 'n'}));
    const table = lines(rows, [
      {header: 'id', path: 'id'},
      {header: 'name', path: 'name'},
    ]);
    expect(table).toHaveLength(1001);
    expect(table[1000]).toBe('999  n');
    expect(table[1]).toBe('0    n');
  });

  test('finds nested values', () => {
    expect(cells({account: {acct: 'ana'}}, {path: 'account.acct'})).toBe('ana');
    expect(cells({account: null}, {path: 'account.acct'})).toBe('–');
    expect(cells('spam.example', {path: ''})).toBe('spam.example');
    expect(cells({'a.b': 1}, {path: 'a.b'})).toBe('1');
  });

  test('shows numbers by their own text', () => {
    expect(cells(parseExact('{"cursor":12345678901234567890}'), {path: 'cursor'})).toBe('12345678901234567890');
    expect(cells(parseExact('{"size":2.50}'), {path: 'size', kind: 'number'})).toBe('2.50');
  });

  test.each([
    ['true', true, {}, 'yes'],
    ['false', false, {}, 'no'],
    ['true in words', true, {words: ['muted', '–']}, 'muted'],
    ['false in words', false, {words: ['muted', 'loud']}, 'loud'],
    ['null', null, {}, '–'],
    ['null in words', null, {none: 'never'}, 'never'],
    ['a missing field', undefined, {}, '–'],
    ['a list', ['home', 'public'], {}, 'home, public'],
    ['an empty list', [], {}, '–'],
    ['a list of objects', [{}, {}], {}, '2 items'],
    ['an object', {a: 1}, {}, '1 field'],
    ['an account', 'bo@remote.example', {kind: 'account'}, '@bo@remote.example'],
    ['accounts', [{acct: 'ana'}, {acct: 'bo@remote.example'}], {kind: 'accounts'}, '@ana, @bo@remote.example'],
    ['keywords', [{keyword: 'spoiler'}, {keyword: 'ending'}], {kind: 'keywords'}, 'spoiler, ending'],
    ['a time', '2026-11-20T11:57:00Z', {kind: 'time'}, '3 min ago'],
    ['HTML', '<p>a &amp; b</p><p>c</p>', {kind: 'html'}, 'a & b c'],
    ['a photo', {type: 'photo', text: null}, {kind: 'message'}, '[photo]'],
    ['a photo with words', {type: 'photo', text: 'look'}, {kind: 'message'}, 'look [photo]'],
    ['flags', {muted: true, hidden: true}, {kind: 'flags'}, 'muted, hidden'],
    ['the own message', {is_author: true, sender_id: '7'}, {kind: 'sender'}, 'you'],
    ["another's message", {is_author: false, sender_id: '7'}, {kind: 'sender'}, '7'],
    ["another's legacy message", {isAuthor: false}, {kind: 'sender'}, 'them'],
    ['files', [{}, {}], {kind: 'count'}, '2'],
    ['a post', {content: '<b>hi</b>', url: 'https://pix.example/p/1'}, {kind: 'status'}, 'hi'],
    ['a post without words', {content: '', url: 'https://pix.example/p/1'}, {kind: 'status'}, 'https://pix.example/p/1'],
    ['a value of another kind than expected', 7, {kind: 'time'}, '7'],
  ] satisfies [string, unknown, Partial<Column>, string][])('shows %s', (_name, value, column, text) => {
    expect(cells({value}, {path: 'value', ...column})?.trim()).toBe(text);
  });

  test('shows text of servers inert, on one line', () => {
    expect(cells({name: '\u001b[31mEve\n\u202e'}, {path: 'name'})).toBe('␛[31mEve \\u202e');
    expect(cells({note: 'a&#27;[31m<br>b'}, {path: 'note', kind: 'html'})).toBe('a␛[31m b');
  });

  test('is not confused by the characters it uses inside', () => {
    expect(
      lines(
        [{a: '\ue000\ue000', b: '\ue000'}],
        [
          {header: 'a', path: 'a'},
          {header: 'b', path: 'b'},
        ],
      ),
    ).toEqual(['a   b', '\ue000\ue000  \ue000']);
  });

  test('colours the header, not the widths', () => {
    const rows = [
      {ok: true, at: '2026-11-20T11:57:00Z'},
      {ok: false, at: null},
    ];
    const columns: Column[] = [
      {header: 'result', path: '', kind: 'outcome'},
      {header: 'at', path: 'at', kind: 'time'},
    ];
    const [header, good, bad] = lines(rows, columns, {color: true});
    expect(header).toBe('\u001b[1mresult\u001b[22m  \u001b[1mat\u001b[22m');
    expect(good).toBe('\u001b[32mok\u001b[39m      \u001b[2m3 min ago\u001b[22m');
    expect(bad).toBe('\u001b[31mfailed\u001b[39m  \u001b[2m–\u001b[22m');
  });
});

describe('in a terminal', () => {
  const columns: Column[] = [
    {header: 'id', path: 'id'},
    {header: 'name', path: 'name', flexible: true},
    {header: 'posts', path: 'posts', kind: 'number', priority: 2},
  ];
  const rows = [{id: '1029249424935067661', name: 'A photographer of birds', posts: 12}];

  test('flexible columns shrink first', () => {
    expect(lines(rows, columns, {width: 45})[1]).toBe('1029249424935067661  A photographer o…     12');
  });

  test('then the least important are left out', () => {
    expect(lines(rows, columns, {width: 34})).toEqual(['id                   name', '1029249424935067661  A photograph…']);
    expect(lines(rows, columns, {width: 24})).toEqual(['id', '1029249424935067661']);
  });

  test('an id is cut only where it alone is too wide', () => {
    expect(lines(rows, columns, {width: 10})).toEqual(['id', '102924942…']);
  });

  test('no line is ever wider, ends in a space or steers the terminal', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\u001b', '\u202e', '\n', '写', '👩‍👩‍👧‍👦', ' '), fc.string({unit: 'grapheme', minLength: 1, maxLength: 1})),
    });
    const row = fc.record({id: text, name: fc.option(text), posts: fc.integer()});
    fc.assert(
      fc.property(fc.array(row, {minLength: 1}), fc.integer({min: 1, max: 120}), (any, width) => {
        const table = lines(any, columns, {width});
        expect(table).toHaveLength(any.length + 1);
        for (const line of table) {
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/[\p{Cc}\u202e]|\s$/u);
        }
        expect(lines(any, columns, {width, color: true}).map((line) => stripVTControlCharacters(line))).toEqual(table);
      }),
    );
  });
});

describe('columnsFor', () => {
  test('is every field that a row has, in order', () => {
    expect(
      columnsFor([
        {a: 1, b: 2},
        {c: 3, a: 4},
      ]).map(({header}) => header),
    ).toEqual(['a', 'b', 'c']);
  });

  test('is one column for plain values', () => {
    expect(lines(['7', '8'], columnsFor(['7', '8']))).toEqual(['value', '7', '8']);
  });
});
