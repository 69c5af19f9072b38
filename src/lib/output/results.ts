/** Results of many targets as items. */
import {compact} from '../json/text.js';
import type {Result} from './format.js';

/** A result as one line of JSON, the server's answer unharmed in it. */
export function resultText(result: Result): string {
  if (!result.ok) return JSON.stringify(result);
  const {body, ...rest} = result;
  return `${JSON.stringify(rest).slice(0, -1)},"body":${compact(body ?? '') || 'null'}}`;
}
