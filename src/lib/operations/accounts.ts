/** Accounts as people write them, and the ids behind them. */
import {getAccountByName, lookUpAccount} from '../api/internal.js';
import {lookUpRecipients} from '../api/direct.js';
import {at, identifierAt, itemsAt, textAt} from '../json/path.js';
import type {Client} from '../client/client.js';
import {decoded} from '../client/request.js';
import {Failure} from '../client/failure.js';

/**
 * The one form that accounts are compared in: `@Bo@Remote.example` and `bo@remote.example` are one, and a name without
 * a host is of the server itself.
 */
export function handleOf(text: string, host: string): string {
  const [user = '', at = host] = text.trim().replace(/^@/, '').toLowerCase().split('@');
  return `${user}@${at.toLowerCase()}`;
}

/** How people write a handle: one of the server itself without its host, as servers do. */
export function shownHandle(handle: string, host: string): string {
  return handle.endsWith(`@${host}`) ? handle.slice(0, -host.length - 1) : handle;
}

const user = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?$/u;
const host = /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?(?::\d+)?$/u;

/** Whether a text is a handle: `@ana`, `ana@pix.example`; or `ana`, which people mean for one only where there are no ids. */
export function isHandle(text: string): boolean {
  const [name = '', at, ...more] = text.trim().replace(/^@/, '').split('@');
  return user.test(name) && (at === undefined || host.test(at)) && more.length === 0;
}

/** As much of a text as a message has room for. */
const shownLength = 60;

function notAnAccount(text: string): Failure {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength).toWellFormed()}…` : text;
  const hint = isHandle(text) ? `for the account of that name: @${text}` : 'give an id, @user, @user@host, or the address of a profile';
  return new Failure('usage', `${JSON.stringify(shown)} is not an account`, {hint});
}

/** The address of a profile in the app of these servers, which has the id in it. */
const profilePath = /^\/i\/web\/profile\/(\d+)\/?$/;

/** The account that the address of a profile names: `/@ana`, `/ana`, `/users/ana`, or the app's own `/i/web/profile/1`. */
function fromAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const {host: own, pathname} = new URL(text);
  if (profilePath.test(pathname)) return `https://${own}${pathname.replace(/\/$/, '')}`;
  const [, name] = /^\/(?:users\/|@)?([^/]+)\/?$/.exec(decoded(pathname)) ?? [];
  if (name === undefined || !isHandle(name)) return undefined;
  return name.includes('@') ? `@${name}` : `@${name}@${own}`;
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** The handle in what people write where there are no ids and bare names are handles, without the `@` before it; undefined: none. */
export function handleIn(text: string): string | undefined {
  const account = text.trim();
  const handle = isAddress(account) ? fromAddress(account) : account;
  return handle !== undefined && isHandle(handle) ? handle.replace(/^@/, '') : undefined;
}

/** Whether a text stands for an account where ids of something else are expected. */
export function isAccountName(text: string): boolean {
  return isAddress(text) || text.includes('@');
}

/**
 * What people write for an account, in the form that {@link Accounts} takes: an id as it is, else `@user` or `@user@host`.
 * @throws Failure `usage` for what can be no account, a bare name among it
 */
export function accountName(text: string): string {
  const account = text.trim();
  if (/^\d+$/.test(account)) return account;
  if (isAddress(account)) {
    const named = fromAddress(account);
    if (named === undefined) throw notAnAccount(account);
    return named;
  }
  if (!account.includes('@') || !isHandle(account)) throw notAnAccount(account);
  return account.startsWith('@') ? account : `@${account}`;
}

interface Wanted {
  readonly user: string;
  readonly host: string;
}

/** The handles that an account of an answer goes by: the host of a server's own accounts may be another than the one that is asked. */
function handlesOf(account: unknown, own: string): string[] {
  const [acct = '', url = ''] = [textAt(account, ['acct']), textAt(account, ['url'])];
  if (acct === '') return [];
  const hosts = !acct.includes('@') && URL.canParse(url) ? [own, new URL(url).host] : [own];
  return hosts.map((host) => handleOf(acct, host));
}

function isWanted(account: unknown, {user, host}: Wanted, own: string): boolean {
  return handlesOf(account, own).includes(handleOf(`${user}@${host}`, own));
}

type Way = (wanted: Wanted, client: Client) => Promise<string | undefined>;

const byName: Way = async (wanted, client) => {
  const {text, value} = await client.call(getAccountByName, {path: {name: wanted.user}});
  return isWanted(value, wanted, client.host) ? identifierAt(text, ['id']) : undefined;
};

const byLookUp: Way = async (wanted, client) => {
  const acct = wanted.host === client.host ? `@${wanted.user}` : `@${wanted.user}@${wanted.host}`;
  const {text, value} = await client.call(lookUpAccount, {query: {acct}});
  return isWanted(value, wanted, client.host) ? identifierAt(text, ['id']) : undefined;
};

/** What to search for: servers find their own accounts by name alone, of at least two letters, others by the whole handle. */
function query({user, host}: Wanted, own: string): string {
  return host === own && user.length > 1 ? user : `@${user}@${host}`;
}

const bySearch: Way = async (wanted, client) => {
  const {text, value} = await client.call(lookUpRecipients, {body: {q: query(wanted, client.host)}});
  const match = (itemsAt(value, []) ?? []).findIndex((entry) => {
    const accounts = [at(entry, ['account']).value, {acct: textAt(entry, ['name'])}];
    return accounts.some((account) => isWanted(account, wanted, client.host));
  });
  return match === -1 ? undefined : identifierAt(text, [match, 'id']);
};

/** Whether a way leads nowhere, be it for whom it may: the server does not have it, or not for this token, or not today. */
function isClosed({code, details: {reason, status}}: Failure): boolean {
  return reason === 'unknown_route' || status === 405 || code === 'rate_limited' || (code === 'auth' && reason === 'scope');
}

/** Whether it is known only that this account was not found, so that another way may still lead to it. */
function leadsOn(failure: Failure): boolean {
  return isClosed(failure) || failure.code === 'not_found' || failure.code === 'refused';
}

/** The ids of accounts, each asked for once. */
export class Accounts {
  readonly #ids = new Map<string, Promise<string>>();
  /** Ways that are not tried again. */
  readonly #closed = new Map<Way, Failure>();

  /**
   * @param name as {@link accountName} gives it
   * @throws Failure `not_found` when nobody has exactly that handle
   */
  async idOf(name: string, client: Client): Promise<string> {
    if (!name.startsWith('@')) return isAddress(name) ? idInAddress(name, client.host) : name;
    const handle = handleOf(name, client.host);
    const known = this.#ids.get(handle) ?? this.#find(name, client);
    this.#ids.set(handle, known);
    return known;
  }

  async #find(name: string, client: Client): Promise<string> {
    const [user = '', host = client.host] = name.slice(1).split('@');
    const wanted = {user, host: host.toLowerCase()};
    const isOfServer = wanted.host === client.host;
    const closed: Failure[] = [];
    const by = (way: Way) => this.#by(way, wanted, client, closed);
    const named = isOfServer ? await by(byName) : undefined;
    const offersNames = isOfServer && !closed.some(({details: {reason, status}}) => reason === 'unknown_route' || status === 405);
    const id = named ?? (offersNames ? undefined : await by(byLookUp)) ?? (await by(bySearch));
    if (id !== undefined) return id;
    const unanswered = closed.find(({code}) => code === 'rate_limited' || code === 'auth');
    if (unanswered !== undefined) throw unanswered;
    throw new Failure('not_found', `${client.host} knows no account ${name}`, {
      hint: (suggest) => `see what it finds: \`${suggest(['dm', 'lookup'], {args: [query(wanted, client.host)]})}\``,
    });
  }

  /** @param closed gets the failure of a way that is closed */
  async #by(way: Way, wanted: Wanted, client: Client, closed: Failure[]): Promise<string | undefined> {
    try {
      if (!this.#closed.has(way)) return await way(wanted, client);
    } catch (error) {
      if (!(error instanceof Failure) || !leadsOn(error)) throw error;
      if (isClosed(error)) this.#closed.set(way, error);
    }
    const failure = this.#closed.get(way);
    if (failure !== undefined) closed.push(failure);
    return undefined;
  }
}

function idInAddress(address: string, own: string): string {
  const {host, pathname} = new URL(address);
  const [, id] = profilePath.exec(pathname) ?? [];
  if (id !== undefined && host === own) return id;
  throw new Failure('not_found', `${address} is a profile on ${host}, and its id means nothing on ${own}`, {
    hint: 'give the account as @user@host',
  });
}

/**
 * Which accounts are in a list.
 * @param texts the accounts as JSON
 * @returns tells of a name, as {@link accountName} gives it
 */
export function accountsIn(texts: readonly string[], own: string): (name: string) => boolean {
  const names = new Set<string>();
  for (const text of texts) {
    const id = identifierAt(text, ['id']);
    if (id !== undefined) names.add(id);
    for (const handle of handlesOf(JSON.parse(text), own)) names.add(`@${handle}`);
  }
  return (name) => names.has(name.startsWith('@') ? `@${handleOf(name, own)}` : isAddress(name) ? idInAddress(name, own) : name);
}
