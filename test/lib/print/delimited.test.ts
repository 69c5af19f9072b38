import {listDomainBlocks} from '../../../src/lib/api/blocks.js';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {openList} from '../../../src/lib/print/print.js';
import {strings} from '../json/documents.js';
import {formatAnswer, now, pipe} from './setting.js';

const csv = {format: 'csv', rows: [], terminal: pipe, now} as const;
const tsv = {...csv, format: 'tsv'} as const;

async function printed(answer: string, setting: Parameters<typeof formatAnswer>[1]): Promise<string> {
  return (await formatAnswer(answer, setting)).stdout;
}

/** RFC 4180 to the letter: what it does not allow is an error. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const field = /"(?:[^"]|"")*"|[^",\r\n]*/y;
    field.lastIndex = at;
    const [found = ''] = field.exec(text) ?? [];
    row.push(found.startsWith('"') ? found.slice(1, -1).replaceAll('""', '"') : found);
    at += found.length;
    if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else if (text.charAt(at) === ',') {
      at += 1;
    } else {
      throw new Error(`no field ends at ${at} of ${JSON.stringify(text)}`);
    }
  }
  if (row.length > 0) throw new Error('the last line does not end');
  return rows;
}

function parseTsv(text: string): string[][] {
  const escapes: Readonly<Record<string, string>> = {t: '\t', n: '\n', r: '\r', '\\': '\\'};
  const unescaped = (cell: string) => cell.replaceAll(/\\(.)/g, (_, name: string) => escapes[name] ?? 'not an escape');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map(unescaped));
}

describe('csv', () => {
  test('prints a header, and values as they were sent', async () => {
    const answer = '[{"id":"1","size":2.50,"big":12345678901234567890,"on":true,"off":false,"no":null,"name":"a, \\"b\\"\\r\\nc"}]';
    expect(await printed(answer, csv)).toBe('id,size,big,on,off,no,name\r\n1,2.50,12345678901234567890,true,false,,"a, ""b""\r\nc"\r\n');
  });

  test('prints no header with header: false', async () => {
    expect(await printed('[{"id":"1"},{"id":"2"}]', {...csv, header: false})).toBe('1\r\n2\r\n');
  });

  test('names the column of plain strings', async () => {
    expect(await printed('["a.example"]', {...csv, view: listDomainBlocks.view})).toBe('domain\r\na.example\r\n');
    expect(await printed('[]', {...csv, view: listDomainBlocks.view})).toBe('domain\r\n');
    expect(await printed('["x", 2.50]', csv)).toBe('value\r\nx\r\n2.50\r\n');
  });

  test('has the columns of the first page that has items', async () => {
    const writer = await openList(csv);
    expect([writer.items([]), writer.items([{a: 1}, {b: 2}]), writer.items([{b: 3, c: 4}])]).toEqual(['', 'a,b\r\n1,\r\n,2\r\n', ',3\r\n']);
  });

  test('prints nothing for an empty list of items that nothing documents, or for items without fields', async () => {
    expect(await printed('[]', csv)).toBe('');
    expect(await printed('[{}]', csv)).toBe('');
  });

  test('csv can be read back by a strict parser', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(strings, {minLength: 1, maxLength: 4}),
        fc.array(fc.array(strings, {minLength: 4, maxLength: 4}), {minLength: 1}),
        async (names, table) => {
          const wellFormed = (rows: string[][]) => rows.map((row) => row.map((cell) => cell.toWellFormed()));
          const rows = table.map((row) => row.slice(0, names.length));
          const answer = JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))));
          const [firstRow] = rows;
          const columns = Object.keys(Object.fromEntries(names.map((name, index) => [name, firstRow?.[index]])));
          const sorted = rows.map((row) => columns.map((name) => row[names.indexOf(name)] ?? ''));
          for (const [setting, parse] of [
            [csv, parseCsv],
            [tsv, parseTsv],
          ] as const)
            expect(wellFormed(parse(await printed(answer, setting)))).toEqual(wellFormed([columns, ...sorted]));
        },
      ),
    );
  });
});

describe('spreadsheetSafe', () => {
  const safe = {...csv, header: false, spreadsheetSafe: true};

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=1', '＝1'])('escapes %j', async (text) => {
    expect(parseCsv(await printed(JSON.stringify([text]), safe))).toEqual([[`'${text}`]]);
    expect(parseTsv(await printed(JSON.stringify([text]), {...safe, format: 'tsv'}))).toEqual([[`'${text}`]]);
  });

  test('escapes a quoted formula in TSV', async () => {
    expect(await printed('["\\"=1\\""]', {...safe, format: 'tsv'})).toBe('\'"=1"\n');
  });

  test('leaves numbers and other text unchanged', async () => {
    expect(await printed('[-1,"a=b","1",["=1"]]', safe)).toBe('-1\r\na=b\r\n1\r\n"[""=1""]"\r\n');
  });

  test('prints no string that a spreadsheet would run', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(strings, {minLength: 1}), async (texts) => {
        for (const [cell = ''] of parseCsv(await printed(JSON.stringify(texts), safe))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });
});
