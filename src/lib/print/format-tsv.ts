/** `--output tsv`: one line an item and one tab between two values, whatever is in them. */
import {openDelimited, type Dialect} from './delimited.js';
import type {ItemSetting, ItemWriter} from './format.js';

/** The backslash first, as the others bring new ones. */
const escapes = [
  ['\\', '\\\\'],
  ['\t', String.raw`\t`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
] as const;

const tsv: Dialect = {
  separator: '\t',
  lineEnd: '\n',
  // Not replaced in place: of millions of characters that makes as many little strings.
  cell: (text) => escapes.reduce((cell, [found, escape]) => (cell.includes(found) ? cell.split(found).join(escape) : cell), text),
  emptyLine: '',
  // A spreadsheet takes away quotes around a value, and a formula may stand inside.
  formula: /^[=+\-@\t\r\n＝＋－＠"]/,
};

export function open(setting: ItemSetting): ItemWriter {
  return openDelimited(tsv, setting);
}
