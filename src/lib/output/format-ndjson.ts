/** `--output ndjson`: one item a line, as the server wrote it but for white space. */
import {compact} from '../json/text.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {inertJson} from './inert.js';

export function open({terminal: {isTerminal}}: ItemSetting): ItemWriter {
  const line = (text: string) => `${compact(isTerminal ? inertJson(text) : text)}\n`;
  return {items: (texts) => texts.map(line).join(''), end: () => ({stdout: ''})};
}
