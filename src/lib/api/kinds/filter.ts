import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

export const filterKind: ObjectKind = {
  one: 'filter',
  several: 'filters',
  article: 'a',
  title: (item) => idText(membersOf(item)['title']),
  members: membersIn(entities.filter),
  named: ['id'],
  elsewhere: 'nothing',
  contains: {},
};
