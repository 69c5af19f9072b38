/** `--json`: one JSON document, indented and coloured at a terminal. */
import {compact, indent} from '../json/text.js';
import type {ItemSetting, ItemWriter} from './format.js';

/** An answer stays as the server sent it; items make one array, with one item a line. */
export async function open({isList, terminal: {isTerminal, color}}: ItemSetting): Promise<ItemWriter> {
  const colors = isTerminal && color ? (await import('./palette.js')).palette(color).json : undefined;
  const laidOut = (text: string) => (isTerminal ? indent(text, colors) : text.trimEnd());
  // JSON has no escape character in it as it is: those here are of our colours.
  const nature = colors === undefined ? 'data' : 'painted';
  if (!isList) return {nature, items: (texts) => texts.map((text) => `${laidOut(text)}\n`).join(''), end: () => ({stdout: ''})};
  const inList = (text: string) => (isTerminal ? `  ${laidOut(text).replaceAll('\n', '\n  ')}` : compact(text));
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
