/** Which conversations a run is about: those that are named, or all that are listed and all that are archived. */
import {listConversations} from '../api/direct.js';
import {asFailure, Failure} from '../client/failure.js';
import {isAccountName} from '../client/request.js';
import {conversationName} from '../operations/account-name.js';
import type {AccountDirectory} from '../operations/accounts.js';
import {isHidden} from './facts.js';
import type {ConversationType} from './fold.js';
import {conversationsIn, conversationById, inboxes, isWithoutConversations, type ListedConversation} from './list-conversations.js';
import type {Overview} from './overview.js';
import {ConversationPlace, nameOf} from './places.js';
import type {ArchiveSource} from './read-pages.js';

export interface FoundConversation {
  readonly id: string;
  /** Of a thread the id is that of the other person, and its messages come with it. */
  readonly type: ConversationType;
  /** As the server wrote it, on one line; undefined where it comes with the messages, and where the server has no such conversation. */
  readonly text: string | undefined;
  /** Whether the server says that there is no such conversation. */
  readonly isGone: boolean;
}

export interface RequestedConversation {
  /** As it was named, or its id. */
  readonly name: string;
  /** Its id, where that is known before it is looked for. */
  readonly id: string | undefined;
  readonly type: ConversationType;
  /** @throws Failure where there is none, neither there nor here */
  readonly find: () => Promise<FoundConversation>;
}

export interface WantedConversations {
  /** Ids, or names of accounts; undefined: all that are listed. */
  readonly named: readonly string[] | undefined;
  /** Whether hidden ones are among all. */
  readonly withHidden: boolean;
}

interface Looking {
  readonly source: ArchiveSource;
  readonly overview: Overview;
  readonly accounts: () => Promise<AccountDirectory>;
}

const conversation = 'conversation' satisfies ConversationType;

const requestListed = (one: ListedConversation): RequestedConversation => ({
  name: one.id,
  id: one.id,
  type: conversation,
  find: async () => ({...one, type: conversation, isGone: false}),
});

async function hasConversations({client, observe}: ArchiveSource): Promise<boolean> {
  try {
    observe?.(await client.call(listConversations, {query: {limit: '1'}}));
    return true;
  } catch (error) {
    if (isWithoutConversations(error)) return false;
    throw error;
  }
}

/** A conversation that its id names. One that the server does not have is gone, if it is archived. */
async function conversationWith(id: string, {source}: Looking, isArchived: () => Promise<boolean>): Promise<FoundConversation> {
  try {
    return {...(await conversationById(id, source)), type: conversation, isGone: false};
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found' || isWithoutConversations(error) || !(await isArchived())) throw error;
    return {id, type: conversation, text: undefined, isGone: true};
  }
}

/** Archived conversations that are not listed are asked for by id, except hidden ones, which only their own list shows. */
async function archivedTargets(
  known: ReadonlySet<string>,
  {withHidden}: WantedConversations,
  looking: Looking,
): Promise<RequestedConversation[]> {
  const targets: RequestedConversation[] = [];
  for (const place of await looking.overview.places()) {
    if (known.has(place.name)) continue;
    try {
      const facts = await looking.overview.factsOf(place);
      if (facts === undefined || facts.type === 'thread' || (isHidden(facts) && !withHidden)) continue;
      const {id} = facts;
      targets.push({name: id, id, type: conversation, find: () => conversationWith(id, looking, async () => true)});
    } catch (error) {
      const failure = asFailure(error);
      targets.push({name: place.name, id: place.name, type: conversation, find: () => Promise.reject(failure)});
    }
  }
  return targets;
}

async function allTargets(wanted: WantedConversations, looking: Looking): Promise<RequestedConversation[]> {
  const {source} = looking;
  const all = new Map<string, ListedConversation>();
  for (const inbox of inboxes) {
    if (inbox === 'hidden' && !wanted.withHidden) continue;
    const found = await conversationsIn(inbox, source).catch((error: unknown) => {
      if (!isWithoutConversations(error)) throw error;
      throw new Failure('not_found', `${source.client.host} does not list conversations: it is a server from before 2026`, {
        hint: 'name the accounts: `pixelctl dm export @user --to DIR`',
      });
    });
    for (const one of found) all.set(one.id, one);
  }
  const names = new Set([...all.keys()].map(nameOf));
  return [...[...all.values()].map(requestListed), ...(await archivedTargets(names, wanted, looking))];
}

/** @param archive its folder @throws Failure */
export async function targetsOf(wanted: WantedConversations, archive: string, looking: Looking): Promise<RequestedConversation[]> {
  const {named} = wanted;
  const {source, accounts, overview} = looking;
  const {client} = source;
  if (named === undefined) return allTargets(wanted, looking);
  const isNew = await hasConversations(source);
  return named.map((name) => {
    const id = isAccountName(name) ? undefined : name;
    if (!isNew) {
      const find = async () => (id === undefined ? (await accounts()).idOf(conversationName(name), client) : id);
      return {name, id, type: 'thread', find: async () => ({type: 'thread', id: await find(), text: undefined, isGone: false})};
    }
    return {
      name,
      id,
      type: conversation,
      async find() {
        const found = await (await accounts()).conversationOf(conversationName(name), client);
        return conversationWith(found, looking, async () => (await overview.factsOf(ConversationPlace.of(archive, found))) !== undefined);
      },
    };
  });
}
