/** `--output json`: one document, indented and coloured at a terminal. `--output ndjson`: one item a line. */
import {indent} from '../json/text.js';
import type {ItemSetting, ItemWriter, Setting} from './format.js';

type Layout = Pick<ItemWriter, 'nature'> & {readonly laidOut: (text: string) => string};

async function layoutFor({isTerminal, color}: Setting['terminal']): Promise<Layout> {
  const colors = isTerminal && color ? (await import('./palette.js')).palette(color).json : undefined;
  // JSON escapes every escape character, so that the only bare ones are those of our own colours.
  const nature = colors === undefined ? 'data' : 'painted';
  return {nature, laidOut: (text) => (isTerminal ? indent(text, colors) : text.trimEnd())};
}

/** Prints a document as it was written, except for white space. */
export async function wholeJson(text: string, {terminal}: Pick<Setting, 'terminal'>) {
  const {nature, laidOut} = await layoutFor(terminal);
  return {nature, stdout: `${laidOut(text)}\n`};
}

/** Prints items as one array, which has one item on each line except at a terminal. */
export async function openJson({isList, terminal}: ItemSetting): Promise<ItemWriter> {
  const {nature, laidOut} = await layoutFor(terminal);
  const writeItem = (item: unknown) => laidOut(JSON.stringify(item));
  if (!isList) return {nature, items: (items) => items.map((item) => `${writeItem(item)}\n`).join(''), end: () => ({stdout: ''})};
  const inList = (item: unknown) => (terminal.isTerminal ? `  ${writeItem(item).replaceAll('\n', '\n  ')}` : writeItem(item));
  let isEmpty = true;
  return {
    nature,
    items(items) {
      if (items.length === 0) return '';
      const before = isEmpty ? '[\n' : ',\n';
      isEmpty = false;
      return before + items.map(inList).join(',\n');
    },
    end: () => ({stdout: isEmpty ? '[]\n' : '\n]\n'}),
  };
}

export function openNdjson(): ItemWriter {
  return {nature: 'data', items: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''), end: () => ({stdout: ''})};
}
