/** Legacy one-to-one threads. */
import * as messaging from '../messaging.js';
import type {Account, Conversation, Membership, StoredMessage, World} from '../world.js';
import {compareIds} from '../../json/compare-ids.js';
import {avatarOf, nativeAccount, withOffset} from '../accounts.js';
import {fileKilobytes, mediumUrl, messageMedium, mimeOf, supportedMimeTypes} from '../media.js';
import * as api from '../../api/thread.js';
import {type ReceivedFields, textOf} from '../request.js';
import {abort, invalid, plainRefusal, refuseUnknown} from '../refusal.js';
import {type RouteAnswer, type Call, route, type Route} from '../route.js';
import {validate} from '../rules.js';
import {pageOfMessages} from './direct.js';

type Payload = Readonly<Record<string, unknown>>;

const units = {y: 31_536_000, w: 604_800, d: 86_400, h: 3600, m: 60, s: 1};

/** How long ago, in the largest unit: `4w`, `0s`. */
function since(date: Date): string {
  const seconds = Math.max(0, Math.floor((Date.now() - date.getTime()) / 1000));
  const [unit, length] = Object.entries(units).find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / length)}${unit}`;
}

/** Where threads are conversations a message has one id; else a row number, and the long id as `reportId`. */
const threadMessageId = (world: World, {id, row}: StoredMessage): string => (world.facts.threadsAreConversations ? id : String(row));

/** A message that is not yet wanted: one of the two has not accepted the other, or (older) does not follow the sender. */
function isHidden(world: World, conversation: Conversation, {senderId}: StoredMessage): boolean {
  if (world.facts.threadsAreConversations) return conversation.members.some(({state}) => state === 'request');
  return conversation.members.some(({accountId}) => accountId !== senderId && !world.follows.has(accountId, senderId));
}

function isSeen(conversation: Conversation, {id, senderId}: StoredMessage): boolean {
  return conversation.members.some(({accountId, lastRead}) => accountId !== senderId && lastRead !== null && compareIds(lastRead, id) >= 0);
}

function threadMessage(world: World, conversation: Conversation, message: StoredMessage, viewerId: string): Payload {
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
function sentThreadMessage(world: World, conversation: Conversation, message: StoredMessage): Payload {
  const {carousel, created_at, ...older} = threadMessage(world, conversation, message, message.senderId);
  return world.facts.threadsAreConversations ? {...older, carousel, created_at} : older;
}

/** The thread with one other person. */
function threadPayload(
  world: World,
  viewerId: string,
  other: Account,
  conversation: Conversation | undefined,
  messages: readonly StoredMessage[],
): Payload {
  const {url} = nativeAccount(world, other);
  const conversational = world.facts.threadsAreConversations;
  return {
    id: other.id,
    name: other.name,
    username: other.username,
    avatar: avatarOf(world),
    url,
    muted: conversational
      ? ((conversation && messaging.membershipOf(conversation, viewerId)?.muted) ?? false)
      : world.mutes.has(viewerId, other.id),
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

const pageSize = 8;
const done: RouteAnswer = {body: [200]};

/** The other person. Nobody has a thread with themselves. */
function other({world, viewer}: Call, id: string): Account {
  if (id === viewer.id) throw refuseUnknown('Profile', id);
  return world.account(id);
}

const threadWith = ({world, viewer}: Call, id: string): Conversation | undefined => messaging.conversationAmong(world, [viewer.id, id]);

const openThread = (call: Call, id: string): Conversation =>
  threadWith(call, id) ?? messaging.beginConversation(call.world, call.viewer.id, [id]);

function ownSide({viewer}: Call, conversation: Conversation | undefined): Membership | undefined {
  return conversation && messaging.membershipOf(conversation, viewer.id);
}

const idOf = (fields: ReceivedFields, name: string): string => textOf(fields[name]) ?? '';

/** The id that a request is about. */
function ownId({fields}: Call): string {
  validate(fields, {id: 'required'});
  return idOf(fields, 'id');
}

/**
 * Older servers apply the bounds to the other's messages only, by row: the viewer's own come back on every page.
 */
function pageByRow({fields, viewer}: Call, messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const [above, below] = [textOf(fields['min_id']), textOf(fields['max_id'])];
  const side = messages.filter(
    ({senderId, row}) => senderId === viewer.id || ((above === null || row > Number(above)) && (below === null || row < Number(below))),
  );
  return (above === null ? side.slice(-pageSize) : side.slice(0, pageSize)).toReversed();
}

function show(call: Call): RouteAnswer {
  const {world, fields, viewer} = call;
  validate(fields, {pid: 'required', max_id: 'integer|min:1', min_id: 'integer|min:1'});
  const person = other(call, idOf(fields, 'pid'));
  const conversation = threadWith(call, person.id);
  const messages = conversation ? messaging.visibleMessages(world, conversation, viewer.id) : [];
  const page = world.facts.threadsAreConversations ? pageOfMessages(messages, fields, pageSize).page : pageByRow(call, messages);
  return {body: threadPayload(world, viewer.id, person, conversation, page), style: {pretty: true, plainSlashes: true}};
}

/** Checks that the viewer may write to this person, and opens the thread. */
function writableThread(call: Call, id: string): Conversation {
  const {world, viewer} = call;
  const person = other(call, id);
  const conversational = world.facts.threadsAreConversations;
  const blocked = conversational ? world.isBlockedEitherWay(viewer.id, person.id) : world.blocks.has(person.id, viewer.id);
  if (blocked) throw abort(403);
  const conversation = openThread(call, person.id);
  if (conversational && messaging.awaitsAcceptance(conversation, viewer.id))
    throw plainRefusal(403, {error: 'You can send more messages once your request is accepted.'});
  return conversation;
}

const draft = (parts: Partial<messaging.Draft>): messaging.Draft => ({
  text: null,
  emoji: false,
  media: [],
  sensitive: false,
  inReplyTo: null,
  ...parts,
});

function send(call: Call): RouteAnswer {
  const {world, fields, viewer} = call;
  validate(fields, {
    to_id: 'required',
    message: `required|string|min:1|max:${world.facts.threadMessageLength}`,
    type: 'required|in:text,emoji',
  });
  const conversation = writableThread(call, idOf(fields, 'to_id'));
  const message = messaging.deliver(
    world,
    conversation,
    viewer.id,
    draft({text: textOf(fields['message']), emoji: fields['type'] === 'emoji'}),
  );
  return {body: sentThreadMessage(world, conversation, message)};
}

/** The file that came in. Older servers look into it before they know that there is one. */
async function checkedFile({world, fields}: Call): Promise<{readonly mime: string; readonly bytes: Uint8Array}> {
  const conversational = world.facts.threadsAreConversations;
  validate(fields, {
    to_id: 'required',
    ...(conversational && {
      file: `required|max:${fileKilobytes}`,
      message: `string|max:${world.facts.threadMessageLength}`,
    }),
  });
  const {file} = fields;
  if (!(file instanceof File)) throw abort(500, 'Call to a member function getSize() on null');
  const mime = await mimeOf(file);
  if (mime !== null) return {mime, bytes: await file.bytes()};
  if (!conversational) throw abort(403, 'Invalid or unsupported mime type.');
  throw invalid({file: [`The file must be a file of type: ${supportedMimeTypes.join(', ')}.`]});
}

async function sendMedia(call: Call): Promise<RouteAnswer> {
  const {world, fields, viewer} = call;
  const {mime, bytes} = await checkedFile(call);
  const conversation = writableThread(call, idOf(fields, 'to_id'));
  const medium = world.addMedium(viewer.id, mime, true, new Date(), bytes);
  const text = world.facts.threadsAreConversations ? textOf(fields['message']) : null;
  const message = messaging.deliver(world, conversation, viewer.id, draft({text, media: [medium]}));
  return {
    body: {
      id: world.facts.threadsAreConversations ? message.id : message.row,
      reportId: message.id,
      type: message.type,
      url: mediumUrl(world, medium),
    },
  };
}

/** Marks everything of the other from one message on. Older servers answer what was marked before, too, and with numbers. */
function read(call: Call): RouteAnswer {
  const {world, fields} = call;
  validate(fields, {pid: 'required', sid: 'required'});
  const conversation = threadWith(call, idOf(fields, 'pid'));
  const membership = ownSide(call, conversation);
  if (!conversation || !membership) return {body: []};
  const candidates = world.facts.threadsAreConversations
    ? messaging.unreadMessages(world, conversation, membership)
    : conversation.messages.filter(({senderId}) => senderId !== membership.accountId);
  const marked = candidates.filter(({id}) => compareIds(id, idOf(fields, 'sid')) >= 0);
  if (marked.length > 0) messaging.markRead(conversation, membership, null);
  return {
    body: marked.map((message) => (world.facts.threadsAreConversations ? threadMessageId(world, message) : message.row)),
  };
}

function remove(call: Call): RouteAnswer {
  const {world, viewer} = call;
  const id = ownId(call);
  for (const conversation of world.conversations.values()) {
    const own = conversation.messages.find((message) => message.id === id && message.senderId === viewer.id);
    if (!own) continue;
    conversation.messages = conversation.messages.filter((message) => message !== own);
    return done;
  }
  throw world.facts.threadsAreConversations ? refuseUnknown(String.raw`Models\DmMessage`, id) : refuseUnknown('DirectMessage');
}

/** Older servers take any id here. */
function mute(call: Call): RouteAnswer {
  const {world, viewer} = call;
  const id = ownId(call);
  if (world.facts.threadsAreConversations) {
    const membership = ownSide(call, openThread(call, other(call, id).id));
    if (membership) membership.muted = true;
  } else world.threadMutes.add(viewer.id, id);
  return done;
}

function unmute(call: Call): RouteAnswer {
  const {world, viewer} = call;
  const id = ownId(call);
  if (!world.facts.threadsAreConversations) {
    if (!world.threadMutes.delete(viewer.id, id)) throw refuseUnknown('UserFilter');
    return done;
  }
  const membership = ownSide(call, threadWith(call, other(call, id).id));
  if (!membership) throw abort(404);
  membership.muted = false;
  return done;
}

export const routes: readonly Route[] = [
  route(api.getThread, show),
  route(api.sendThreadMessage, send),
  route(api.sendThreadMedia, sendMedia),
  route(api.readThread, read),
  route(api.deleteThreadMessage, remove),
  route(api.muteThread, mute),
  route(api.unmuteThread, unmute),
];
