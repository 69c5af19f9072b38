/** The results of a run, as JSON and for people. */
import {resultMembers} from '../api/kind.js';
import type {ListView} from '../api/view.js';
import {parseExact} from '../json/exact.js';
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
