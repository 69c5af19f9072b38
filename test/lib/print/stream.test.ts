/** What formats write when items come bit by bit. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseExact} from '../../../src/lib/json/exact.js';
import {itemsAt} from '../../../src/lib/json/path.js';
import {formatDocument, formatNames, LongDocument, openList, type ItemWriter} from '../../../src/lib/print/print.js';
import {listTexts} from '../json/documents.js';
import {endOf, formatAnswer, now, pipe, screen, whole, values} from './setting.js';

const setting = {terminal: pipe, now} as const;

function all(writer: ItemWriter, pages: readonly (readonly unknown[])[]): string {
  return [...pages.map((page) => writer.items(page)), endOf(writer).stdout].join('');
}

const itemsIn = (list: string): unknown[] => [...(itemsAt(parseExact(list), []) ?? [])];

/** The items of a list on two pages and an empty one. */
function pagesOf(list: string, first: number): unknown[][] {
  const items = itemsIn(list);
  return [items.slice(0, first), [], items.slice(first)];
}

describe('json', () => {
  test('json is one array, closed whenever it ends', async () => {
    const writer = await openList({...setting, format: 'json'});
    expect(writer.items(values('{"a":2.50}', '"x"'))).toBe('[\n{"a":2.50},\n"x"');
    expect(writer.items([])).toBe('');
    expect(writer.items(values('12345678901234567890'))).toBe(',\n12345678901234567890');
    expect(writer.end()).toEqual({stdout: '\n]\n'});
  });

  test('json is indented at a terminal', async () => {
    const writer = await openList({...setting, format: 'json', terminal: screen});
    expect(all(writer, [values('{"a":"b"}'), values('[1]')])).toBe('[\n  {\n    "a": "b"\n  },\n  [\n    1\n  ]\n]\n');
  });

  test('contains every item of every page', async () => {
    await fc.assert(
      fc.asyncProperty(listTexts, fc.nat(4), async (list, first) => {
        const written = all(await openList({...setting, format: 'json'}), pagesOf(list, first));
        expect(JSON.stringify(parseExact(written))).toBe(JSON.stringify(parseExact(list)));
      }),
    );
  });
});

describe('ndjson', () => {
  test('prints one item a line without white space', async () => {
    await fc.assert(
      fc.asyncProperty(listTexts, fc.nat(4), async (list, first) => {
        const lines = itemsIn(list)
          .map((item) => `${JSON.stringify(item)}\n`)
          .join('');
        expect(all(await openList({...setting, format: 'ndjson'}), pagesOf(list, first))).toBe(lines);
        expect(await formatAnswer(list, {...setting, format: 'ndjson', rows: []})).toEqual({nature: 'data', stdout: lines});
      }),
    );
  });

  test('keeps order and numbers; of a repeated key the last counts, and keys that look like numbers come first', async () => {
    const answer = '{"data": [ {"b" : 12345678901234567890,\n"1":2.50,"a":1,"a":-0} ], "meta":{}}';
    const {stdout} = await formatAnswer(answer, {...setting, format: 'ndjson', rows: ['data']});
    expect(stdout).toBe('{"1":2.50,"b":12345678901234567890,"a":-0}\n');
  });

  test('prints one line for one object, and none for an empty list', async () => {
    expect(await formatAnswer('{ "a": [] }', {...setting, format: 'ndjson'})).toEqual({nature: 'data', stdout: '{"a":[]}\n'});
    expect(await formatAnswer('[]', {...setting, format: 'ndjson', rows: []})).toEqual({nature: 'data', stdout: ''});
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
        const items = itemsIn(list);
        const document = `${before}${JSON.stringify(items).slice(1, -1)}${after}`;
        const inPieces = whole(await formatDocument(new LongDocument(before, items, after), setting));
        expect(inPieces).toEqual(await formatAnswer(document, {...setting, rows: ['findings']}));
      }),
    );
  });
});
