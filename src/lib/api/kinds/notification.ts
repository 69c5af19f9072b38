import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

export const notificationKind: ObjectKind = {
  one: 'notification',
  several: 'notifications',
  article: 'a',
  title: (item) => idText(membersOf(item)['type']),
  members: membersIn(entities.notification),
  named: ['id'],
  elsewhere: 'nothing',
  contains: {account: ['account']},
};
