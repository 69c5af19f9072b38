/** Ids that accounts have on the server that listed them: used only where the server acted on has the same account under them. */
import type {Endpoint} from '../api/endpoint.js';
import {getAccount} from '../api/internal.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {everyItem} from '../client/paging.js';
import {identifierAt, textAt} from '../json/path.js';
import {handleOf} from './handles.js';

/** An account, as a list shows it. */
export interface ExpectedId {
  readonly id: string;
  /** Of its profile, on its own server. */
  readonly url: string;
}

/** Failures that say that there is no such account, or no such id. */
const saysNo = new Set(['not_found', 'refused', 'usage']);

const inOneForm = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

export class ExpectedIds {
  readonly #byHandle = new Map<string, ExpectedId>();
  #list: Endpoint | undefined;
  #listed: Promise<ReadonlyMap<string, string>> | undefined;

  /**
   * @param name an account with its server: `@ana@pix.example`
   * @param expected its id where it was listed
   */
  add(name: string, expected: ExpectedId): void {
    this.#byHandle.set(handleOf(name, ''), expected);
  }

  /** Looks accounts up in this list, and asks for no other. */
  lookIn(list: Endpoint | undefined): void {
    this.#list ??= list;
  }

  /**
   * The id of an account on the client's server, when its URL proves it. The URL alone proves nothing: every server knows people of
   * others under ids of its own.
   * @param handle as {@link handleOf} gives it
   */
  async idOf(handle: string, client: Client): Promise<string | undefined> {
    const expected = this.#byHandle.get(handle);
    if (expected === undefined) return undefined;
    const url = inOneForm(expected.url);
    if (this.#list !== undefined) {
      this.#listed ??= idsIn(this.#list, client);
      return (await this.#listed).get(url);
    }
    const account = await accountWith(expected.id, client);
    return inOneForm(textAt(account, ['url']) ?? '') === url ? expected.id : undefined;
  }
}

/** The account that has an id on the client's server; undefined when there is none, or the server does not say. */
export async function accountWith(id: string, client: Client): Promise<unknown> {
  try {
    const {text, value} = await client.call(getAccount, {path: {id}});
    return identifierAt(text, ['id']) === id ? value : undefined;
  } catch (error) {
    if (error instanceof Failure && (saysNo.has(error.code) || error.details.reason === 'scope')) return undefined;
    throw error;
  }
}

/** The ids in a list of accounts, by URL. */
async function idsIn(list: Endpoint, client: Client): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const text of await everyItem(client, list)) {
    const [id, url] = [identifierAt(text, ['id']), identifierAt(text, ['url'])];
    if (id !== undefined && url !== undefined) ids.set(inOneForm(url), id);
  }
  return ids;
}
