import type {Column, ListView, RecordView, View} from '../api/view.js';
import type {ItemSetting, ItemWriter} from './format.js';
import type {Row} from './fit.js';
import {cellTexts, columnsFor, columnsNamed, Grid} from './grid.js';
import {renderRecord} from './record.js';
import {layoutOf, valueAt, type Layout} from './values.js';

const anyList: ListView = {kind: 'list', empty: 'Nothing.'};
const anyRecord: RecordView = {kind: 'record'};

/** Prints a list as a table, and a single object as a record. A view for the other kind is ignored. */
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
  const layout = layoutOf(setting);
  const cells: Row[] = [];
  let known = columns;
  return {
    nature: 'painted',
    items(rows) {
      if (rows.length === 0) return '';
      const shown = (known ??= columnsFor(rows));
      for (const row of rows) cells.push(cellTexts(row, shown, layout));
      return '';
    },
    end: () => (cells.length === 0 ? {stdout: '', stderr: empty} : drawTable(known ?? [], cells, layout)),
  };
}

const rowsAtATime = 1000;

function drawTable(columns: readonly Column[], cells: readonly Row[], layout: Layout) {
  const grid = new Grid(columns, cells, layout);
  const {notShown} = grid;
  function* lines(): Generator<string, void, undefined> {
    yield grid.start(cells.slice(0, rowsAtATime));
    for (let at = rowsAtATime; at < cells.length; at += rowsAtATime) yield grid.rows(cells.slice(at, at + rowsAtATime));
  }
  return {stdout: lines(), ...(notShown.length > 0 && {notShown})};
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
      const shown = list.view.columns ?? columnsFor(items);
      const table = drawTable(
        shown,
        items.map((item) => cellTexts(item, shown, layout)),
        layout,
      );
      ({notShown} = table);
      return `${record}\n${[...table.stdout].join('')}`;
    },
    end: () => ({stdout: '', ...(notShown && {notShown})}),
  };
}
