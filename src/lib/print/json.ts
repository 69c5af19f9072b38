/** `--output json`: one document, indented and coloured at a terminal. `--output ndjson`: one item a line. */
import {indent} from '../json/text.js';
import type {ItemSetting, ItemWriter} from './format.js';

/** An answer is printed as the server sent it; items make one array, with one item a line. */
export async function openJson({isList, terminal: {isTerminal, color}}: ItemSetting): Promise<ItemWriter> {
  const colors = isTerminal && color ? (await import('./palette.js')).palette(color).json : undefined;
  const laidOut = (text: string) => (isTerminal ? indent(text, colors) : text.trimEnd());
  // JSON contains no escape character as it is: those here are of our own colours.
  const nature = colors === undefined ? 'data' : 'painted';
  if (!isList) return {nature, items: (texts) => texts.map((text) => `${laidOut(text)}\n`).join(''), end: () => ({stdout: ''})};
  const inList = (text: string) => (isTerminal ? `  ${laidOut(text).replaceAll('\n', '\n  ')}` : text);
  let isEmpty = true;
  return {
    nature,
    items(texts) {
      if (texts.length === 0) return '';
      const before = isEmpty ? '[\n' : ',\n';
      isEmpty = false;
      return before + texts.map(inList).join(',\n');
    },
    end: () => ({stdout: isEmpty ? '[]\n' : '\n]\n'}),
  };
}

/** Each item as the server wrote it, but for white space. */
export function openNdjson(): ItemWriter {
  return {nature: 'data', items: (texts) => texts.map((text) => `${text}\n`).join(''), end: () => ({stdout: ''})};
}
