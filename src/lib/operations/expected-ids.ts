/** Ids that accounts have on the server that listed them: used only where the server acted on has the same account under them. */
import type {Endpoint} from '../api/endpoint.js';
import {getAccount} from '../api/internal.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {everyItem} from '../client/paging.js';
import {usableIdAt} from '../client/request.js';
import {textAt} from '../json/path.js';
import {handleOf} from './handle.js';

/** An account, as a list shows it. */
export interface ExpectedId {
  readonly id: string;
  /** Of its profile, on its own server. */
  readonly url: string;
}

/** Failures that say that there is no such account, or no such id. */
const saysNo: ReadonlySet<string | undefined> = new Set(['not_found', 'refused', 'usage', 'scope', 'another_target']);

const normalizeUrl = (url: string): string => URL.parse(url)?.href ?? url;

export class ExpectedIds {
  readonly #byHandle = new Map<string, ExpectedId>();
  #list: Endpoint | undefined;
  #listed: Promise<ReadonlyMap<string, Listed>> | undefined;

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
   * The id of an account on the client's server, when that server shows the same URL and the same handle under it. What lists of other
   * servers say proves nothing: each knows people under ids of its own, and can name the URL of one person beside the handle of another.
   * @param handle as {@link handleOf} gives it
   */
  async idOf(handle: string, client: Client): Promise<string | undefined> {
    const expected = this.#byHandle.get(handle);
    if (expected === undefined) return undefined;
    const url = normalizeUrl(expected.url);
    const isSame = ({acct, url: own}: Listed): boolean =>
      normalizeUrl(own) === url && [client.host, hostOf(own)].some((host) => handleOf(acct, host) === handle);
    if (this.#list !== undefined) {
      this.#listed ??= accountsIn(this.#list, client);
      const listed = (await this.#listed).get(url);
      return listed && isSame(listed) ? listed.id : undefined;
    }
    const account = toListed(expected.id, await accountWith(expected.id, client));
    return account && isSame(account) ? expected.id : undefined;
  }
}

/** An account as the client's server shows it. */
interface Listed extends ExpectedId {
  readonly acct: string;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

function toListed(id: string | undefined, account: unknown): Listed | undefined {
  const [url, acct] = [textAt(account, ['url']), textAt(account, ['acct'])];
  return id === undefined || url === undefined || acct === undefined ? undefined : {id, url, acct};
}

/** The account that has an id on the client's server; undefined when there is none, or the server does not say. */
export async function accountWith(id: string, client: Client): Promise<unknown> {
  try {
    return (await client.call(getAccount, {path: {id}})).value;
  } catch (error) {
    if (error instanceof Failure && (saysNo.has(error.code) || saysNo.has(error.details.reason))) return undefined;
    throw error;
  }
}

/** The accounts of a list, by URL. */
async function accountsIn(list: Endpoint, client: Client): Promise<ReadonlyMap<string, Listed>> {
  const accounts = new Map<string, Listed>();
  for (const item of await everyItem(client, list)) {
    const account = toListed(usableIdAt(item, ['id']), item);
    if (account !== undefined) accounts.set(normalizeUrl(account.url), account);
  }
  return accounts;
}
