/** Where a list of a policy comes from: a file, an address on the web, or the blocks that a server publishes. */
import {dirname, isAbsolute, join} from 'node:path';
import {isLoopback} from '../../client/transport.js';

/** The path under which a server publishes its domain blocks, in Mastodon's API. */
const publishedBlocks = '/api/v1/instance/domain_blocks';

export interface ListOrigin {
  /** The path or address of the list, which names it in messages and sources. */
  readonly name: string;
  readonly isRemote: boolean;
}

/** @param written exactly one of its fields is there @param policy the file of the policy: paths begin at its folder */
export function originOf(
  {file = '', url, server}: {readonly file?: string | undefined; readonly url?: string | undefined; readonly server?: string | undefined},
  policy: string,
): ListOrigin {
  if (url !== undefined) return {name: url, isRemote: true};
  if (server !== undefined) return {name: new URL(publishedBlocks, withScheme(server)).href, isRemote: true};
  return {name: isAbsolute(file) ? file : join(dirname(policy), file), isRemote: false};
}

/** The address of a server, which people may write without its scheme. */
export const withScheme = (server: string): string => (/^https?:\/\//i.test(server) ? server : `https://${server}`);

/** Whether a text is the address of a server, without a path. Plain http is for this machine alone. */
export function isServerAddress(text: string): boolean {
  const url = URL.parse(withScheme(text));
  if (url === null) return false;
  const {protocol, hostname, username, password, pathname, search, hash} = url;
  return `${username}${password}${search}${hash}` === '' && pathname === '/' && (protocol === 'https:' || isLoopback(hostname));
}
