/** `--output tsv`: one line an item and one tab between two values, whatever is in them. */
import {openDelimited, type Dialect} from './delimited.js';
import type {ItemSetting, ItemWriter} from './format.js';

const escapes: Readonly<Record<string, string>> = {'\t': String.raw`\t`, '\n': String.raw`\n`, '\r': String.raw`\r`, '\\': '\\\\'};

const tsv: Dialect = {
  separator: '\t',
  lineEnd: '\n',
  cell: (text) => text.replaceAll(/[\t\n\r\\]/g, (found) => escapes[found] ?? found),
  emptyLine: '',
  // A spreadsheet takes away quotes around a value, and a formula may stand inside.
  formula: /^[=+\-@\t\r\n＝＋－＠"]/,
};

export function open(setting: ItemSetting): ItemWriter {
  return openDelimited(tsv, setting);
}
