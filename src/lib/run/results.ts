/** The results of a run, as JSON and for people. */
import {resultMembers} from '../api/kind.js';
import type {Column, ListView} from '../api/view.js';
import {valueAt} from '../print/values.js';

const columns: readonly Column[] = [
  {header: 'target', path: 'target', key: true},
  {header: 'result', path: '', kind: 'outcome', stays: true},
  {header: 'status', path: 'status', kind: 'number', priority: 2},
  {header: 'error', path: 'error.message', stays: true},
];

/** Results of a command with many targets. */
export const resultsView: ListView = {kind: 'list', columns, fields: resultMembers, empty: 'No targets.'};

/** Results whose targets are shown in other words. @param shown these words, by target */
export const resultsNaming = (shown: ReadonlyMap<unknown, string>): ListView => ({
  ...resultsView,
  columns: columns.map((column) =>
    column.path === 'target' ? {...column, text: (row: unknown) => shown.get(valueAt(row, column.path))} : column,
  ),
});
