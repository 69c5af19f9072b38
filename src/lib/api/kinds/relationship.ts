import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';

export const relationshipKind: ObjectKind = {
  one: 'relationship with an account',
  several: 'relationships with accounts',
  article: 'a',
  title: () => '',
  members: membersIn(entities.relationship),
  named: [],
  elsewhere: 'nothing',
  contains: {account: ['']},
};
