/** Section 4.1: conversations, which servers before 2026 do not have. */
import {
  acceptConversation,
  getConversation,
  hideConversation,
  leaveConversation,
  listConversations,
  muteConversation,
  readConversation,
  startConversation as startConversationRecord,
  unhideConversation,
  unmuteConversation,
  unreadCount,
} from '../../api/direct.js';
import {integerOf, listOf, textOf} from '../fields.js';
import {findConversation, markRead, membershipOf, startConversation, unreadMessages} from '../messaging.js';
import type {Conversation, Membership} from '../model.js';
import {pageByCursor} from '../paging.js';
import {conversationPayload, conversationSummary} from '../payload/conversation.js';
import {abort, plain} from '../refusal.js';
import {route, type Answer, type Call, type Route} from '../route.js';
import {array, distinct, integer, max, min, oneOf, required, validate} from '../rules.js';
import {directLimits} from './config.js';

interface Joined {
  readonly conversation: Conversation;
  readonly membership: Membership;
}

/** The conversation of the path; who is not in it, or has left it, cannot see that there is one. */
export function joined({world, part, viewer}: Call): Joined {
  const conversation = world.conversations.get(part('id'));
  const membership = conversation && membershipOf(conversation, viewer.id);
  if (!conversation || !membership || membership.state === 'left') throw abort(404);
  return {conversation, membership};
}

/** All that the viewer ever was in, if anything was ever said there; newest activity first. */
function inbox({world, viewer}: Call): readonly Joined[] {
  return [...world.conversations.values()]
    .flatMap((conversation) => {
      const membership = membershipOf(conversation, viewer.id);
      return membership && conversation.lastActivity ? [{conversation, membership}] : [];
    })
    .toSorted(
      ({conversation: one}, {conversation: other}) =>
        (other.lastActivity?.getTime() ?? 0) - (one.lastActivity?.getTime() ?? 0) || other.row - one.row,
    );
}

const inboxes: Readonly<Record<string, (membership: Membership) => boolean>> = {
  primary: ({state, hidden}) => state === 'active' && !hidden,
  requests: ({state, hidden}) => state === 'request' && !hidden,
  hidden: ({state, hidden}) => state !== 'left' && hidden,
};

function list(call: Call): Answer {
  const {world, fields, viewer} = call;
  validate(fields, {filter: [oneOf(Object.keys(inboxes))], limit: [integer, min(1), max(40)]});
  const filter = textOf(fields['filter']) ?? 'primary';
  const {items, next, prev} = pageByCursor(
    inbox(call).filter(({membership}) => inboxes[filter]?.(membership)),
    ({conversation: {lastActivity, row}}) => ({last_activity_at: lastActivity?.toISOString() ?? '', id: row}),
    {cursor: textOf(fields['cursor']), limit: integerOf(fields['limit'], 20)},
  );
  return {
    body: {
      data: items.map(({conversation}) => conversationPayload(world, conversation, viewer.id)),
      meta: {filter, next_cursor: next, prev_cursor: prev},
    },
  };
}

function start({world, fields, viewer}: Call): Answer {
  validate(fields, {
    recipient_ids: [required, array, max(directLimits.participants - 1)],
    'recipient_ids.*': [integer, min(1), distinct],
  });
  const otherIds = listOf(fields['recipient_ids'])
    .map(String)
    .filter((id) => id !== viewer.id);
  if (otherIds.length === 0 || otherIds.some((id) => !world.accounts.has(id)))
    throw plain(404, {error: 'One or more recipients could not be found.'});
  const [only, ...more] = otherIds;
  if (only !== undefined && more.length === 0 && world.isBlockedEitherWay(viewer.id, only))
    throw plain(403, {error: 'You cannot message this account.'});
  if (otherIds.some((id) => world.blocks.has(viewer.id, id))) throw plain(422, {error: 'You have blocked one of these accounts.'});
  const existing = findConversation(world, [viewer.id, ...otherIds]);
  const conversation = existing ?? startConversation(world, viewer.id, otherIds);
  const membership = membershipOf(conversation, viewer.id);
  if (membership?.state === 'left') {
    // Starting it again is the only way back in.
    membership.state = 'active';
    markRead(conversation, membership, null);
  }
  return {status: existing ? 200 : 201, body: conversationPayload(world, conversation, viewer.id)};
}

/** An action that changes the viewer's own side of a conversation. */
function action(
  endpoint: Parameters<typeof route>[0],
  act: (membership: Membership, call: Call, conversation: Conversation) => void,
): Route {
  return route(endpoint, (call) => {
    const {conversation, membership} = joined(call);
    act(membership, call, conversation);
    return {body: conversationSummary(call.world, conversation, membership)};
  });
}

export const conversationRoutes: readonly Route[] = [
  route(unreadCount, (call) => {
    const all = inbox(call);
    const unread = all.filter(
      ({conversation, membership}) =>
        inboxes['primary']?.(membership) && !membership.muted && unreadMessages(call.world, conversation, membership).length > 0,
    );
    return {
      body: {primary: unread.length, requests: all.filter(({membership}) => inboxes['requests']?.(membership)).length},
    };
  }),

  route(listConversations, list),
  route(startConversationRecord, start),
  route(getConversation, (call) => ({
    body: conversationPayload(call.world, joined(call).conversation, call.viewer.id),
  })),

  action(readConversation, (membership, {fields}, conversation) => {
    validate(fields, {message_id: [integer]});
    markRead(conversation, membership, textOf(fields['message_id']));
  }),
  action(acceptConversation, (membership) => {
    if (membership.state === 'request') membership.state = 'active';
  }),
  action(muteConversation, (membership) => {
    membership.muted = true;
  }),
  action(unmuteConversation, (membership) => {
    membership.muted = false;
  }),
  action(hideConversation, (membership) => {
    membership.hidden = true;
  }),
  action(unhideConversation, (membership) => {
    membership.hidden = false;
  }),
  action(leaveConversation, (membership, _call, {type}) => {
    if (type !== 'group') throw plain(422, {error: 'Only group conversations can be left.'});
    membership.state = 'left';
  }),
];
