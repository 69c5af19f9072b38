import * as entities from '../admin-entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

/** A server that another one knows. */
export const instanceKind: ObjectKind = {
  one: 'server',
  several: 'servers',
  article: 'a',
  title: (item) => idText(membersOf(item)['software']),
  members: membersIn(entities.instance),
  named: ['domain'],
  elsewhere: 'the same',
  contains: {domain: ['domain']},
};
