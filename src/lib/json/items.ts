/** The items that an answer consists of. */
import {itemBatchesAt} from './slices.js';

export interface Items {
  readonly isList: boolean;
  /** Each as JSON; of an answer that is no list, the answer. */
  readonly batches: Iterable<readonly string[]>;
}

/**
 * The rows where they should be, or of the answer itself where a server answers with the bare list; else the answer is the item.
 * @param size items in a batch, all of them unless given
 */
export function itemsOf(text: string, rows: readonly string[] | undefined, size = Number.POSITIVE_INFINITY): Items {
  const batches = (rows && itemBatchesAt(text, rows, size)) ?? itemBatchesAt(text, [], size);
  return batches === undefined ? {isList: false, batches: [[text.trim() || '{}']]} : {isList: true, batches};
}
