import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

export const mediaKind: ObjectKind = {
  one: 'attached file',
  several: 'attached files',
  article: 'an',
  title: (item) => idText(membersOf(item)['description']),
  members: membersIn(entities.media),
  named: [],
  elsewhere: 'nothing',
  contains: {},
};
