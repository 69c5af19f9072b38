/** Manages conversations: who is in them, what is unread, and what a message changes. */
import {compareIds} from '../json/path.js';
import type {Medium} from './payloads.js';
import {plainRefusal} from './refusal.js';
import type {Conversation, Draft, Membership, StoredMessage, World} from './world.js';

export const membershipOf = (conversation: Conversation | undefined, accountId: string): Membership | undefined =>
  conversation?.members.find((member) => member.accountId === accountId);

export const conversationAmong = (world: World, accountIds: readonly string[]): Conversation | undefined =>
  [...world.conversations.values()].find(
    ({members}) => members.length === accountIds.length && members.every(({accountId}) => accountIds.includes(accountId)),
  );

/** Starts a conversation. Local accounts that do not follow its creator get it as a request. */
export function beginConversation(world: World, creatorId: string, otherIds: readonly string[], id?: string): Conversation {
  const isAsked = (otherId: string) => world.account(otherId).local && !world.follows.holds(otherId, creatorId);
  const members: Membership[] = [];
  const conversation: Conversation = {
    id: world.takeId(id),
    type: otherIds.length === 1 ? 'dm' : 'group',
    members,
    messages: [],
    created_at: world.now.toISOString(),
    last_activity_at: null,
  };
  for (const accountId of [creatorId, ...otherIds]) {
    const state = accountId !== creatorId && isAsked(accountId) ? 'request' : 'active';
    members.push({conversation, accountId, state, muted: false, hidden: false, last_read_message_id: null});
  }
  world.conversations.set(conversation.id, conversation);
  return conversation;
}

/** The messages that the viewer sees, oldest first. Those of people whom the viewer blocks are left out. */
export const visibleMessages = (world: World, {messages}: Conversation, viewerId: string): readonly StoredMessage[] =>
  messages.filter(({sender_id: sender}) => !world.blocks.holds(viewerId, sender));

export const hasRead = ({last_read_message_id: read}: Membership, {id}: StoredMessage): boolean =>
  read !== null && compareIds(read, id) >= 0;

export function unreadMessages(world: World, member: Membership): readonly StoredMessage[] {
  if (member.state === 'left') return [];
  return visibleMessages(world, member.conversation, member.accountId).filter(
    (message) => message.sender_id !== member.accountId && !hasRead(member, message),
  );
}

/** Moves the read marker to the newest message up to the given one; it never goes back. */
export function markRead(member: Membership, upTo: string | null): void {
  const reached = member.conversation.messages.findLast(({id}) => upTo === null || compareIds(id, upTo) <= 0);
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

function typeOf(media: readonly Medium[], text: string | null, isEmoji: boolean): string {
  const kinds = new Set(media.map(({data}) => (data.type === 'video' ? 'video' : 'photo')));
  if (kinds.size > 1) return 'media';
  const [kind] = kinds;
  if (kind) return media.length > 1 ? `${kind}s` : kind;
  if (/^https?:\/\/\S+$/.test(text ?? '')) return 'link';
  return isEmoji ? 'emoji' : 'text';
}

/** Adds a message. For its sender, the conversation is then shown, read, and accepted if it was a request. */
export function deliver(world: World, conversation: Conversation, sender_id: string, draft: Draft): StoredMessage {
  const {emoji = false, text = null, media = [], sensitive = false, in_reply_to_id = null} = draft;
  const message: StoredMessage = {
    id: world.takeId(draft.id),
    row: world.nextRow('message'),
    conversation_id: conversation.id,
    sender_id,
    type: typeOf(media, text, emoji),
    text,
    media,
    sensitive,
    in_reply_to_id,
    created_at: world.now.toISOString(),
  };
  for (const medium of media) medium.attached = true;
  conversation.messages = [...conversation.messages, message];
  conversation.last_activity_at = message.created_at;
  for (const member of conversation.members) {
    if (member.accountId === sender_id) Object.assign(member, {state: 'active', hidden: false, last_read_message_id: message.id});
    else if (member.state === 'active' && !member.muted && !member.hidden)
      world.notify(member.accountId, 'direct', world.account(sender_id), null);
  }
  return message;
}
