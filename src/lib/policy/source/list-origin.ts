/** Where the list of a policy is: in a file, on the web, what a server publishes, or what an account of a saved profile blocks. */
import {basename, isAbsolute, join} from 'node:path';
import {isLoopback} from '../../client/transport.js';

/** The path under which a server publishes its domain blocks, in Mastodon's API. */
export const publishedBlocks = '/api/v1/instance/domain_blocks';

/** Whose blocks are a list: those of the account of a saved profile, or those of its server. */
export interface ProfileOrigin {
  readonly profile: string;
  readonly of?: 'admin_domain_blocks';
}

/** As written. */
export type ListOrigin = ProfileOrigin | {readonly file: string} | {readonly server: string} | {readonly url: string};

interface Written {
  readonly file?: string | undefined;
  readonly url?: string | undefined;
  readonly server?: string | undefined;
  readonly profile?: string | undefined;
  readonly of?: 'admin_domain_blocks' | 'domain_blocks' | undefined;
}

/** Exactly one of the fields is there. */
export function originOf({file = '', url, server, profile, of}: Written): ListOrigin {
  if (url !== undefined) return {url};
  if (profile !== undefined) return {profile, ...(of === 'admin_domain_blocks' && {of})};
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

/** The address that a list is fetched from; undefined for a file or profile. */
export function addressOf(from: ListOrigin): string | undefined {
  if ('url' in from) return from.url;
  return 'server' in from ? new URL(publishedBlocks, serverAddress(from.server)).href : undefined;
}

/** The name of the file or the profile, or the host, which says to people where a list is from. */
export function shortListName(from: ListOrigin): string {
  if ('file' in from) return basename(from.file);
  return 'profile' in from ? from.profile : new URL(addressOf(from) ?? '').host;
}

/**
 * The path or address of a list, which names it in messages and sources.
 * @param folder of the policy
 */
export function listName(from: ListOrigin, folder: string): string {
  if ('file' in from) return isAbsolute(from.file) ? from.file : join(folder, from.file);
  if ('profile' in from) return `profile:${from.profile}${from.of === undefined ? '' : `/${from.of}`}`;
  return addressOf(from) ?? '';
}
