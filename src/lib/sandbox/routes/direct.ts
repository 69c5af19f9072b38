import * as messaging from '../messaging.js';
import type {Account, Conversation, StoredMedium, Membership, StoredMessage} from '../world.js';
import {pageByCursor} from '../pages.js';
import {compareIds} from '../../json/compare-ids.js';
import {acctOf, nativeAccount} from '../account-payloads.js';
import {messageMedium} from '../media.js';
import * as api from '../../api/direct.js';
import {booleanOf, type ReceivedFields, integerOf, listOf, textOf} from '../received-request.js';
import {abort, plainRefusal, refuseUnknown, type Refusal} from '../refusal.js';
import {type RouteAnswer, type Call, route, type Route} from '../route.js';
import {validate} from '../rules.js';
import {directLimits} from './config.js';

type Payload = Readonly<Record<string, unknown>>;

function conversationSummary({world}: Call, conversation: Conversation, membership: Membership): Payload {
  const {accountId, state, ...shown} = membership;
  const {length} = messaging.unreadMessages(world, conversation, membership);
  return {id: conversation.id, state, unread_count: length, ...shown};
}

function conversationPayload(call: Call, conversation: Conversation): Payload {
  const {world, viewer} = call;
  const {members, messages, type, createdAt, lastActivity} = conversation;
  const membership = messaging.membershipOf(conversation, viewer.id);
  if (membership === undefined) throw new Error('A conversation is shown to its members');
  const others = members.map(({accountId}) => accountId).filter((accountId) => accountId !== viewer.id);
  const last = messages.at(-1);
  const isSeen = last && messaging.visibleMessages(world, conversation, viewer.id).includes(last);
  return {
    ...conversationSummary(call, conversation, membership),
    type,
    name: null,
    participants: others.toSorted(compareIds).map((id) => nativeAccount(world, world.account(id))),
    participant_count: members.length,
    last_message: isSeen ? messagePayload(call, last) : null,
    created_at: createdAt.toISOString(),
    updated_at: (lastActivity ?? createdAt).toISOString(),
  };
}

function messagePayload({world, viewer}: Call, {row, createdAt, media, ...shown}: StoredMessage): Payload {
  return {
    ...shown,
    is_author: shown.sender_id === viewer.id,
    media: media.map((medium) => messageMedium(world, medium)),
    meta: null,
    edited_at: null,
    created_at: createdAt.toISOString(),
  };
}

interface Joined {
  readonly conversation: Conversation;
  readonly membership: Membership;
}

/** The conversation in the path. @throws Refusal with 404 when the viewer is not in it, or has left it */
function requireJoined({world, part, viewer}: Call): Joined {
  const conversation = world.conversations.get(part('id'));
  const membership = conversation && messaging.membershipOf(conversation, viewer.id);
  if (!conversation || !membership || membership.state === 'left') throw abort(404);
  return {conversation, membership};
}

/** The conversations of the viewer that have messages, left ones too, by their last activity, newest first. */
function inbox({world, viewer}: Call): readonly Joined[] {
  return [...world.conversations.values()]
    .flatMap((conversation) => {
      const membership = messaging.membershipOf(conversation, viewer.id);
      return membership && conversation.lastActivity ? [{conversation, membership}] : [];
    })
    .toSorted(
      ({conversation: one}, {conversation: other}) =>
        (other.lastActivity?.getTime() ?? 0) - (one.lastActivity?.getTime() ?? 0) || compareIds(other.id, one.id),
    );
}

const inboxes: Readonly<Record<string, (membership: Membership) => boolean>> = {
  primary: ({state, hidden}) => state === 'active' && !hidden,
  requests: ({state, hidden}) => state === 'request' && !hidden,
  hidden: ({state, hidden}) => state !== 'left' && hidden,
};

function showInbox(call: Call): RouteAnswer {
  const {fields} = call;
  validate(fields, {filter: `in:${Object.keys(inboxes).join()}`, limit: 'integer|min:1|max:40'});
  const filter = textOf(fields['filter']) ?? 'primary';
  const {items, next, prev} = pageByCursor(
    inbox(call).filter(({membership}) => inboxes[filter]?.(membership)),
    ({conversation: {lastActivity, id}}) => ({last_activity_at: lastActivity?.toISOString() ?? '', id}),
    {cursor: textOf(fields['cursor']), limit: integerOf(fields['limit'], 20)},
  );
  return {
    body: {
      data: items.map(({conversation}) => conversationPayload(call, conversation)),
      meta: {filter, next_cursor: next, prev_cursor: prev},
    },
  };
}

function start(call: Call): RouteAnswer {
  const {world, fields, viewer} = call;
  validate(fields, {
    recipient_ids: `required|array|max:${directLimits.participants - 1}`,
    'recipient_ids.*': 'integer|min:1|distinct',
  });
  const otherIds = listOf(fields['recipient_ids'])
    .map(String)
    .filter((id) => id !== viewer.id);
  if (otherIds.length === 0 || otherIds.some((id) => !world.accounts.has(id)))
    throw plainRefusal(404, {error: 'One or more recipients could not be found.'});
  const [only, ...more] = otherIds;
  if (only !== undefined && more.length === 0 && world.isBlockedEitherWay(viewer.id, only)) throw isBlocked();
  if (otherIds.some((id) => world.blocks.has(viewer.id, id))) throw plainRefusal(422, {error: 'You have blocked one of these accounts.'});
  const existing = messaging.conversationAmong(world, [viewer.id, ...otherIds]);
  const conversation = existing ?? messaging.beginConversation(world, viewer.id, otherIds);
  const membership = messaging.membershipOf(conversation, viewer.id);
  if (membership?.state === 'left') {
    // This is the only way back into a conversation that was left.
    membership.state = 'active';
    messaging.markRead(conversation, membership, null);
  }
  return {status: existing ? 200 : 201, body: conversationPayload(call, conversation)};
}

/** Makes the route of an action that changes the viewer's own side of a conversation. */
function action(
  endpoint: Parameters<typeof route>[0],
  act: (membership: Membership, call: Call, conversation: Conversation) => void,
): Route {
  return route(endpoint, (call) => {
    const {conversation, membership} = requireJoined(call);
    act(membership, call, conversation);
    return {body: conversationSummary(call, conversation, membership)};
  });
}

const switches = [
  [api.muteConversation, {muted: true}],
  [api.unmuteConversation, {muted: false}],
  [api.hideConversation, {hidden: true}],
  [api.unhideConversation, {hidden: false}],
] as const;

const conversationRoutes: readonly Route[] = [
  route(api.unreadCount, (call) => {
    const all = inbox(call);
    const unread = all.filter(
      ({conversation, membership}) =>
        inboxes['primary']?.(membership) && !membership.muted && messaging.unreadMessages(call.world, conversation, membership).length > 0,
    );
    return {
      body: {primary: unread.length, requests: all.filter(({membership}) => inboxes['requests']?.(membership)).length},
    };
  }),

  route(api.listConversations, showInbox),
  route(api.startConversation, start),
  route(api.getConversation, (call) => ({
    body: conversationPayload(call, requireJoined(call).conversation),
  })),

  action(api.readConversation, (membership, {fields}, conversation) => {
    validate(fields, {message_id: 'integer'});
    messaging.markRead(conversation, membership, textOf(fields['message_id']));
  }),
  action(api.acceptConversation, (membership) => {
    if (membership.state === 'request') membership.state = 'active';
  }),
  ...switches.map(([record, change]) => action(record, (membership) => Object.assign(membership, change))),
  action(api.leaveConversation, (membership, _call, {type}) => {
    if (type !== 'group') throw plainRefusal(422, {error: 'Only group conversations can be left.'});
    membership.state = 'left';
  }),
];

/** One page, newest first. With `min_id` it starts right after that message, so that polling misses nothing. */
export function pageOfMessages(
  messages: readonly StoredMessage[],
  fields: ReceivedFields,
  limit: number,
): {readonly page: readonly StoredMessage[]; readonly more: boolean} {
  const [above, below] = [textOf(fields['min_id']), textOf(fields['max_id'])];
  const side = messages.filter(({id}) => (above === null ? below === null || compareIds(id, below) < 0 : compareIds(id, above) > 0));
  const page = above === null ? side.slice(-limit) : side.slice(0, limit);
  return {page: page.toReversed(), more: side.length > limit};
}

function showMessages(call: Call): RouteAnswer {
  const {world, fields, viewer} = call;
  const {conversation} = requireJoined(call);
  validate(fields, {limit: 'integer|min:1|max:50', max_id: 'integer|min:1', min_id: 'integer|min:1'});
  const {page, more} = pageOfMessages(messaging.visibleMessages(world, conversation, viewer.id), fields, integerOf(fields['limit'], 20));
  return {
    body: {
      data: page.map((message) => messagePayload(call, message)),
      meta: {has_more: more, newest_id: page[0]?.id ?? null, oldest_id: page.at(-1)?.id ?? null},
    },
  };
}

/** The uploads of a message. @throws Refusal of uploads that are not the viewer's or are attached already */
function attachments({world, fields, viewer}: Call): readonly StoredMedium[] {
  return listOf(fields['media_ids']).map((id) => {
    const medium = world.media.get(Number(id));
    if (!medium || medium.owner !== viewer.id || medium.attached) throw plainRefusal(422, {error: 'Invalid media_ids.'});
    return medium;
  });
}

const isBlocked = (): Refusal => plainRefusal(403, {error: 'You cannot message this account.'});

function send(call: Call): RouteAnswer {
  const {world, fields, viewer} = call;
  const {conversation} = requireJoined(call);
  validate(fields, {
    message: `required_without:media_ids|string|max:${directLimits.characters}`,
    media_ids: `required_without:message|array|max:${directLimits.media}`,
    'media_ids.*': 'integer|distinct',
    in_reply_to_id: 'integer',
    sensitive: 'boolean',
    type: 'in:text,emoji',
  });
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
  return {status: 201, body: messagePayload(call, message)};
}

const messageRoutes: readonly Route[] = [
  route(api.listMessages, showMessages),
  route(api.sendMessage, send),
  route(api.deleteMessage, (call) => {
    const id = call.part('messageId');
    if (!messaging.deleteOwn(requireJoined(call).conversation, call.viewer.id, id)) throw refuseUnknown(String.raw`Models\DmMessage`, id);
    return {body: {deleted: true}};
  }),
];

const mutualsShown = 10;
const matchesShown = 8;

/** All accounts, oldest first, except the viewer's and those that block or are blocked by the viewer. */
function reachable({world, viewer}: Call): readonly Account[] {
  return [...world.accounts.values()]
    .filter(({id}) => id !== viewer.id && !world.isBlockedEitherWay(viewer.id, id))
    .toSorted((one, other) => compareIds(one.id, other.id));
}

function matches(call: Call, query: string, remote: boolean): readonly Account[] {
  const name = query.replace(/^@/, '').toLowerCase();
  if (name.includes('@')) {
    const local = name.endsWith(`@${call.world.host}`) ? name.slice(0, name.indexOf('@')) : name;
    return reachable(call).filter((account) => acctOf(account).toLowerCase() === local);
  }
  if (name.length < 2 || (remote && !query.includes('.'))) return [];
  return reachable(call).filter((account) => acctOf(account).toLowerCase().includes(name));
}

const recipientRoutes: readonly Route[] = [
  // Real servers ignore the cursor and always send the first ten.
  route(api.listMutuals, ({world, viewer}) => {
    const mutuals = [...world.accounts.values()]
      .filter(({id}) => world.isMutual(viewer.id, id))
      .toSorted((one, other) => compareIds(one.id, other.id));
    const shown = mutuals.slice(0, mutualsShown);
    const last = mutuals.length > shown.length ? shown.at(-1) : undefined;
    return {
      body: {
        data: shown.map((account) => nativeAccount(world, account)),
        has_more: last !== undefined,
        next_cursor: last ? BigInt(last.id) : null,
        total_count: mutuals.length,
      },
    };
  }),

  route(api.lookUpRecipients, (call) => {
    validate(call.fields, {q: 'required|string|min:2|max:50'});
    const remote = textOf(call.fields['remote']);
    // Servers take any text but "0" for true, even "false".
    const isRemote = remote !== null && remote !== '0' && call.fields['remote'] !== false;
    const found = matches(call, textOf(call.fields['q']) ?? '', isRemote).slice(0, matchesShown);
    return {
      body: found.map((account) => {
        const entity = nativeAccount(call.world, account);
        return {
          local: account.domain === null,
          id: account.id,
          name: acctOf(account),
          privacy: true,
          avatar: entity['avatar'],
          account: entity,
        };
      }),
    };
  }),
];

export const routes: readonly Route[] = [...conversationRoutes, ...messageRoutes, ...recipientRoutes];
