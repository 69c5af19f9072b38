import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {membersOf} from '../schema.js';
import {accountKind} from './account.js';

/** An account as a search for people to write to finds it. */
export const recipientKind: ObjectKind = {
  one: 'search result',
  several: 'search results',
  article: 'a',
  title: (item) => accountKind.title(membersOf(item)['account']),
  members: membersIn(entities.recipient),
  named: [],
  elsewhere: 'by handle',
  contains: {account: ['account']},
};
