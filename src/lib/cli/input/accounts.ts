/** What stands behind the accounts that people name, over a connection: each is asked for once a run. */
import {getThread} from '../../api/thread.js';
import {accountName, Accounts, isAccountName} from '../../operations/accounts.js';
import {placeholder} from '../../client/request.js';
import {Failure} from '../../client/failure.js';
import {at, identifierAt} from '../../json/path.js';
import {whoAmI, type OwnAccount} from '../../auth/token.js';
import type {Identity} from '../../auth/identity.js';
import type {Connection} from '../connection.js';

interface Learned {
  readonly accounts: Accounts;
  readonly conversations: Map<string, Promise<string>>;
  self: Promise<OwnAccount | undefined> | undefined;
}

/** By identity, which all connections of a run to one account share. */
const learned = new WeakMap<Identity, Learned>();

function learnedOf({identity}: Connection): Learned {
  const known = learned.get(identity) ?? {accounts: new Accounts(), conversations: new Map(), self: undefined};
  learned.set(identity, known);
  return known;
}

/**
 * The id of an account.
 * @param name as `accountName` gives it
 * @throws Failure `not_found` when nobody has exactly that handle
 */
async function accountId(name: string, connection: Connection): Promise<string> {
  if (connection.session.dryRun && name.startsWith('@')) return placeholder(name);
  return learnedOf(connection).accounts.idOf(name, connection.client);
}

/** An id of a conversation as it is; an account in its place as `accountName` gives it. */
function conversationName(text: string): string {
  return isAccountName(text) ? accountName(text) : text;
}

/**
 * The id of a conversation; with an account in its place, that of the conversation with it, which is never started here.
 * @throws Failure `not_found` when there is no account of that name, or no conversation with it
 */
async function conversationId(name: string, connection: Connection): Promise<string> {
  if (!isAccountName(name)) return name;
  if (connection.session.dryRun) return placeholder(`the conversation with ${name}`);
  const {conversations} = learnedOf(connection);
  const known = conversations.get(name) ?? findConversation(name, connection);
  conversations.set(name, known);
  return known;
}

async function findConversation(name: string, connection: Connection): Promise<string> {
  const {client} = connection;
  const pid = await accountId(name, connection);
  const {text, value: thread} = await client.call(getThread, {query: {pid}}).catch(async (error: unknown) => {
    throw await saidOfSelf(error, [pid], connection);
  });
  const id = identifierAt(text, ['conversation_id']);
  if (id !== undefined) return id;
  const {present, value} = at(thread, ['conversation_id']);
  if (!present)
    throw new Failure('not_found', `${client.host} has no conversations`, {
      hint: (suggest) => `servers before 2026 have threads: \`${suggest(['thread', 'get'], {args: [name]})}\``,
    });
  if (value === null)
    throw new Failure('not_found', `There is no conversation with ${name} yet`, {
      hint: (suggest) => `start one with \`${suggest(['dm', 'start'], {args: [name]})}\``,
    });
  throw new Failure('bad_answer', `${client.host} does not say which conversation is the one with ${name}`);
}

async function self(connection: Connection): Promise<OwnAccount | undefined> {
  const {account} = connection.identity.profile ?? {};
  if (account) return account;
  const known = learnedOf(connection);
  known.self ??= whoAmI(connection.client).catch(() => undefined);
  return known.self;
}

/**
 * A failure in plain words, where it comes from writing to oneself: servers say that there is no such account.
 * @param ids whom a request of direct messages is about
 */
export async function saidOfSelf(error: unknown, ids: readonly string[], connection: Connection): Promise<unknown> {
  const isMissing = error instanceof Failure && error.code === 'not_found' && error.details.reason !== 'unknown_route';
  if (!isMissing) return error;
  const own = await self(connection);
  if (own === undefined || ids.some((id) => id !== own.id)) return error;
  return new Failure('not_found', `@${own.acct} is your own account: there are no messages to yourself`, {
    ...error.details,
    hint: 'name somebody else',
  });
}

/** What people write in place of an id, in one form; asks no server. @throws Failure `usage` for what can be no account */
export const nameOf = {account: accountName, conversation: conversationName};

/** The id behind such a name. */
export const idOf = {account: accountId, conversation: conversationId};
