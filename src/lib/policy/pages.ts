import type {Endpoint} from '../api/endpoint.js';
import type {Client} from '../client/client.js';
import {plan} from '../client/encode.js';
import {Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';

/**
 * The items of all pages of a list.
 * @throws Failure when a page failed or is no list: some of the items are not the list
 */
export async function everyPage(client: Client, endpoint: Endpoint): Promise<unknown[]> {
  const {paging, rows = [], output: schema, path} = endpoint;
  if (paging === undefined) throw new Failure('internal', `${path} does not come in pages`);
  const items: unknown[] = [];
  const request = plan(endpoint, {});
  for await (const {answer, items: texts} of pagesOf(client, {request, schema, paging, rows})) {
    if (!Array.isArray(answer.value)) throw new Failure('bad_answer', `The answer of ${client.host} is not a list`, {path});
    for (const text of texts) items.push(JSON.parse(text));
  }
  return items;
}
