/** The results of a run, as JSON and for people. */
import {resultMembers} from '../api/kind.js';
import type {Column, ListView} from '../api/view.js';
import {parseExact} from '../json/exact.js';
import {valueAt} from '../print/values.js';
import type {Result} from './result-schema.js';

/**
 * A result as it is printed, with all that the server answered.
 * @param note replaces `ok` in tables
 */
export function resultItem(result: Result, note?: string) {
  if (!result.ok) return result;
  const {body, ...answered} = result;
  return {...answered, ...(note !== undefined && {note}), body: body === null || body.trim() === '' ? null : parseExact(body)};
}

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
