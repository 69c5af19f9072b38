import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf, once} from '../schema.js';

export const messageKind: ObjectKind = {
  one: 'message',
  several: 'messages',
  article: 'a',
  title: (item) => idText(membersOf(item)['text']),
  // What is answered for a photo has the URL of that.
  members: once(() => [...membersIn(entities.message, entities.legacyMessage)(), 'url']),
  // Servers before 2026 know a message of a thread by its `reportId` alone.
  named: ['reportId', 'id'],
  elsewhere: 'nothing',
  contains: {conversation: ['conversation_id'], account: ['sender_id']},
  // A thread holds its messages.
  listIn: ({messages}) => (Array.isArray(messages) ? messages : undefined),
};
