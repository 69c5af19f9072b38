/** What formats write when items come bit by bit. */
import {listDomainBlocks} from '../../../src/lib/api/blocks.js';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {itemTexts} from '../../../src/lib/json/slices.js';
import {compact} from '../../../src/lib/json/text.js';
import {formatDocument, formatNames, openList, type ItemWriter} from '../../../src/lib/print/print.js';
import {listTexts} from '../json/documents.js';
import {endOf, formatAnswer, now, pipe, screen, whole} from './setting.js';

const setting = {terminal: pipe, now} as const;

function all(writer: ItemWriter, pages: readonly (readonly string[])[]): string {
  return [...pages.map((page) => writer.items(page)), endOf(writer).stdout].join('');
}

/** The items of a list on two pages and an empty one. */
function pagesOf(list: string, first: number): string[][] {
  const items = itemTexts(list);
  return [items.slice(0, first), [], items.slice(first)];
}

describe('json', () => {
  test('json is one array, closed whenever it ends', async () => {
    const writer = await openList({...setting, format: 'json'});
    expect(writer.items(['{"a":2.50}', '"x"'])).toBe('[\n{"a":2.50},\n"x"');
    expect(writer.items([])).toBe('');
    expect(writer.items(['12345678901234567890'])).toBe(',\n12345678901234567890');
    expect(writer.end()).toEqual({stdout: '\n]\n'});
  });

  test('json is an empty array without items', async () => {
    expect(all(await openList({...setting, format: 'json'}), [[]])).toBe('[]\n');
  });

  test('json is indented at a terminal', async () => {
    const writer = await openList({...setting, format: 'json', terminal: screen});
    expect(all(writer, [['{"a":"b"}'], ['[1]']])).toBe('[\n  {\n    "a": "b"\n  },\n  [\n    1\n  ]\n]\n');
  });

  test('contains every item of every page', async () => {
    await fc.assert(
      fc.asyncProperty(listTexts, fc.nat(4), async (list, first) => {
        const written = all(await openList({...setting, format: 'json'}), pagesOf(list, first));
        expect(compact(written)).toBe(compact(list));
      }),
    );
  });
});

describe('ndjson', () => {
  test('prints one item a line without white space', async () => {
    await fc.assert(
      fc.asyncProperty(listTexts, fc.nat(4), async (list, first) => {
        const lines = itemTexts(list)
          .map((item) => `${compact(item)}\n`)
          .join('');
        expect(all(await openList({...setting, format: 'ndjson'}), pagesOf(list, first))).toBe(lines);
        expect(await formatAnswer(list, {...setting, format: 'ndjson', rows: []})).toEqual({nature: 'data', stdout: lines});
      }),
    );
  });

  test('keeps order, repeated keys and numbers', async () => {
    const answer = '{"data": [ {"2" : 12345678901234567890,\n"1":2.50,"1":-0} ], "meta":{}}';
    const {stdout} = await formatAnswer(answer, {...setting, format: 'ndjson', rows: ['data']});
    expect(stdout).toBe('{"2":12345678901234567890,"1":2.50,"1":-0}\n');
  });

  test('prints one line for one object, and none for an empty list', async () => {
    expect(await formatAnswer('{ "a": [] }', {...setting, format: 'ndjson'})).toEqual({nature: 'data', stdout: '{"a":[]}\n'});
    expect(await formatAnswer('[]', {...setting, format: 'ndjson', rows: []})).toEqual({nature: 'data', stdout: ''});
  });

  test('prints strings as JSON', async () => {
    expect(await formatAnswer('["a.example"]', {...setting, format: 'ndjson', view: listDomainBlocks.view, rows: []})).toEqual({
      nature: 'data',
      stdout: '"a.example"\n',
    });
  });
});

describe('table', () => {
  test('table is printed at the end, with all rows aligned', async () => {
    const writer = await openList({...setting, format: 'table', view: listDomainBlocks.view});
    expect(writer.items(['"a"'])).toBe('');
    expect(writer.items(['"long.example"'])).toBe('');
    expect(endOf(writer)).toEqual({stdout: 'domain\na\nlong.example\n'});
  });

  test('says that the list is empty', async () => {
    const writer = await openList({...setting, format: 'table', view: listDomainBlocks.view});
    expect(writer.end()).toEqual({stdout: '', stderr: 'No blocked domains.'});
  });
});

describe('a document with items that are made when they are printed', () => {
  const settings = formatNames.flatMap((format) =>
    [pipe, screen].flatMap((terminal) => [undefined, ['id', 'own']].map((fields) => ({format, terminal, fields, now}))),
  );

  test('a document with items that are made when they are printed is printed as the same document in one text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...settings), listTexts, async (setting, list) => {
        const [before, after] = ['{"findings":[', '],"ok":false}'];
        const document = before + itemTexts(list).join(',') + after;
        const inPieces = whole(await formatDocument({before, items: itemTexts(list), after}, setting));
        expect(inPieces).toEqual(await formatAnswer(document, {...setting, rows: ['findings']}));
      }),
    );
  });

  test('a document with items that are made when they are printed is written in batches', async () => {
    const items = Array.from({length: 2000}, (_, index) => `{"id":${index}}`);
    const {pieces} = await formatDocument({before: '[', items, after: ']'}, {...setting, format: 'json'});
    const written = [...pieces];
    expect(JSON.parse(written.join(''))).toHaveLength(2000);
    expect(Math.max(...written.map(({length}) => length))).toBeLessThan(20_000);
  });
});
