/** Where the lists that a policy names may be, and how they are fetched. */
import {Flags} from '@oclif/core';
import {savedProfiles, wishOf} from './connection.js';
import {areSeveral, namedProfiles, type AccountsFlags} from './flags.js';
import type {Session} from './session.js';
import {identify} from '../auth/identity.js';
import {Failure} from '../client/failure.js';
import {isLoopback} from '../client/transport.js';
import {cacheFolder} from '../files/own-folder.js';
import {copiesIn, type Copy} from '../policy/lists/copies.js';
import type {ListAccess} from '../policy/lists/load-lists.js';

export const listFlags = {
  'allow-remote-lists': Flags.boolean({description: 'fetch https:// lists that a policy names, and what servers publish'}),
  'allow-outside': Flags.boolean({description: "read lists from outside the policy's folder and the working folder"}),
};

export interface ListFlags extends AccountsFlags {
  readonly 'allow-remote-lists'?: boolean | undefined;
  readonly 'allow-outside'?: boolean | undefined;
}

/** The flags that lead to the same lists, for a suggested command. */
export function sameLists({'allow-remote-lists': remote, 'allow-outside': outside}: ListFlags) {
  return {...(remote === true && {'allow-remote-lists': true}), ...(outside === true && {'allow-outside': true})};
}

async function serversInUse(flags: ListFlags, session: Session): Promise<URL[]> {
  if (!areSeveral(flags)) return [(await identify({...wishOf(session), tokenOf: async () => ''})).server];
  const {profiles} = await savedProfiles(session).list();
  const named = namedProfiles(flags);
  const used = flags['all-profiles'] === true ? profiles : profiles.filter(({name}) => named.includes(name));
  return used.map(({server}) => new URL(server));
}

/** Whether the servers of all accounts in use are on this machine. */
async function areOnLoopback(flags: ListFlags, session: Session): Promise<boolean> {
  try {
    const servers = await serversInUse(flags, session);
    return servers.length > 0 && servers.every(({hostname}) => isLoopback(hostname));
  } catch (error) {
    // A command that needs a server says so itself.
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** What flags allow. An address is fetched once, however many lists name it. */
export function listAccess(flags: ListFlags, session: Session): ListAccess {
  const {timeout, userAgent, io} = session;
  const isOutsideAllowed = flags['allow-outside'] === true;
  if (flags['allow-remote-lists'] !== true) return {isOutsideAllowed};
  const fetched = new Map<string, Promise<Copy>>();
  const fetchOne = async (address: string, copy: Copy | undefined): Promise<Copy> => {
    const {fetchRemoteList} = await import('../policy/lists/remote-list.js');
    const isLoopbackAllowed = URL.canParse(address) && isLoopback(new URL(address).hostname) && (await areOnLoopback(flags, session));
    return fetchRemoteList(address, {timeout, userAgent, isLoopbackAllowed, copy, now: io.now});
  };
  return {
    isOutsideAllowed,
    copies: copiesIn(cacheFolder(io.env)),
    async fetchList(address, copy) {
      const fetching = fetched.get(address) ?? fetchOne(address, copy);
      fetched.set(address, fetching);
      return fetching;
    },
  };
}
