/** Whether a write was carried out whose answer did not say so: a look at what the server has now. */
import type {Endpoint, PlainInput} from '../api/endpoint.js';
import type {Client} from '../client/client.js';
import {everyItem} from '../client/paging.js';

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
