/** Which conversations a run exports: the named ones, or all that the server lists and all in the archive. */
import {existsSync} from 'node:fs';
import {getConversation, listConversations} from '../api/direct.js';
import {asFailure, Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {requestFor, usableIdAt} from '../client/request.js';
import type {AccountDirectory} from '../operations/accounts.js';
import {isHidden} from './facts.js';
import type {ConversationType} from './message.js';
import type {Overview} from './overview.js';
import {ConversationPlace, conversationsOf, nameOf} from './archive-places.js';
import type {ArchiveSource} from './read-pages.js';

export interface FoundConversation {
  readonly id: string;
  /** The id of a thread is that of the other person, and a thread comes with its messages. */
  readonly type: ConversationType;
  /** The conversation as the server wrote it; undefined where it comes with the messages, and where the server has no such conversation. */
  readonly shown?: unknown;
  /** Whether the server says that there is no such conversation. */
  readonly isGone?: true;
}

export interface RequestedConversation {
  /** The name that a person typed, or the id. */
  readonly name: string;
  readonly type: ConversationType;
  /** @throws Failure if neither the server nor the archive has it */
  readonly find: () => Promise<FoundConversation>;
}

export interface WantedConversations {
  /** Ids, or names of accounts; undefined means all conversations. */
  readonly named: readonly string[] | undefined;
  /** Whether all conversations include the hidden ones. */
  readonly withHidden: boolean;
}

interface Looking {
  readonly source: ArchiveSource;
  readonly overview: Overview;
  readonly accounts: () => Promise<AccountDirectory>;
}

const type = 'conversation' satisfies ConversationType;

/** How many conversations to ask for in a request; servers allow no more. */
const conversationsPageSize = 40;

const maxReadings = 5;

/** Whether a failure says that the server has no conversations, as servers before 2026 do not. */
const isWithoutConversations = (error: unknown): boolean => error instanceof Failure && error.details.reason === 'unknown_route';

/**
 * The conversations in an inbox, each once, by their ids. A message that comes meanwhile moves its conversation to the front, so the first pages
 * are read again until they show nothing new.
 */
export async function conversationsIn(
  filter: 'hidden' | 'primary' | 'requests',
  {client, signal, observe, noteMoved}: ArchiveSource,
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const request = requestFor(listConversations, {query: {filter, limit: String(conversationsPageSize)}});
  for (let reading = 1; reading <= maxReadings; reading += 1) {
    let [pages, fresh] = [0, 0];
    for await (const {answer, items} of pagesOf(client, {request, endpoint: listConversations, signal})) {
      observe(answer);
      pages += 1;
      const before = found.size;
      for (const item of items) {
        const id = usableIdAt(item, ['id']);
        if (id === undefined) throw new Failure('bad_answer', `${client.host}: a conversation has no id`, {reason: 'shape'});
        if (!found.has(id)) found.set(id, item);
      }
      fresh = found.size - before;
      if (reading > 1 && fresh === 0) break;
    }
    // Nothing was missed where nothing new was found, nor in an inbox of one page, which a conversation cannot leave.
    if (fresh === 0 || pages <= 1) return found;
  }
  noteMoved(filter, maxReadings);
  return found;
}

/** Reads a conversation by its id. If the server does not have it and the archive does, it is gone. */
async function conversationWith(id: string, {source: {client, observe}, overview}: Looking): Promise<FoundConversation> {
  try {
    const answer = await client.call(getConversation, {path: {id}});
    observe(answer);
    return {id, type, shown: answer.exact};
  } catch (error) {
    const isGone = error instanceof Failure && error.code === 'not_found' && !isWithoutConversations(error);
    if (!isGone || !existsSync(new ConversationPlace(overview.archive, nameOf(id)).folder)) throw error;
    return {id, type, isGone};
  }
}

/** Archived conversations that are not listed are asked for by id, except hidden ones, which only their own list shows. */
async function archivedTarget(place: ConversationPlace, withHidden: boolean, looking: Looking): Promise<RequestedConversation | undefined> {
  try {
    const facts = await looking.overview.factsOf(place);
    if (facts === undefined || facts.type === 'thread' || (isHidden(facts) && !withHidden)) return undefined;
    return {name: facts.id, type, find: () => conversationWith(facts.id, looking)};
  } catch (error) {
    // If a damaged log was put aside, the run writes a new one, so the conversation stays a target.
    const {name} = place;
    return {name, type, find: () => (nameOf(name) === name ? conversationWith(name, looking) : Promise.reject(asFailure(error)))};
  }
}

async function allTargets(withHidden: boolean, looking: Looking): Promise<RequestedConversation[]> {
  const {source, overview} = looking;
  const listed = new Map<string, unknown>();
  for (const inbox of ['primary', 'requests', ...(withHidden ? ['hidden' as const] : [])] as const) {
    const found = await conversationsIn(inbox, source).catch((error: unknown) => {
      if (!isWithoutConversations(error)) throw error;
      throw new Failure('not_found', `${source.client.host} does not list conversations: it is a server from before 2026`, {
        hint: 'name the accounts: `pixelctl dm export @user --to DIR`',
      });
    });
    for (const [id, shown] of found) listed.set(id, shown);
  }
  const targets: RequestedConversation[] = [...listed].map(([id, shown]) => ({name: id, type, find: async () => ({id, type, shown})}));
  const names = new Set([...listed.keys()].map(nameOf));
  for (const place of await conversationsOf(overview.archive)) {
    const target = names.has(place.name) ? undefined : await archivedTarget(place, withHidden, looking);
    if (target !== undefined) targets.push(target);
  }
  return targets;
}

async function hasConversations({client, observe}: ArchiveSource): Promise<boolean> {
  try {
    observe(await client.call(listConversations, {query: {limit: '1'}}));
    return true;
  } catch (error) {
    if (isWithoutConversations(error)) return false;
    throw error;
  }
}

/** @throws Failure */
export async function targetsOf({named, withHidden}: WantedConversations, looking: Looking): Promise<RequestedConversation[]> {
  if (named === undefined) return allTargets(withHidden, looking);
  const {source, accounts} = looking;
  const {client} = source;
  const isNew = await hasConversations(source);
  const find = async (name: string): Promise<FoundConversation> =>
    isNew
      ? conversationWith(await (await accounts()).conversationOf(name, client), looking)
      : {id: await (await accounts()).idOf(name, client), type: 'thread'};
  return named.map((name) => ({name, type: isNew ? type : 'thread', find: () => find(name)}));
}
