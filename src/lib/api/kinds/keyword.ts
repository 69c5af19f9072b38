import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

export const keywordKind: ObjectKind = {
  one: 'keyword of a filter',
  several: 'keywords of filters',
  article: 'a',
  title: (item) => idText(membersOf(item)['keyword']),
  members: membersIn(entities.keyword),
  named: [],
  elsewhere: 'nothing',
  contains: {},
};
