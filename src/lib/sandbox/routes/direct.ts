/** Conversations, as servers have them since 2026. */
import * as api from '../../api/direct.js';
import type {Endpoint} from '../../api/endpoint.js';
import {compareIds} from '../../json/path.js';
import {pageByCursor} from '../collection.js';
import * as messaging from '../messaging.js';
import {nativeAccount} from '../payloads.js';
import type {Account, Medium, Payload} from '../payloads.js';
import {booleanOf, integerOf, listOf, textOf} from '../received-request.js';
import {abort, jsonAnswer, plainRefusal, refuseUnknown, type Refusal} from '../refusal.js';
import {type Call, route, type Route, unchecked} from '../route.js';
import type {Membership, StoredMessage} from '../world.js';

function summary({world}: Call, member: Membership): Payload {
  const {conversation, accountId, state, ...own} = member;
  return {id: conversation.id, state, unread_count: messaging.unreadMessages(world, member).length, ...own};
}

function conversationPayload(call: Call, member: Membership): Payload {
  const {world, viewer} = call;
  const {members, messages, type, created_at, last_activity_at} = member.conversation;
  const others = members.map(({accountId}) => accountId).filter((accountId) => accountId !== viewer.id);
  const last = messages.at(-1);
  return {
    ...summary(call, member),
    type,
    name: null,
    participants: others.toSorted(compareIds).map((id) => nativeAccount(world, world.account(id))),
    participant_count: members.length,
    last_message: last && !world.blocks.holds(viewer.id, last.sender_id) ? messagePayload(call, last) : null,
    created_at,
    updated_at: last_activity_at ?? created_at,
  };
}

function messagePayload({viewer}: Call, {row, media, ...shown}: StoredMessage): Payload {
  return {...shown, is_author: shown.sender_id === viewer.id, media: media.map(({data}) => data), meta: null, edited_at: null};
}

/** The viewer's side of the conversation in the path. @throws Refusal with 404 when the viewer is not in it, or has left it */
function requireJoined({world, viewer, part}: Call): Membership {
  const member = messaging.membershipOf(world.conversations.get(part('id')), viewer.id);
  if (!member || member.state === 'left') throw abort(404);
  return member;
}

const activityOf = ({conversation}: Membership): string => conversation.last_activity_at ?? '';

/** The conversations of the viewer that have had messages, left ones too, by their last activity, newest first. */
const inbox = ({world, viewer}: Call): readonly Membership[] =>
  [...world.conversations.values()]
    .flatMap((conversation) => messaging.membershipOf(conversation, viewer.id) ?? [])
    .filter(activityOf)
    .toSorted((one, other) => activityOf(other).localeCompare(activityOf(one)) || compareIds(other.conversation.id, one.conversation.id));

const inboxes: Readonly<Record<string, (member: Membership) => boolean>> = {
  primary: ({state, hidden}) => state === 'active' && !hidden,
  requests: ({state, hidden}) => state === 'request' && !hidden,
  hidden: ({state, hidden}) => state !== 'left' && hidden,
};

function showInbox(call: Call) {
  const {fields, text} = call;
  const filter = text('filter') || 'primary';
  const {items, next, prev} = pageByCursor(
    inbox(call).filter((member) => inboxes[filter]?.(member)),
    (member) => ({last_activity_at: activityOf(member), id: member.conversation.id}),
    {cursor: textOf(fields['cursor']), limit: integerOf(fields['limit'], 20)},
  );
  const meta = {filter, next_cursor: next, prev_cursor: prev};
  return {data: items.map((member) => conversationPayload(call, member)), meta};
}

function countUnread(call: Call) {
  const countIn = (filter: string, isCounted: (member: Membership) => boolean) =>
    inbox(call).filter((member) => inboxes[filter]?.(member) && isCounted(member)).length;
  const isUnread = (member: Membership) => !member.muted && messaging.unreadMessages(call.world, member).length > 0;
  return {primary: countIn('primary', isUnread), requests: countIn('requests', () => true)};
}

const isBlocked = (): Refusal => plainRefusal(403, {error: 'You cannot message this account.'});

function start(call: Call) {
  const {world, fields, viewer} = call;
  const otherIds = listOf(fields['recipient_ids'])
    .map(String)
    .filter((id) => id !== viewer.id);
  const [only, ...more] = otherIds;
  if (only === undefined || otherIds.some((id) => !world.accounts.has(id)))
    throw plainRefusal(404, {error: 'One or more recipients could not be found.'});
  if (more.length === 0 && world.isBlockedEitherWay(viewer.id, only)) throw isBlocked();
  if (otherIds.some((id) => world.blocks.holds(viewer.id, id))) throw plainRefusal(422, {error: 'You have blocked one of these accounts.'});
  const existing = messaging.conversationAmong(world, [viewer.id, ...otherIds]);
  const member = messaging.membershipOf(existing ?? messaging.beginConversation(world, viewer.id, otherIds), viewer.id);
  if (member === undefined) throw abort(404);
  if (member.state === 'left') {
    // This is the only way back into a conversation that was left.
    member.state = 'active';
    messaging.markRead(member, null);
  }
  return jsonAnswer(conversationPayload(call, member), existing ? 200 : 201);
}

/** Makes the route of an action that changes the viewer's own side of a conversation. */
const action = (record: Endpoint, act: (member: Membership, call: Call) => void): Route =>
  route(record, (call) => {
    const member = requireJoined(call);
    act(member, call);
    return summary(call, member);
  });

/** One page, newest first. With `min_id` it starts right after that message, so that polling misses nothing. */
export function pageOfMessages(messages: readonly StoredMessage[], {fields}: Call, limit: number) {
  const [above, below] = [textOf(fields['min_id']), textOf(fields['max_id'])];
  const side = messages.filter(({id}) => (above === null ? below === null || compareIds(id, below) < 0 : compareIds(id, above) > 0));
  const page = above === null ? side.slice(-limit) : side.slice(0, limit);
  return {page: page.toReversed(), more: side.length > limit};
}

function showMessages(call: Call) {
  const {world, fields, viewer} = call;
  const visible = messaging.visibleMessages(world, requireJoined(call).conversation, viewer.id);
  const {page, more} = pageOfMessages(visible, call, integerOf(fields['limit'], 20));
  const meta = {has_more: more, newest_id: page[0]?.id ?? null, oldest_id: page.at(-1)?.id ?? null};
  return {data: page.map((message) => messagePayload(call, message)), meta};
}

/** The uploads of a message. @throws Refusal of uploads that are not the viewer's or are attached already */
function attachments({world, fields, viewer}: Call): readonly Medium[] {
  return listOf(fields['media_ids']).map((id) => {
    const medium = world.media.get(Number(id));
    if (!medium || medium.owner !== viewer.id || medium.attached) throw plainRefusal(422, {error: 'Invalid media_ids.'});
    return medium;
  });
}

function send(call: Call) {
  const {world, fields, viewer} = call;
  const {conversation} = requireJoined(call);
  const {type, members} = conversation;
  if (type === 'dm' && members.some(({accountId}) => world.isBlockedEitherWay(viewer.id, accountId))) throw isBlocked();
  messaging.refuseUnlessAccepted(conversation, viewer.id);
  const media = attachments(call);
  const repliedTo = textOf(fields['in_reply_to_id']);
  if (repliedTo !== null && !conversation.messages.some(({id}) => id === repliedTo))
    throw plainRefusal(422, {error: 'Invalid in_reply_to_id.'});
  const message = messaging.deliver(world, conversation, viewer.id, {
    text: textOf(fields['message']),
    emoji: fields['type'] === 'emoji',
    media,
    sensitive: booleanOf(fields['sensitive']),
    in_reply_to_id: repliedTo,
  });
  return jsonAnswer(messagePayload(call, message), 201);
}

/** All accounts, oldest first, except the viewer's and those that block or are blocked by the viewer. */
const reachable = ({world, viewer}: Call): readonly Account[] =>
  [...world.accounts.values()]
    .filter(({id}) => id !== viewer.id && !world.isBlockedEitherWay(viewer.id, id))
    .toSorted((one, other) => compareIds(one.id, other.id));

/** Servers take any text but "0" for true, even "false". */
const isSet = (flag: unknown): boolean => flag !== false && !['', '0'].includes(textOf(flag) ?? '');

function matches(call: Call): readonly Account[] {
  const query = call.text('q');
  const name = query.replace(/^@/, '').toLowerCase();
  const nameOf = ({acct}: Account) => acct.toLowerCase();
  if (name.includes('@')) {
    const local = name.endsWith(`@${call.world.host}`) ? name.slice(0, name.indexOf('@')) : name;
    return reachable(call).filter((account) => nameOf(account) === local);
  }
  if (name.length < 2 || (isSet(call.fields['remote']) && !query.includes('.'))) return [];
  return reachable(call).filter((account) => nameOf(account).includes(name));
}

const mutualsShown = 10;
const matchesShown = 8;

function showMutuals(call: Call) {
  const {world, viewer} = call;
  const mutuals = reachable(call).filter(({id}) => world.follows.holds(viewer.id, id) && world.follows.holds(id, viewer.id));
  const last = mutuals.length > mutualsShown ? mutuals[mutualsShown - 1] : undefined;
  return {
    data: mutuals.slice(0, mutualsShown).map((account) => nativeAccount(world, account)),
    has_more: last !== undefined,
    next_cursor: last ? BigInt(last.id) : null,
    total_count: mutuals.length,
  };
}

export const routes: readonly Route[] = [
  route(api.unreadCount, countUnread),
  route(api.listConversations, showInbox, {limit: ['max:40']}),
  route(api.startConversation, start, {recipient_ids: ['max:9'], 'recipient_ids.*': ['distinct']}),
  route(api.getConversation, (call) => conversationPayload(call, requireJoined(call))),

  action(api.readConversation, (member, {fields}) => messaging.markRead(member, textOf(fields['message_id']))),
  action(api.acceptConversation, (member) => {
    if (member.state === 'request') member.state = 'active';
  }),
  action(api.muteConversation, (member) => Object.assign(member, {muted: true})),
  action(api.unmuteConversation, (member) => Object.assign(member, {muted: false})),
  action(api.hideConversation, (member) => Object.assign(member, {hidden: true})),
  action(api.unhideConversation, (member) => Object.assign(member, {hidden: false})),
  action(api.leaveConversation, (member) => {
    if (member.conversation.type !== 'group') throw plainRefusal(422, {error: 'Only group conversations can be left.'});
    member.state = 'left';
  }),

  route(api.listMessages, showMessages, {limit: ['max:50']}),
  route(api.sendMessage, send, {
    message: ['required_without:media_ids', 'max:2000'],
    media_ids: ['required_without:message', 'max:4'],
    'media_ids.*': ['distinct'],
  }),
  route(api.deleteMessage, (call) => {
    const id = call.part('messageId');
    if (!messaging.deleteOwn(requireJoined(call).conversation, call.viewer.id, id)) throw refuseUnknown(String.raw`Models\DmMessage`, id);
    return {deleted: true};
  }),

  // Real servers ignore the cursor and always send the first ten.
  route(unchecked(api.listMutuals), showMutuals),
  route(
    unchecked(api.lookUpRecipients),
    (call) =>
      matches(call)
        .slice(0, matchesShown)
        .map((one) => {
          const {local, id, acct: name, avatar} = one;
          return {local, id, name, privacy: true, avatar, account: nativeAccount(call.world, one)};
        }),
    {q: ['required', 'min:2', 'max:50']},
  ),
];
