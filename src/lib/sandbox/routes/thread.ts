/** Legacy one-to-one threads. Since 2026 they are conversations; before, messages have small row numbers beside their long ids. */
import * as messaging from '../messaging.js';
import type {Account, Conversation, Membership, StoredMessage, World} from '../world.js';
import {compareIds} from '../../json/compare-ids.js';
import {avatarOf, nativeAccount, withOffset} from '../account-payloads.js';
import {fileKilobytes, mediumUrl, messageMedium, mimeOf, supportedMimeTypes} from '../media.js';
import * as api from '../../api/thread.js';
import {textOf} from '../received-request.js';
import {abort, invalid, refuseUnknown} from '../refusal.js';
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

/** Whether a message is hidden: the request is not accepted yet or, on older servers, the recipient does not follow the sender. */
function isHidden(world: World, {members}: Conversation, {sender_id: sender}: StoredMessage): boolean {
  if (world.facts.is2026) return members.some(({state}) => state === 'request');
  return members.some(({accountId}) => accountId !== sender && !world.follows.has(accountId, sender));
}

function isSeen({members}: Conversation, {id, sender_id: sender}: StoredMessage): boolean {
  return members.some(({accountId, last_read_message_id: read}) => accountId !== sender && read !== null && compareIds(read, id) >= 0);
}

function threadMessage({world, viewer}: Call, conversation: Conversation, message: StoredMessage): Payload {
  const [first] = message.media;
  return {
    id: world.facts.is2026 ? message.id : String(message.row),
    hidden: isHidden(world, conversation, message),
    isAuthor: message.sender_id === viewer.id,
    type: message.type,
    text: message.text,
    media: first ? mediumUrl(world, first) : null,
    carousel: message.media.map((medium) => messageMedium(world, medium)),
    created_at: withOffset(message.createdAt),
    timeAgo: `${since(message.createdAt)} ago`,
    seen: isSeen(conversation, message),
    reportId: message.id,
    meta: null,
  };
}

const pageSize = 8;
const done: RouteAnswer = {body: [200]};

/** The id in a field, which must be there. */
const idIn = ({fields}: Call, name: string): string => textOf(fields[name]) ?? '';

function ownId(call: Call): string {
  validate(call.fields, {id: 'required'});
  return idIn(call, 'id');
}

/** The other person. @throws Refusal of the viewer, because nobody has a thread with themselves */
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

/** Older servers apply the bounds only to the other person's messages, by row. The viewer's own come back on every page. */
function pageByRow({fields, viewer}: Call, messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const [above, below] = [textOf(fields['min_id']), textOf(fields['max_id'])];
  const side = messages.filter(
    ({sender_id: sender, row}) =>
      sender === viewer.id || ((above === null || row > Number(above)) && (below === null || row < Number(below))),
  );
  return (above === null ? side.slice(-pageSize) : side.slice(0, pageSize)).toReversed();
}

function show(call: Call): RouteAnswer {
  const {world, fields, viewer} = call;
  const {is2026} = world.facts;
  validate(fields, {pid: 'required', max_id: 'integer|min:1', min_id: 'integer|min:1'});
  const person = other(call, idIn(call, 'pid'));
  const conversation = threadWith(call, person.id);
  const all = conversation ? messaging.visibleMessages(world, conversation, viewer.id) : [];
  const page = is2026 ? pageOfMessages(all, fields, pageSize).page : pageByRow(call, all);
  return {
    body: {
      id: person.id,
      name: person.name,
      username: person.username,
      avatar: avatarOf(world),
      url: nativeAccount(world, person)['url'],
      muted: is2026 ? (ownSide(call, conversation)?.muted ?? false) : world.mutes.has(viewer.id, person.id),
      isLocal: person.domain === null,
      domain: person.domain,
      created_at: withOffset(person.createdAt),
      updated_at: withOffset(person.createdAt),
      timeAgo: since(person.createdAt),
      lastMessage: '',
      messages: conversation ? page.map((message) => threadMessage(call, conversation, message)) : [],
      ...(is2026 && {conversation_id: conversation?.id ?? null}),
    },
  };
}

/** Sends a message to a person whom the viewer may write to. */
function deliver(call: Call, id: string, message: Partial<messaging.Draft>): readonly [Conversation, StoredMessage] {
  const {world, viewer} = call;
  const person = other(call, id);
  const {is2026} = world.facts;
  const isBlocked = is2026 ? world.isBlockedEitherWay(viewer.id, person.id) : world.blocks.has(person.id, viewer.id);
  if (isBlocked) throw abort(403);
  const conversation = openThread(call, person.id);
  if (is2026) messaging.refuseUnlessAccepted(conversation, viewer.id);
  return [conversation, messaging.deliver(world, conversation, viewer.id, message)];
}

function send(call: Call): RouteAnswer {
  const {fields, world} = call;
  validate(fields, {
    to_id: 'required',
    message: `required|string|min:1|max:${world.facts.threadMessageLength}`,
    type: 'required|in:text,emoji',
  });
  const [conversation, message] = deliver(call, idIn(call, 'to_id'), {text: textOf(fields['message']), emoji: fields['type'] === 'emoji'});
  // Older servers leave two fields out here.
  const {carousel, created_at, ...older} = threadMessage(call, conversation, message);
  return {body: world.facts.is2026 ? {...older, carousel, created_at} : older};
}

/** Reads and checks the uploaded file. Older servers fail with 500 where there is none. */
async function checkedFile({world, fields}: Call): Promise<{readonly mime: string; readonly bytes: Uint8Array}> {
  const {is2026, threadMessageLength} = world.facts;
  validate(fields, {
    to_id: 'required',
    ...(is2026 && {file: `required|max:${fileKilobytes}`, message: `string|max:${threadMessageLength}`}),
  });
  const {file} = fields;
  if (!(file instanceof File)) throw abort(500, 'Call to a member function getSize() on null');
  const mime = await mimeOf(file);
  if (mime !== null) return {mime, bytes: await file.bytes()};
  if (!is2026) throw abort(403, 'Invalid or unsupported mime type.');
  throw invalid({file: [`The file must be a file of type: ${supportedMimeTypes.join(', ')}.`]});
}

async function sendMedia(call: Call): Promise<RouteAnswer> {
  const {world, fields, viewer} = call;
  const {is2026} = world.facts;
  const file = await checkedFile(call);
  const medium = world.addMedium({...file, owner: viewer.id, createdAt: new Date(), attached: true});
  const text = is2026 ? textOf(fields['message']) : null;
  const [, {id, row, type}] = deliver(call, idIn(call, 'to_id'), {text, media: [medium]});
  return {body: {id: is2026 ? id : row, reportId: id, type, url: mediumUrl(world, medium)}};
}

/** Marks the other person's messages as read, from one on. Older servers also list those that were read before, by their row numbers. */
function read(call: Call): RouteAnswer {
  const {world, fields, viewer} = call;
  const {is2026} = world.facts;
  validate(fields, {pid: 'required', sid: 'required'});
  const conversation = threadWith(call, idIn(call, 'pid'));
  const membership = ownSide(call, conversation);
  if (!conversation || !membership) return {body: []};
  const candidates = is2026
    ? messaging.unreadMessages(world, conversation, membership)
    : conversation.messages.filter(({sender_id: sender}) => sender !== viewer.id);
  const marked = candidates.filter(({id}) => compareIds(id, idIn(call, 'sid')) >= 0);
  if (marked.length > 0) messaging.markRead(conversation, membership, null);
  return {body: marked.map(({id, row}) => (is2026 ? id : row))};
}

function remove(call: Call): RouteAnswer {
  const {world, viewer} = call;
  const id = ownId(call);
  if ([...world.conversations.values()].some((conversation) => messaging.deleteOwn(conversation, viewer.id, id))) return done;
  throw world.facts.is2026 ? refuseUnknown(String.raw`Models\DmMessage`, id) : refuseUnknown('DirectMessage');
}

/** Older servers take any id here. */
function mute(call: Call): RouteAnswer {
  const {world, viewer} = call;
  const id = ownId(call);
  if (world.facts.is2026) Object.assign(ownSide(call, openThread(call, other(call, id).id)) ?? {}, {muted: true});
  else world.threadMutes.add(viewer.id, id);
  return done;
}

function unmute(call: Call): RouteAnswer {
  const {world, viewer} = call;
  const id = ownId(call);
  if (!world.facts.is2026) {
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
