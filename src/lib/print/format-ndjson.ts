/** `--output ndjson`: one item a line, as the server wrote it but for white space. */
import {compact} from '../json/text.js';
import type {ItemWriter} from './format.js';

export function open(): ItemWriter {
  return {nature: 'data', items: (texts) => texts.map((text) => `${compact(text)}\n`).join(''), end: () => ({stdout: ''})};
}
