/** What people read of a value: every kind of column with every value that a server may send in its place. */
import {describe, expect, test} from 'vitest';
import type {Column, ColumnKind} from '../../../src/lib/api/view.js';
import {parseExact} from '../../../src/lib/json/exact.js';
import {columnText, exactTime, inLines, layoutOf, oneLine, plain, plainText, relativeTime, valueAt} from '../../../src/lib/print/values.js';
import {now, pipe, screen} from './setting.js';

const layout = layoutOf({terminal: pipe, now});
const text = (row: unknown, column: Partial<Column>, own = layout) => columnText(row, {header: '', path: '', ...column}, own);

/** By kind: values, as JSON, and their texts. Other values are shown as those of kind `text`. */
const texts: Readonly<Record<ColumnKind, Readonly<Record<string, string>>>> = {
  account: {'"bob"': '@bob', '""': '', '7': '7', undefined: '–'},
  accounts: {
    '[{"acct":"ana"}]': '@ana',
    '[{"acct":"ana"},{"acct":5},{},null,"bob"]': '@ana, –, –, –, –',
    '[]': '–',
    '"ana"': 'ana',
    '{"acct":"ana"}': '1 field',
  },
  count: {'[]': '0', '[1]': '1', '"two"': 'two', '{"a":1,"b":2}': '2 fields'},
  flags: {
    '{"muted":true,"hidden":true}': 'muted, hidden',
    '{"muted":true,"hidden":false}': 'muted',
    '{"muted":false,"hidden":true}': 'hidden',
    '{"muted":"true","hidden":1}': '',
    '{}': '',
    '"muted"': '',
  },
  html: {'"<p>a</p>"': 'a', '7': '7', undefined: '–'},
  keywords: {'[{"keyword":"a"},{"keyword":null},{},"b"]': 'a, –, –, –', '[]': '–', '"a"': 'a'},
  message: {
    '{"type":"text","text":"hi"}': 'hi',
    '{"type":"emoji","text":"🐟"}': '🐟',
    '{"type":"link","text":"https://a.example"}': 'https://a.example',
    '{"type":"photo","text":"look"}': 'look [photo]',
    '{"type":"photo","text":null}': '[photo]',
    '{"type":"photo"}': '[photo]',
    '{"type":null,"text":"hi"}': 'hi',
    '{"text":"hi"}': 'hi',
    '{"text":7}': '',
    '"hi"': 'hi',
    '[]': '–',
  },
  number: {'7': '7', '"7"': '7', undefined: '–'},
  outcome: {
    '{"ok":true}': 'ok',
    '{"ok":true,"note":null}': 'ok',
    '{"ok":false}': 'failed',
    '{"ok":false,"unknown":true}': 'unknown',
    '{"ok":false,"unknown":"true"}': 'failed',
    '{"ok":false,"error":{"fate":"unknown"}}': 'unknown',
    '{"ok":false,"error":{"fate":"unsent"}}': 'failed',
    '{"ok":false,"held_back":true}': 'held back',
    '{"ok":false,"held_back":true,"unknown":true}': 'held back',
    '{"ok":"yes"}': '1 field',
    '"ok"': 'ok',
  },
  sender: {
    '{"is_author":true,"sender_id":"42"}': 'you',
    '{"isAuthor":true}': 'you',
    '{"is_author":null,"isAuthor":true}': 'you',
    '{"is_author":false,"isAuthor":true,"sender_id":"42"}': '@bob',
    '{"is_author":"true","sender_id":"7"}': '7',
    '{"is_author":false}': 'them',
    '{"is_author":false,"sender_id":null}': 'them',
    '"42"': 'them',
  },
  status: {
    '{"content":"<b>hi</b>","url":"https://a.example"}': 'hi',
    '{"content":"<br>","url":"https://a.example"}': 'https://a.example',
    '{"content":null,"url":"https://a.example"}': 'https://a.example',
    '{"url":null}': '–',
    '{}': '–',
    '"hi"': 'hi',
    '["hi"]': 'hi',
  },
  text: {
    '""': '',
    '"<p>"': '<p>',
    true: 'yes',
    false: 'no',
    undefined: '–',
    '["a","b"]': 'a, b',
    '["a",null,true,7]': 'a, –, yes, 7',
    '[{}]': '1 item',
    '["a",[]]': '2 items',
    '{}': '0 fields',
    '{"a":1}': '1 field',
  },
  time: {
    '"2026-11-20T11:57:00.9Z"': '2026-11-20T11:57:00Z',
    '"2026-11-20T11:57Z"': '2026-11-20T11:57:00Z',
    '"2026-11-20"': '2026-11-20',
    '"2026-99-99T99:99:99Z"': '2026-99-99T99:99:99Z',
    '"on 2026-11-20T11:57:00Z"': 'on 2026-11-20T11:57:00Z',
    '"2026-11-20T11"': '2026-11-20T11',
    '"soon"': 'soon',
    '7': '7',
  },
};

const isKind = (name: string): name is ColumnKind => name in texts;

describe.each(Object.keys(texts).filter(isKind))('a column of kind %s', (kind) => {
  test.each(Object.entries(texts[kind]))('shows %s as %j', (json, shown) => {
    const value: unknown = json === 'undefined' ? undefined : JSON.parse(json);
    const names = new Map([['42', '@bob']]);
    expect(text({value}, {path: 'value', kind}, {...layout, names})).toBe(shown);
  });

  test('shows null as a dash, or as the word of the column', () => {
    expect(text({value: null}, {path: 'value', kind})).toBe('–');
    expect(text({value: null}, {path: 'value', kind, none: 'never'})).toBe('never');
  });
});

describe('the text of a column', () => {
  test('is its own of the row, unless it has none to say', () => {
    const own = (row: unknown) => (row === 'x' ? undefined : 'own');
    expect(text('a', {text: own})).toBe('own');
    expect(text('x', {text: own})).toBe('x');
  });

  test('is the words of the column for true and false, and for no other value', () => {
    const words = ['locked', 'open'] as const;
    expect([true, false, 'true', 1, undefined].map((value) => text({value}, {path: 'value', words}))).toEqual([
      'locked',
      'open',
      'true',
      '1',
      '–',
    ]);
  });

  test('is a distance of times at a terminal, and the exact time elsewhere', () => {
    const at = layoutOf({terminal: screen, now});
    expect(text('2026-11-20T11:57:00Z', {kind: 'time'}, at)).toBe('3 min ago');
    expect(text('2026-11-20T11:57:00Z', {kind: 'time'})).toBe('2026-11-20T11:57:00Z');
  });
});

test.each([
  ['a', 1],
  ['', {a: 1, b: {c: [2]}, 'b.c': 3, 'd.e': {f: 4}}],
  ['b', {c: [2]}],
  ['b.c', 3],
  ['b.c.0', undefined],
  ['d.e', {f: 4}],
  ['d.e.f', undefined],
  ['a.x', undefined],
  ['x', undefined],
  ['x.a', undefined],
  ['toString', undefined],
  ['constructor.name', undefined],
  ['b.constructor', undefined],
])('the value at the path %j', (path, value) => {
  expect(valueAt({a: 1, b: {c: [2]}, 'b.c': 3, 'd.e': {f: 4}}, path)).toEqual(value);
});

test('no value is at a path that another name begins', () => {
  expect(valueAt({ab: {abc: 1, b: 2}}, 'abc')).toBeUndefined();
  expect(valueAt({'': {a: 1}, a: {'': 2}}, '.a')).toBe(1);
});

test.each(['text', null, undefined, 7, ['a']])('no value is at a path inside %j', (value) => {
  expect(valueAt(value, 'length')).toBeUndefined();
});

test('numbers have the text of their source', () => {
  expect(plain(parseExact('2.50'))).toBe('2.50');
  expect(plain(parseExact('[1e2,-0]'))).toBe('1e2, -0');
  expect(plain(Symbol('none'))).toBe('–');
});

describe('a text of a server', () => {
  test('is on one line in a table, with one space between words', () => {
    expect(oneLine(' a \n\t b\r\nc\u00a0\u00a0d ')).toBe('a b c d');
  });

  test('keeps its lines in a record, and loses those around it', () => {
    expect(inLines('\n a\n\n  b\tc \n')).toBe('a\n\n  b c');
  });

  test('is looked at for 20,000 characters', () => {
    const [fits, long] = ['x'.repeat(20_000), 'x'.repeat(20_001)];
    for (const read of [oneLine, inLines]) {
      expect(read(fits)).toBe(fits);
      expect(read(long)).toMatch(/^x{19999,20000}…$/);
    }
  });
});

test.each([
  ['<br>a<BR/>b<br class="x">c', 'a\nb\nc'],
  ['<bra>a</bra>', 'a'],
  ['<div>a</div><ul><li>b</li><LI>c</LI></ul>d', 'a\nb\nc\nd'],
  ['<span>a</span><pre>b</pre>', 'ab'],
  ['a<!-- b -->c<!doctype html>', 'ac'],
  ['a <3 b > c < d', 'a <3 b > c < d'],
  ['<a <b>c', '<a c'],
  ['&amp;&apos;&gt;&lt;a&nbsp;b&quot;&AMP;', '&\'><a b"&'],
  ['&amp &amp', '&amp &amp'],
  ['&#65;&#0065;&#x41;&#X41;', 'AAAA'],
  ['&#1114111;', '\u{10ffff}'],
  ['&#1114112;&#x10ffff;&#x110000;', '&#1114112;\u{10ffff}&#x110000;'],
  ['&#12345678;&#x1234567;&hearts;&hello;', '&#12345678;&#x1234567;&hearts;&hello;'],
  ['&;&#;&#x;', '&;&#;&#x;'],
  ['<p> a </p>\n', 'a'],
])('HTML %j is the text %j', (html, shown) => {
  expect(plainText(html)).toBe(shown);
});

describe('a distance of times', () => {
  const seconds = (distance: number) => new Date(now().getTime() + distance * 1000).toISOString();
  const minutes = 60;
  const hours = 60 * minutes;
  const days = 24 * hours;

  test.each([
    [0, 'just now', 'just now'],
    [59, 'just now', 'just now'],
    [60, '1 min ago', 'in 1 min'],
    [89, '1 min ago', 'in 1 min'],
    [90, '2 min ago', 'in 2 min'],
    [59 * minutes + 29, '59 min ago', 'in 59 min'],
    [59 * minutes + 30, '1 h ago', 'in 1 h'],
    [89 * minutes, '1 h ago', 'in 1 h'],
    [23 * hours + 29 * minutes, '23 h ago', 'in 23 h'],
    [23 * hours + 30 * minutes, '1 day ago', 'in 1 day'],
    [35 * hours, '1 day ago', 'in 1 day'],
    [36 * hours, '2 days ago', 'in 2 days'],
    [30 * days - 1, '30 days ago', 'in 30 days'],
    [30 * days, '2026-10-21', '2026-12-20'],
  ])('of %d seconds is in words', (distance, past, future) => {
    expect(relativeTime(seconds(-distance), now())).toBe(past);
    expect(relativeTime(seconds(distance), now())).toBe(future);
  });

  test.each(['2026-11', '20261120T115700Z', 'x2026-11-20', '2026-11-20x', '2026-11-20T11', '2026-13-01'])('leaves %j as it is', (iso) => {
    expect(relativeTime(iso, now())).toBe(iso);
    expect(exactTime(iso)).toBe(iso);
  });
});
