import * as z from 'zod/mini';
import {endpoint, saysGone, type OwnErrors, type Topic} from './endpoint.js';
import {identifier, integer, legacyMessage, thread} from './entities.js';
import {kinds} from './kinds.js';
import {field, isInteger, once, allowKnownMismatch} from './schema.js';
import {column, type Column, type ListView} from './view.js';

const path = '/api/v1.1/direct/thread';
const topic: Topic = {title: 'Legacy one-to-one messages, for servers before 2026', heading: 'MESSAGES'};

const errors: OwnErrors = {refusesRecipients: true};

const common = {section: 'Legacy one-to-one threads', topic, errors, scope: null};

const pid = field(z.string(), 'account of the other person', {isId: true, names: 'account'});
const toId = field(z.string(), 'the recipient', {isId: true, names: 'account'});
const done = once(() => z.array(integer));

const reportId: Column = {header: 'report id', path: 'reportId', key: true};
const messagesView: ListView = {
  kind: 'list',
  columns: [
    reportId,
    column.sender,
    {header: 'seen', path: 'seen', words: ['seen', '–'], priority: 5},
    column.sent,
    {header: 'photos', path: 'carousel', kind: 'count', priority: 6},
    column.messageInList,
  ],
  empty: 'No messages.',
};

export const getThread = endpoint({
  name: 'get thread',
  ...common,
  errors: {},
  method: 'GET',
  path,
  query: {
    pid,
    max_id: z.optional(field(z.string(), 'only messages older than this one', {isId: true, part: true})),
    min_id: z.optional(field(z.string(), 'only messages newer than this one', {isId: true, part: true})),
  },
  answersAbout: {field: 'pid', at: ['id'], mayBeMissing: true},
  output: thread,
  view: {
    kind: 'record',
    columns: [
      column.id,
      {header: 'with', path: 'username', kind: 'account'},
      {header: 'name', path: 'name'},
      {header: 'server', path: 'domain', none: 'this one'},
      {header: 'muted', path: 'muted'},
      {header: 'conversation', path: 'conversation_id'},
    ],
    list: {path: 'messages', view: messagesView},
  },
});

export const sendThreadMessage = endpoint({
  name: 'send thread message',
  ...common,
  method: 'POST',
  path: `${path}/send`,
  body: {
    to_id: toId,
    message: field(z.string(), 'text of the message'),
    type: field(z.string(), 'kind of message', {known: ['text', 'emoji']}),
  },
  output: legacyMessage,
  items: kinds.message,
  view: {
    kind: 'record',
    columns: [
      column.id,
      reportId,
      {header: 'from', path: '', kind: 'sender'},
      {header: 'sent', path: 'created_at', kind: 'time'},
      {header: 'seen', path: 'seen'},
      {header: 'hidden', path: 'hidden'},
      {header: 'photos', path: 'carousel', kind: 'count'},
      column.message,
    ],
  },
  repeat: 'never',
  lookWith: ({body}) => ({command: 'thread get', args: [String(body?.['to_id'])]}),
});

export const sendThreadMedia = endpoint({
  name: 'send thread media',
  ...common,
  method: 'POST',
  path: `${path}/media`,
  body: {
    file: field(z.string(), 'path of the image or video to send'),
    to_id: toId,
    message: z.optional(field(z.string(), 'text of the message')),
  },
  files: ['file'],
  output: () => z.looseObject({id: identifier, reportId: identifier, type: z.string(), url: z.string()}),
  repeat: 'never',
  lookWith: ({body}) => ({command: 'thread get', args: [String(body?.['to_id'])]}),
});

export const readThread = endpoint({
  name: 'read thread',
  ...common,
  method: 'POST',
  path: `${path}/read`,
  body: {pid, sid: field(z.string(), '`reportId` of the first message to mark as read; newer ones are marked too', {isId: true})},
  output: () => z.array(z.string(allowKnownMismatch(isInteger))),
  view: {kind: 'list', columns: [{header: 'value', path: ''}], fields: ['value'], empty: 'Nothing was unread.'},
  rows: [],
  repeat: 'harmless',
});

export const deleteThreadMessage = endpoint({
  name: 'delete thread message',
  ...common,
  errors: {refusesRecipients: true},
  method: 'DELETE',
  path: `${path}/message`,
  body: {id: field(z.string(), '`reportId` of one of your own messages', {isId: true, of: kinds.message})},
  output: done,
  isGoneAnswer: (words, {body}) => ['DmMessage', 'DirectMessage'].some((model) => saysGone(words, model, body?.['id'])),
  repeat: 'gone',
});

export const muteThread = endpoint({
  name: 'mute thread',
  ...common,
  method: 'POST',
  path: `${path}/mute`,
  body: {id: pid},
  output: done,
  repeat: 'harmless',
});

/** Older servers answer a second unmute with 500. */
export const unmuteThread = endpoint({
  name: 'unmute thread',
  ...common,
  method: 'POST',
  path: `${path}/unmute`,
  body: {id: pid},
  output: done,
  repeat: 'never',
  lookWith: ({body}) => ({command: 'thread get', args: [String(body?.['id'])]}),
});
