/** The conversations of an account. */
import {getConversation, listConversations} from '../api/direct.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {requestFor, usableIdAt} from '../client/request.js';
import {itemLinesAt} from '../json/slices.js';
import type {Source} from './read-pages.js';

export interface ListedConversation {
  readonly id: string;
  /** As the server wrote it, on one line. */
  readonly text: string;
}

/** Conversations a request; servers allow no more. */
export const conversationsPageSize = 40;

export const inboxes = ['primary', 'requests', 'hidden'] as const;

export type Inbox = (typeof inboxes)[number];

/** A list that is still new after this many readings is not worth another one. */
const maxRounds = 3;

function listed(text: string, {host}: Client): ListedConversation {
  const id = usableIdAt(text, ['id']);
  if (id === undefined) throw new Failure('bad_answer', `${host}: a conversation has no id`, {reason: 'shape'});
  return {id, text};
}

/**
 * The conversations in an inbox, each once. A message that comes meanwhile moves its conversation to the front, so that the first pages are
 * read again until they show nothing new.
 */
export async function conversationsIn(filter: Inbox, {client, signal, observe}: Source): Promise<ListedConversation[]> {
  const found = new Map<string, ListedConversation>();
  const request = requestFor(listConversations, {query: {filter, limit: String(conversationsPageSize)}});
  for (let round = 1; ; round += 1) {
    let pages = 0;
    let fresh = 0;
    for await (const {answer, lines} of pagesOf(client, {request, endpoint: listConversations, signal})) {
      observe?.(answer);
      pages += 1;
      const before = found.size;
      for (const line of lines) {
        const one = listed(line, client);
        if (!found.has(one.id)) found.set(one.id, one);
      }
      fresh = found.size - before;
      if (round > 1 && fresh === 0) break;
    }
    if (fresh === 0 || pages <= 1 || round === maxRounds) return [...found.values()];
  }
}

/** @throws Failure `not_found` for one that is gone */
export async function conversationWith(id: string, {client, observe}: Source): Promise<ListedConversation> {
  const answer = await client.call(getConversation, {path: {id}});
  observe?.(answer);
  const [text = ''] = itemLinesAt(`[${answer.text}]`, []) ?? [];
  return {id, text};
}

/** Whether a failure says that the server has no conversations, as those before 2026. */
export const isWithoutConversations = (error: unknown): boolean => error instanceof Failure && error.details.reason === 'unknown_route';
