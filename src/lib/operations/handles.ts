/** Parses the names of accounts. Sends nothing. */
import {decoded, isAccountName, isAddress} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {identifierAt, textAt} from '../json/path.js';
import {shortened} from '../json/text.js';

/**
 * The form in which accounts are compared: `@Bo@Remote.example` and `bo@remote.example` are equal, and a name without
 * a host is local.
 */
export function handleOf(text: string, host: string): string {
  const [user = '', at = host] = text.trim().replace(/^@/, '').toLowerCase().split('@');
  // As in URLs, the usual port is not named.
  return `${user}@${at.replace(/:443$/, '').toLowerCase()}`;
}

/** Whether the name of an account is an id: a user name of digits is written with its `@`, or with its server. */
export const isId = (name: string): boolean => /^\d+$/.test(name);

/** The form in which the accounts that policies name are compared: an id as it is, a handle as {@link handleOf} gives it. */
export const accountKey = (name: string, host: string): string => (isId(name.trim()) ? name.trim() : handleOf(name, host));

/** A handle for people: local ones without the host, as servers show them, unless they would be taken for an id. */
export function shownHandle(handle: string, host: string): string {
  const local = handle.endsWith(`@${host}`) ? handle.slice(0, -host.length - 1) : handle;
  return isId(local) ? handle : local;
}

/** How commands and requests name an account that a policy names: an id as it is, a handle as `@user`. */
export const idOrHandle = (name: string): string => (isId(name) || name.startsWith('@') ? name : `@${name}`);

const user = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?$/u;
const host = /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?(?::\d+)?$/u;

/** Whether a text is a handle: `@ana`, `ana@pix.example`; or `ana`, which is a handle only where ids are not expected. */
export function isHandle(text: string): boolean {
  const [name = '', at, ...more] = text.trim().replace(/^@/, '').split('@');
  return user.test(name) && (at === undefined || host.test(at)) && more.length === 0;
}

/** The name of one's own account, as its server writes it. */
export interface OwnName {
  /** Without a server. */
  readonly user: string;
  /** The other host that the server names; undefined where it names none, or its own. */
  readonly otherHost?: string;
}

/**
 * Reads the `acct` of one's own account. Its host is that of the server that was asked, always: a server could name any other.
 * @param own the host of that server
 * @returns undefined for what is not a user name
 */
export function ownName(acct: string, own: string): OwnName | undefined {
  const end = acct.indexOf('@');
  const name = end === -1 ? acct : acct.slice(0, end);
  if (!user.test(name)) return undefined;
  const named = end === -1 ? own : acct.slice(end + 1);
  return handleOf(`${name}@${own}`, own) === `${name.toLowerCase()}@${named.toLowerCase().replace(/:443$/, '')}`
    ? {user: name}
    : {user: name, otherHost: named};
}

/** What is said of a server that names another host for one's own account. */
export function ownNameWarning({user: name, otherHost = ''}: OwnName, own: string): string {
  return `${own} says that your account is @${name}@${otherHost}: it is taken as @${name}@${own}`;
}

/** Characters of a text in a message. */
const shownLength = 60;

function notAnAccount(text: string): Failure {
  const hint = isHandle(text) ? `for the account of that name use @${text}` : 'use an id, @user, @user@host, or a profile URL';
  return new Failure('usage', `${JSON.stringify(shortened(text, shownLength))} is not an account`, {hint});
}

/** A profile URL of the web app, which contains the id. */
const profilePath = /^\/i\/web\/profile\/(\d+)\/?$/;

/** The account of a profile URL: `/@ana`, `/ana`, `/users/ana`, or the app's own `/i/web/profile/1`. */
function fromAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const {host: own, pathname} = new URL(text);
  if (profilePath.test(pathname)) return `https://${own}${pathname.replace(/\/$/, '')}`;
  const [, name] = /^\/(?:users\/|@)?([^/]+)\/?$/.exec(decoded(pathname)) ?? [];
  // Spaces around typed text are dropped; in a URL they are part of the name.
  if (name === undefined || name !== name.trim() || !isHandle(name)) return undefined;
  return name.includes('@') ? `@${name}` : `@${name}@${own}`;
}

/** The handle, without its first `@` unless it would be an id without it, where bare names are handles; undefined if it is not one. */
export function handleIn(text: string): string | undefined {
  const account = text.trim();
  const handle = isAddress(account) ? fromAddress(account) : account;
  if (handle === undefined || !isHandle(handle)) return undefined;
  const bare = handle.replace(/^@/, '');
  return isId(bare) ? handle : bare;
}

/**
 * Parses the name of an account: an id stays as it is, a handle becomes `@user` or `@user@host`.
 * @throws Failure `usage` for anything else, bare names included
 */
export function accountName(text: string): string {
  const account = text.trim();
  if (isId(account)) return account;
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
  const hosts = !acct.includes('@') && URL.canParse(url) ? [own, new URL(url).host] : [own];
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
 * @param texts the accounts as JSON
 * @returns whether a name, as {@link accountName} gives it, is in the list
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
