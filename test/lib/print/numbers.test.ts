/** Numbers come out of every format as servers write them. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compileJq} from '../../../src/lib/print/jq.js';
import type {AnswerSetting} from '../../../src/lib/print/print.js';
import {numberTexts} from '../json/documents.js';
import {formatAnswer, now, pipe} from './setting.js';

const setting = {terminal: pipe, now} as const;
const surprising = fc.constantFrom('12345678901234567890', '2.50', '-0', '1e400', '-0.0', '1E+2', '9007199254740993', '0.1', '7');

/** What is printed of a list of one item with the number, and beside it a text that looks like one. */
const printed = async (number: string, own: Partial<AnswerSetting>) =>
  (
    await formatAnswer(`[{"size":${number},"inner":{"of":[${number}]},"note":"1, 2.50, 3"}]`, {
      ...setting,
      rows: [],
      format: 'json',
      ...own,
    })
  ).stdout;

test.each<[string, Partial<AnswerSetting>, (number: string) => string]>([
  ['json', {}, (number) => `[{"size":${number},"inner":{"of":[${number}]},"note":"1, 2.50, 3"}]\n`],
  ['json with --fields', {fields: ['size', 'inner']}, (number) => `[\n{"size":${number},"inner":{"of":[${number}]}}\n]\n`],
  ['ndjson', {format: 'ndjson'}, (number) => `{"size":${number},"inner":{"of":[${number}]},"note":"1, 2.50, 3"}\n`],
  ['ndjson with --fields', {format: 'ndjson', fields: ['inner.of', 'size']}, (number) => `{"inner.of":[${number}],"size":${number}}\n`],
  ['csv', {format: 'csv'}, (number) => `size,inner,note\r\n${number},"{""of"":[${number}]}","1, 2.50, 3"\r\n`],
  ['tsv', {format: 'tsv'}, (number) => `size\tinner\tnote\n${number}\t{"of":[${number}]}\t1, 2.50, 3\n`],
  ['yaml', {format: 'yaml'}, (number) => `- size: ${number}\n  inner:\n    of:\n      - ${number}\n  note: "1, 2.50, 3"\n`],
  ['a table', {format: 'table', fields: ['size']}, (number) => `size\n${number}\n`],
])('%s', async (_, own, text) => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(numberTexts, surprising), async (number) => {
      expect(await printed(number, own)).toBe(text(number));
    }),
  );
});

test.each(['json', 'ndjson'] as const)('jq of %s', async (format) => {
  const jq = await compileJq(format === 'json' ? '.[].size' : '.size');
  for (const number of ['12345678901234567890', '2.50', '-0', '7']) expect(await printed(number, {format, jq})).toBe(`${number}\n`);
});
