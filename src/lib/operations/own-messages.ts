/** The messages of one's own in a conversation, or in a thread of a server before 2026: found, and deleted for everyone. */
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

/** The messages of one's own with the same people. */
export interface OwnMessages {
  /** Undefined for a thread. */
  readonly conversationId: string | undefined;
  /** The handles of the others. */
  readonly people: readonly (string | undefined)[];
  /**
   * The ids of those that the server shows, without those that were given before.
   * @throws Failure when not all of what it shows can be read
   */
  readonly more: (client: Client) => Promise<readonly string[]>;
  /** Deletes one. One that is gone already is deleted. @throws Failure */
  readonly remove: (id: string, client: Client) => Promise<Answer>;
  /** What shows a person whether it is gone. */
  readonly lookWith: (id: string) => SuggestedCommand | undefined;
  /** Why some of them may not have been given; undefined when all were. To be read after the last of them. */
  readonly unseen: string | undefined;
}

/** The most that servers send at once. */
const perPage = 50;

/** The messages that a thread shows at once. */
const perThread = 8;

/** A message: its id, and whether it is one's own. @throws Failure `bad_answer` where it does not say that */
function messageIn(message: unknown, {id, own}: {readonly id: string; readonly own: string}, {host}: Client) {
  const found = {id: usableIdAt(message, [id]), isOwn: booleanAt(message, [own])};
  if (found.id !== undefined && found.isOwn !== undefined) return {id: found.id, isOwn: found.isOwn};
  throw new Failure('bad_answer', `${host}: the response does not say which messages are yours: nothing more was deleted`);
}

/** Stands for the answer to a deletion of what is gone already. */
const answerGone = ({details: {status = 404}}: Failure): Answer => answerFrom(undefined, {status});

const isGone = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'not_found' && error.details.reason === undefined;

class OfConversation implements OwnMessages {
  readonly unseen = undefined;
  readonly people: readonly (string | undefined)[];
  readonly #ownId: string | undefined;
  #isRead = false;

  constructor(
    readonly conversationId: string,
    conversation: unknown,
    ownId: string | undefined,
  ) {
    this.#ownId = ownId;
    this.people = (itemsAt(conversation, ['participants']) ?? [undefined]).map((person) => textAt(person, ['acct']));
  }

  async more(client: Client): Promise<readonly string[]> {
    if (this.#isRead) return [];
    this.#isRead = true;
    const own: string[] = [];
    const request = requestFor(listMessages, {path: {id: this.conversationId}, query: {limit: perPage}});
    for await (const {items} of pagesOf(client, {request, endpoint: listMessages})) {
      for (const message of items) {
        const {id, isOwn} = messageIn(message, {id: 'id', own: 'is_author'}, client);
        const other = identifierAt(message, ['conversation_id']);
        if (other !== undefined && other !== this.conversationId)
          throw new Failure(
            'bad_answer',
            `${client.host}: message ${id} is of the conversation ${other}, not of ${this.conversationId}: nothing was deleted`,
          );
        const sender = identifierAt(message, ['sender_id']);
        if (sender !== undefined && this.#ownId !== undefined && (sender === this.#ownId) !== isOwn)
          throw new Failure('bad_answer', `${client.host}: is_author and sender_id of message ${id} do not agree: nothing was deleted`);
        if (isOwn) own.push(id);
      }
    }
    return own;
  }

  async remove(id: string, client: Client) {
    try {
      return await client.call(deleteMessage, {path: {id: this.conversationId, messageId: id}});
    } catch (error) {
      // The same answer says that the conversation cannot be seen any more.
      if (!isGone(error) || (await this.#shows(id, client))) throw error;
      return answerGone(error);
    }
  }

  lookWith(id: string): SuggestedCommand | undefined {
    return deleteMessage.lookWith?.({path: {id: this.conversationId, messageId: id}});
  }

  async #shows(id: string, client: Client): Promise<boolean> {
    if (!/^\d+$/.test(id)) return true;
    const query = {max_id: String(BigInt(id) + 1n), limit: 1};
    const {exact} = await client.call(listMessages, {path: {id: this.conversationId}, query});
    return identifierAt(itemsAt(exact, ['data'])?.[0], ['id']) === id;
  }
}

/**
 * A thread shows the last messages only. Those before them come where the server pages, or when later ones are deleted. Servers that do
 * not page send one's own newest messages again, whatever was asked for.
 */
class OfThread implements OwnMessages {
  readonly conversationId = undefined;
  readonly people: readonly (string | undefined)[];
  readonly #pid: string;
  readonly #given = new Set<string>();
  #isWhole = false;

  constructor(pid: string, thread: unknown) {
    this.#pid = pid;
    const [name, host] = [textAt(thread, ['username'])?.replace(/^@/, ''), textAt(thread, ['domain'])];
    this.people = [name === undefined || host === undefined || name.includes('@') ? name : `${name}@${host}`];
  }

  async more(client: Client): Promise<readonly string[]> {
    const own: string[] = [];
    const shown = new Set<string>();
    this.#isWhole = false;
    for (let before: string | undefined, isNew = true; isNew && !this.#isWhole;) {
      const {exact} = await client.call(getThread, {query: {pid: this.#pid, ...(before !== undefined && {max_id: before})}});
      const messages = itemsAt(exact, ['messages']) ?? [];
      isNew = false;
      for (const message of messages) {
        const {id, isOwn} = messageIn(message, {id: 'reportId', own: 'isAuthor'}, client);
        before = usableIdAt(message, ['id']);
        if (shown.has(id)) continue;
        isNew = true;
        shown.add(id);
        if (isOwn && !this.#given.has(id)) own.push(id);
        if (isOwn) this.#given.add(id);
      }
      this.#isWhole = messages.length < perThread;
    }
    return own;
  }

  async remove(id: string, client: Client) {
    try {
      return await client.call(deleteThreadMessage, {body: {id}});
    } catch (error) {
      if (!isGone(error)) throw error;
      return answerGone(error);
    }
  }

  lookWith(): SuggestedCommand {
    return {command: 'thread get', args: [this.#pid]};
  }

  get unseen(): string | undefined {
    return this.#isWhole ? undefined : `the server shows only the last ${perThread} messages of a thread`;
  }
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
    return new OfConversation(id, value, (await via.ownAccount())?.id);
  } catch (error) {
    if (!(error instanceof Failure) || error.details.reason !== 'unknown_route') throw error;
  }
  const pid = isAccountName(named) ? await accounts.idOf(named, client) : named;
  return new OfThread(pid, (await client.call(getThread, {query: {pid}})).value);
}

/** What clearing a conversation sends, for dry runs. A placeholder stands for the ids that have to be read first. */
export function clearingRequests(id: string, isHidden: boolean): readonly Request[] {
  return [
    requestFor(listMessages, {path: {id}, query: {limit: perPage}}),
    requestFor(deleteMessage, {path: {id, messageId: placeholder('each message of yours')}}),
    ...(isHidden ? [requestFor(hideConversation, {path: {id}})] : []),
  ];
}
