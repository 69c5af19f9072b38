/** Every page of a list that pages by `Link`. */
import type {Endpoint} from '../api/endpoint.js';
import type {Client} from '../client/client.js';
import {plan, target, type PlannedRequest} from '../client/encode.js';
import {Failure} from '../client/failure.js';

const mostPages = 1000;

/** Path and query of the next page. The host that the header names does not count: requests go to the configured one. */
function nextOf(link: string | undefined): Pick<PlannedRequest, 'path' | 'query'> | undefined {
  const address = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link ?? '')?.[1];
  if (address === undefined || !URL.canParse(address, 'https://any.invalid')) return undefined;
  const {pathname, searchParams} = new URL(address, 'https://any.invalid');
  return {path: pathname, query: [...searchParams]};
}

/**
 * The items of all pages. A page may be empty while another one follows; a page that was there before is the end.
 * @throws Failure when a page failed: some of the items are not the list
 */
export async function everyPage(client: Client, endpoint: Endpoint): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let request: PlannedRequest | undefined = plan(endpoint, {});
  while (request !== undefined && !seen.has(target(request))) {
    if (seen.size === mostPages)
      throw new Failure('bad_answer', `${client.host} has more than ${mostPages} pages of one list`, {path: endpoint.path});
    seen.add(target(request));
    const {value, headers} = await client.send(request, endpoint.output);
    if (!Array.isArray(value)) throw new Failure('bad_answer', `The answer of ${client.host} is not a list`, {path: endpoint.path});
    items.push(...value);
    const next = nextOf(headers['link']);
    request = next && {...request, ...next};
  }
  return items;
}
