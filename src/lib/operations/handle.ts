/** Handles of accounts: `@ana@pix.example`. Every run loads this to say who acts, so it imports nothing that sends. */

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

// Most names are ASCII, and the patterns for all letters take as long to make as a module to load.
const isUser = (name: string): boolean =>
  /^\w(?:[\w.-]*\w)?$/.test(name) || /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_])?$/u.test(name);
const isHost = (name: string): boolean =>
  /^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d+)?$/i.test(name) || /^[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?(?::\d+)?$/u.test(name);

/** Whether a text is a handle: `@ana`, `ana@pix.example`; or `ana`, which is a handle only where ids are not expected. */
export function isHandle(text: string): boolean {
  const [name = '', at, ...more] = text.trim().replace(/^@/, '').split('@');
  return isUser(name) && (at === undefined || isHost(at)) && more.length === 0;
}

/**
 * The user name in the `acct` of one's own account. Its host is always that of the server that was asked, because a server could name any
 * other. Undefined for a text that is not a user name.
 */
export function ownName(acct: string): string | undefined {
  const [name = ''] = acct.split('@', 1);
  return isUser(name) ? name : undefined;
}

/** The name of an account, or of a server if its settings for all accounts are meant. */
export interface Named {
  readonly account: string;
  readonly owner?: 'account' | 'server' | undefined;
}

export function nounFor(all: readonly Pick<Named, 'owner'>[]): readonly [one: string, several: string] {
  const servers = all.filter(({owner}) => owner === 'server').length;
  if (servers === 0) return ['account', 'accounts'];
  return servers === all.length ? ['server', 'servers'] : ['account or server', 'accounts and servers'];
}
