/** Tables and records, for people. */
import type {Column, ListView, RecordView, View} from '../api/view.js';
import type {ItemSetting, ItemWriter} from './format.js';
import type {Row} from './fit.js';
import {cellTexts, columnsFor, columnsNamed, Grid} from './grid.js';
import {renderRecord} from './record.js';
import {layoutOf, valueAt, type Layout} from './values.js';
import {withCommas} from '../json/text.js';

const anyList: ListView = {kind: 'list', empty: 'Nothing.'};
const anyRecord: RecordView = {kind: 'record'};

/** A list as a table, one object as a record. The view counts only where it is one of the same kind. */
export function openTable(setting: ItemSetting): ItemWriter {
  const {view, isList, isEndless = false, fields} = setting;
  const columns = fields && columnsNamed(fields);
  if (!isList) return openRecord(recordView(view, columns), setting);
  return isEndless ? openEndless(listView(view, columns), setting) : openList(listView(view, columns), setting);
}

function listView(chosen: View | undefined, columns: readonly Column[] | undefined): ListView {
  const view = chosen?.kind === 'list' ? chosen : anyList;
  return columns === undefined ? view : {...view, columns};
}

function recordView(chosen: View | undefined, columns: readonly Column[] | undefined): RecordView {
  if (columns) return {kind: 'record', columns};
  return chosen?.kind === 'record' ? chosen : anyRecord;
}

function openList({columns, empty}: ListView, setting: ItemSetting): ItemWriter {
  const rows = new TableRows(columns, layoutOf(setting));
  return {
    nature: 'painted',
    items(items) {
      rows.add(items);
      return '';
    },
    get isFull() {
      return rows.isFull;
    },
    leaveOut(count) {
      rows.leaveOut(count);
    },
    end() {
      if (rows.isEmpty) return {stdout: '', stderr: empty};
      return {...rows.print(), ...(rows.warning !== undefined && {warning: rows.warning})};
    },
  };
}

/** Prints rows as they arrive. The first ones determine the widths of the columns. */
function openEndless(view: ListView, setting: ItemSetting): ItemWriter {
  const layout = layoutOf(setting);
  let {columns} = view;
  let grid: Grid | undefined;
  return {
    nature: 'painted',
    items(rows) {
      if (rows.length === 0) return '';
      const known = (columns ??= columnsFor(rows));
      const cells = rows.map((row) => cellTexts(row, known, layout));
      if (grid !== undefined) return grid.rows(cells);
      grid = new Grid(known, cells, layout, true);
      return grid.start(cells);
    },
    get notShown() {
      return grid?.notShown;
    },
    end: () => ({stdout: ''}),
  };
}

function openRecord({columns, list}: RecordView, setting: ItemSetting): ItemWriter {
  const layout = layoutOf(setting);
  let notShown: readonly string[] | undefined;
  return {
    nature: 'painted',
    items([value = {}]) {
      const record = renderRecord(value, columns, layout);
      const items = typeof list?.path === 'function' ? list.path(value) : list && valueAt(value, list.path);
      if (!list || !Array.isArray(items) || items.length === 0) return record;
      const rows = new TableRows(list.view.columns, layout);
      rows.add(items);
      const table = rows.print();
      ({notShown} = table);
      return `${record}\n${[...table.stdout].join('')}`;
    },
    end: () => ({stdout: '', ...(notShown && {notShown})}),
  };
}

/** Cells and characters that a table keeps until it is printed: the widths of its columns depend on all of them. */
const maxCells = 300_000;
const maxCharacters = 16_000_000;

/** Rows that are printed at once. */
const rowsAtATime = 1000;

/** The rows of a table until it is printed. Rows beyond the limit are only counted. */
export class TableRows {
  readonly #layout: Layout;
  readonly #cells: Row[] = [];
  #columns: readonly Column[] | undefined;
  #characters = 0;
  #leftOut = 0;

  /** @param columns taken from the first rows where undefined */
  constructor(columns: readonly Column[] | undefined, layout: Layout) {
    this.#columns = columns;
    this.#layout = layout;
  }

  get isEmpty(): boolean {
    return this.#cells.length === 0;
  }

  /** Whether further rows are only counted. */
  get isFull(): boolean {
    const {length} = this.#columns ?? [];
    return this.#cells.length >= maxCells / length || this.#characters >= maxCharacters;
  }

  leaveOut(count: number): void {
    this.#leftOut += count;
  }

  add(rows: readonly unknown[]): void {
    if (rows.length === 0) return;
    const columns = (this.#columns ??= columnsFor(rows));
    for (const row of rows) this.#addRow(row, columns);
  }

  #addRow(row: unknown, columns: readonly Column[]): void {
    if (this.isFull) {
      this.#leftOut += 1;
      return;
    }
    const texts = cellTexts(row, columns, this.#layout);
    for (const {length} of texts) this.#characters += length;
    this.#cells.push(texts);
  }

  /** A header and the rows, many at a time. */
  print(): {readonly stdout: Iterable<string>; readonly notShown?: readonly string[]} {
    const grid = new Grid(this.#columns ?? [], this.#cells, this.#layout);
    const {notShown} = grid;
    return {stdout: this.#lines(grid), ...(notShown.length > 0 && {notShown})};
  }

  *#lines(grid: Grid): Generator<string, void, undefined> {
    yield grid.start(this.#cells.slice(0, rowsAtATime));
    for (let at = rowsAtATime; at < this.#cells.length; at += rowsAtATime) {
      yield grid.rows(this.#cells.slice(at, at + rowsAtATime));
    }
  }

  /** How many rows are missing. */
  get warning(): string | undefined {
    if (this.#leftOut === 0) return undefined;
    const all = this.#cells.length + this.#leftOut;
    return `the table shows the first ${withCommas(this.#cells.length)} of ${withCommas(all)} rows; --output ndjson prints all of them`;
  }
}
