/** Where the lists that a policy names may be, and how they are fetched. */
import {Flags} from '@oclif/core';
import {sessionsOf} from '../account-driver.js';
import {wishOf} from '../connection.js';
import type {AccountsFlags, GivenFlags} from '../flags.js';
import type {Session} from '../session.js';
import {identify} from '../../auth/index.js';
import {isLoopback} from '../../client/transport.js';
import type {ListAccess, RemoteListOptions} from '../../policy/index.js';

export const listFlags = {
  'allow-remote-lists': Flags.boolean({description: 'allow https:// lists, and lists that servers publish'}),
  'allow-outside': Flags.boolean({description: "read lists from outside the policy's folder and the working folder"}),
};

export type ListFlags = AccountsFlags & GivenFlags<typeof listFlags>;

/** The flags that lead to the same lists, for a suggested command. */
export function sameLists({'allow-remote-lists': remote, 'allow-outside': outside}: ListFlags) {
  return {
    ...(remote === true && {'allow-remote-lists': true}),
    ...(outside === true && {'allow-outside': true}),
  };
}

/** Whether the servers of all accounts in use are on this machine. */
async function areOnLoopback(flags: ListFlags, session: Session): Promise<boolean> {
  try {
    const sessions = await sessionsOf(flags, session);
    const identities = await Promise.all(sessions.map(async (one) => identify({...(await wishOf(one)), tokenOf: async () => ''})));
    return identities.every(({server}) => isLoopback(server.hostname));
  } catch {
    // If a server is missing, a command that needs one says so itself.
    return false;
  }
}

/** Fetches a list or a policy, and shows people that the run waits for it. */
export async function fetchWaiting(address: string, session: Session, options: RemoteListOptions = {}): Promise<Buffer> {
  const {fetchRemoteList} = await import('../../policy/lists/remote-list.js');
  const {timeout, retries, userAgent, waiting} = session;
  const url = URL.parse(address);
  const over = url === null ? undefined : waiting?.({host: url.host, for: {method: 'GET', path: url.pathname}});
  try {
    return await fetchRemoteList(address, {timeout, retries, userAgent, ...options});
  } finally {
    over?.();
  }
}

/** How lists may be read, as the flags allow. An address is fetched once, however many lists name it. */
export function listAccess(flags: ListFlags, session: Session): ListAccess {
  const isOutsideAllowed = flags['allow-outside'] === true;
  if (flags['allow-remote-lists'] !== true) return {isOutsideAllowed};
  const fetched = new Map<string, Promise<Buffer>>();
  const fetchOne = async (address: string): Promise<Buffer> => {
    const isLoopbackAllowed = isLoopback(URL.parse(address)?.hostname ?? '') && (await areOnLoopback(flags, session));
    return fetchWaiting(address, session, {isLoopbackAllowed});
  };
  return {
    isOutsideAllowed,
    async fetchList(address) {
      const fetching = fetched.get(address) ?? fetchOne(address);
      fetched.set(address, fetching);
      return fetching;
    },
  };
}
