/** Legacy threads and their messages as servers send them. */
import {membershipOf} from '../messaging.js';
import type {Account, Conversation, Message} from '../model.js';
import {compareIds} from '../paging.js';
import type {World} from '../world.js';
import {avatarOf, nativeAccount, withOffset} from './account.js';
import {mediumUrl, messageMedium} from './media.js';

type Payload = Readonly<Record<string, unknown>>;

const units: readonly (readonly [string, number])[] = [
  ['y', 31_536_000],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
];

/** How long ago, in the largest unit: `4w`, `0s`. */
function since(date: Date): string {
  const seconds = Math.max(0, Math.floor((Date.now() - date.getTime()) / 1000));
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? ['s', 1];
  return `${Math.floor(seconds / length)}${unit}`;
}

/** Where threads are conversations a message has one id; else a row number, and the long id as `reportId`. */
export const threadMessageId = (world: World, {id, row}: Message): string => (world.facts.threadsAreConversations ? id : String(row));

/** A message that is not yet wanted: one of the two has not accepted the other, or (older) does not follow the sender. */
function isHidden(world: World, conversation: Conversation, {senderId}: Message): boolean {
  if (world.facts.threadsAreConversations) return conversation.members.some(({state}) => state === 'request');
  return conversation.members.some(({accountId}) => accountId !== senderId && !world.follows.has(accountId, senderId));
}

function isSeen(conversation: Conversation, {id, senderId}: Message): boolean {
  return conversation.members.some(({accountId, lastRead}) => accountId !== senderId && lastRead !== null && compareIds(lastRead, id) >= 0);
}

/** A message in a thread. */
export function threadMessage(world: World, conversation: Conversation, message: Message, viewerId: string): Payload {
  const [first] = message.media;
  return {
    id: threadMessageId(world, message),
    hidden: isHidden(world, conversation, message),
    isAuthor: message.senderId === viewerId,
    type: message.type,
    text: message.text,
    media: first ? mediumUrl(world, first) : null,
    carousel: message.media.map((medium) => messageMedium(world, medium)),
    created_at: withOffset(message.createdAt),
    timeAgo: `${since(message.createdAt)} ago`,
    seen: isSeen(conversation, message),
    reportId: message.id,
    meta: message.meta,
  };
}

/** A message as answered to its sender; older servers leave two fields out. */
export function sentThreadMessage(world: World, conversation: Conversation, message: Message): Payload {
  const {carousel, created_at, ...older} = threadMessage(world, conversation, message, message.senderId);
  return world.facts.threadsAreConversations ? {...older, carousel, created_at} : older;
}

/** The thread with one other person. */
export function threadPayload(
  world: World,
  viewerId: string,
  other: Account,
  conversation: Conversation | undefined,
  messages: readonly Message[],
): Payload {
  const {url} = nativeAccount(world, other);
  const conversational = world.facts.threadsAreConversations;
  return {
    id: other.id,
    name: other.name,
    username: other.username,
    avatar: avatarOf(world),
    url,
    muted: conversational ? ((conversation && membershipOf(conversation, viewerId)?.muted) ?? false) : world.mutes.has(viewerId, other.id),
    isLocal: other.domain === null,
    domain: other.domain,
    created_at: withOffset(other.createdAt),
    updated_at: withOffset(other.createdAt),
    timeAgo: since(other.createdAt),
    lastMessage: '',
    messages: conversation ? messages.map((message) => threadMessage(world, conversation, message, viewerId)) : [],
    ...(conversational ? {conversation_id: conversation?.id ?? null} : {}),
  };
}
