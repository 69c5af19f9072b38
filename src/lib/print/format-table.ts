/** Tables and records, for people. */
import type {Column, ListView, RecordView, View} from '../api/view.js';
import {parseExact} from '../json/exact.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {renderRecord} from './record.js';
import {columnsNamed, layoutOf, TableRows} from './table.js';
import {valueAt} from './values.js';

const anyList: ListView = {kind: 'list', empty: 'Nothing.'};
const anyRecord: RecordView = {kind: 'record'};

/** A list as a table, one object as a record; what is not as the view says is shown as what it is. */
export function open(setting: ItemSetting): ItemWriter {
  const {view, isList, fields} = setting;
  const columns = fields && columnsNamed(fields);
  return isList ? openTable(listView(view, columns), setting) : openRecord(recordView(view, columns), setting);
}

function listView(chosen: View | undefined, columns: readonly Column[] | undefined): ListView {
  const view = chosen?.kind === 'list' ? chosen : anyList;
  return columns ? {...view, columns} : view;
}

function recordView(chosen: View | undefined, columns: readonly Column[] | undefined): RecordView {
  if (columns) return {kind: 'record', columns};
  return chosen?.kind === 'record' ? chosen : anyRecord;
}

function openTable({columns, empty}: ListView, setting: ItemSetting): ItemWriter {
  const rows = new TableRows(columns, layoutOf(setting));
  return {
    nature: 'painted',
    items(texts) {
      rows.addTexts(texts);
      return '';
    },
    end() {
      if (rows.isEmpty) return {stdout: '', stderr: empty};
      return {stdout: rows.print(), ...(rows.warning !== undefined && {warning: rows.warning})};
    },
  };
}

function openRecord({columns, list}: RecordView, setting: ItemSetting): ItemWriter {
  const layout = layoutOf(setting);
  return {
    nature: 'painted',
    items([text = '{}']) {
      const value = parseExact(text);
      const record = renderRecord(value, columns, layout);
      const items = list && valueAt(value, list.path);
      if (!list || !Array.isArray(items) || items.length === 0) return record;
      const rows = new TableRows(list.view.columns, layout);
      rows.add(items);
      return `${record}\n${rows.print()}`;
    },
    end: () => ({stdout: ''}),
  };
}
