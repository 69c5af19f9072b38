/** Results of many targets as items. */
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
