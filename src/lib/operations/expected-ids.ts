/** Ids of accounts from a list. An id is used only if the server that is acted on has the same account under it. */
import type {Endpoint} from '../api/endpoint.js';
import {getAccount} from '../api/internal.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {everyItem} from '../client/paging.js';
import {usableIdAt} from '../client/request.js';
import {textAt} from '../json/path.js';
import {handleOf} from './handle.js';

export interface ExpectedId {
  readonly id: string;
  /** The address of its profile on its own server. */
  readonly url: string;
}

/** Codes and reasons of failures that say that there is no such account, or no such id. */
const saysNo: ReadonlySet<string | undefined> = new Set(['not_found', 'refused', 'usage', 'scope', 'another_target']);

const normalizeUrl = (url: string): string => URL.parse(url)?.href ?? url;

/** Finds the id of an account. @param handle as {@link handleOf} gives it @returns undefined where the server does not confirm one */
export type FindExpected = (handle: string, client: Client) => Promise<string | undefined>;

/**
 * Uses the id of a list when the client's server shows the same URL and the same handle under it. Lists of other servers prove nothing: each
 * server knows people under ids of its own, and can name the URL of one person beside the handle of another.
 * @param expected by name, with the server: `@ana@pix.example`
 * @param list a list of the client's server that has the accounts; without one, each account is read
 */
export function expectIds(expected: ReadonlyMap<string, ExpectedId>, list?: Endpoint): FindExpected {
  const byHandle = new Map([...expected].map(([name, one]) => [handleOf(name, ''), {id: one.id, url: normalizeUrl(one.url)}]));
  let listed: ReturnType<typeof accountsIn> | undefined;
  return async (handle, client) => {
    const wanted = byHandle.get(handle);
    if (wanted === undefined) return undefined;
    if (list !== undefined) listed ??= accountsIn(list, client);
    const account = listed === undefined ? toListed(wanted.id, await accountWith(wanted.id, client)) : (await listed).get(wanted.url);
    const isSame =
      account !== undefined &&
      normalizeUrl(account.url) === wanted.url &&
      [client.host, hostOf(account.url)].some((host) => handleOf(account.acct, host) === handle);
    return isSame ? account.id : undefined;
  };
}

interface Listed extends ExpectedId {
  readonly acct: string;
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

function toListed(id: string | undefined, account: unknown): Listed | undefined {
  const [url, acct] = [textAt(account, ['url']), textAt(account, ['acct'])];
  return id === undefined || url === undefined || acct === undefined ? undefined : {id, url, acct};
}

/** The account that has an id on the client's server; undefined when there is none, or the server does not say. */
async function accountWith(id: string, client: Client): Promise<unknown> {
  try {
    return (await client.call(getAccount, {path: {id}})).value;
  } catch (error) {
    if (error instanceof Failure && (saysNo.has(error.code) || saysNo.has(error.details.reason))) return undefined;
    throw error;
  }
}

async function accountsIn(list: Endpoint, client: Client): Promise<ReadonlyMap<string, Listed>> {
  const accounts = new Map<string, Listed>();
  for (const item of await everyItem(client, list)) {
    const account = toListed(usableIdAt(item, ['id']), item);
    if (account !== undefined) accounts.set(normalizeUrl(account.url), account);
  }
  return accounts;
}
