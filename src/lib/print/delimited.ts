/** `--output csv` and `--output tsv`: items as lines, their fields as columns. */
import type {Members} from '../api/schema.js';
import {csvCell, csvFormula} from '../files/csv.js';
import {sourceText} from '../json/exact.js';
import {withCommas} from '../json/text.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {fieldsIn, fieldsOfEmpty, valueName} from './fields.js';

interface Dialect {
  readonly separator: string;
  readonly lineEnd: string;
  readonly cell: (text: string) => string;
  readonly emptyLine: string;
  /** Text that a spreadsheet may run as a formula. */
  readonly formula: RegExp;
}

/** RFC 4180, as spreadsheets and the importers of other services read it. */
const csv: Dialect = {separator: ',', lineEnd: '\r\n', cell: csvCell, emptyLine: '""', formula: csvFormula};

/** The backslash is escaped first, because the other escapes contain one. */
const escapes = [
  ['\\', '\\\\'],
  ['\t', String.raw`\t`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
] as const;

/** Each item takes one line, and one tab separates two values, whatever the values contain. */
const tsv: Dialect = {
  separator: '\t',
  lineEnd: '\n',
  // `replaceAll` would make millions of small strings for millions of characters.
  cell: (text) => escapes.reduce((cell, [found, escape]) => (cell.includes(found) ? cell.split(found).join(escape) : cell), text),
  emptyLine: '',
  // A spreadsheet removes quotes around a value, and the value may be a formula.
  formula: /^[=+\-@\t\r\n＝＋－＠"]/,
};

export const openCsv = (setting: ItemSetting): ItemWriter => openDelimited(csv, setting);
export const openTsv = (setting: ItemSetting): ItemWriter => openDelimited(tsv, setting);

/** The largest number of columns that are taken from several items: each column takes room in every line. */
const maxColumns = 1000;

const maxNamed = 10;

/** The columns are the fields of `--fields`, else those that the view names, else those of the first items. */
function openDelimited(dialect: Dialect, setting: ItemSetting): ItemWriter {
  const {fields, view, header = true, spreadsheetSafe = false} = setting;
  const nameless = valueName(view);
  let columns: readonly string[] | undefined = fields ?? namedFields(setting);
  let known: ReadonlySet<string> = new Set(columns);
  let isBegun = false;
  const leftOut = new Set<string>();

  /** Remembers one field more than the warning names, to know that there are more. */
  function leaveOut(name: string): void {
    if (leftOut.size <= maxNamed) leftOut.add(name);
  }

  function cell(text: string, isNumber = false): string {
    const defused = spreadsheetSafe && !isNumber && dialect.formula.test(text) ? `'${text}` : text;
    return dialect.cell(defused);
  }

  function line(cells: readonly string[]): string {
    return (cells.join(dialect.separator) || dialect.emptyLine) + dialect.lineEnd;
  }

  function begin(names: readonly string[]): string {
    if (isBegun) return '';
    isBegun = true;
    return header && names.length > 0 ? line(names.map((name) => cell(name))) : '';
  }

  function row(value: unknown, names: readonly string[]): string {
    const item = fieldsIn(value, nameless);
    for (const name of Object.keys(item)) if (!known.has(name)) leaveOut(name);
    const cells = names.map((name) => {
      const field = Object.hasOwn(item, name) ? item[name] : undefined;
      return cell(plainText(field), sourceText(field) !== undefined);
    });
    return cells.length > 0 ? line(cells) : '';
  }

  return {
    nature: 'data',
    items(items) {
      if (items.length === 0) return '';
      if (columns === undefined) {
        columns = namesIn(items.map((item) => fieldsIn(item, nameless))).slice(0, items.length === 1 ? undefined : maxColumns);
        known = new Set(columns);
      }
      const names = columns;
      return begin(names) + items.map((item) => row(item, names)).join('');
    },
    end: () => ({stdout: begin(columns ?? fieldsOfEmpty(setting)), ...(leftOut.size > 0 && {warning: leftOutText(leftOut)})}),
  };
}

const namesIn = (items: readonly Members[]): string[] => [...new Set(items.flatMap(Object.keys))];

function namedFields({view, isList}: ItemSetting): readonly string[] | undefined {
  return isList && view?.kind === 'list' ? view.fields : undefined;
}

/** Strings without quotes, numbers as they were sent, null as an empty cell, lists and objects as JSON. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function leftOutText(leftOut: ReadonlySet<string>): string {
  const names = [...leftOut].slice(0, maxNamed).join(', ') + (leftOut.size > maxNamed ? ' and more' : '');
  return `no column for ${names}: the columns are the fields of the first items, ${withCommas(maxColumns)} at most; --fields selects others`;
}
