/** Whether a write was carried out whose answer did not say so: a look at what the server has now. */
import type {Endpoint, PlainInput} from '../api/endpoint.js';
import {itemsOf} from '../json/items.js';
import type {Client} from './client.js';
import {plan} from './encode.js';
import {Failure} from './failure.js';
import {pagesOf} from './paging.js';

/**
 * The items of all pages of a list, as JSON.
 * @throws Failure when a page failed or is no list: some of the items are not the list
 */
export async function everyItem(client: Client, list: Endpoint): Promise<string[]> {
  const {paging, rows = [], output: schema, path} = list;
  const request = plan(list, {});
  const pages = paging === undefined ? [await wholeList()] : pagesOf(client, {request, schema, paging, rows});
  const items: string[] = [];
  for await (const {answer, items: texts} of pages) {
    if (!Array.isArray(answer.value)) throw new Failure('bad_answer', `The answer of ${client.host} is not a list`, {path});
    for (const text of texts) items.push(text);
  }
  return items;

  async function wholeList() {
    const answer = await client.send(request, schema);
    return {answer, items: itemsOf(answer.text, rows).texts};
  }
}

interface Item {
  readonly text: string;
  readonly value: unknown;
}

/** Each list is read once, when it is first looked at: what happens to it later does not show. */
export class Traces {
  readonly #client: Client;
  readonly #lists = new Map<Endpoint, Promise<readonly Item[]>>();
  #isSilent = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * What is there because of a write, as JSON; undefined when nothing is.
   * @throws Failure when its list cannot be read; the list is then read anew the next time
   */
  async find({seenBy}: Endpoint, input: PlainInput): Promise<string | undefined> {
    if (seenBy === undefined) return undefined;
    const {list, shows} = seenBy;
    const reading = this.#lists.get(list) ?? this.#read(list);
    return (await reading).find(({value}) => shows(value, input))?.text;
  }

  /** Whether there is a trace of a write; undefined where none can tell, and from then on. */
  async wasThere(write: Endpoint, input: PlainInput): Promise<boolean | undefined> {
    if (this.#isSilent) return undefined;
    return this.find(write, input).then(
      (trace) => trace !== undefined,
      () => {
        this.#isSilent = true;
        return undefined;
      },
    );
  }

  #read(list: Endpoint): Promise<readonly Item[]> {
    const reading = everyItem(this.#client, list).then((texts) => texts.map((text): Item => ({text, value: JSON.parse(text)})));
    this.#lists.set(list, reading);
    reading.catch(() => this.#lists.delete(list));
    return reading;
  }
}
