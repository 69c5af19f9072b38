/** Reads lists for sections. */
import type {Endpoint} from '../../api/endpoint.js';
import type {Client} from '../../client/client.js';
import {everyItem} from '../../client/paging.js';

/** Is given the items of a list, with every digit of their numbers. */
export type SeenItems = (items: readonly unknown[]) => void;

/** The items of all pages of a list. @throws Failure as {@link everyItem} */
export async function itemsOnServer(client: Client, list: Endpoint, seen?: SeenItems): Promise<unknown[]> {
  const items = await everyItem(client, list);
  seen?.(items);
  return items;
}
