/** Finds out whether a write of unknown fate was carried out, by reading a list. */
import type {Endpoint, PlainInput} from '../api/endpoint.js';
import type {Client} from '../client/client.js';
import {everyItem} from '../client/paging.js';

/** Each list is read once, when it is first needed. Later changes are not seen. */
export class Traces {
  readonly #client: Client;
  readonly #lists = new Map<Endpoint, Promise<readonly unknown[]>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The item that a write made; undefined if there is none.
   * @throws Failure when its list cannot be read; it is then read again next time
   */
  async find({seenBy}: Endpoint, input: PlainInput): Promise<unknown> {
    if (seenBy === undefined) return undefined;
    const {list, shows} = seenBy;
    const reading = this.#lists.get(list) ?? this.#read(list);
    return (await reading).find((item) => shows(item, input));
  }

  #read(list: Endpoint): Promise<readonly unknown[]> {
    const reading = everyItem(this.#client, list);
    this.#lists.set(list, reading);
    reading.catch(() => this.#lists.delete(list));
    return reading;
  }
}
