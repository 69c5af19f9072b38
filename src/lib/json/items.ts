/** The items that an answer consists of. */
import {fieldTexts, itemTexts, kindOf} from './slices.js';

export interface Items {
  readonly isList: boolean;
  /** Each as JSON; of an answer that is no list, the answer. */
  readonly texts: readonly string[];
}

/** The rows where they should be, or of the answer itself where a server answers with the bare list; else the answer is the item. */
export function itemsOf(text: string, rows: readonly string[] | undefined): Items {
  const list = [rows && textAt(text, rows), text].find((candidate) => candidate !== undefined && kindOf(candidate) === 'list');
  return list === undefined ? {isList: false, texts: [text.trim() || '{}']} : {isList: true, texts: itemTexts(list)};
}

function textAt(text: string, path: readonly string[]): string | undefined {
  return path.reduce<string | undefined>((outer, name) => fieldText(outer, name), text);
}

function fieldText(text: string | undefined, name: string): string | undefined {
  return text !== undefined && kindOf(text) === 'object' ? fieldTexts(text).get(name) : undefined;
}
