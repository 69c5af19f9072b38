/** Finds one's own messages in a conversation, and deletes them for everyone. */
import {deleteMessage, hideConversation, listMessages} from '../api/direct.js';
import {answerFrom, type Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {placeholder, requestFor, usableIdAt, type Request} from '../client/request.js';
import {booleanAt, identifierAt, itemsAt} from '../json/path.js';

const perPage = 50;

const listing = (id: string): Request => requestFor(listMessages, {path: {id}, query: {limit: perPage}});

/**
 * The ids of one's own messages in a conversation, the newest first.
 * @param ownId of one's own account; undefined where it is not known
 * @throws Failure `bad_answer` where the server does not say who wrote a message, or contradicts itself
 */
export async function fetchOwnMessages(id: string, ownId: string | undefined, client: Client): Promise<readonly string[]> {
  const refuse = (what: string) => new Failure('bad_answer', `${client.host}: ${what}: nothing was deleted`);
  const own: string[] = [];
  for await (const {items} of pagesOf(client, {request: listing(id), endpoint: listMessages})) {
    for (const message of items) {
      const [messageId, isOwn] = [usableIdAt(message, ['id']), booleanAt(message, ['is_author'])];
      if (messageId === undefined || isOwn === undefined) throw refuse('the response does not say which messages are yours');
      const other = identifierAt(message, ['conversation_id']) ?? id;
      if (other !== id) throw refuse(`message ${messageId} is of the conversation ${other}, not of ${id}`);
      const sender = identifierAt(message, ['sender_id']);
      if (sender !== undefined && ownId !== undefined && (sender === ownId) !== isOwn)
        throw refuse(`is_author and sender_id of message ${messageId} do not agree`);
      if (isOwn) own.push(messageId);
    }
  }
  return own;
}

async function isShown(id: string, messageId: string, client: Client): Promise<boolean> {
  if (!/^\d+$/.test(messageId)) return true;
  const {exact} = await client.call(listMessages, {path: {id}, query: {max_id: String(BigInt(messageId) + 1n), limit: 1}});
  return identifierAt(itemsAt(exact, ['data'])?.[0], ['id']) === messageId;
}

/** Deletes a message. It succeeds if the message is gone already. @throws Failure */
export async function deleteOwnMessage(id: string, messageId: string, client: Client): Promise<Answer> {
  try {
    return await client.call(deleteMessage, {path: {id, messageId}});
  } catch (error) {
    const isMissing = error instanceof Failure && error.code === 'not_found' && error.details.reason === undefined;
    // Servers also answer 404 when the conversation cannot be seen any more.
    if (!isMissing || (await isShown(id, messageId, client))) throw error;
    return answerFrom(undefined, {status: error.details.status ?? 404});
  }
}

/** What clearing a conversation sends, for dry runs. A placeholder stands for the ids that have to be read first. */
export function clearingRequests(id: string, isHidden: boolean): readonly Request[] {
  return [
    listing(id),
    requestFor(deleteMessage, {path: {id, messageId: placeholder('each message of yours')}}),
    ...(isHidden ? [requestFor(hideConversation, {path: {id}})] : []),
  ];
}
