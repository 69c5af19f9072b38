/** The results of a run, as JSON and for people. */
import {resultMembers} from '../api/kinds/result.js';
import type {ListView} from '../api/view.js';
import {compact} from '../json/text.js';
import type {Result} from './result-schema.js';

/**
 * A result as one line of JSON, with the server's answer unmodified.
 * @param note replaces `ok` in tables
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
    {header: 'target', path: 'target', key: true},
    {header: 'result', path: '', kind: 'outcome', stays: true},
    {header: 'status', path: 'status', kind: 'number', priority: 2},
    {header: 'error', path: 'error.message', stays: true},
  ],
  fields: resultMembers,
  empty: 'No targets.',
};
