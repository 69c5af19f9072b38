import {autospamEntry} from '../admin-entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

/** A post that the spam filter of a server held back. */
export const autospamKind: ObjectKind = {
  one: 'spam filter entry',
  several: 'spam filter entries',
  article: 'a',
  title: (item) => `@${idText(membersOf(membersOf(membersOf(item)['status'])['account'])['acct'])}`,
  members: membersIn(autospamEntry),
  marks: ['item_id', 'item_type'],
  named: ['id'],
  elsewhere: 'nothing',
  contains: {post: ['status.id'], user: ['status.account']},
  choices: {account: ['status.account']},
};
