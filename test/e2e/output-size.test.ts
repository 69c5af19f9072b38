/** Answers of a size or a shape that nobody expects: what a format makes of them grows as they do, and no further. */
import {describe, expect, test} from 'vitest';
import {someOf} from '../contract/sample.js';
import {TableRows} from '../../src/lib/print/table.js';
import {formatNames} from '../../src/lib/print/print.js';
import {formatAnswer, now, pipe, screen} from '../lib/print/setting.js';
import {expectInProportion} from '../processor-time.js';

const many = (count: number, item: (index: number) => string): string => Array.from({length: count}, (_, index) => item(index)).join();

/** Documents of about that many parts. */
const shapes: Readonly<Record<string, (size: number) => string>> = {
  'an object of many fields': (size) => `{${many(size, (index) => `"k${index}":${index}`)}}`,
  'rows of a hundred fields of their own': (size) => `[${many(size / 100, (row) => `{${many(100, (index) => `"k${row}_${index}":1`)}}`)}]`,
  'one full row and many empty ones': (size) =>
    `[{${many(100, (index) => `"k${index}":"${'x'.repeat(300)}"`)}},${many(size / 10, () => '{}')}]`,
  'many strings': (size) => `[${many(size, (index) => `"s${index}"`)}]`,
  'one long text': (size) => `[{"a":"${'ab 写 \u200b'.repeat(size)}"}]`,
  'one long text of spaces': (size) => `[{"a":"${' '.repeat(size * 10)}"}]`,
  'a long name with many fields': (size) => `{"${'n'.repeat(size * 4)}":{${many(size / 10, (index) => `"k${index}":1`)}}}`,
};

const settings = formatNames.flatMap((format) =>
  [pipe, screen].map((terminal) => ({format, terminal, name: `${format} ${terminal.isTerminal ? 'at a terminal' : 'in a pipe'}`})),
);

describe.each(Object.entries(shapes))('%s', (shape, make) => {
  test.each(someOf(settings, 3, shape))('takes time in proportion to its size: $name', async ({format, terminal}) => {
    await expectInProportion(32_000, make, (text) => formatAnswer(text, {format, terminal, now, rows: []}));
  });
});

describe('a table shows at most', () => {
  const table = (text: string, terminal = pipe) => formatAnswer(text, {format: 'table', terminal, now, rows: []});

  test('the beginning of a text of 12 MB', async () => {
    const {stdout} = await table(`[{"id":"1","a":"${'x'.repeat(12_000_000)}"}]`);
    expect(stdout.length).toBeLessThan(30_000);
    expect(stdout).toMatch(/^id +a\n1 +x+…\n$/);
  });

  test('fifty fields where no columns are known', async () => {
    const {stdout} = await table(`[{${many(300, (index) => `"k${index}":1`)}}]`);
    expect(stdout.split('\n')[0]?.split(/ +/)).toHaveLength(50);
  });

  test('the first 16,000,000 characters, with a warning', async () => {
    const {stdout, warning} = await table(`[${many(4000, () => `"${'x'.repeat(5000)}"`)}]`);
    expect(stdout.split('\n')).toHaveLength(3202);
    expect(warning).toBe('the table shows the first 3,200 of 4,000 rows; --output ndjson prints all of them');
  });

  test('the first 300,000 cells, with a warning', () => {
    const rows = new TableRows(undefined, {width: 80, color: false, now});
    rows.add(Array.from({length: 7000}, () => Object.fromEntries(Array.from({length: 50}, (_, index) => [`k${index}`, 1]))));
    expect(rows.warning).toBe('the table shows the first 6,000 of 7,000 rows; --output ndjson prints all of them');
  });

  test('the first 10,000 fields of an object, with a note', async () => {
    const {stdout} = await table(`{${many(20_000, (index) => `"k${index}":1`)}}`);
    expect(stdout).toMatch(/\n… +more than 10,000 fields: --output json prints all of them\n$/);
    expect(stdout.split('\n')).toHaveLength(10_002);
  });

  test('200 columns of padding for a wide cell in a pipe', async () => {
    const {stdout} = await table(`[{"a":"${'x'.repeat(9000)}","b":"1"},{"a":"y","b":"2"}]`);
    expect(stdout).toBe(`a${' '.repeat(201)}b\n${'x'.repeat(9000)}  1\ny${' '.repeat(201)}2\n`);
  });
});

test('names the first ten fields without a column in a warning', async () => {
  const {warning} = await formatAnswer(`[${many(20, (row) => `{${many(100, (index) => `"k${row}_${index}":1`)}}`)}]`, {
    format: 'csv',
    terminal: pipe,
    now,
    rows: [],
  });
  expect(warning).toMatch(
    /^no column for k10_0, k10_1, (k10_\d, ){7}k10_9 and more: the columns are the fields of the first items, 1,000 at most/,
  );
});

test('prints a column for each field of one object', async () => {
  const {stdout, warning} = await formatAnswer(`{${many(5000, (index) => `"k${index}":1`)}}`, {format: 'csv', terminal: pipe, now});
  expect({fields: stdout.split('\r\n')[0]?.split(',').length, warning}).toEqual({fields: 5000, warning: undefined});
});
