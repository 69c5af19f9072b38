/** What each format shows of a result, which has a document, rows, a text and what may be published of it. */
import {describe, expect, test, vi} from 'vitest';
import {parseExact} from '../../../src/lib/json/exact.js';
import {compileJq} from '../../../src/lib/print/jq.js';
import {
  accountItem,
  formatDocument,
  formatNames,
  formatResult,
  formatTraits,
  itemsOfResult,
  documentLines,
  LongDocument,
  withItems,
  type Format,
  type PrintSetting,
  type CommandResult,
} from '../../../src/lib/print/print.js';
import {now, pipe, screen, whole} from './setting.js';

const setting = {terminal: pipe, now} as const;

async function shown(result: CommandResult, format: Format, own: Partial<PrintSetting> = {}) {
  const formatted = await formatResult(result, {...setting, format, ...own});
  if (formatted === undefined) throw new Error('nothing is shown');
  return whole(formatted);
}

async function shownByAll(result: CommandResult, own: Partial<PrintSetting> = {}): Promise<Record<string, string>> {
  const all = await Promise.all(formatNames.map(async (format) => [format, (await shown(result, format, own)).stdout] as const));
  return Object.fromEntries(all);
}

test('what goes with each format', () => {
  const namesWith = (trait: keyof (typeof formatTraits)['json']) => formatNames.filter((name) => formatTraits[name][trait]);
  expect(namesWith('hasNotes')).toEqual(['table']);
  expect(namesWith('isForPrograms')).toEqual(['json', 'ndjson']);
  expect(namesWith('isRows')).toEqual(['ndjson', 'csv', 'tsv']);
  expect(namesWith('isDelimited')).toEqual(['csv', 'tsv']);
  expect(namesWith('isOneDocument')).toEqual(['json']);
});

describe('a result', () => {
  test('of a document alone is that in every format', async () => {
    expect(await shownByAll({document: {id: '1'}})).toEqual({
      table: 'id  1\n',
      json: '{"id":"1"}\n',
      ndjson: '{"id":"1"}\n',
      csv: 'id\r\n1\r\n',
      tsv: 'id\n1\n',
      yaml: 'id: "1"\n',
    });
  });

  test('with a list inside its document has the rows of the list', async () => {
    expect(await shownByAll({document: {data: [{id: '1'}]}, at: ['data']})).toEqual({
      table: 'id\n1\n',
      json: '{"data":[{"id":"1"}]}\n',
      ndjson: '{"id":"1"}\n',
      csv: 'id\r\n1\r\n',
      tsv: 'id\n1\n',
      yaml: '- id: "1"\n',
    });
  });

  test('with rows of its own has them in all formats but JSON, and those for people in a table', async () => {
    const document = new LongDocument('{"all":[', [{id: '1'}], ']}');
    const result: CommandResult = {document, rows: [{row: '2'}], tableRows: [{person: '3'}]};
    expect(await shownByAll(result)).toEqual({
      table: 'person\n3\n',
      json: '{"all":[{"id":"1"}]}\n',
      ndjson: '{"row":"2"}\n',
      csv: 'row\r\n2\r\n',
      tsv: 'row\n2\n',
      yaml: '- row: "2"\n',
    });
    expect((await shown({...result, tableRows: undefined}, 'table')).stdout).toBe('row\n2\n');
  });

  test('with a text is that in place of a table, unless fields are chosen', async () => {
    const result: CommandResult = {document: {id: '1'}, rows: [{id: '1'}], text: ['a', 'b\n']};
    expect(await shown(result, 'table')).toEqual({nature: 'painted', stdout: 'ab\n'});
    expect((await shown(result, 'table', {fields: ['id']})).stdout).toBe('id\n1\n');
    expect((await shown(result, 'csv')).stdout).toBe('id\r\n1\r\n');
  });

  test('with a plain text is that in all formats but JSON', async () => {
    const result: CommandResult = {document: {id: '1'}, rows: [{id: '1'}], text: ['text'], plain: () => 'plain\n'};
    const {json, ...others} = await shownByAll(result);
    expect(json).toBe('{"id":"1"}\n');
    expect(new Set(Object.values(others))).toEqual(new Set(['plain\n']));
    expect(await shown(result, 'csv')).toEqual({nature: 'data', stdout: 'plain\n'});
  });

  test('with a plain text and no document is that in all formats, and with nothing is nothing', async () => {
    const plain = () => 'plain\n';
    expect(new Set(Object.values(await shownByAll({plain})))).toEqual(new Set(['plain\n']));
    expect((await shown({plain}, 'json', {jq: await compileJq('.')})).stdout).toBe('plain\n');
    expect(await formatResult({}, {...setting, format: 'json'})).toBeUndefined();
    expect(await formatResult({text: ['a']}, {...setting, format: 'csv'})).toBeUndefined();
  });

  test('with chosen fields has those of its rows, in JSON too', async () => {
    const result: CommandResult = {document: {id: '1'}, rows: [{row: '2', more: 3}]};
    expect((await shown(result, 'json', {fields: ['row']})).stdout).toBe('[\n{"row":"2"}\n]\n');
    expect((await shown({document: {id: '1', more: 3}}, 'json', {fields: ['id']})).stdout).toBe('{"id":"1"}\n');
  });

  test('with an answer is that, with or without the rows that are null', async () => {
    const answer = {text: '{"data":[{"id":1.50},null]}', exact: parseExact('{"data":[{"id":1.50},null]}')};
    const result: CommandResult = {answer, document: {own: 1}, at: ['data'], passesNulls: true};
    expect((await shown(result, 'json')).stdout).toBe(`${answer.text}\n`);
    expect((await shown(result, 'ndjson')).stdout).toBe('{"id":1.50}\n');
    expect((await shown({...result, passesNulls: undefined}, 'ndjson')).stdout).toBe('{"id":1.50}\nnull\n');
  });

  const answer = {text: '[1,null]', exact: [1, null]};
  test.each<[string, CommandResult, readonly unknown[]]>([
    ['rows', {rows: new Set([1, 2]), document: [3]}, [1, 2]],
    ['an answer', {answer, at: []}, [1, null]],
    ['an answer, without nulls', {answer, at: [], passesNulls: true}, [1]],
    ['an answer before a document', {answer, document: {data: [3]}, at: []}, [1, null]],
    ['a document', {document: {data: [3]}, at: ['data']}, [3]],
    ['a document that is one object', {document: {id: 3}}, [{id: 3}]],
    ['a document that is made only when it is printed', {document: async () => ({data: [3]}), at: ['data']}, []],
    ['a long document', {document: new LongDocument('[', [3], ']'), at: []}, []],
    ['nothing', {}, []],
  ])('has the items of %s', async (_, result, items) => {
    expect(await itemsOfResult(result)).toEqual(items);
  });

  test('makes a costly document only where it is shown', async () => {
    const document = vi.fn(async () => ({id: '1'}));
    const result: CommandResult = {document, rows: [{row: '2'}]};
    expect((await shown(result, 'csv')).stdout).toBe('row\r\n2\r\n');
    expect(document).not.toHaveBeenCalled();
    expect((await shown(result, 'json')).stdout).toBe('{"id":"1"}\n');
    expect((await shown({document}, 'yaml')).stdout).toBe('id: "1"\n');
  });

  test('is filtered by jq as a document in every format', async () => {
    const jq = await compileJq('.id');
    const result: CommandResult = {document: {id: '1'}, rows: [{row: '2'}], text: ['text'], plain: () => 'plain\n'};
    expect(new Set(Object.values(await shownByAll(result, {jq})))).toEqual(new Set(['1\n']));
    const long: CommandResult = {document: new LongDocument('{"id":[', [1, 2], ']}')};
    expect((await shown(long, 'table', {jq})).stdout).toBe('[1,2]\n');
    expect((await shown(long, 'ndjson', {jq: await compileJq('. + 1')})).stdout).toBe('2\n3\n');
  });
});

describe('a document with a list of its own', () => {
  test('a document with a list of its own is the JSON of it, also with one item a line', () => {
    const items = [{id: '"items":[]'}, {id: '2', none: [], nested: {of: [null, -2.5]}}];
    const document = {title: '"items":[]', items: 'replaced', last: [1]};
    const flat = () => withItems(document, {list: 'items', items: items.values()});
    expect(flat().before.endsWith('"items":[')).toBe(true);
    expect(flat().after).toBe('],"last":[1]}');
    const same = {...document, items};
    const lines = [...documentLines(flat())].join('');
    expect(lines).toContain('},\n{"id":"2"');
    expect(JSON.stringify(JSON.parse(lines))).toBe(JSON.stringify(same));
    const several = new LongDocument('[', [flat(), same], ']');
    expect(JSON.parse([...documentLines(several)].join(''))).toEqual([same, same]);
  });

  test('a document with a list of its own has it at the end where it has none', () => {
    expect([...documentLines(withItems({}, {list: 'items', items: [1, 2]}))].join('')).toBe('{"items":[1,\n2]}\n');
    expect([...documentLines(withItems({}, {list: 'items', items: []}))].join('')).toBe('{"items":[]}\n');
  });

  test('a document with a list of its own may have documents in it', async () => {
    const inner = new LongDocument('{"inner":[', [1, 2], ']}');
    const document = new LongDocument('[', [inner, 3, inner], ']');
    const text = '[{"inner":[1,2]},3,{"inner":[1,2]}]';
    expect(whole(await formatDocument(document, {...setting, format: 'json'}))).toEqual({nature: 'data', stdout: `${text}\n`});
    expect(whole(await formatDocument(document, {...setting, format: 'ndjson'})).stdout).toBe('{"inner":[1,2]}\n3\n{"inner":[1,2]}\n');
    expect(whole(await formatDocument(document, {...setting, format: 'json', terminal: screen})).stdout).toBe(
      `${JSON.stringify(JSON.parse(text), null, 2)}\n`,
    );
  });

  test('a document with a list of its own is written in pieces of a bounded length', async () => {
    const items = Array.from({length: 100}, () => 'x'.repeat(1000));
    const {pieces} = await formatDocument(new LongDocument('[', items, ']'), {...setting, format: 'json'});
    const lengths = [...pieces].map(({length}) => length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeLessThan(32_000);
  });

  test('long documents are formatted one at a time, items a thousand', async () => {
    const counts = async (items: readonly unknown[]) => {
      const {pieces} = await formatDocument(new LongDocument('[', items, ']'), {...setting, format: 'ndjson'});
      return [...pieces].map((piece) => piece.split('\n').length - 1).filter((count) => count > 0);
    };
    expect(await counts(Array.from({length: 2001}, () => 1))).toEqual([1000, 1000, 1]);
    expect(await counts(Array.from({length: 3}, () => new LongDocument('[', [1], ']')))).toEqual([1, 1, 1]);
  });
});

test('an item of several accounts names its account in JSON', () => {
  expect(accountItem('"ana"@pix.example', {id: 1})).toEqual({account: '"ana"@pix.example', item: {id: 1}});
});
