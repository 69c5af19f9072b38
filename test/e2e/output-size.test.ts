/** Answers of a size or a shape that nobody expects: what a format makes of them grows as they do, and no further. */
import {describe, expect, test} from 'vitest';
import {someOf} from '../contract/sample.js';
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

test('a table shows the beginning of a text of 12 MB', async () => {
  const text = `[{"id":"1","a":"${'x'.repeat(12_000_000)}"}]`;
  const {stdout} = await formatAnswer(text, {format: 'table', terminal: pipe, now, rows: []});
  expect(stdout.length).toBeLessThan(30_000);
  expect(stdout).toMatch(/^id +a\n1 +x+…\n$/);
});
