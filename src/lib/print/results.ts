/** Results of many targets as items. */
import type {ListView} from '../api/view.js';
import {compact} from '../json/text.js';
import type {Result} from './format.js';

/**
 * A result as one line of JSON, the server's answer unharmed in it.
 * @param note stands in a table in place of `ok`
 */
export function resultText(result: Result, note?: string): string {
  if (!result.ok) return JSON.stringify(result);
  const {body, ...answered} = result;
  const rest = {...answered, ...(note !== undefined && {note})};
  return `${JSON.stringify(rest).slice(0, -1)},"body":${compact(body ?? '') || 'null'}}`;
}

/** Results of a command with many targets. */
export const resultsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'target', path: 'target'},
    {header: 'result', path: '', kind: 'outcome'},
    {header: 'status', path: 'status', kind: 'number', priority: 2},
    {header: 'error', path: 'error.message', flexible: true},
  ],
  fields: ['target', 'ok', 'status', 'body', 'error', 'resumed', 'unknown'],
  empty: 'No targets.',
};

/** Results of a batch. */
export const operationsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'line', path: 'line', kind: 'number'},
    {header: 'id', path: 'id', none: '', priority: 3},
    {header: 'target', path: 'target', priority: 2},
    {header: 'result', path: '', kind: 'outcome'},
    {header: 'status', path: 'status', kind: 'number', priority: 4},
    {header: 'error', path: 'error.message', flexible: true},
  ],
  fields: ['line', 'id', 'target', 'ok', 'status', 'body', 'error', 'resumed', 'unknown'],
  empty: 'No operations.',
};
