import * as z from 'zod/mini';
import {endpoint, type ErrorHint, saysGone, type OwnErrors, type Topic} from './endpoint.js';
import {conversation, conversationSummary, digits, identifierIfAny, integer, limit, message, mutual, recipient} from './entities.js';
import {kinds} from './kinds.js';
import {agrees, field, isEmptyArray, membersOf, allowKnownMismatch} from './schema.js';
import {column, type Column, type RecordView} from './view.js';

const conversations = '/api/v1.1/direct/conversations';
const topic: Topic = {title: 'Conversations and direct messages', heading: 'MESSAGES'};

const id = field(z.string(), 'id of the conversation', {isId: true, names: 'conversation'});

const noConversations: ErrorHint = {
  on: 'unknown_route',
  hint: 'servers before 2026 have no conversations: use the commands of',
  use: () => ({command: 'help thread'}),
};
const noGroup: ErrorHint = {
  on: 'refused',
  said: /group/i,
  hint: 'the server may not allow group chats, or not of this size: see',
  use: () => ({command: 'config'}),
};
const errors: OwnErrors = {hints: [noConversations, noGroup]};

const common = {section: 'Conversations and direct messages', topic, errors};

const participants: Column = {header: 'with', path: 'participants', kind: 'accounts', key: true};
const lastMessage: Column = {
  header: 'last message',
  path: 'last_message',
  kind: 'message',
  flexible: true,
  wraps: true,
  least: 20,
  priority: 2,
};
const state: readonly Column[] = [
  {header: 'state', path: 'state'},
  {header: 'unread', path: 'unread_count', kind: 'number'},
  {header: 'muted', path: 'muted'},
  {header: 'hidden', path: 'hidden'},
  {header: 'last read', path: 'last_read_message_id'},
];
const conversationView: RecordView = {
  kind: 'record',
  columns: [
    column.id,
    {header: 'type', path: 'type'},
    {header: 'name', path: 'name'},
    participants,
    ...state,
    lastMessage,
    {header: 'started', path: 'created_at', kind: 'time'},
    {header: 'active', path: 'updated_at', kind: 'time'},
  ],
};
const summaryView: RecordView = {kind: 'record', columns: [column.id, ...state]};

export const unreadCount = endpoint({
  name: 'unread count',
  ...common,
  errors: {hints: [noConversations]},
  method: 'GET',
  path: '/api/v1.1/direct/unread_count',
  scope: 'read',
  output: () => z.looseObject({primary: integer, requests: integer}),
});

export const listConversations = endpoint({
  name: 'list conversations',
  ...common,
  method: 'GET',
  path: conversations,
  scope: 'read',
  query: {
    filter: z.optional(field(z.string(), 'which inbox', {known: ['primary', 'requests', 'hidden'], knowsAll: true})),
    limit,
    cursor: z.optional(field(z.string(), 'cursor to start at, from `meta` of another page', {part: true})),
  },
  output: () =>
    z.looseObject({
      data: z.array(conversation()),
      meta: z.looseObject({
        filter: z.string(),
        next_cursor: z.nullable(z.string()),
        prev_cursor: z.nullable(z.string()),
      }),
    }),
  view: {
    kind: 'list',
    columns: [
      column.id,
      participants,
      {header: 'unread', path: 'unread_count', kind: 'number', stays: true},
      {header: 'state', path: 'state', priority: 5},
      {header: 'flags', path: '', kind: 'flags', priority: 6},
      {header: 'active', path: 'updated_at', kind: 'time', priority: 4},
      lastMessage,
    ],
    empty: 'No conversations.',
  },
  rows: ['data'],
  items: kinds.conversation,
  paging: {by: 'cursor', next: ['meta', 'next_cursor'], parameter: 'cursor', pageSize: 20},
});

export const startConversation = endpoint({
  name: 'start conversation',
  ...common,
  method: 'POST',
  path: conversations,
  scope: 'write',
  body: {recipient_ids: field(z.array(z.string()), 'the other participants', {isId: true, names: 'account'})},
  output: conversation,
  items: kinds.conversation,
  view: conversationView,
  repeat: 'harmless',
});

export const getConversation = endpoint({
  name: 'get conversation',
  ...common,
  method: 'GET',
  path: `${conversations}/{id}`,
  scope: 'read',
  pathFields: {id},
  answersAbout: {field: 'id', at: ['id'], mayBeMissing: true},
  output: conversation,
  items: kinds.conversation,
  view: conversationView,
});

export const listMessages = endpoint({
  name: 'list messages',
  ...common,
  method: 'GET',
  path: `${conversations}/{id}/messages`,
  scope: 'read',
  pathFields: {id},
  query: {
    limit,
    max_id: z.optional(field(z.string(), 'only messages older than this one', {isId: true, part: true})),
    min_id: z.optional(field(z.string(), 'only messages newer than this one, starting with the oldest of them', {isId: true, part: true})),
  },
  output: () =>
    z.looseObject({
      data: z.array(message()),
      meta: z.looseObject({
        has_more: z.boolean(),
        newest_id: identifierIfAny,
        oldest_id: identifierIfAny,
      }),
    }),
  view: {
    kind: 'list',
    columns: [
      column.id,
      column.sender,
      column.sent,
      {header: 'files', path: 'media', kind: 'count', priority: 5},
      {header: 'reply to', path: 'in_reply_to_id', priority: 6},
      column.messageInList,
    ],
    empty: 'No messages.',
  },
  rows: ['data'],
  items: kinds.message,
  paging: {by: 'bounds', oldest: ['meta', 'oldest_id'], newest: ['meta', 'newest_id'], more: ['meta', 'has_more'], pageSize: 20},
});

export const sendMessage = endpoint({
  name: 'send message',
  ...common,
  method: 'POST',
  path: `${conversations}/{id}/messages`,
  scope: 'write',
  pathFields: {id},
  body: {
    message: z.optional(field(z.string(), 'text of the message')),
    media_ids: z.optional(field(z.array(z.string()), 'id of an uploaded file to attach', {isId: true})),
    in_reply_to_id: z.optional(field(z.string(), 'id of the message to reply to', {isId: true})),
    sensitive: z.optional(field(z.boolean(), 'mark the message as sensitive')),
    type: z.optional(field(z.string(), 'kind of message', {known: ['text', 'emoji']})),
  },
  answersAbout: {field: 'id', at: ['conversation_id'], mayBeMissing: true},
  output: message,
  items: kinds.message,
  view: {
    kind: 'record',
    columns: [
      column.id,
      {header: 'conversation', path: 'conversation_id'},
      {header: 'from', path: '', kind: 'sender'},
      {header: 'sent', path: 'created_at', kind: 'time'},
      {header: 'edited', path: 'edited_at', kind: 'time', none: 'never'},
      {header: 'reply to', path: 'in_reply_to_id'},
      {header: 'sensitive', path: 'sensitive'},
      column.message,
    ],
    list: {
      path: 'media',
      view: {
        kind: 'list',
        columns: [
          column.id,
          {header: 'type', path: 'type', priority: 3},
          {header: 'description', path: 'description', flexible: true, priority: 2},
          {header: 'url', path: 'url', priority: 4},
        ],
        empty: '',
      },
    },
  },
  repeat: 'never',
  lookWith: ({path}) => ({command: 'dm messages', args: [String(path?.['id'])], flags: {limit: '1'}}),
});

export const deleteMessage = endpoint({
  name: 'delete message',
  ...common,
  method: 'DELETE',
  path: `${conversations}/{id}/messages/{messageId}`,
  scope: 'write',
  pathFields: {id, messageId: field(z.string(), 'id of one of your own messages', {isId: true, of: kinds.message})},
  output: () => z.looseObject({deleted: z.boolean()}),
  proof: (answer) => membersOf(answer)['deleted'] === true,
  isGoneAnswer: (words, {path}) => saysGone(words, 'DmMessage', path?.['messageId']),
  repeat: 'gone',
  lookWith: ({path}) => ({command: 'dm messages', args: [String(path?.['id'])]}),
});

export const readConversation = endpoint({
  name: 'read conversation',
  ...common,
  method: 'POST',
  path: `${conversations}/{id}/read`,
  scope: 'write',
  pathFields: {id},
  body: {message_id: z.optional(field(z.string(), 'last message to mark as read; the newest by default', {isId: true}))},
  answersAbout: {field: 'id', at: ['id'], mayBeMissing: true},
  output: conversationSummary,
  items: kinds.conversation,
  view: summaryView,
  repeat: 'harmless',
  lookWith: ({path}) => ({command: 'dm get', args: [String(path?.['id'])]}),
});

const onlyGroupsAreLeft: ErrorHint = {
  on: 'refused',
  said: /group/i,
  hint: 'a conversation of two can be hidden:',
  use: ({path}) => ({command: 'dm hide', args: [String(path?.['id'])]}),
};

/**
 * An action whose only input is a conversation.
 * @param after the members of the answer that prove that the action was carried out
 */
function conversationAction<Verb extends string>(verb: Verb, after: Readonly<Record<string, boolean | string>>) {
  return endpoint({
    name: `${verb} conversation`,
    ...common,
    errors: verb === 'leave' ? {hints: [onlyGroupsAreLeft, noConversations, noGroup]} : errors,
    method: 'POST',
    path: `${conversations}/{id}/${verb}`,
    scope: 'write',
    pathFields: {id},
    answersAbout: {field: 'id', at: ['id'], mayBeMissing: true},
    output: conversationSummary,
    items: kinds.conversation,
    view: summaryView,
    proof: (answer) => agrees(answer, after),
    // For a conversation that was left, servers answer 404 without words.
    ...(verb === 'leave' && {isGoneAnswer: (words: string) => words === ''}),
    repeat: verb === 'leave' ? 'gone' : 'harmless',
    lookWith: ({path}) => ({command: 'dm get', args: [String(path?.['id'])]}),
  });
}

export const acceptConversation = conversationAction('accept', {state: 'active'});
export const muteConversation = conversationAction('mute', {muted: true});
export const unmuteConversation = conversationAction('unmute', {muted: false});
export const hideConversation = conversationAction('hide', {hidden: true});
export const unhideConversation = conversationAction('unhide', {hidden: false});
/** A second leave is 404 on real servers. */
export const leaveConversation = conversationAction('leave', {state: 'left'});

/** Real servers ignore the cursor and always send the first ten. */
export const listMutuals = endpoint({
  name: 'list mutuals',
  ...common,
  errors: {hints: [noConversations]},
  method: 'GET',
  path: '/api/v1.1/direct/compose/mutuals',
  scope: null,
  query: {cursor: z.optional(field(digits, 'cursor to start at, from `next_cursor` of another page', {part: true}))},
  output: () =>
    z.looseObject(
      {data: z.array(mutual()), has_more: z.boolean(), next_cursor: z.nullable(integer), total_count: integer},
      allowKnownMismatch(isEmptyArray),
    ),
  view: {
    kind: 'list',
    columns: [column.id, column.account, column.displayName, column.followers, column.locked],
    empty: 'No mutual followers.',
  },
  rows: ['data'],
  items: kinds.account,
  paging: {by: 'cursor', next: ['next_cursor'], parameter: 'cursor', more: ['has_more'], total: ['total_count'], endsAtKnown: true},
});

/** A search, though it is a POST: repeating it is harmless. */
export const lookUpRecipients = endpoint({
  name: 'look up recipients',
  ...common,
  errors: {hints: [noConversations]},
  method: 'POST',
  path: '/api/v1.1/direct/lookup',
  isRead: true,
  scope: null,
  query: {_pe: z.optional(field(z.boolean(), "request the server's own schema (`_pe=1`)"))},
  body: {
    q: field(z.string(), 'part of a user name, `@user@host`, or the address of a profile'),
    remote: z.optional(field(z.boolean(), 'search other servers too')),
  },
  output: () => z.array(recipient()),
  view: {
    kind: 'list',
    columns: [
      column.id,
      {header: 'account', path: 'account.acct', kind: 'account', key: true},
      {header: 'name', path: 'account.display_name', flexible: true, priority: 3},
      {header: 'server', path: 'local', words: ['this one', 'another'], priority: 4},
    ],
    empty: 'Nobody found.',
  },
  rows: [],
  items: kinds.recipient,
  repeat: 'harmless',
});
