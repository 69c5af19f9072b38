import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

export const postKind: ObjectKind = {
  one: 'post',
  several: 'posts',
  article: 'a',
  title: (item) => idText(membersOf(item)['url']),
  members: membersIn(entities.status),
  named: ['id'],
  elsewhere: 'nothing',
  contains: {account: ['account']},
};
