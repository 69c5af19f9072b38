/** Which conversations an export is about: those that are named, or all that are listed. */
import {listConversations} from '../api/direct.js';
import {Failure} from '../client/failure.js';
import {isAccountName} from '../client/request.js';
import {conversationName} from '../operations/account-name.js';
import type {AccountDirectory} from '../operations/accounts.js';
import {conversationsIn, conversationById, inboxes, isWithoutConversations, type ListedConversation} from './list-conversations.js';
import type {ArchiveSource} from './read-pages.js';
import type {ConversationType} from './record.js';

export interface FoundConversation extends ListedConversation {
  readonly type: 'conversation';
}

/** A thread of an older server. Its messages come with it. */
export interface FoundThread {
  readonly type: 'thread';
  /** Of the other person. */
  readonly id: string;
}

export interface RequestedConversation {
  /** As it was named, or its id. */
  readonly name: string;
  /** Its id, where that is known before it is looked for. */
  readonly id: string | undefined;
  readonly type: ConversationType;
  /** @throws Failure where there is none */
  readonly find: () => Promise<FoundConversation | FoundThread>;
}

export interface WantedConversations {
  /** Ids, or names of accounts; undefined: all that are listed. */
  readonly named: readonly string[] | undefined;
  /** Whether hidden ones are among all. */
  readonly withHidden: boolean;
}

async function hasConversations({client, observe}: ArchiveSource): Promise<boolean> {
  try {
    observe?.(await client.call(listConversations, {query: {limit: '1'}}));
    return true;
  } catch (error) {
    if (isWithoutConversations(error)) return false;
    throw error;
  }
}

async function listedTargets({withHidden}: WantedConversations, source: ArchiveSource): Promise<RequestedConversation[]> {
  const all = new Map<string, ListedConversation>();
  for (const inbox of inboxes) {
    if (inbox === 'hidden' && !withHidden) continue;
    const listed = await conversationsIn(inbox, source).catch((error: unknown) => {
      if (!isWithoutConversations(error)) throw error;
      throw new Failure('not_found', `${source.client.host} does not list conversations: it is a server from before 2026`, {
        hint: 'name the accounts: `pixelctl dm export @user --to DIR`',
      });
    });
    for (const one of listed) all.set(one.id, one);
  }
  return [...all.values()].map((one) => ({
    name: one.id,
    id: one.id,
    type: 'conversation',
    find: async () => ({...one, type: 'conversation'}),
  }));
}

/** @throws Failure */
export async function targetsOf(
  wanted: WantedConversations,
  source: ArchiveSource,
  accounts: () => Promise<AccountDirectory>,
): Promise<RequestedConversation[]> {
  const {named} = wanted;
  const {client} = source;
  if (named === undefined) return listedTargets(wanted, source);
  if (!(await hasConversations(source))) {
    return named.map((name) => ({
      name,
      id: isAccountName(name) ? undefined : name,
      type: 'thread',
      find: async () => ({type: 'thread', id: isAccountName(name) ? await (await accounts()).idOf(conversationName(name), client) : name}),
    }));
  }
  return named.map((name) => ({
    name,
    id: isAccountName(name) ? undefined : name,
    type: 'conversation',
    async find() {
      const id = await (await accounts()).conversationOf(conversationName(name), client);
      return {...(await conversationById(id, source)), type: 'conversation'};
    },
  }));
}
