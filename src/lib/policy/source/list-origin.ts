/** Where a list of a policy comes from: a file, an address on the web, or the blocks that a server publishes. */
import {basename, isAbsolute, join} from 'node:path';
import {isLoopback} from '../../client/transport.js';

/** The path under which a server publishes its domain blocks, in Mastodon's API. */
export const publishedBlocks = '/api/v1/instance/domain_blocks';

export type ListOrigin = {readonly file: string} | {readonly server: string} | {readonly url: string};

interface Written {
  readonly file?: string | undefined;
  readonly url?: string | undefined;
  readonly server?: string | undefined;
}

/** Exactly one of the fields is there. */
export function originOf({file = '', url, server}: Written): ListOrigin {
  if (url !== undefined) return {url};
  return server === undefined ? {file} : {server};
}

function serverAddress(text: string): string {
  return /^https?:\/\//i.test(text) ? text : `https://${text}`;
}

/** Whether a text is the address of a server, without a path. Plain http is for this machine alone. */
export function isServerAddress(text: string): boolean {
  const url = URL.parse(serverAddress(text));
  if (url === null) return false;
  const {protocol, hostname, username, password, pathname, search, hash} = url;
  return `${username}${password}${search}${hash}` === '' && pathname === '/' && (protocol === 'https:' || isLoopback(hostname));
}

/** The address that a list is fetched from; undefined for a file. */
export function addressOf(from: ListOrigin): string | undefined {
  if ('url' in from) return from.url;
  return 'server' in from ? new URL(publishedBlocks, serverAddress(from.server)).href : undefined;
}

/** The name of the file, or the host, which says to people where a list is from. */
export function shortListName(from: ListOrigin): string {
  return 'file' in from ? basename(from.file) : new URL(addressOf(from) ?? '').host;
}

/**
 * The path or address of a list, which names it in messages and sources.
 * @param folder of the policy
 */
export function listName(from: ListOrigin, folder: string): string {
  if ('file' in from) return isAbsolute(from.file) ? from.file : join(folder, from.file);
  return addressOf(from) ?? '';
}
