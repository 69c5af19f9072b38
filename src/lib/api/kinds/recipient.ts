import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {membersOf} from '../schema.js';
import {account} from './account.js';

/** An account as a search for people to write to finds it. */
export const recipient: ObjectKind = {
  one: 'search result',
  several: 'search results',
  article: 'a',
  title: (item) => account.title(membersOf(item)['account']),
  members: membersIn(entities.recipient),
  named: [],
  elsewhere: 'by handle',
  contains: {account: ['account']},
};
