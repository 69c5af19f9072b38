/** Section 4.1 of the API description: conversations and direct messages. */
import * as z from 'zod/mini';
import {isEmptyArray, orAsSent} from './departure.js';
import {endpoint, type Repeat} from './endpoint.js';
import {conversation, conversationSummary, digits, identifierIfAny, integer, message, mutual, recipient} from './entities.js';
import {field} from './field.js';

const conversations = '/api/v1.1/direct/conversations';
const section = '4.1';

const id = field(z.string(), 'id of the conversation', {isId: true, names: 'conversation'});
const limit = z.optional(field(digits, 'items on a page'));

export const unreadCount = endpoint({
  name: 'unread count',
  section,
  method: 'GET',
  path: '/api/v1.1/direct/unread_count',
  scope: 'read',
  output: z.looseObject({primary: integer, requests: integer}),
});

export const listConversations = endpoint({
  name: 'list conversations',
  section,
  method: 'GET',
  path: conversations,
  scope: 'read',
  query: {
    filter: z.optional(field(z.string(), 'which inbox', {known: ['primary', 'requests', 'hidden']})),
    limit,
    cursor: z.optional(field(z.string(), 'start at this cursor, from `meta` of another page')),
  },
  output: z.looseObject({
    data: z.array(conversation),
    meta: z.looseObject({
      filter: z.string(),
      next_cursor: z.nullable(z.string()),
      prev_cursor: z.nullable(z.string()),
    }),
  }),
  rows: ['data'],
  paging: {by: 'cursor', next: ['meta', 'next_cursor'], parameter: 'cursor', pageSize: 20},
});

export const startConversation = endpoint({
  name: 'start conversation',
  section,
  method: 'POST',
  path: conversations,
  scope: 'write',
  body: {recipient_ids: field(z.array(z.string()), 'everybody else in the conversation', {isId: true, names: 'account'})},
  output: conversation,
  repeat: 'harmless',
  undoneBy: null,
});

export const getConversation = endpoint({
  name: 'get conversation',
  section,
  method: 'GET',
  path: `${conversations}/{id}`,
  scope: 'read',
  pathFields: {id},
  output: conversation,
});

export const listMessages = endpoint({
  name: 'list messages',
  section,
  method: 'GET',
  path: `${conversations}/{id}/messages`,
  scope: 'read',
  pathFields: {id},
  query: {
    limit,
    max_id: z.optional(field(z.string(), 'only messages older than this one', {isId: true})),
    min_id: z.optional(field(z.string(), 'only messages newer than this one, the oldest of them first in line', {isId: true})),
  },
  output: z.looseObject({
    data: z.array(message),
    meta: z.looseObject({
      has_more: z.boolean(),
      newest_id: identifierIfAny,
      oldest_id: identifierIfAny,
    }),
  }),
  rows: ['data'],
  paging: {by: 'bounds', oldest: ['meta', 'oldest_id'], newest: ['meta', 'newest_id'], more: ['meta', 'has_more'], pageSize: 20},
});

export const sendMessage = endpoint({
  name: 'send message',
  section,
  method: 'POST',
  path: `${conversations}/{id}/messages`,
  scope: 'write',
  pathFields: {id},
  body: {
    message: z.optional(field(z.string(), 'the text of the message')),
    media_ids: z.optional(field(z.array(z.string()), 'id of an uploaded medium to attach', {isId: true})),
    in_reply_to_id: z.optional(field(z.string(), 'id of the message that this one answers', {isId: true})),
    sensitive: z.optional(field(z.boolean(), 'mark the message as sensitive')),
    type: z.optional(field(z.string(), 'kind of message', {known: ['text', 'emoji']})),
  },
  output: message,
  repeat: 'never',
  lookWith: ({path}) => ({words: ['dm', 'messages'], args: [String(path?.['id'])], flags: {limit: '1'}}),
  undoneBy: 'delete message',
});

export const deleteMessage = endpoint({
  name: 'delete message',
  section,
  method: 'DELETE',
  path: `${conversations}/{id}/messages/{messageId}`,
  scope: 'write',
  pathFields: {id, messageId: field(z.string(), 'id of one of your own messages', {isId: true})},
  output: z.looseObject({deleted: z.boolean()}),
  repeat: 'gone',
  lookWith: ({path}) => ({words: ['dm', 'messages'], args: [String(path?.['id'])]}),
  undoneBy: null,
});

export const readConversation = endpoint({
  name: 'read conversation',
  section,
  method: 'POST',
  path: `${conversations}/{id}/read`,
  scope: 'write',
  pathFields: {id},
  body: {message_id: z.optional(field(z.string(), 'the last message that counts as read; the newest when left out', {isId: true}))},
  output: conversationSummary,
  repeat: 'harmless',
  undoneBy: null,
});

/** The actions that take a conversation and nothing else. */
function conversationAction<Verb extends string>(verb: Verb, repeat: Repeat, undoneBy: string | null) {
  return endpoint({
    name: `${verb} conversation`,
    section,
    method: 'POST',
    path: `${conversations}/{id}/${verb}`,
    scope: 'write',
    pathFields: {id},
    output: conversationSummary,
    repeat,
    ...(repeat !== 'harmless' && {lookWith: ({path}) => ({words: ['dm', 'get'], args: [String(path?.['id'])]})}),
    undoneBy,
  });
}

export const acceptConversation = conversationAction('accept', 'harmless', null);
export const muteConversation = conversationAction('mute', 'harmless', 'unmute conversation');
export const unmuteConversation = conversationAction('unmute', 'harmless', 'mute conversation');
export const hideConversation = conversationAction('hide', 'harmless', 'unhide conversation');
export const unhideConversation = conversationAction('unhide', 'harmless', 'hide conversation');
/** A second leave is 404 on real servers. */
export const leaveConversation = conversationAction('leave', 'gone', null);

/** Real servers ignore the cursor and send the first ten for ever. */
export const listMutuals = endpoint({
  name: 'list mutuals',
  section,
  method: 'GET',
  path: '/api/v1.1/direct/compose/mutuals',
  scope: null,
  query: {cursor: z.optional(field(digits, 'start at this cursor, from `next_cursor` of another page'))},
  output: z.looseObject(
    {data: z.array(mutual), has_more: z.boolean(), next_cursor: z.nullable(integer), total_count: integer},
    orAsSent(isEmptyArray),
  ),
  rows: ['data'],
  paging: {by: 'cursor', next: ['next_cursor'], parameter: 'cursor', more: ['has_more'], total: ['total_count']},
});

/** A POST by form, a search in effect: repeating it is harmless. */
export const lookUpRecipients = endpoint({
  name: 'look up recipients',
  section,
  method: 'POST',
  path: '/api/v1.1/direct/lookup',
  scope: null,
  query: {_pe: z.optional(field(z.boolean(), "ask for the service's own schema (`_pe=1`)"))},
  body: {
    q: field(z.string(), 'part of a user name, or `@user@host`'),
    remote: z.optional(field(z.boolean(), 'search other servers too')),
  },
  output: z.array(recipient),
  rows: [],
  repeat: 'harmless',
});
