/** Manages conversations: who is in them, what is unread, and what a message changes. */
import type {Conversation, Membership, StoredMessage, World} from './world.js';
import {compareIds} from '../json/compare-ids.js';
import {plainRefusal} from './refusal.js';

export interface Draft extends Pick<StoredMessage, 'in_reply_to_id' | 'media' | 'sensitive' | 'text'> {
  readonly emoji: boolean;
}

const emptyDraft: Draft = {text: null, emoji: false, media: [], sensitive: false, in_reply_to_id: null};

interface Made {
  readonly id?: string | undefined;
  readonly createdAt?: Date;
}

export const membershipOf = (conversation: Conversation | undefined, accountId: string): Membership | undefined =>
  conversation?.members.find((member) => member.accountId === accountId);

/** The conversation of exactly these people. */
export const conversationAmong = (world: World, accountIds: readonly string[]): Conversation | undefined =>
  [...world.conversations.values()].find(
    ({members}) => members.length === accountIds.length && members.every(({accountId}) => accountIds.includes(accountId)),
  );

/** Starts a conversation. Local accounts that do not follow its creator get it as a request. */
export function beginConversation(
  world: World,
  creatorId: string,
  otherIds: readonly string[],
  {id, createdAt = new Date()}: Made = {},
): Conversation {
  const isAsked = (otherId: string) => world.account(otherId).domain === null && !world.follows.has(otherId, creatorId);
  const conversation: Conversation = {
    id: world.takeId(id),
    type: otherIds.length === 1 ? 'dm' : 'group',
    members: [creatorId, ...otherIds].map((accountId) => ({
      accountId,
      state: accountId !== creatorId && isAsked(accountId) ? 'request' : 'active',
      muted: false,
      hidden: false,
      last_read_message_id: null,
    })),
    messages: [],
    createdAt,
    lastActivity: null,
  };
  world.conversations.set(conversation.id, conversation);
  return conversation;
}

/** The messages that the viewer sees, oldest first. Those of people whom the viewer blocks are left out. */
export const visibleMessages = (world: World, {messages}: Conversation, viewerId: string): readonly StoredMessage[] =>
  messages.filter(({sender_id: sender}) => !world.blocks.has(viewerId, sender));

/** Whether a member has read up to the message. */
export const hasRead = ({last_read_message_id: read}: Membership, {id}: StoredMessage): boolean =>
  read !== null && compareIds(read, id) >= 0;

export function unreadMessages(world: World, conversation: Conversation, member: Membership): readonly StoredMessage[] {
  if (member.state === 'left') return [];
  return visibleMessages(world, conversation, member.accountId).filter(
    (message) => message.sender_id !== member.accountId && !hasRead(member, message),
  );
}

/** Moves the read marker to the newest message up to the given one; it never goes back. */
export function markRead(conversation: Conversation, member: Membership, upTo: string | null): void {
  const reached = conversation.messages.findLast(({id}) => upTo === null || compareIds(id, upTo) <= 0);
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
export function deliver(
  world: World,
  conversation: Conversation,
  senderId: string,
  given: Partial<Draft>,
  {id, createdAt = new Date()}: Made = {},
): StoredMessage {
  const {emoji, ...draft} = {...emptyDraft, ...given};
  const message: StoredMessage = {
    ...draft,
    id: world.takeId(id),
    row: world.nextRow('message'),
    conversation_id: conversation.id,
    sender_id: senderId,
    type: typeOf({emoji, ...draft}),
    createdAt,
  };
  for (const medium of draft.media) medium.attached = true;
  conversation.messages = [...conversation.messages, message];
  conversation.lastActivity = createdAt;
  for (const member of conversation.members) {
    if (member.accountId === senderId) Object.assign(member, {state: 'active', hidden: false, last_read_message_id: message.id});
    else if (member.state === 'active' && !member.muted && !member.hidden)
      world.notify(member.accountId, 'direct', world.account(senderId), null, createdAt);
  }
  return message;
}

function typeOf({media, emoji, text}: Pick<Draft, 'emoji' | 'media' | 'text'>): string {
  const kinds = new Set(media.map(({mime}) => (mime.startsWith('video/') ? 'video' : 'photo')));
  if (kinds.size > 1) return 'media';
  const [kind] = kinds;
  if (kind) return media.length > 1 ? `${kind}s` : kind;
  if (/^https?:\/\/\S+$/.test(text ?? '')) return 'link';
  return emoji ? 'emoji' : 'text';
}
