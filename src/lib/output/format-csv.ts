/** `--output csv`: RFC 4180, as spreadsheets and the importers of other services read it. */
import {openDelimited, type Dialect} from './delimited.js';
import type {ItemSetting, ItemWriter} from './format.js';

const csv: Dialect = {
  separator: ',',
  lineEnd: '\r\n',
  cell: (text) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
  emptyLine: '""',
  formula: /^[=+\-@\t\r\n＝＋－＠]/,
};

export function open(setting: ItemSetting): ItemWriter {
  return openDelimited(csv, setting);
}
