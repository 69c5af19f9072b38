import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

/** A one-to-one conversation on a server before 2026, which is named by the other account. */
export const threadKind: ObjectKind = {
  one: 'thread',
  several: 'threads',
  article: 'a',
  title: (item) => idText(membersOf(item)['name']),
  members: membersIn(entities.thread),
  named: [],
  elsewhere: 'nothing',
  contains: {account: [''], conversation: ['conversation_id']},
  choices: {message: ['messages[].reportId']},
};
