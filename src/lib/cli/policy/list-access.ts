/** Where the lists that a policy names may be, and how they are fetched. */
import {Flags} from '@oclif/core';
import {sessionsOf} from '../accounts.js';
import {connect, sessionAs, wishOf} from '../connection.js';
import {type AccountsFlags, type GivenFlags, repeatable} from '../flags.js';
import type {Session} from '../session.js';
import {identify} from '../../auth/index.js';
import {asFailure} from '../../client/failure.js';
import {isLoopback} from '../../client/transport.js';
import {cacheFolder} from '../../files/own-folder.js';
import {type KeptList, keptListsIn, type ListAccess, type ProfileOrigin, type RemoteListOptions} from '../../policy/index.js';

export const listFlags = {
  'allow-remote-lists': Flags.boolean({description: 'allow https:// lists, and lists that servers publish'}),
  'allow-profile-list': repeatable('allow the blocks of this profile as a list, if the policy names it', 'NAME'),
  'allow-outside': Flags.boolean({description: "read lists from outside the policy's folder and the working folder"}),
};

export type ListFlags = AccountsFlags & GivenFlags<typeof listFlags>;

/** The flags that lead to the same lists, for a suggested command. */
export function sameLists({'allow-remote-lists': remote, 'allow-profile-list': profiles, 'allow-outside': outside}: ListFlags) {
  return {
    ...(remote === true && {'allow-remote-lists': true}),
    ...(profiles !== undefined && {'allow-profile-list': profiles}),
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
    // A command that needs a server says so itself.
    return false;
  }
}

/** Fetches a list or a policy, and tells people that it is waited for. */
export async function fetchWaiting(address: string, session: Session, options: RemoteListOptions = {}): Promise<KeptList> {
  const {fetchRemoteList} = await import('../../policy/lists/remote-list.js');
  const {timeout, retries, userAgent, waiting, io} = session;
  const url = URL.parse(address);
  const over = url === null ? undefined : waiting?.({host: url.host, for: {method: 'GET', path: url.pathname}});
  try {
    return await fetchRemoteList(address, {timeout, retries, userAgent, now: io.now, ...options});
  } finally {
    over?.();
  }
}

/** The blocks of a profile. Its token goes to its own server. */
async function blocksOf({profile, of}: ProfileOrigin, session: Session): Promise<string> {
  await using connection = await connect(sessionAs(profile, session));
  try {
    return await (await import('../../policy/reading/profile-list.js')).blocksAsList(of, connection);
  } catch (error) {
    throw asFailure(error);
  }
}

/** What flags allow. An address is fetched once, however many lists name it. */
export function listAccess(flags: ListFlags, session: Session): ListAccess {
  const {timeout, io} = session;
  const isOutsideAllowed = flags['allow-outside'] === true;
  const profiles = new Map<string, Promise<string>>();
  const profileList = (from: ProfileOrigin): Promise<string> | undefined => {
    if (flags['allow-profile-list']?.includes(from.profile) !== true) return undefined;
    const key = JSON.stringify(from);
    const reading = profiles.get(key) ?? blocksOf(from, session);
    profiles.set(key, reading);
    return reading;
  };
  if (flags['allow-remote-lists'] !== true) return {isOutsideAllowed, profileList, timeout};
  const fetched = new Map<string, Promise<KeptList>>();
  const fetchOne = async (address: string, copy: KeptList | undefined): Promise<KeptList> => {
    const isLoopbackAllowed = isLoopback(URL.parse(address)?.hostname ?? '') && (await areOnLoopback(flags, session));
    return fetchWaiting(address, session, {isLoopbackAllowed, copy});
  };
  return {
    isOutsideAllowed,
    profileList,
    timeout,
    copies: keptListsIn(cacheFolder(io.env)),
    async fetchList(address, copy) {
      const fetching = fetched.get(address) ?? fetchOne(address, copy);
      fetched.set(address, fetching);
      return fetching;
    },
  };
}
