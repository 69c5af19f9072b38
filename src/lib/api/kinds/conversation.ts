import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {membersOf} from '../schema.js';
import {accountKind} from './account.js';

export const conversationKind: ObjectKind = {
  one: 'conversation',
  several: 'conversations',
  article: 'a',
  title(item) {
    const {participants} = membersOf(item);
    return Array.isArray(participants) ? participants.map((person) => accountKind.title(person)).join(', ') : '';
  },
  members: membersIn(entities.conversation),
  named: ['id'],
  elsewhere: 'nothing',
  contains: {account: ['participants']},
  choices: {account: ['participants[].id'], message: ['last_message.id']},
};
