/** Tables and records, for people. */
import {parseExact} from '../json/exact.js';
import type {Column, Layout, ListView, RecordView, View} from './columns.js';
import type {ItemSetting, ItemWriter, Setting} from './format.js';
import {renderRecord} from './record.js';
import {columnsFor, columnsNamed, renderTable} from './table.js';
import {valueAt} from './values.js';
import {views} from './views.js';

const anyList: ListView = {kind: 'list', empty: 'Nothing.'};
const anyRecord: RecordView = {kind: 'record'};

/**
 * A list as a table, one object as a record; what is not as the view says is shown as what it is.
 * How wide a column is depends on every row, so all of them are kept until the end.
 */
export function open({view, isList, fields, ...setting}: ItemSetting): ItemWriter {
  const chosen: View | undefined = view && views[view];
  const columns = fields && columnsNamed(fields);
  const kept: string[] = [];
  return {
    nature: 'painted',
    items(texts) {
      for (const text of texts) kept.push(text);
      return '';
    },
    end() {
      if (!isList) return printRecord(parseExact(kept.join('')), recordView(chosen, columns), layoutOf(setting));
      return printList(kept.map(parseExact), listView(chosen, columns), layoutOf(setting));
    },
  };
}

function listView(chosen: View | undefined, columns: readonly Column[] | undefined): ListView {
  const view = chosen?.kind === 'list' ? chosen : anyList;
  return columns ? {...view, columns} : view;
}

function recordView(chosen: View | undefined, columns: readonly Column[] | undefined): RecordView {
  if (columns) return {kind: 'record', columns};
  return chosen?.kind === 'record' ? chosen : anyRecord;
}

function printList(rows: readonly unknown[], {columns, empty}: ListView, layout: Layout): ReturnType<ItemWriter['end']> {
  if (rows.length === 0) return {stdout: '', stderr: empty};
  return {stdout: renderTable(rows, columns ?? columnsFor(rows), layout)};
}

function printRecord(value: unknown, {columns, list}: RecordView, layout: Layout): ReturnType<ItemWriter['end']> {
  const record = renderRecord(value, columns, layout);
  const rows = list && valueAt(value, list.path);
  if (!list || !Array.isArray(rows) || rows.length === 0) return {stdout: record};
  return {stdout: `${record}\n${printList(rows, list.view, layout).stdout}`};
}

/** Nothing is cut off where no terminal is. */
function layoutOf({terminal: {isTerminal, width, color}, now}: Setting): Layout {
  return {width: isTerminal ? width : Number.POSITIVE_INFINITY, color, now};
}
