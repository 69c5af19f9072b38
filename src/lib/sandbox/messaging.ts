/** Manages conversations: who is in them, what is unread, and what a message changes. */
import {compareIds} from '../json/compare-ids.js';
import {messageRow, type Conversation, type Draft, type Membership, type StoredMessage} from './payloads.js';
import {plainRefusal} from './refusal.js';
import type {World} from './world.js';

export const membershipOf = (conversation: Conversation | undefined, accountId: string): Membership | undefined =>
  conversation?.members.find((member) => member.accountId === accountId);

export const conversationAmong = (world: World, accountIds: readonly string[]): Conversation | undefined =>
  [...world.conversations.values()].find(
    ({members}) => members.length === accountIds.length && members.every(({accountId}) => accountIds.includes(accountId)),
  );

/** Starts a conversation. Local accounts that do not follow its creator get it as a request. */
export function beginConversation(world: World, creatorId: string, otherIds: readonly string[], id?: string): Conversation {
  const isAsked = (otherId: string) => world.account(otherId).local && !world.follows.has(otherId, creatorId);
  const members = [creatorId, ...otherIds].map((accountId): Membership => {
    const state = accountId !== creatorId && isAsked(accountId) ? 'request' : 'active';
    return {accountId, state, muted: false, hidden: false, last_read_message_id: null};
  });
  const conversation: Conversation = {
    id: world.takeId(id),
    type: otherIds.length === 1 ? 'dm' : 'group',
    members,
    messages: [],
    created_at: world.now.toISOString(),
    last_activity_at: null,
  };
  world.conversations.set(conversation.id, conversation);
  return conversation;
}

/** The messages that the viewer sees, oldest first. Those of people whom the viewer blocks are left out. */
export const visibleMessages = (world: World, {messages}: Conversation, viewerId: string): readonly StoredMessage[] =>
  messages.filter(({sender_id: sender}) => !world.blocks.has(viewerId, sender));

export const hasRead = ({last_read_message_id: read}: Membership, {id}: StoredMessage): boolean =>
  read !== null && compareIds(read, id) >= 0;

export function unreadMessages(world: World, conversation: Conversation, member: Membership): readonly StoredMessage[] {
  if (member.state === 'left') return [];
  return visibleMessages(world, conversation, member.accountId).filter(
    (message) => message.sender_id !== member.accountId && !hasRead(member, message),
  );
}

/** Moves the read marker to the newest message up to the given one; it never goes back. */
export function markRead({messages}: Conversation, member: Membership, upTo: string | null): void {
  const reached = messages.findLast(({id}) => upTo === null || compareIds(id, upTo) <= 0);
  if (reached && !hasRead(member, reached)) member.last_read_message_id = reached.id;
}

/** @throws Refusal while the sender has to wait for the request to be accepted: one message is allowed before */
export function refuseUnlessAccepted({type, members, messages}: Conversation, senderId: string): void {
  const isRequest = type === 'dm' && members.some(({accountId, state}) => accountId !== senderId && state === 'request');
  if (isRequest && messages.some((message) => message.sender_id === senderId))
    throw plainRefusal(403, {error: 'You can send more messages once your request is accepted.'});
}

/** Deletes a message, but only of this sender. @returns whether there was such a message */
export function deleteOwn(conversation: Conversation, senderId: string, id: string): boolean {
  const left = conversation.messages.filter((message) => message.id !== id || message.sender_id !== senderId);
  const isThere = left.length < conversation.messages.length;
  conversation.messages = left;
  return isThere;
}

/** Adds a message. For its sender, the conversation is then shown, read, and accepted if it was a request. */
export function deliver(world: World, conversation: Conversation, senderId: string, draft: Draft): StoredMessage {
  const ids = {id: world.takeId(draft.id), row: world.nextRow('message'), conversation_id: conversation.id, sender_id: senderId};
  const message = messageRow(world.now, ids, draft);
  for (const medium of message.media) medium.attached = true;
  conversation.messages = [...conversation.messages, message];
  conversation.last_activity_at = message.created_at;
  for (const member of conversation.members) {
    if (member.accountId === senderId) Object.assign(member, {state: 'active', hidden: false, last_read_message_id: message.id});
    else if (member.state === 'active' && !member.muted && !member.hidden)
      world.notify(member.accountId, 'direct', world.account(senderId), null);
  }
  return message;
}
