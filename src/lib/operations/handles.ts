/** Accounts as people and lists write them. Nothing here asks a server. */
import {decoded} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {identifierAt, textAt} from '../json/path.js';

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
  const hint = isHandle(text) ? `for the account of that name use @${text}` : 'use an id, @user, @user@host, or a profile URL';
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

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

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
 * What people write for an account, in the form in which it is looked up: an id as it is, else `@user` or `@user@host`.
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

/** The handles that an account of an answer goes by: the host of a server's own accounts may be another than the one that is asked. */
export function handlesOf(account: unknown, own: string): string[] {
  const [acct = '', url = ''] = [textAt(account, ['acct']), textAt(account, ['url'])];
  if (acct === '') return [];
  const hosts = !acct.includes('@') && URL.canParse(url) ? [own, new URL(url).host] : [own];
  return hosts.map((host) => handleOf(acct, host));
}

/** What people write for a conversation: an id as it is, or an account, in the form of {@link accountName}, for the conversation with it. */
export function conversationName(text: string): string {
  return isAccountName(text) ? accountName(text) : text;
}

export function idInAddress(address: string, own: string): string {
  const {host, pathname} = new URL(address);
  const [, id] = profilePath.exec(pathname) ?? [];
  if (id !== undefined && host === own) return id;
  throw new Failure('not_found', `${address} is a profile on ${host}: its id is not valid on ${own}`, {
    hint: 'use @user@host',
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
