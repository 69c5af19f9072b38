/** The conversations of an account. */
import {getConversation, listConversations} from '../api/direct.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {readUntilStill} from '../client/reading-again.js';
import {requestFor, usableIdAt} from '../client/request.js';
import type {ArchiveSource} from './read-pages.js';

export interface ListedConversation {
  readonly id: string;
  /** As the server wrote it, on one line. */
  readonly text: string;
}

/** Conversations a request; servers allow no more. */
const conversationsPageSize = 40;

export const inboxes = ['primary', 'requests', 'hidden'] as const;

type Inbox = (typeof inboxes)[number];

function readListedConversation(conversation: unknown, {host}: Client): ListedConversation {
  const id = usableIdAt(conversation, ['id']);
  if (id === undefined) throw new Failure('bad_answer', `${host}: a conversation has no id`, {reason: 'shape'});
  return {id, text: JSON.stringify(conversation)};
}

/**
 * The conversations in an inbox, each once. A message that comes meanwhile moves its conversation to the front, so that the first pages are
 * read again until they show nothing new.
 */
export async function conversationsIn(filter: Inbox, {client, signal, observe, noteMoved}: ArchiveSource): Promise<ListedConversation[]> {
  const found = new Map<string, ListedConversation>();
  const request = requestFor(listConversations, {query: {filter, limit: String(conversationsPageSize)}});

  /** @returns whether it found nothing new, or was one page, on which nothing moves */
  async function* read(reading: number): AsyncGenerator<undefined, boolean, undefined> {
    let pages = 0;
    let fresh = 0;
    for await (const {answer, items} of pagesOf(client, {request, endpoint: listConversations, signal})) {
      observe?.(answer);
      pages += 1;
      const before = found.size;
      for (const item of items) {
        const one = readListedConversation(item, client);
        if (!found.has(one.id)) found.set(one.id, one);
      }
      fresh = found.size - before;
      if (reading > 1 && fresh === 0) break;
      yield;
    }
    return fresh === 0 || pages <= 1;
  }

  const readings = readUntilStill(read);
  let part = await readings.next();
  while (part.done !== true) part = await readings.next();
  if (!part.value) noteMoved?.(filter);
  return [...found.values()];
}

/** @throws Failure `not_found` for one that is gone */
export async function conversationById(id: string, {client, observe}: ArchiveSource): Promise<ListedConversation> {
  const answer = await client.call(getConversation, {path: {id}});
  observe?.(answer);
  return {id, text: JSON.stringify(answer.exact)};
}

/** Whether a failure says that the server has no conversations, as those before 2026. */
export const isWithoutConversations = (error: unknown): boolean => error instanceof Failure && error.details.reason === 'unknown_route';
