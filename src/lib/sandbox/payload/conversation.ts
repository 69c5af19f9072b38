/** Conversations and their messages as servers send them. */
import {membershipOf, unreadMessages, visibleMessages} from '../messaging.js';
import type {Conversation, Membership, Message} from '../model.js';
import {compareIds} from '../paging.js';
import type {World} from '../world.js';
import {nativeAccount} from './account.js';
import {messageMedium} from './media.js';

type Payload = Readonly<Record<string, unknown>>;

/** What the actions on a conversation answer. */
export function conversationSummary(world: World, conversation: Conversation, membership: Membership): Payload {
  return {
    id: conversation.id,
    state: membership.state,
    unread_count: unreadMessages(world, conversation, membership).length,
    muted: membership.muted,
    hidden: membership.hidden,
    last_read_message_id: membership.lastRead,
  };
}

export function conversationPayload(world: World, conversation: Conversation, viewerId: string): Payload {
  const membership = membershipOf(conversation, viewerId);
  const last = conversation.messages.at(-1);
  const participants = conversation.members
    .map(({accountId}) => accountId)
    .filter((accountId) => accountId !== viewerId)
    .toSorted(compareIds);
  const {id, ...state} = membership ? conversationSummary(world, conversation, membership) : {id: conversation.id};
  return {
    id,
    type: conversation.type,
    name: null,
    participants: participants.map((accountId) => nativeAccount(world, world.account(accountId))),
    participant_count: conversation.members.length,
    ...state,
    last_message: last && visibleMessages(world, conversation, viewerId).includes(last) ? messagePayload(world, last, viewerId) : null,
    created_at: conversation.createdAt.toISOString(),
    updated_at: (conversation.lastActivity ?? conversation.createdAt).toISOString(),
  };
}

export function messagePayload(world: World, message: Message, viewerId: string): Payload {
  return {
    id: message.id,
    conversation_id: message.conversationId,
    sender_id: message.senderId,
    is_author: message.senderId === viewerId,
    type: message.type,
    text: message.text,
    media: message.media.map((medium) => messageMedium(world, medium)),
    meta: message.meta,
    sensitive: message.sensitive,
    in_reply_to_id: message.inReplyTo,
    edited_at: null,
    created_at: message.createdAt.toISOString(),
  };
}
