/** The items that an answer consists of. */
import {itemBatchesAt} from './slices.js';

export interface Items {
  readonly isList: boolean;
  /** Each as JSON; of an answer that is no list, the answer. */
  readonly texts: readonly string[];
}

/** The rows where they should be, or of the answer itself where a server answers with the bare list; else the answer is the item. */
export function itemsOf(text: string, rows: readonly string[] | undefined): Items {
  const {isList, batches} = itemBatchesOf(text, rows, Number.POSITIVE_INFINITY);
  const [texts = []] = batches;
  return {isList, texts};
}

/** The same bit by bit, so that a long list is not there twice. @param size items in a batch */
export function itemBatchesOf(text: string, rows: readonly string[] | undefined, size: number) {
  const batches: Iterable<readonly string[]> | undefined = (rows && itemBatchesAt(text, rows, size)) ?? itemBatchesAt(text, [], size);
  return batches === undefined ? {isList: false, batches: [[text.trim() || '{}']]} : {isList: true, batches};
}
