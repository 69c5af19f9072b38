/** Finds one's own messages in a conversation, or in a thread of a server before 2026, and deletes them for everyone. */
import {deleteMessage, getConversation, hideConversation, listMessages} from '../api/direct.js';
import type {SuggestedCommand} from '../api/endpoint.js';
import {deleteThreadMessage, getThread} from '../api/thread.js';
import {answerFrom, type Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {isAccountName, placeholder, requestFor, usableIdAt, type Request} from '../client/request.js';
import {booleanAt, identifierAt, itemsAt, textAt} from '../json/path.js';
import {conversationName} from './account-name.js';
import type {OwnAccount} from './accounts.js';
import type {Via} from './operation.js';

/** One's own messages in a conversation or a thread. */
export interface OwnMessages {
  /** Undefined for a thread. */
  readonly conversationId: string | undefined;
  /** The handles of the other people; undefined for one whose handle is not known. */
  readonly people: readonly (string | undefined)[];
  /**
   * The ids of the messages that the server shows now, without those that it returned before.
   * @throws Failure when a page cannot be read
   */
  readonly more: (client: Client) => Promise<readonly string[]>;
  /** Deletes a message. It succeeds if the message is gone already. @throws Failure */
  readonly remove: (id: string, client: Client) => Promise<Answer>;
  /** The command that shows a person whether a message is gone. */
  readonly lookWith: (id: string) => SuggestedCommand | undefined;
  /** Why `more` may not have returned all messages; undefined if it did. It holds once `more` returns no more. */
  readonly unseen: string | undefined;
}

/** The most messages that servers send at once. */
const perPage = 50;

/** How many messages a thread shows at once. */
const perThread = 8;

/** A message: its id, and whether it is one's own. @throws Failure `bad_answer` where it does not say that */
function messageIn(message: unknown, {id, own}: {readonly id: string; readonly own: string}, {host}: Client) {
  const found = {id: usableIdAt(message, [id]), isOwn: booleanAt(message, [own])};
  if (found.id !== undefined && found.isOwn !== undefined) return {id: found.id, isOwn: found.isOwn};
  throw new Failure('bad_answer', `${host}: the response does not say which messages are yours: nothing more was deleted`);
}

/** The answer to a deletion, also of a message that is gone already. @throws the error where it is not known to be gone */
async function answerOrGone(sent: Promise<Answer>, isThere: () => Promise<boolean> = async () => false): Promise<Answer> {
  try {
    return await sent;
  } catch (error) {
    const isMissing = error instanceof Failure && error.code === 'not_found' && error.details.reason === undefined;
    if (!isMissing || (await isThere())) throw error;
    return answerFrom(undefined, {status: error.details.status ?? 404});
  }
}

function messagesInConversation(id: string, conversation: unknown, ownId: string | undefined): OwnMessages {
  let isRead = false;
  const isShown = async (messageId: string, client: Client): Promise<boolean> => {
    if (!/^\d+$/.test(messageId)) return true;
    const {exact} = await client.call(listMessages, {path: {id}, query: {max_id: String(BigInt(messageId) + 1n), limit: 1}});
    return identifierAt(itemsAt(exact, ['data'])?.[0], ['id']) === messageId;
  };
  return {
    conversationId: id,
    people: (itemsAt(conversation, ['participants']) ?? [undefined]).map((person) => textAt(person, ['acct'])),
    unseen: undefined,
    lookWith: (messageId) => deleteMessage.lookWith?.({path: {id, messageId}}),
    async more(client) {
      if (isRead) return [];
      isRead = true;
      const own: string[] = [];
      const request = requestFor(listMessages, {path: {id}, query: {limit: perPage}});
      for await (const {items} of pagesOf(client, {request, endpoint: listMessages})) {
        for (const message of items) {
          const {id: messageId, isOwn} = messageIn(message, {id: 'id', own: 'is_author'}, client);
          const refuse = (what: string) => new Failure('bad_answer', `${client.host}: ${what}: nothing was deleted`);
          const other = identifierAt(message, ['conversation_id']) ?? id;
          if (other !== id) throw refuse(`message ${messageId} is of the conversation ${other}, not of ${id}`);
          const sender = identifierAt(message, ['sender_id']);
          if (sender !== undefined && ownId !== undefined && (sender === ownId) !== isOwn)
            throw refuse(`is_author and sender_id of message ${messageId} do not agree`);
          if (isOwn) own.push(messageId);
        }
      }
      return own;
    },
    // Servers also answer 404 when the conversation cannot be seen any more.
    remove: (messageId, client) => answerOrGone(client.call(deleteMessage, {path: {id, messageId}}), () => isShown(messageId, client)),
  };
}

/**
 * A thread shows only its last messages. Earlier ones come with the next page, or once later ones are deleted. Servers without pages
 * send the newest messages again, whatever was asked for.
 */
function messagesInThread(pid: string, thread: unknown): OwnMessages {
  const given = new Set<string>();
  let isWhole = false;
  const [name, host] = [textAt(thread, ['username'])?.replace(/^@/, ''), textAt(thread, ['domain'])];
  return {
    conversationId: undefined,
    people: [name === undefined || host === undefined || name.includes('@') ? name : `${name}@${host}`],
    lookWith: () => ({command: 'thread get', args: [pid]}),
    async more(client) {
      const own: string[] = [];
      const shown = new Set<string>();
      isWhole = false;
      for (let before: string | undefined, isNew = true; isNew && !isWhole;) {
        const {exact} = await client.call(getThread, {query: {pid, ...(before !== undefined && {max_id: before})}});
        const messages = itemsAt(exact, ['messages']) ?? [];
        isNew = false;
        for (const message of messages) {
          const {id, isOwn} = messageIn(message, {id: 'reportId', own: 'isAuthor'}, client);
          before = usableIdAt(message, ['id']);
          if (shown.has(id)) continue;
          isNew = true;
          shown.add(id);
          if (isOwn && !given.has(id)) own.push(id);
          if (isOwn) given.add(id);
        }
        isWhole = messages.length < perThread;
      }
      return own;
    },
    remove: (id, client) => answerOrGone(client.call(deleteThreadMessage, {body: {id}})),
    get unseen() {
      return isWhole ? undefined : `the server shows only the last ${perThread} messages of a thread`;
    },
  };
}

/**
 * Finds a conversation, or, on a server before 2026, the thread with an account.
 * @param name an id or a handle
 * @throws Failure `not_found` when there is none
 */
export async function ownMessagesWith(
  name: string,
  via: Via & {readonly ownAccount: () => Promise<OwnAccount | undefined>},
): Promise<OwnMessages> {
  const {client} = via;
  const accounts = await via.accounts();
  const named = conversationName(name);
  try {
    const id = await accounts.conversationOf(named, client);
    const {value} = await client.call(getConversation, {path: {id}});
    return messagesInConversation(id, value, (await via.ownAccount())?.id);
  } catch (error) {
    if (!(error instanceof Failure) || error.details.reason !== 'unknown_route') throw error;
  }
  const pid = isAccountName(named) ? await accounts.idOf(named, client) : named;
  return messagesInThread(pid, (await client.call(getThread, {query: {pid}})).value);
}

/** What clearing a conversation sends, for dry runs. A placeholder stands for the ids that have to be read first. */
export function clearingRequests(id: string, isHidden: boolean): readonly Request[] {
  return [
    requestFor(listMessages, {path: {id}, query: {limit: perPage}}),
    requestFor(deleteMessage, {path: {id, messageId: placeholder('each message of yours')}}),
    ...(isHidden ? [requestFor(hideConversation, {path: {id}})] : []),
  ];
}
