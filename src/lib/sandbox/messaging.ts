/** Conversations: who is in them, what is unread, what a message does. */
import type {Conversation, Membership, StoredMessage, World} from './world.js';
import {compareIds} from '../json/compare-ids.js';

/** A message to send. */
export interface Draft extends Pick<StoredMessage, 'inReplyTo' | 'media' | 'sensitive' | 'text'> {
  readonly emoji: boolean;
}

export const membershipOf = (conversation: Conversation, accountId: string): Membership | undefined =>
  conversation.members.find((member) => member.accountId === accountId);

/** The conversation of exactly these people. */
export function conversationAmong(world: World, accountIds: readonly string[]): Conversation | undefined {
  return [...world.conversations.values()].find(
    ({members}) => members.length === accountIds.length && members.every(({accountId}) => accountIds.includes(accountId)),
  );
}

/** Starts a conversation. Local accounts that do not follow its creator get it as a request. */
export function beginConversation(
  world: World,
  creatorId: string,
  otherIds: readonly string[],
  {id, createdAt = new Date()}: {readonly id?: string | undefined; readonly createdAt?: Date} = {},
): Conversation {
  const stateOf = (otherId: string): Membership['state'] =>
    world.account(otherId).domain === null && !world.follows.has(otherId, creatorId) ? 'request' : 'active';
  const join = (accountId: string, state: Membership['state']): Membership => ({
    accountId,
    state,
    muted: false,
    hidden: false,
    lastRead: null,
  });
  const conversation: Conversation = {
    id: world.identifiers.take(id),
    row: world.nextRow('conversation'),
    type: otherIds.length === 1 ? 'dm' : 'group',
    members: [join(creatorId, 'active'), ...otherIds.map((otherId) => join(otherId, stateOf(otherId)))],
    messages: [],
    createdAt,
    lastActivity: null,
  };
  world.conversations.set(conversation.id, conversation);
  return conversation;
}

/** What the viewer can see: nothing of those that they block. Oldest first. */
export const visibleMessages = (world: World, {messages}: Conversation, viewerId: string): readonly StoredMessage[] =>
  messages.filter(({senderId}) => !world.blocks.has(viewerId, senderId));

/** Messages of others behind the read marker. */
export function unreadMessages(
  world: World,
  conversation: Conversation,
  {accountId, state, lastRead}: Membership,
): readonly StoredMessage[] {
  if (state === 'left') return [];
  return visibleMessages(world, conversation, accountId).filter(
    ({id, senderId}) => senderId !== accountId && (lastRead === null || compareIds(id, lastRead) > 0),
  );
}

/** Moves the read marker to the newest message up to the given one; it never goes back. */
export function markRead(conversation: Conversation, membership: Membership, upTo: string | null): void {
  const reached = conversation.messages.findLast(({id}) => upTo === null || compareIds(id, upTo) <= 0);
  if (reached && (membership.lastRead === null || compareIds(reached.id, membership.lastRead) > 0)) membership.lastRead = reached.id;
}

/** Whether the sender has to wait for the request to be accepted: one message is allowed before. */
export function awaitsAcceptance({type, members, messages}: Conversation, senderId: string): boolean {
  return (
    type === 'dm' &&
    members.some(({accountId, state}) => accountId !== senderId && state === 'request') &&
    messages.some((message) => message.senderId === senderId)
  );
}

/** Adds a message. For its sender that shows the conversation, reads it, and accepts it if it was a request. */
export function deliver(
  world: World,
  conversation: Conversation,
  senderId: string,
  draft: Draft,
  {id, createdAt = new Date()}: {readonly id?: string | undefined; readonly createdAt?: Date} = {},
): StoredMessage {
  const link = draft.media.length === 0 ? linkIn(world, draft.text) : null;
  const message: StoredMessage = {
    id: world.identifiers.take(id),
    row: world.nextRow('message'),
    conversationId: conversation.id,
    senderId,
    type: typeOf(draft, link !== null),
    text: draft.text,
    media: draft.media,
    meta: link,
    sensitive: draft.sensitive,
    inReplyTo: draft.inReplyTo,
    createdAt,
  };
  for (const medium of draft.media) medium.attached = true;
  conversation.messages = [...conversation.messages, message];
  conversation.lastActivity = createdAt;
  for (const member of conversation.members) {
    if (member.accountId === senderId) Object.assign(member, {state: 'active', hidden: false, lastRead: message.id});
    else if (member.state === 'active' && !member.muted && !member.hidden)
      world.notify(member.accountId, 'direct', world.account(senderId), null, createdAt);
  }
  return message;
}

function typeOf({media, emoji}: Draft, link: boolean): string {
  const kinds = new Set(media.map(({mime}) => (mime.startsWith('video/') ? 'video' : 'photo')));
  if (kinds.size > 1) return 'media';
  const [kind] = kinds;
  if (kind) return media.length > 1 ? `${kind}s` : kind;
  if (link) return 'link';
  return emoji ? 'emoji' : 'text';
}

/** A message that is one web address and nothing else. */
function linkIn(world: World, text: string | null): StoredMessage['meta'] {
  if (text === null || !/^https?:\/\/\S+$/.test(text)) return null;
  const url = URL.parse(text);
  return url && {domain: url.hostname, local: url.host === world.host};
}
