/** Legacy one-to-one threads. Since 2026 they are conversations; before, messages have small row numbers beside their long ids. */
import * as messaging from '../messaging.js';
import * as api from '../../api/thread.js';
import {compareIds} from '../../json/path.js';
import {fileKilobytes, hostOf, readFile, supportedMimeTypes, withOffset} from '../payloads.js';
import type {Account, Payload} from '../payloads.js';
import {textOf} from '../received-request.js';
import {abort, invalid, refuseUnknown} from '../refusal.js';
import {type Call, route, type Route, unchecked} from '../route.js';
import type {Conversation, StoredMessage, Draft} from '../world.js';
import {pageOfMessages} from './direct.js';

const units = {y: 31_536_000, w: 604_800, d: 86_400, h: 3600, m: 60, s: 1};

/** How long ago, in the largest unit: `4w`, `0s`. */
function since(time: string): string {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time)) / 1000));
  const [unit, length] = Object.entries(units).find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / length)}${unit}`;
}

function threadMessage({world, viewer}: Call, {members}: Conversation, message: StoredMessage): Payload {
  const {sender_id: sender, media, created_at} = message;
  const {is2026} = world.facts;
  const recipients = members.filter(({accountId}) => accountId !== sender);
  return {
    id: is2026 ? message.id : String(message.row),
    // Hidden until the request is accepted or, on older servers, while the recipient does not follow the sender.
    hidden: is2026
      ? members.some(({state}) => state === 'request')
      : recipients.some(({accountId}) => !world.follows.holds(accountId, sender)),
    isAuthor: sender === viewer.id,
    type: message.type,
    text: message.text,
    media: media[0]?.data.url ?? null,
    carousel: media.map(({data}) => data),
    created_at: withOffset(created_at),
    timeAgo: `${since(created_at)} ago`,
    seen: recipients.some((member) => messaging.hasRead(member, message)),
    reportId: message.id,
    meta: null,
  };
}

const pageSize = 8;
const done = [200];

/** The other person. @throws Refusal of the viewer, because nobody has a thread with themselves */
function otherIn({world, viewer, text}: Call, name: string): Account {
  const id = text(name);
  if (id === viewer.id) throw refuseUnknown('Profile', id);
  return world.account(id);
}

const threadWith = ({world, viewer}: Call, id: string): Conversation | undefined => messaging.conversationAmong(world, [viewer.id, id]);

const openThread = (call: Call, {id}: Account): Conversation =>
  threadWith(call, id) ?? messaging.beginConversation(call.world, call.viewer.id, [id]);

/** Older servers apply the bounds only to the other person's messages, by row. The viewer's own come back on every page. */
function pageByRow({fields, viewer}: Call, messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const [above, below] = [textOf(fields['min_id']), textOf(fields['max_id'])];
  const isWithin = (row: number) => (above === null || row > Number(above)) && (below === null || row < Number(below));
  const side = messages.filter(({sender_id: sender, row}) => sender === viewer.id || isWithin(row));
  return (above === null ? side.slice(-pageSize) : side.slice(0, pageSize)).toReversed();
}

function show(call: Call) {
  const {world, viewer} = call;
  const {is2026} = world.facts;
  const person = otherIn(call, 'pid');
  const {id, display_name: name, username, avatar, url, local: isLocal, created_at} = person;
  const conversation = threadWith(call, id);
  const all = conversation ? messaging.visibleMessages(world, conversation, viewer.id) : [];
  const page = is2026 ? pageOfMessages(all, call, pageSize).page : pageByRow(call, all);
  return {
    id,
    name,
    username,
    avatar,
    url,
    muted: is2026 ? messaging.membershipOf(conversation, viewer.id)?.muted === true : world.mutes.holds(viewer.id, id),
    isLocal,
    domain: hostOf(person),
    created_at: withOffset(created_at),
    updated_at: withOffset(created_at),
    timeAgo: since(created_at),
    lastMessage: '',
    messages: conversation ? page.map((message) => threadMessage(call, conversation, message)) : [],
    ...(is2026 && {conversation_id: conversation?.id ?? null}),
  };
}

function deliver(call: Call, message: Draft): readonly [Conversation, StoredMessage] {
  const {world, viewer} = call;
  const person = otherIn(call, 'to_id');
  const {is2026} = world.facts;
  const isBlocked = is2026 ? world.isBlockedEitherWay(viewer.id, person.id) : world.blocks.holds(person.id, viewer.id);
  if (isBlocked) throw abort(403);
  const conversation = openThread(call, person);
  if (is2026) messaging.refuseUnlessAccepted(conversation, viewer.id);
  return [conversation, messaging.deliver(world, conversation, viewer.id, message)];
}

function send(call: Call) {
  const [conversation, message] = deliver(call, {text: call.text('message'), emoji: call.text('type') === 'emoji'});
  // Older servers leave two fields out here.
  const {carousel, created_at, ...older} = threadMessage(call, conversation, message);
  return call.world.facts.is2026 ? {...older, carousel, created_at} : older;
}

async function sendMedia(call: Call): Promise<unknown> {
  const {world, fields, viewer} = call;
  const {is2026} = world.facts;
  if (!(fields['file'] instanceof File)) throw abort(500, 'Call to a member function getSize() on null');
  const file = await readFile(fields['file']);
  if (file === null && !is2026) throw abort(403, 'Invalid or unsupported mime type.');
  if (file === null) throw invalid({file: [`The file must be a file of type: ${supportedMimeTypes.join(', ')}.`]});
  const medium = world.addMedium({...file, owner: viewer.id});
  const [, {id, row, type}] = deliver(call, {text: is2026 ? textOf(fields['message']) : null, media: [medium]});
  return {id: is2026 ? id : row, reportId: id, type, url: medium.data.url};
}

/** Marks the other person's messages as read, from one on. Older servers also list those that were read before, by their row numbers. */
function read(call: Call) {
  const {world, viewer, text} = call;
  const {is2026} = world.facts;
  const member = messaging.membershipOf(threadWith(call, text('pid')), viewer.id);
  if (!member) return [];
  const candidates = is2026
    ? messaging.unreadMessages(world, member)
    : member.conversation.messages.filter(({sender_id: sender}) => sender !== viewer.id);
  const marked = candidates.filter(({id}) => compareIds(id, text('sid')) >= 0);
  if (marked.length > 0) messaging.markRead(member, null);
  return marked.map(({id, row}) => (is2026 ? id : row));
}

function remove({world, viewer, text}: Call) {
  const id = text('id');
  if ([...world.conversations.values()].some((conversation) => messaging.deleteOwn(conversation, viewer.id, id))) return done;
  throw world.facts.is2026 ? refuseUnknown(String.raw`Models\DmMessage`, id) : refuseUnknown('DirectMessage');
}

/** Older servers take any id here. */
function mute(call: Call) {
  const {world, viewer, text} = call;
  if (!world.facts.is2026) world.threadMutes.relate(viewer.id, text('id'));
  else Object.assign(messaging.membershipOf(openThread(call, otherIn(call, 'id')), viewer.id) ?? {}, {muted: true});
  return done;
}

function unmute(call: Call) {
  const {world, viewer, text} = call;
  if (!world.facts.is2026) {
    if (!world.threadMutes.part(viewer.id, text('id'))) throw refuseUnknown('UserFilter');
    return done;
  }
  const member = messaging.membershipOf(threadWith(call, otherIn(call, 'id').id), viewer.id);
  if (!member) throw abort(404);
  member.muted = false;
  return done;
}

export const routes: readonly Route[] = [
  route(api.getThread, show),
  route(api.sendThreadMessage, send, ({facts}) => ({message: [`max:${facts.threadMessageLength}`]})),
  route(unchecked(api.sendThreadMedia), sendMedia, ({facts: {is2026, threadMessageLength}}) => ({
    to_id: ['required'],
    ...(is2026 && {file: ['required', `max:${fileKilobytes}`], message: [`max:${threadMessageLength}`]}),
  })),
  route(api.readThread, read),
  route(api.deleteThreadMessage, remove),
  route(api.muteThread, mute),
  route(api.unmuteThread, unmute),
];
