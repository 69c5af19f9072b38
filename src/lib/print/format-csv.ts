/** `--output csv`: RFC 4180, as spreadsheets and the importers of other services read it. */
import {openDelimited, type Dialect} from './delimited.js';
import type {ItemSetting, ItemWriter} from './format.js';

/** Not replaced in place: of millions of quotes that makes as many little strings. */
const doubled = (text: string): string => text.split('"').join('""');

const csv: Dialect = {
  separator: ',',
  lineEnd: '\r\n',
  cell: (text) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${doubled(text)}"` : text),
  emptyLine: '""',
  formula: /^[=+\-@\t\r\n＝＋－＠]/,
};

export function open(setting: ItemSetting): ItemWriter {
  return openDelimited(csv, setting);
}
