/** Edges of single formats: what is named, left out, quoted, indented and cut. */
import {describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import type {Column, View} from '../../../src/lib/api/view.js';
import {fieldsOfEmpty, knownFields, parseFields, unknownFields, valueName} from '../../../src/lib/print/fields.js';
import {compileJq} from '../../../src/lib/print/jq.js';
import {openList, type PrintSetting} from '../../../src/lib/print/print.js';
import {renderRecord} from '../../../src/lib/print/record.js';
import {layoutOf} from '../../../src/lib/print/values.js';
import {endOf, formatAnswer, named, now, pipe, screen, values} from './setting.js';

const setting = {terminal: pipe, now} as const;

async function printed(items: readonly string[], own: Partial<PrintSetting>) {
  const writer = await openList({...setting, format: 'json', ...own});
  const begun = writer.items(values(...items));
  const {stdout, ...ending} = endOf(writer);
  return {...ending, stdout: begun + stdout};
}

describe('the names of fields', () => {
  test.each([
    ['', 'empty field name in ""'],
    ['a, ,b', 'empty field name in "a, ,b"'],
    ['a,b..c', '"b..c" is not a field name; join nested names with one dot, as in account.acct'],
    [' .a ', '".a" is not a field name; join nested names with one dot, as in account.acct'],
  ])('%j say what is wrong', (text, message) => {
    expect(() => parseFields(text)).toThrow(expect.objectContaining({name: 'FieldError', message}));
  });

  test('are separated by commas, and each counts once', () => {
    expect(parseFields('id, account.acct,id')).toEqual(['id', 'account.acct']);
  });

  test.each<[View | undefined, string]>([
    [undefined, 'value'],
    [{kind: 'list', empty: ''}, 'value'],
    [{kind: 'list', columns: [], empty: ''}, 'value'],
    [{kind: 'list', columns: named('id'), empty: ''}, 'value'],
    [{kind: 'list', columns: [{header: 'domain', path: ''}], empty: ''}, 'domain'],
    [{kind: 'list', columns: [...named('id'), {header: 'domain', path: ''}], empty: ''}, 'value'],
  ])('of values without fields are that of the first column: %j', (view, name) => {
    expect(valueName(view)).toBe(name);
  });

  test('are unknown where the schema has others', () => {
    const schema = z.looseObject({a: z.optional(z.nullable(z.looseObject({b: z.string()}))), c: z.unknown()});
    expect(knownFields(schema)).toEqual(['a', 'a.b', 'c']);
    expect(unknownFields(['a', 'a.b', 'a.x', 'a.b.x', 'c', 'c.x.y', 'd', 'd.a'], schema)).toEqual(['a.x', 'a.b.x', 'd', 'd.a']);
    expect(unknownFields(['a'], z.looseObject({}))).toEqual([]);
    expect(unknownFields(['a'], z.string())).toEqual([]);
  });

  test('of an empty list are documented, or those of its columns', () => {
    const view: View = {kind: 'list', columns: named('account.acct', 'account.id', '', 'id'), empty: ''};
    const list = {...setting, isList: true, view};
    const documented = (output: z.ZodMiniType) => ({output: () => z.array(output), view});
    expect(fieldsOfEmpty(list)).toEqual(['account', 'id']);
    expect(fieldsOfEmpty({...list, isList: false})).toEqual([]);
    expect(fieldsOfEmpty({...list, view: undefined})).toEqual([]);
    expect(fieldsOfEmpty({...list, emptyFields: ['own']})).toEqual(['own']);
    expect(fieldsOfEmpty({...list, emptyFields: []})).toEqual([]);
    expect(fieldsOfEmpty({...list, documented: documented(z.looseObject({b: z.string(), a: z.string()}))})).toEqual(['b', 'a']);
    expect(fieldsOfEmpty({...list, documented: documented(z.unknown())})).toEqual(['account', 'id']);
    expect(fieldsOfEmpty({...list, documented: documented(z.string())})).toEqual(['value']);
  });
});

describe('columns of a delimited format', () => {
  const csv = (items: readonly string[], own: Partial<PrintSetting> = {}) => printed(items, {format: 'csv', ...own});
  const wide = (count: number) => JSON.stringify(Object.fromEntries(Array.from({length: count}, (_, index) => [`f${index}`, 1])));

  test.each([
    [1000, 1000],
    [1001, 1000],
  ])('of several items with %i fields are %i', async (count, columns) => {
    const {stdout, warning} = await csv([wide(count), '{}']);
    expect(stdout.split('\r\n')[0]?.split(',')).toHaveLength(columns);
    expect(warning).toBe(
      count > columns
        ? 'no column for f1000: the columns are the fields of the first items, 1,000 at most; --fields selects others'
        : undefined,
    );
    expect((await csv([wide(count)])).stdout.split('\r\n')[0]?.split(',')).toHaveLength(count);
  });

  test.each([
    [10, ''],
    [11, ' and more'],
    [12, ' and more'],
  ])('that are missing are named, up to ten: %i', async (count, more) => {
    const writer = await openList({...setting, format: 'csv'});
    writer.items(values('{"a":1}'));
    writer.items(values(wide(count)));
    const names = Array.from({length: 10}, (_, index) => `f${index}`).join(', ');
    expect(endOf(writer).warning).toMatch(new RegExp(`^no column for ${names}${more}: `));
  });

  test('that the view names are all there from the start', async () => {
    const view: View = {kind: 'list', fields: ['b', 'a'], empty: ''};
    expect((await csv(['{"a":1}'], {view})).stdout).toBe('b,a\r\n,1\r\n');
    expect((await csv([], {view})).stdout).toBe('b,a\r\n');
    expect((await csv([], {view, header: false})).stdout).toBe('');
    expect((await formatAnswer('{"a":1}', {...setting, format: 'csv', view})).stdout).toBe('a\r\n1\r\n');
  });

  test('have names that are cells, too', async () => {
    expect((await csv(['{"a,b":1,"=c":2}'], {spreadsheetSafe: true})).stdout).toBe('"a,b",\'=c\r\n1,2\r\n');
    expect((await csv(['{"=c":2}'])).stdout).toBe('=c\r\n2\r\n');
    expect((await printed(['{"a\\tb":"c\\\\t"}'], {format: 'tsv'})).stdout).toBe('a\\tb\nc\\\\t\n');
  });

  test('of which the only one is empty leave a line', async () => {
    expect((await csv(['{"a":null}'])).stdout).toBe('a\r\n""\r\n');
    expect((await printed(['{"a":null}'], {format: 'tsv'})).stdout).toBe('a\n\n');
  });
});

describe('items of several accounts', () => {
  const areOfAccounts = true;
  test('without a part have nothing in its place', async () => {
    expect((await printed(['{}', '{"account":"ana"}', '{"item":{"a":1}}'], {format: 'csv', areOfAccounts})).stdout).toBe(
      'account,value,a\r\n,,\r\nana,,\r\n,,1\r\n',
    );
    const fields = ['a'];
    expect((await printed(['{}'], {format: 'ndjson', areOfAccounts, fields})).stdout).toBe('{"account":null,"item":{"a":null}}\n');
  });
});

describe('a filter of jq', () => {
  test('is named by its line and column, whichever these are', async () => {
    await expect(compileJq(`${'\n'.repeat(11)}${' '.repeat(10)}foo`)).rejects.toThrow('foo/0 is not defined at line 12, column 11');
  });

  const failing = async (format: 'json' | 'ndjson', pages: readonly (readonly string[])[], expression = '.a.b') => {
    const writer = await openList({...setting, format, jq: await compileJq(expression)});
    const begun = pages.map((page) => writer.items(values(...page))).join('');
    const {stdout, ...ending} = endOf(writer);
    return {...ending, stdout: begun + stdout};
  };

  test('that fails on items keeps these, and goes on', async () => {
    const failure = 'Cannot index number with string ("b")';
    expect(await failing('ndjson', [['{"a":1}'], ['{"a":{"b":"x"}}']])).toEqual({failure, failedOn: {a: 1}, stdout: 'x\n'});
    expect(await failing('ndjson', [['{"a":1}'], ['{"a":"y"}']])).toEqual({failure, failedOn: [{a: 1}, {a: 'y'}], stdout: ''});
    expect(await failing('ndjson', [['{"a":{"b":"x"}}']])).toEqual({stdout: 'x\n'});
    expect(await failing('json', [['{"a":1}']], '.[].a.b')).toEqual({failure, failedOn: [{a: 1}], stdout: ''});
  });

  test('has nothing to filter without items, or an empty list', async () => {
    expect(await failing('ndjson', [[]], '"x"')).toEqual({stdout: ''});
    expect(await failing('json', [[]], 'length')).toEqual({stdout: '0\n'});
  });

  test('sees each item at once where more may follow for ever', async () => {
    const writer = await openList({...setting, format: 'json', isEndless: true, jq: await compileJq('.')});
    expect(writer.items(values('1', '2'))).toBe('1\n2\n');
    expect((await openList({...setting, format: 'json', jq: await compileJq('.')})).items(values('1', '2'))).toBe('');
  });
});

describe('a record', () => {
  const layout = (width: number) => layoutOf({terminal: {isTerminal: true, width, color: false}, now});
  const lines = (value: unknown, width = 80, columns?: readonly Column[]) =>
    renderRecord(value, columns, layout(width)).split('\n').slice(0, -1);

  test.each([
    [14, ['name  one two']],
    [13, ['name  one two']],
    [12, ['name  one', '      two']],
    [11, ['name', '  one two']],
    [5, ['name', '  one', '  two']],
    [4, ['name', 'one', 'two']],
    [3, ['nam', 'e', 'one', 'two']],
  ])('at %i columns has its values beside or below their names', (width, expected) => {
    expect(lines({name: 'one two'}, width)).toEqual(expected);
  });

  test('keeps empty lines without spaces', () => {
    expect(lines({name: 'a\n\nb'}, 80)).toEqual(['name  a', '', '      b']);
    expect(lines({name: 'a\n\nb'}, 8)).toEqual(['name', '  a', '', '  b']);
  });

  test('shortens long names, and shows what is deeper than eight as a count', () => {
    expect(lines({['x'.repeat(201)]: 1}, 1000)).toEqual([`${'x'.repeat(200)}…  1`]);
    expect(lines({['x'.repeat(200)]: 1}, 1000)).toEqual([`${'x'.repeat(200)}  1`]);
    const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : {a: nested(depth - 1, inner)});
    expect(lines(nested(8, 'x'))).toEqual(['a.a.a.a.a.a.a.a  x']);
    expect(lines(nested(9, 'x'))).toEqual(['a.a.a.a.a.a.a.a  1 field']);
    expect(lines(nested(8, {}))).toEqual(['a.a.a.a.a.a.a.a  0 fields']);
    expect(lines(nested(7, {}))).toEqual(['a.a.a.a.a.a.a  –']);
  });

  test('shows what is no object as it is', () => {
    expect(lines('x')).toEqual(['x']);
    expect(lines(null)).toEqual(['–']);
    expect(lines([])).toEqual(['–']);
    expect(lines([1, 2])).toEqual(['1, 2']);
    expect(lines({})).toEqual([]);
  });
});

describe('private members', () => {
  const items = ['{"id":1,"email":"a","of":{"email":"b","ip":"c"}}'];
  const own = {hides: ['email', 'ip']};
  const view: View = {kind: 'list', columns: [...named('id', 'of.email'), {header: 'mail', path: 'email'}], empty: ''};

  test.each<[Partial<PrintSetting>, string]>([
    [{format: 'ndjson'}, `${items[0]}\n`],
    [{format: 'json', fields: ['of']}, '[\n{"of":{"email":"b","ip":"c"}}\n]\n'],
    [{format: 'yaml'}, '- id: 1\n  of: {}\n'],
    [{format: 'csv'}, 'id,of\r\n1,{}\r\n'],
    [{format: 'csv', fields: ['id', 'of.email', 'of']}, 'id,of.email,of\r\n1,b,"{""email"":""b""}"\r\n'],
    [{format: 'csv', fields: ['ip']}, 'ip\r\n""\r\n'],
    [{format: 'table', view}, 'id\n1\n'],
    [{format: 'table', view, fields: ['mail']}, 'mail\na\n'],
    [{format: 'table', view, hides: ['ip']}, 'id  of.email  mail\n1   b         a\n'],
    [{format: 'table', view: {kind: 'list', empty: ''}}, 'id  of\n1   0 fields\n'],
  ])('are left out for people and spreadsheets unless fields name them: %j', async (more, stdout) => {
    expect((await printed(items, {...own, ...more})).stdout).toBe(stdout);
  });
});

test.each(['csv', 'tsv', 'yaml', 'ndjson'] as const)('%s is data, at a terminal with colours, too', async (format) => {
  expect((await openList({...setting, format, terminal: {...screen, color: true}})).nature).toBe('data');
  expect((await openList({...setting, format, fields: ['a'], jq: await compileJq('.')})).nature).toBe('data');
});

test('JSON is coloured at a terminal with colours only', async () => {
  const list = async (terminal: PrintSetting['terminal']) => (await openList({...setting, terminal, format: 'json'})).nature;
  expect(await Promise.all([list(pipe), list(screen), list({...screen, color: true}), list({...pipe, color: true})])).toEqual([
    'data',
    'data',
    'painted',
    'data',
  ]);
});
