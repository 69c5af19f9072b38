/** Tables and records, for people. */
import {parseExact} from '../json/exact.js';
import type {Layout, ListView, RecordView, View} from './columns.js';
import type {AnswerSetting, Printed, Result, Setting} from './format.js';
import {renderRecord} from './record.js';
import {columnsFor, renderTable} from './table.js';
import {valueAt} from './values.js';
import {views} from './views.js';

const anyList: ListView = {kind: 'list', empty: 'Nothing.'};
const anyRecord: RecordView = {kind: 'record'};

/** A list as a table, one object as a record; what is not as the view says is shown as what it is. */
export async function formatAnswer(text: string, {view, rows, ...setting}: AnswerSetting): Promise<Printed> {
  const answer = text.trim() === '' ? {} : parseExact(text);
  const list = rowsOf(answer, rows);
  const chosen: View | undefined = view && views[view];
  if (list) return printList(list, chosen?.kind === 'list' ? chosen : anyList, layoutOf(setting));
  return printRecord(answer, chosen?.kind === 'record' ? chosen : anyRecord, layoutOf(setting));
}

export async function formatResults(results: readonly Result[], setting: Setting): Promise<Printed> {
  return printList(results, views.results, layoutOf(setting));
}

function printList(rows: readonly unknown[], {columns, empty}: ListView, layout: Layout): Printed {
  if (rows.length === 0) return {stdout: '', stderr: empty};
  return {stdout: renderTable(rows, columns ?? columnsFor(rows), layout)};
}

function printRecord(value: unknown, {columns, list}: RecordView, layout: Layout): Printed {
  const record = renderRecord(value, columns, layout);
  const rows = list && valueAt(value, list.path);
  if (!list || !Array.isArray(rows) || rows.length === 0) return {stdout: record};
  return {stdout: `${record}\n${printList(rows, list.view, layout).stdout}`};
}

/** Nothing is cut off where no terminal is. */
function layoutOf({terminal: {isTerminal, width, color}, now}: Setting): Layout {
  return {width: isTerminal ? width : Number.POSITIVE_INFINITY, color, now};
}

/** The rows where they should be, or the answer itself where a server answers with the bare list. */
function rowsOf(answer: unknown, path: readonly string[] | undefined): readonly unknown[] | undefined {
  const inside = path?.reduce((value, name) => valueAt(value, name), answer);
  if (Array.isArray(inside)) return inside;
  return Array.isArray(answer) ? answer : undefined;
}
