/** The items that an answer consists of. */
import {itemTextsAt} from './slices.js';

export interface Items {
  readonly isList: boolean;
  /** Each as JSON; of an answer that is no list, the answer. */
  readonly texts: readonly string[];
}

/** The rows where they should be, or of the answer itself where a server answers with the bare list; else the answer is the item. */
export function itemsOf(text: string, rows: readonly string[] | undefined): Items {
  const texts = (rows && itemTextsAt(text, rows)) ?? itemTextsAt(text, []);
  return texts === undefined ? {isList: false, texts: [text.trim() || '{}']} : {isList: true, texts};
}
