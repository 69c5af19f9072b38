/** Parses the names of accounts. Sends nothing. */
import {decodePercent, isAccountName, isAddress, isIdentifier} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {handleOf, isId, isHandle} from './handle.js';
import {identifierAt, textAt} from '../json/path.js';
import {shorten} from '../json/text.js';

const shownLength = 60;

function notAnAccount(text: string): Failure {
  const shown = JSON.stringify(shorten(text, shownLength));
  if (isHandle(text)) return new Failure('usage', `The name of an account begins with @, not ${shown}`, {hint: `use @${text}`});
  return new Failure('usage', `${shown} is not an account`, {hint: 'use an id, @user, @user@host, or a profile URL'});
}

/** A profile URL of the web app, which contains the id. */
const profilePath = /^\/i\/web\/profile\/(\d+)\/?$/;

/** The account of a profile URL: `/@ana`, `/ana`, `/users/ana`, or the app's own `/i/web/profile/1`. */
function fromAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  const {host: own, pathname} = url;
  const [, id] = profilePath.exec(pathname) ?? [];
  if (id !== undefined) return isIdentifier(id) ? `https://${own}/i/web/profile/${id}` : undefined;
  const [, name] = /^\/(?:users\/)?@?([^/@][^/]*)\/?$/.exec(decodePercent(pathname)) ?? [];
  // Spaces around typed text are dropped; in a URL they are part of the name.
  if (name === undefined || name !== name.trim() || !isHandle(name)) return undefined;
  return name.includes('@') ? `@${name}` : `@${name}@${own}`;
}

/** The handle in a text, where bare names are handles too; undefined if it is none. Its first `@` goes, unless it would then be an id. */
export function handleIn(text: string): string | undefined {
  const account = text.trim();
  const handle = isAddress(account) ? fromAddress(account) : account;
  if (handle === undefined || !isHandle(handle) || !isIdentifier(handle)) return undefined;
  const bare = handle.replace(/^@/, '');
  return isId(bare) ? handle : bare;
}

/**
 * Parses the name of an account: an id stays as it is, a handle becomes `@user` or `@user@host`.
 * @throws Failure `usage` for anything else, bare names included
 */
export function accountName(text: string): string {
  const account = text.trim();
  if (isIdentifier(account, 'digits')) return account;
  if (isAddress(account)) {
    const named = fromAddress(account);
    if (named === undefined) throw notAnAccount(account);
    return named;
  }
  if (!account.includes('@') || !isHandle(account)) throw notAnAccount(account);
  return account.startsWith('@') ? account : `@${account}`;
}

/** The handles of an account in a response: its profile URL may be on another host than the server. */
export function handlesOf(account: unknown, own: string): string[] {
  const [acct = '', url = ''] = [textAt(account, ['acct']), textAt(account, ['url'])];
  if (acct === '') return [];
  const other = acct.includes('@') ? undefined : URL.parse(url)?.host;
  const hosts = other === undefined ? [own] : [own, other];
  return hosts.map((host) => handleOf(acct, host));
}

/** Parses the name of a conversation: an id, or an account, in the form of {@link accountName}, for the conversation with it. */
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
 * Looks accounts up in a list.
 * @returns whether a name, as {@link accountName} gives it, is in the list
 */
export function accountsIn(accounts: readonly unknown[], own: string): (name: string) => boolean {
  const names = new Set<string>();
  for (const account of accounts) {
    const id = identifierAt(account, ['id']);
    if (id !== undefined) names.add(id);
    for (const handle of handlesOf(account, own)) names.add(`@${handle}`);
  }
  return (name) => names.has(name.startsWith('@') ? `@${handleOf(name, own)}` : isAddress(name) ? idInAddress(name, own) : name);
}
